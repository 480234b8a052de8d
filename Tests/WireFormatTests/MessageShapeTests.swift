import AlbumModel
import TestSupport
import Testing

@testable import WireFormat

/// Bytes that would take many times their memory are refused before they are decoded; what an agent sends never is.
@Suite struct MessageShapeTests {
    private static let replica = [UInt8](repeating: 3, count: 16)

    /// A list of a message: the fields that lead there from the envelope.
    struct List: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var path: [Int]

        init(_ name: String, _ path: Int...) {
            (testDescription, self.path) = (name, path)
        }
    }

    static let lists = [
        List("replicas of a vector", 2, 1), List("heads of a replica", 2, 1, 2),
        List("replicas of a vector reply", 16, 1), List("announced replicas", 19, 1),
        List("replicas of a vector difference", 26, 2), List("heads in a vector difference", 26, 2, 2),
        List("batches", 3, 1), List("piece lists", 3, 2), List("points of a chain sample", 4, 2),
        List("branches of presence", 5, 1), List("runs of presence", 5, 1, 2), List("heads of a branch", 5, 1, 3),
        List("single blobs of presence", 5, 2), List("blobs held", 6, 1), List("blobs lost", 6, 2),
        List("digests", 14, 1), List("addresses", 22, 1), List("summaries", 23, 1), List("versions", 24, 1),
        List("differences", 27, 1), List("pieces of a difference", 27, 1, 4), List("albums left out", 28, 1),
        List("rulings", 29, 1), List("seeds", 30, 1),
    ]

    private static func number(_ value: Int) -> [UInt8] {
        var (bytes, rest) = ([UInt8](), value)
        while rest > 127 {
            bytes.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    private static func field(_ field: Int, _ content: [UInt8]) -> [UInt8] {
        number(field << 3 | 2) + number(content.count) + content
    }

    /// A message with a list of this element, as long as a message may be.
    private static func flood(_ path: [Int], _ element: [UInt8]) -> [UInt8] {
        let one = field(path.last!, element)
        let count = (WireLimits.messageByteCountMax - 100) / one.count
        var content: [UInt8] = []
        content.reserveCapacity(count * one.count)
        for _ in 0..<count { content += one }
        for (depth, number) in path.dropLast().enumerated().reversed() {
            // What an element has to begin with.
            content = field(number, (depth == 1 ? field(1, replica) : []) + content)
        }
        return content
    }

    /// Four million bytes of elements without content, and of elements that are too short to be any.
    @Test(.slow, arguments: lists)
    func floodsAreRefusedBeforeTheyAreDecoded(_ list: List) {
        for element in [[], [8]] as [[UInt8]] {
            let bytes = Self.flood(list.path, element)
            #expect(bytes.count > 4_000_000 && bytes.count <= WireLimits.messageByteCountMax)
            #expect(throws: WireError.self) { try MessageShape.envelope.check(bytes) }
            #expect(throws: WireError.self) { try Message(decoding: bytes) }
        }
    }

    /// So are those in what devices sign.
    @Test func floodsInStatementsAreRefused() {
        let addresses = Self.flood([3], [])
        #expect(throws: WireError.tooLong) { try AddressStatement(decoding: addresses) }
        #expect(throws: WireError.self) { try PresenceSummary(decoding: Self.flood([3, 1], [])) }
        #expect(throws: WireError.self) { try PresenceSummary(decoding: Self.flood([3, 1, 2], [])) }
        #expect(throws: WireError.self) { try Presence(decoding: Self.flood([2], [])) }
    }

    /// Decoding puts the lists of a message that is there twice one behind the other, beyond any count.
    @Test func messageIsThereOnce() throws {
        let vector = Message.vector(VersionVector(heads: [ReplicaID(bytes: Self.replica)!: []])).encoded()
        _ = try Message(decoding: vector)
        #expect(throws: WireError.tooLong) { try Message(decoding: vector + vector) }
    }

    /// A page has as much as two pages that are sent, and not sixteen batches of the longest.
    @Test func pageIsBounded() {
        let batch = SignedBatch(
            content: [UInt8](repeating: 0, count: CatalogLimits.batchByteCountMax),
            signature: [UInt8](repeating: 0, count: 64))
        let page = BatchPage(batches: [batch, batch, batch], page: 1)
        #expect(throws: WireError.tooLong) { try Message(decoding: Message.batches(page).encoded()) }
    }

    /// Numbers that do not end, unknown types of fields, and lengths beyond the end.
    @Test(
        arguments: [
            [0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
            [0x12, 0x05, 0x0A], [0x12, 0x02, 0x0A, 0x05], [0x09, 0x00], [0x0E], [0xFF],
        ] as [[UInt8]])
    func brokenBytesAreRefused(_ bytes: [UInt8]) {
        #expect(throws: WireError.self) { try Message(decoding: bytes) }
    }
}

/// The longest messages that agents send are read.
@Suite(.slow) struct LongestMessagesTests {
    private static func replica(_ number: Int) -> ReplicaID {
        ReplicaID(bytes: BigEndian.bytes(UInt64(number)) + [UInt8](repeating: 9, count: 8))!
    }

    private static func blob(_ number: Int) -> BlobID {
        BlobID(bytes: BigEndian.bytes(UInt64(number)) + [UInt8](repeating: 9, count: 24))!
    }

    private static func album(_ number: Int) -> AlbumID {
        AlbumID(bytes: BigEndian.bytes(UInt64(number)) + [UInt8](repeating: 9, count: 8))!
    }

    private static let replicas = 0..<WireLimits.replicaCountMax
    /// No head is shorter.
    private static let head = Head(sequence: 1, branch: 1)

    /// Every other change is held.
    private static func branch(_ number: Int, runCount: Int) -> Presence.Branch {
        let held = stride(from: UInt64(1), to: UInt64(2 * runCount), by: 2)
        return Presence.Branch(replica: replica(number), head: head, runs: held.map { $0...$0 })
    }

    private func expectRead(_ message: Message, longerThan byteCount: Int) throws {
        let bytes = message.encoded()
        #expect(bytes.count > byteCount && bytes.count <= WireLimits.messageByteCountMax)
        #expect(try Message(decoding: bytes) == message)
    }

    @Test func vectors() throws {
        let heads = Dictionary(uniqueKeysWithValues: Self.replicas.map { (Self.replica($0), [Self.head]) })
        try expectRead(.vector(VersionVector(heads: heads)), longerThan: 2_000_000)
        try expectRead(.vectorReply(heads.mapValues { _ in [] }), longerThan: 1_000_000)
        let difference = VectorDifference(base: [UInt8](repeating: 1, count: 16), changed: heads)
        try expectRead(.vectorDifference(difference), longerThan: 2_000_000)
        // Forked as often as a replica can be told of.
        let forked = (1...WireLimits.headCountMax).map { Head(sequence: UInt64($0), branch: 1) }
        let all = Dictionary(uniqueKeysWithValues: (0..<4_000).map { (Self.replica($0), forked) })
        try expectRead(.announced(all), longerThan: 3_000_000)
        try expectRead(
            .chainSample(Self.replica(1), points: Array(forked.prefix(WireLimits.samplePointCountMax))), longerThan: 500
        )
    }

    @Test func presence() throws {
        let branches = Self.replicas.map {
            Presence.Branch(replica: Self.replica($0), head: Self.head, runs: [1...1])
        }
        try expectRead(.presence(Presence(branches: branches), counter: 1), longerThan: 2_500_000)
        let others = Set((0..<WireLimits.presenceBlobCountMax).map(Self.blob))
        try expectRead(.presence(Presence(others: others), counter: 1), longerThan: 2_000_000)
        // Every other change is held: as many runs as a message takes.
        let scattered = Presence(branches: [Self.branch(1, runCount: 510_000)])
        try expectRead(.presence(scattered, counter: 1), longerThan: 4_000_000)
        // Many laptops have a few, in the shortest runs that there are.
        let short = (0..<9_000).map { Self.branch($0, runCount: 63) }
        try expectRead(.presence(Presence(branches: short), counter: 1), longerThan: 3_500_000)
        let summary = PresenceSummary(
            device: DeviceID(bytes: [UInt8](repeating: 1, count: 32))!, number: 1,
            presence: Presence(branches: branches))
        #expect(try PresenceSummary(decoding: summary.encoded()) == summary)
        #expect(try Presence(decoding: scattered.encoded()) == scattered)
        let blobs = (0..<WireLimits.heldCountMax).map(Self.blob)
        try expectRead(.presenceChanged(PresenceChange(held: blobs, lost: [], counter: 1)), longerThan: 30_000)
        try expectRead(.presenceChanged(PresenceChange(held: [], lost: blobs, counter: 1)), longerThan: 30_000)
    }

    @Test func batches() throws {
        // A page of many short batches, and one of a single batch, each with as many lists as travel along.
        let lists = Dictionary(
            uniqueKeysWithValues: (0..<32).map {
                (Self.blob($0), PieceList(hashes: (0..<WireLimits.pushedListPieceCountMax).map(Self.blob)))
            })
        for (count, byteCount) in [(WireLimits.pageBatchCountMax, 64), (1, CatalogLimits.batchByteCountMax)] {
            let batch = SignedBatch(
                content: [UInt8](repeating: 7, count: byteCount), signature: [UInt8](repeating: 7, count: 64))
            let page = BatchPage(batches: Array(repeating: batch, count: count), pieceLists: lists, page: 1)
            try expectRead(.batches(page), longerThan: 256 << 10)
        }
        let pieces = PieceList(hashes: (0..<WireLimits.pieceCountMax).map(Self.blob))
        try expectRead(.pieceList(Self.blob(1), pieces), longerThan: 2 << 20)
        let flags = (0..<WireLimits.pieceCountMax).map { $0 % 3 == 0 }
        try expectRead(.partHeld(PartHeld(blob: Self.blob(1), pieces: flags, coming: flags)), longerThan: 16_000)
    }

    @Test func statements() throws {
        let statements = (0..<WireLimits.statementCountMax).map {
            SignedStatement(content: BigEndian.bytes(UInt64($0)), signature: [UInt8](repeating: 7, count: 64))
        }
        try expectRead(.addresses(statements), longerThan: 18_000)
        try expectRead(.summaries(statements), longerThan: 18_000)
        try expectRead(.rulings(statements), longerThan: 18_000)
        let longest = SignedStatement(
            content: [UInt8](repeating: 7, count: WireLimits.rulingByteCountMax),
            signature: [UInt8](repeating: 7, count: 72))
        try expectRead(.rulings(Array(repeating: longest, count: 4)), longerThan: WireLimits.rulingPageByteCountMax)
        let seeds = (0..<WireLimits.seedCountMax).map { number in
            (RulingID(content: BigEndian.bytes(UInt64(number))), Seed(bytes: [UInt8](repeating: 3, count: 32))!)
        }
        try expectRead(.seeds(Dictionary(uniqueKeysWithValues: seeds)), longerThan: 270_000)
        // Numbers of devices whose summaries are not there are 0.
        let numbers = Dictionary(uniqueKeysWithValues: Self.replicas.map { (UInt64($0 + 1), UInt64(0)) })
        try expectRead(.summaryVersions(SummaryVersions(numbers: numbers, isWhole: true)), longerThan: 700_000)
        // The longest content, told as the shortest pieces that are worth being one.
        let pieces = Array(
            repeating: SummaryDifference.Piece(copied: 0..<16, added: []), count: WireLimits.messageByteCountMax / 16)
        let difference = SummaryDifference(
            device: 1, base: 1, number: 2, pieces: pieces, signature: [UInt8](repeating: 7, count: 64))
        try expectRead(.summaryDifferences([difference]), longerThan: 1_000_000)
        let full = AddressStatement(
            device: DeviceID(bytes: [UInt8](repeating: 1, count: 32))!, number: 1,
            addresses: (0..<WireLimits.addressCountMax).map { .init(host: "10.0.0.\($0)", port: 1) })
        #expect(try AddressStatement(decoding: full.encoded()) == full)
    }

    @Test func albums() throws {
        let digests = (0..<WireLimits.digestCountMax).map {
            AlbumDigest(album: Self.album($0), digest: [UInt8](repeating: 7, count: 32))
        }
        try expectRead(.digests(digests, vectorHash: [UInt8](repeating: 7, count: 32)), longerThan: 500_000)
        let leftOut = Set((0..<WireLimits.leftOutAlbumCountMax).map(Self.album))
        try expectRead(.fetching(FetchingNotice(leftOut: leftOut)), longerThan: 70_000)
    }
}
