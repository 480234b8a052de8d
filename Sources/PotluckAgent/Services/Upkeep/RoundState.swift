import AlbumModel
import DiskIO
import PhotoStore

extension FactKind {
    /// How far looks at all blobs are; keys are those of ``RoundState``.
    static let upkeep = FactKind(rawValue: "upkeep")
}

/// How far one look at every blob is, in the order of their names: what a restart needs to go on.
struct RoundState: Hashable, Sendable {
    enum Key: String {
        /// One that a person asked for.
        case verify
        /// The weekly one.
        case scrub

        var bytes: [UInt8] { Array(rawValue.utf8) }
    }

    /// When it began, and when this was written, in microseconds since 1970; 0 for never.
    var began: UInt64 = 0
    var saved: UInt64 = 0
    /// When the last whole one ended; 0 for never.
    var finished: UInt64 = 0
    var files: UInt64 = 0
    var byteCount: UInt64 = 0
    /// The last blob that is done; `nil` where none is.
    var last: BlobID?
    /// Blobs among them that were found wrong and left as they were; at most ``wrongCountMax``.
    var wrong: [BlobID] = []

    /// Beyond it blobs are forgotten, to be found again by the next look: 32 KiB of journal.
    static let wrongCountMax = 1000
    /// No look has passed so many files, or so many bytes: a home that says so was prepared.
    private static let fileCountMax: UInt64 = 1 << 40
    private static let byteCountMax: UInt64 = 1 << 62
    private static let version: UInt8 = 1

    init() {}

    var isUnderWay: Bool { last != nil }

    /// - Parameter byteCounts: of all blobs.
    mutating func pass(_ blobs: [BlobID], _ byteCounts: [BlobID: UInt64], areWrong: Bool) {
        for blob in blobs { passed(blob, byteCount: byteCounts[blob] ?? 0, isWrong: areWrong) }
    }

    mutating func passed(_ blob: BlobID, byteCount: UInt64, isWrong: Bool) {
        last = blob
        files += 1
        self.byteCount = [self.byteCount, byteCount].clampedSum
        if isWrong, wrong.count < Self.wrongCountMax { wrong.append(blob) }
    }

    /// A whole look has ended; the next one begins with the first blob.
    mutating func finish(at wall: UInt64) {
        self = RoundState()
        finished = wall
    }

    /// `nil` for what another version wrote, and for absurd numbers: the look begins anew.
    init?(bytes: [UInt8]) {
        let wordsEnd = 1 + 5 * 8
        guard bytes.count >= wordsEnd, bytes[0] == Self.version,
            (bytes.count - wordsEnd).isMultiple(of: BlobID.byteCount)
        else { return nil }
        let words = stride(from: 1, to: wordsEnd, by: 8).map { BigEndian.word(bytes[$0..<$0 + 8]) }
        (began, saved, finished, files, byteCount) = (words[0], words[1], words[2], words[3], words[4])
        guard files <= Self.fileCountMax, byteCount <= Self.byteCountMax else { return nil }
        let blobs = stride(from: wordsEnd, to: bytes.count, by: BlobID.byteCount).compactMap {
            BlobID(bytes: bytes[$0..<$0 + BlobID.byteCount])
        }
        last = blobs.first
        wrong = Array(blobs.dropFirst())
    }

    /// The version, five words, the last blob, then the wrong ones.
    var bytes: [UInt8] {
        let words = [began, saved, finished, files, byteCount].flatMap { BigEndian.bytes($0) }
        return [Self.version] + words + (last.map { [$0] + wrong } ?? []).flatMap(\.bytes)
    }
}

extension Journal {
    func round(_ key: RoundState.Key) throws(StoreError) -> RoundState {
        try fact(.upkeep, key.bytes).flatMap { RoundState(bytes: $0) } ?? RoundState()
    }

    func setRound(_ key: RoundState.Key, _ state: RoundState) throws(StoreError) {
        try setFacts([FactChange(kind: .upkeep, key: key.bytes, value: state.bytes)])
    }
}
