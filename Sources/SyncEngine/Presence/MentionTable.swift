import AlbumModel

/// A change that names a blob: an add, withdrawn or not, or facts with a thumbnail.
struct BlobMention: Sendable {
    var sequence: UInt64
    var branch: UInt64
    var blob: BlobID
    /// When the photo was added; `nil` for facts, and for an add that was withdrawn.
    var added: ClockReading?
    var isHeld: Bool

    fileprivate var order: (UInt64, UInt64) { (sequence, branch) }
}

/// Those of one replica, in the order of their numbers, in parts of bounded length: wherever one is put in, few are moved.
struct MentionTable: Sendable {
    typealias Place = (part: Int, index: Int)

    /// Of 64 bytes each: 16 KiB are moved in a microsecond.
    private static let partCountMax = 256

    /// None is empty.
    private var parts: [[BlobMention]] = []

    init() {}

    /// - Parameter mentions: sorted, each once.
    init(_ mentions: [BlobMention]) {
        parts = stride(from: 0, to: mentions.count, by: Self.partCountMax).map { start in
            Array(mentions[start..<min(start + Self.partCountMax, mentions.count)])
        }
    }

    subscript(_ place: Place) -> BlobMention {
        get { parts[place.part][place.index] }
        _modify { yield &parts[place.part][place.index] }
    }

    var all: some Sequence<BlobMention> { parts.lazy.joined() }

    /// The first that is not before a change; beyond the last part where all are.
    private func place(of sequence: UInt64, _ branch: UInt64) -> Place {
        // Mostly the newest comes last.
        guard let last = parts.last?.last, last.order >= (sequence, branch) else { return (parts.count, 0) }
        let part = Self.first(in: parts) { $0.last!.order >= (sequence, branch) }
        return (part, Self.first(in: parts[part]) { $0.order >= (sequence, branch) })
    }

    /// The index of the first element for which that is so, as it then is for all behind it.
    private static func first<Element>(in elements: [Element], where isBehind: (Element) -> Bool) -> Int {
        var low = 0
        var high = elements.count
        while low < high {
            let middle = (low + high) / 2
            if isBehind(elements[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    func place(of dot: Dot) -> Place? {
        let place = place(of: dot.sequence, dot.branch)
        return place.part < parts.count && self[place].order == (dot.sequence, dot.branch) ? place : nil
    }

    /// - Returns: false where it is there already.
    mutating func insert(_ mention: BlobMention) -> Bool {
        var (part, index) = place(of: mention.sequence, mention.branch)
        if part == parts.count {
            if parts.isEmpty { parts.append([]) }
            (part, index) = (parts.count - 1, parts.last!.count)
        } else if parts[part][index].order == mention.order {
            return false
        }
        parts[part].insert(mention, at: index)
        guard parts[part].count > Self.partCountMax else { return true }
        // What grows at its end fills its parts; what grows in its middle halves them.
        let half = part == parts.count - 1 ? Self.partCountMax : Self.partCountMax / 2
        let rest = Array(parts[part][half...])
        parts[part].removeLast(rest.count)
        parts.insert(rest, at: part + 1)
        return true
    }

    /// The place before; `nil` for the first.
    func place(before place: Place) -> Place? {
        if place.index > 0 { return (place.part, place.index - 1) }
        return place.part > 0 ? (place.part - 1, parts[place.part - 1].count - 1) : nil
    }

    /// Whether a change of one of these numbers names a blob.
    func names(_ runs: [ClosedRange<UInt64>]) -> Bool {
        runs.contains { run in
            let place = place(of: run.lowerBound, 0)
            return place.part < parts.count && run.contains(self[place].sequence)
        }
    }
}
