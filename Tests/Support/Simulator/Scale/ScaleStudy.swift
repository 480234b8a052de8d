import AlbumModel
import SyncEngine

/// Measures one gathering, part by part.
public struct ScaleStudy {
    public let options: ScaleOptions
    var world: ScaleWorld
    /// Told how far it is, now and then.
    let progress: (String) -> Void

    /// Everybody has joined and had a minute to find links when this returns.
    public init(options: ScaleOptions, progress: @escaping (String) -> Void) {
        self.options = options
        self.progress = progress
        progress("\(options.deviceCount) devices: making their engines")
        world = ScaleWorld(options: options)
        for second in stride(from: 10.0, through: options.joinSeconds + 60, by: 10) {
            world.advance(until: MonotonicInstant(nanoseconds: 1_000_000_000) + second)
            let graph = ScaleGraph(world)
            let span = graph.diameter.map { "diameter \($0)" } ?? "not connected"
            progress(
                "\(Int(second)) s: \(world.presentCount) devices, links \(graph.least) to \(graph.most), \(span), "
                    + "\(world.wires.count) connections made, \(world.eventCount) events")
        }
    }

    public var eventCount: Int { world.eventCount }

    /// What no peer here deserves.
    public var refusals: [String] { world.refusals }

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
        world.isAway.indices.filter { !world.isAway[$0] }.randomElement(using: &world.random)!
    }

    /// Drops a photo of one piece.
    ///
    /// - Returns: the batch that tells of it.
    mutating func dropSmall() -> BatchID {
        let count = world.published.count
        world.drop(byteCount: 1000, on: randomDevice())
        while world.published.count == count { world.advance(by: options.diskDelay) }
        return world.published[count]
    }
}
