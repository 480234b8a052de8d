import AlbumModel
import SyncEngine
import WireFormat

/// What is counted of many devices.
struct ScaleMeasures {
    var messages = ScaleMessageCounts()
    /// Of each device, bytes of pieces that left it.
    private(set) var sentByteCounts: [Int]
    /// Pieces that came to anybody.
    private(set) var pieceCount = 0
    /// Devices that hold each blob.
    var heldCounts: [BlobID: Int] = [:]
    /// Since the beginning, in the order of their making.
    private(set) var batches: [BatchID] = []
    private(set) var followed: [BatchID: ScaleFollowing] = [:]

    init(deviceCount: Int) {
        sentByteCounts = .init(repeating: 0, count: deviceCount)
    }

    mutating func pieceLeft(_ packet: Packet, from device: Int) {
        guard case .piece(_, _, _, let byteCount, _) = packet else { return }
        sentByteCounts[device] += byteCount
        pieceCount += 1
    }

    /// Whoever is the first to store a batch made it.
    mutating func stored(_ batches: [AcceptedBatch], by device: Int, at now: MonotonicInstant) {
        for batch in batches where followed[batch.id] == nil {
            self.batches.append(batch.id)
            followed[batch.id] = ScaleFollowing(source: device, deviceCount: sentByteCounts.count, at: now)
        }
    }

    mutating func came(_ message: Message, to device: Int, from other: Int) {
        guard case .batches(let page) = message else { return }
        for batch in page.batches {
            followed[BatchSignature.batchID(batch.content)]?.came(to: device, from: other)
        }
    }

    mutating func learned(_ batch: BatchID, by device: Int, at now: MonotonicInstant) {
        followed[batch]?.learned(by: device, at: now)
    }
}
