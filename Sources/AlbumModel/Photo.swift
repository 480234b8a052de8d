import Crypto

/// One photo of one album: who contributed it and what it is called there.
public struct Photo: Hashable, Sendable {
    /// One device's contribution.
    public struct Add: Hashable, Sendable {
        public var dot: Dot
        public var author: DeviceID
        public var clock: ClockReading
        /// The clock, but never later than this device learned of it: what lists and pulls are ordered by.
        public var order: ClockReading
        public var byteCount: UInt64
        public var pieceListHash: BlobID?
        public var mediaType: String
        /// Nanoseconds since 1970, UTC.
        public var modified: Int64
    }

    /// Adds that were not withdrawn, the first in time first.
    public private(set) var adds: [Add] = []
    /// Withdrawn dots, whether or not their adds have arrived.
    private var withdrawn: Set<Dot> = []
    public internal(set) var name = Register<String>()

    public var isLive: Bool { !adds.isEmpty }

    /// Devices with a live add, each once, the first to contribute first.
    public var contributors: [DeviceID] {
        var seen: [DeviceID] = []
        for add in adds where !seen.contains(add.author) { seen.append(add.author) }
        return seen
    }

    /// The device whose add is the oldest; `nil` for a removed photo.
    public var firstContributor: DeviceID? { adds.first?.author }

    /// The shared name; every add writes one, so only a photo that was never added has none.
    public var shownName: String { name.shown?.value ?? "" }

    mutating func add(_ addition: PhotoAddition, _ origin: Catalog.Origin) {
        name.write(addition.name, dot: origin.dot, clock: origin.clock, replaces: [])
        guard !withdrawn.contains(origin.dot), !adds.contains(where: { $0.dot == origin.dot }) else { return }
        let add = Add(
            dot: origin.dot, author: origin.author, clock: origin.clock,
            order: min(origin.clock, ClockReading(microseconds: origin.received)), byteCount: addition.byteCount,
            pieceListHash: addition.pieceListHash, mediaType: addition.mediaType, modified: addition.modified)
        let place = adds.firstIndex { (add.clock, add.dot) < ($0.clock, $0.dot) }
        adds.insert(add, at: place ?? adds.endIndex)
    }

    mutating func withdraw(_ dots: [Dot]) {
        for dot in dots {
            adds.removeAll { $0.dot == dot }
            withdrawn.insert(dot)
        }
    }

    /// A hash of everything that is shared about a live photo.
    func fingerprint(_ blob: BlobID) -> SHA256Digest {
        var hasher = SHA256()
        hasher.update(data: blob.bytes)
        for add in adds {
            hasher.update(add.dot)
            hasher.update(data: add.author.bytes)
            hasher.update(data: BigEndian.bytes(add.clock.microseconds))
            hasher.update(data: BigEndian.bytes(add.byteCount))
        }
        for write in name.writes { hasher.update(write) }
        return hasher.finalize()
    }
}
