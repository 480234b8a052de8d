public import AlbumModel
import DequeModule
public import WireFormat

/// Which originals a peer said that it holds.
public struct Holdings: Sendable {
    private var presence = Presence()
    /// Said to be held since.
    private var gained: Set<BlobID> = []
    /// Found to be missing when asked.
    private var missing: Set<BlobID> = []
    /// Those gained that no album here has, in the order of their coming.
    private var unknown: Deque<BlobID> = []

    var unknownCount: Int { unknown.count }

    public init() {}

    public init(_ presence: Presence) {
        self.presence = presence
    }

    /// - Parameter isKnown: whether some album here has a blob. Of those that none has, only the latest are kept.
    mutating func gain(_ blob: BlobID, limits: EngineLimits, isKnown: (BlobID) -> Bool) {
        missing.remove(blob)
        guard gained.insert(blob).inserted, !isKnown(blob) else { return }
        unknown.append(blob)
        // Mostly the batch was only slower than the word about its blob.
        if unknown.count > limits.unknownHeldCountMax { unknown.removeAll(where: isKnown) }
        if unknown.count > limits.unknownHeldCountMax { gained.remove(unknown.removeFirst()) }
    }

    /// The peer answered "not here".
    mutating func lose(_ blob: BlobID) { missing.insert(blob) }

    /// "Not here" may have meant that what was asked for does not exist: another contributor says otherwise of the file.
    mutating func reconsider(_ blob: BlobID) { missing.remove(blob) }

    /// - Parameter adds: the live adds of `blob`.
    public func contains(_ blob: BlobID, adds: [Photo.Add]) -> Bool {
        if missing.contains(blob) { return false }
        if gained.contains(blob) || presence.others.contains(blob) { return true }
        return adds.contains { contains($0.dot) }
    }

    private func contains(_ dot: Dot) -> Bool {
        guard let runs = presence.runs[dot.replica] else { return false }
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].upperBound < dot.sequence { low = middle + 1 } else { high = middle }
        }
        return low < runs.count && runs[low].contains(dot.sequence)
    }
}

extension Presence {
    /// What a device holds of the live photos that it knows.
    public init(of catalog: Catalog, log: BatchLog, isHeld: (BlobID) -> Bool) {
        var adds: [ReplicaID: [(sequence: UInt64, isHeld: Bool)]] = [:]
        var others: Set<BlobID> = []
        for album in catalog.albums.values {
            for (blob, photo) in album.livePhotos {
                let held = isHeld(blob)
                for add in photo.adds {
                    if !log.isForked(add.dot.replica) {
                        adds[add.dot.replica, default: []].append((add.dot.sequence, held))
                    } else if held {
                        others.insert(blob)
                    }
                }
            }
        }
        self.init(runs: adds.mapValues(Self.runs).filter { !$0.value.isEmpty }, others: others)
    }

    private static func runs(_ adds: [(sequence: UInt64, isHeld: Bool)]) -> [ClosedRange<UInt64>] {
        var runs: [ClosedRange<UInt64>] = []
        var continues = false
        for add in adds.sorted(by: { $0.sequence < $1.sequence }) {
            if add.isHeld {
                if continues {
                    runs[runs.count - 1] = runs[runs.count - 1].lowerBound...add.sequence
                } else {
                    runs.append(add.sequence...add.sequence)
                }
            }
            continues = add.isHeld
        }
        return runs
    }
}
