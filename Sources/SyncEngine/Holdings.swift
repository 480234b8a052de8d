public import AlbumModel
import DequeModule
public import WireFormat

/// Which photos and thumbnails a peer said that it holds.
public struct Holdings: Sendable {
    private var presence = Presence()
    /// Said to be held since.
    private var gained: Set<BlobID> = []
    /// Said, or found when asked, to be missing since.
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
        // Looked through once in a while only: mostly the batch was just slower than the word about its blob.
        guard unknown.count > 2 * limits.unknownHeldCountMax else { return }
        unknown.removeAll(where: isKnown)
        while unknown.count > limits.unknownHeldCountMax { gained.remove(unknown.removeFirst()) }
    }

    /// The peer told that it has a blob no longer.
    ///
    /// - Parameter isKnown: whether some album here has it; of others there is nothing to remember.
    mutating func lose(_ blob: BlobID, isKnown: Bool) {
        gained.remove(blob)
        if isKnown { missing.insert(blob) }
    }

    /// The peer answered "not here".
    mutating func lack(_ blob: BlobID) { missing.insert(blob) }

    /// "Not here" may have meant that what was asked for does not exist: another contributor says otherwise of the file.
    mutating func reconsider(_ blob: BlobID) { missing.remove(blob) }

    /// - Parameter dots: the changes that name `blob`.
    public func contains(_ blob: BlobID, dots: [Dot]) -> Bool {
        if missing.contains(blob) { return false }
        if gained.contains(blob) || presence.others.contains(blob) { return true }
        return dots.contains { contains($0) }
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
