import AlbumModel
import SyncEngine

/// How photos' bytes came to all.
public struct ScaleSwarmFigures: Sendable {
    public var photoCount: Int
    public var seconds: Double
    /// (1 + ⌈log₂ n⌉ / pieces) × size / rate.
    public var bound: Double
    /// What left the device on which they were dropped, in times their size.
    public var copies: Double
    /// Pieces that arrived for each that was needed.
    public var piecesPerNeeded: Double
    public var messages: ScaleMessageCounts
    /// Whether they came to all within the time that was given.
    public var isComplete: Bool
}

extension ScaleStudy {
    public static let photoByteCount: UInt64 = 4_000_000

    /// Drops photos of 4 MB on one device at once, and waits until everybody holds them.
    public mutating func swarm(photos count: Int) throws(SimulationFailure) -> ScaleSwarmFigures {
        let source = randomDevice()
        let (start, before) = (world.now, measures)
        var blobs: [BlobID] = []
        for _ in 0..<count { blobs.append(try world.drop(byteCount: Self.photoByteCount, on: source)) }
        let bound = bound(photos: count)
        var nextWord = 0.0
        while heldPart(blobs) < 1, world.now < start + 60 * bound + 60 {
            try advance(by: 0.02)
            guard world.now.seconds(since: start) >= nextWord else { continue }
            nextWord += max(1, bound / 4)
            progress(
                "\(Int(world.now.seconds(since: start))) s: \(Int(100 * heldPart(blobs))) % are there, "
                    + "\(world.eventCount) events")
        }
        let byteCount = Double(count) * Double(Self.photoByteCount)
        let pieces = measures.pieceCount - before.pieceCount
        let needed = count * Pieces.count(blobByteCount: Self.photoByteCount) * (options.deviceCount - 1)
        return ScaleSwarmFigures(
            photoCount: count, seconds: world.now.seconds(since: start), bound: bound,
            copies: Double(measures.sentByteCounts[source] - before.sentByteCounts[source]) / byteCount,
            piecesPerNeeded: Double(pieces) / Double(needed), messages: measures.messages.since(before.messages),
            isComplete: heldPart(blobs) == 1)
    }

    private func bound(photos count: Int) -> Double {
        let pieces = Double(count * Pieces.count(blobByteCount: Self.photoByteCount))
        let rounds = Self.log2(options.deviceCount).rounded(.up)
        return (1 + rounds / pieces) * Double(count) * Double(Self.photoByteCount) / options.rate
    }

    private func heldPart(_ blobs: [BlobID]) -> Double {
        let held = blobs.reduce(0) { $0 + (measures.heldCounts[$1] ?? 0) }
        return Double(held) / Double(blobs.count * options.deviceCount)
    }
}
