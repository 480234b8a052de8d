import AlbumModel
import SyncEngine

/// Measures one gathering, part by part.
public struct ScaleStudy {
    public let options: ScaleOptions
    var world: Simulation
    /// Told how far it is, now and then.
    let progress: (String) -> Void

    /// Everybody has joined and had a minute to find links when this returns.
    ///
    /// - Throws: a mistake of an engine: nothing else hinders anybody here.
    public init(options: ScaleOptions, progress: @escaping (String) -> Void) throws(SimulationFailure) {
        self.options = options
        self.progress = progress
        progress("\(options.deviceCount) devices: making their engines")
        world = try Simulation(options)
        for second in stride(from: 10.0, through: options.joinSeconds + 60, by: 10) {
            try world.advance(until: MonotonicInstant(nanoseconds: 1_000_000_000) + second)
            let graph = ScaleGraph(world)
            let span = graph.diameter.map { "diameter \($0)" } ?? "not connected"
            progress(
                "\(Int(second)) s: \(presentCount) devices, links \(graph.least) to \(graph.most), \(span), "
                    + "\(world.network.connections.count) connections made, \(world.eventCount) events")
        }
    }

    var measures: ScaleMeasures { world.measures! }

    var presentCount: Int { world.laptops.count(where: \.isAwake) }

    public var graph: ScaleGraph { ScaleGraph(world) }

    /// The logarithm by which rounds are judged.
    public static func log2(_ count: Int) -> Double {
        // Without Foundation: the fraction of the logarithm by squaring.
        var exponent = 0.0
        var rest = Double(count)
        while rest >= 2 {
            rest /= 2
            exponent += 1
        }
        var bit = 0.5
        for _ in 0..<20 {
            rest *= rest
            if rest >= 2 {
                rest /= 2
                exponent += bit
            }
            bit /= 2
        }
        return exponent
    }

    mutating func randomDevice() -> Int {
        world.laptops.indices.filter { world.laptops[$0].isAwake }.randomElement(using: &world.peopleRandom)!
    }

    /// Drops a photo of one piece.
    ///
    /// - Returns: the batch that tells of it.
    mutating func dropSmall() throws(SimulationFailure) -> BatchID {
        let count = measures.batches.count
        _ = try world.drop(byteCount: 1000, on: randomDevice())
        while measures.batches.count == count { try advance(by: options.delay) }
        return measures.batches[count]
    }

    mutating func advance(by seconds: Double) throws(SimulationFailure) {
        try world.advance(until: world.now + seconds)
    }
}
