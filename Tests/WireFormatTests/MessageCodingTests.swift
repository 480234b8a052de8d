import AlbumModel
import Testing
import WireFormat

/// Every message reads back as it was written, and arbitrary bytes are refused or read, never trapped on.
@Suite struct MessageCodingTests {
    private static let blob = BlobID(bytes: [UInt8](repeating: 7, count: 32))!
    private static let replica = ReplicaID(bytes: [UInt8](repeating: 3, count: 16))!
    private static let album = AlbumID(bytes: [UInt8](repeating: 4, count: 16))!

    static let samples: [Message] = [
        .hello(Hello(versions: 1...1, run: [UInt8](repeating: 9, count: 16), port: 4711, foldLevel: 1)),
        .hello(
            Hello(
                versions: 1...3, run: [UInt8](repeating: 9, count: 16), port: 0, foldLevel: 2, needsLink: true,
                known: PresencePosition(run: [UInt8](repeating: 8, count: 16), counter: 5))),
        .vector(VersionVector(heads: [replica: [Head(sequence: 5, branch: 77), Head(sequence: 9, branch: .max)]])),
        .batches(
            BatchPage(
                batches: [SignedBatch(content: [1, 2, 3], signature: [4])],
                pieceLists: [blob: PieceList(hashes: [blob, blob])], page: 3)),
        .chainSample(replica, points: [Head(sequence: 1, branch: 2)]),
        .vectorReply([replica: [], ReplicaID(bytes: [UInt8](repeating: 1, count: 16))!: [Head(sequence: 2, branch: 3)]]
        ),
        .announced([replica: [Head(sequence: 5, branch: 77)]]), .graft, .prune,
        .presence(
            Presence(branches: [.init(replica: replica, head: nil, runs: [1...4, 6...6])], others: [blob]), counter: 7),
        .presenceChanged(PresenceChange(held: [blob], lost: [blob], counter: 8)),
        .partHeld(
            PartHeld(
                blob: blob, pieces: [true, false, false, true, true, false, true, false, true],
                coming: [false, true, false, false, false, false, false, false, false])),
        .partHeld(PartHeld(blob: blob, pieces: [])),
        .request(PieceRequest(number: 8, blob: blob, piece: 2, byteCount: 7, blobClass: .original)),
        .refused(number: 8, isPassing: false), .cancelled(number: 8), .pieceListRequest(blob),
        .pieceList(blob, PieceList(hashes: [blob])), .pieceList(blob, nil), .ping(1), .pong(1),
        .digests([AlbumDigest(album: album, digest: [1, 2])], vectorHash: [3]), .acknowledged(page: 3),
        .catalogDigest(root: [1], vectorHash: [2]), .addresses([SignedStatement(content: [1], signature: [2])]),
        .summaries([SignedStatement(content: [3], signature: [4])]),
        .summaryVersions(SummaryVersions(numbers: [1: 2, 3: 4], isWhole: true)), .farewell(.full),
        .hello(
            Hello(
                versions: 1...1, run: [UInt8](repeating: 9, count: 16), port: 4711, foldLevel: 1,
                vectorBase: [UInt8](repeating: 5, count: 16))),
        .vectorDifference(
            VectorDifference(
                base: [UInt8](repeating: 5, count: 16),
                changed: [
                    replica: [Head(sequence: 5, branch: 77)],
                    ReplicaID(bytes: [UInt8](repeating: 1, count: 16))!: [],
                ])),
        .hello(
            Hello(
                versions: 1...1, run: [UInt8](repeating: 9, count: 16), port: 4711, foldLevel: 1,
                takesDifferences: true)),
        .summaryDifferences([
            SummaryDifference(
                device: 1, base: 2, number: 3,
                pieces: [.init(copied: 0..<4, added: []), .init(copied: 9..<300, added: [1, 2])], signature: [4])
        ]),
        .hello(
            Hello(
                versions: 1...1, run: [UInt8](repeating: 9, count: 16), port: 4711, foldLevel: 1,
                addressesNumber: 1 << 50)),
        .presence(
            Presence(branches: [
                .init(replica: replica, head: Head(sequence: 9, branch: 77), runs: [1...4]),
                .init(replica: replica, head: Head(sequence: 12, branch: 78), runs: [1...2, 5...5]),
            ]), counter: 7),
        .refused(number: 8, isPassing: true), .fetching(FetchingNotice(leftOut: [album], isPaused: true)),
        .hello(
            Hello(
                versions: 1...1, run: [UInt8](repeating: 9, count: 16), port: 4711, foldLevel: 1,
                summaryNumber: 1 << 50)),
        .hello(
            Hello(
                versions: 1...1, run: [UInt8](repeating: 9, count: 16), port: 4711, foldLevel: 1,
                rulings: [UInt8](repeating: 5, count: 16))),
        .rulings([SignedStatement(content: [5], signature: [6])]),
        .seeds([
            RulingID(bytes: [UInt8](repeating: 1, count: 32))!: Seed(bytes: [UInt8](repeating: 2, count: 32))!
        ]),
    ]

    @Test(arguments: samples)
    func messagesRoundTrip(message: Message) throws {
        #expect(try Message(decoding: message.encoded()) == message)
    }

    /// Cut, changed and random bytes: an error or a message, within the limits.
    @Test func garbageIsRefusedOrRead() {
        var random = SystemRandomNumberGenerator()
        for sample in Self.samples {
            let bytes = sample.encoded()
            for length in bytes.indices { _ = try? Message(decoding: Array(bytes[..<length])) }
            for _ in 0..<500 where !bytes.isEmpty {
                var changed = bytes
                changed[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                _ = try? Message(decoding: changed)
            }
        }
        for _ in 0..<2000 {
            let count = Int.random(in: 0...200, using: &random)
            _ = try? Message(decoding: (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
    }

    @Test func tooLongIsRefused() {
        #expect(throws: WireError.tooLong) {
            try Message(decoding: [UInt8](repeating: 0, count: WireLimits.messageByteCountMax + 1))
        }
    }

    /// A later version's message is passed over, not taken for a fault.
    @Test func unknownKindsAreNoErrors() throws {
        // Field 900, length-delimited, two bytes.
        #expect(try Message(decoding: [0xA2, 0x38, 2, 1, 2]) == .unknown)
        #expect(throws: WireError.emptyMessage) { try Message(decoding: []) }
    }

    /// What devices sign about themselves reads back.
    @Test func statementsRoundTrip() throws {
        let device = DeviceID(bytes: [UInt8](repeating: 6, count: 32))!
        let addresses = AddressStatement(
            device: device, number: 9,
            addresses: [.init(host: "10.0.0.1", port: 80), .init(host: "2001:db8::1", port: 1)])
        #expect(try AddressStatement(decoding: addresses.encoded()) == addresses)
        let summary = PresenceSummary(
            device: device, number: 9,
            presence: Presence(branches: [.init(replica: Self.replica, head: nil, runs: [1...4])]))
        #expect(try PresenceSummary(decoding: summary.encoded()) == summary)
    }

    /// Runs that overlap or go backwards would make a peer's word mean anything.
    @Test func disorderlyRunsAreRefused() {
        let runs = Presence.Branch(replica: Self.replica, head: nil, runs: [5...9, 3...4])
        let presence = Message.presence(Presence(branches: [runs]), counter: 1)
        #expect(throws: WireError.outOfRange(field: "run")) { try Message(decoding: presence.encoded()) }
    }

    /// A run up to the greatest number that a batch may have is read and written; one that goes beyond is refused, before
    /// anybody counts what is in it.
    @Test func runsEndWhereBatchesDo() throws {
        let last = UInt64.max / 2 - 1
        let whole = Message.presence(
            Presence(branches: [.init(replica: Self.replica, head: nil, runs: [1...last])]), counter: 1)
        #expect(try Message(decoding: whole.encoded()) == whole)
        let beyond = Message.presence(
            Presence(branches: [.init(replica: Self.replica, head: nil, runs: [2...(last + 1)])]), counter: 1)
        #expect(throws: WireError.outOfRange(field: "run")) { try Message(decoding: beyond.encoded()) }
    }
}

/// Batches keep what they hold, kinds of a later version included.
@Suite struct BatchCodingTests {
    private let replica = ReplicaID(bytes: [UInt8](repeating: 3, count: 16))!
    private let album = AlbumID(bytes: [UInt8](repeating: 4, count: 16))!
    private let blob = BlobID(bytes: [UInt8](repeating: 7, count: 32))!

    private var batch: Batch {
        let dots = [Dot(replica: replica, sequence: 4, branch: 99)]
        return Batch(
            replica: replica, firstSequence: 1, previous: nil, clock: ClockReading(microseconds: 123),
            changes: [
                .albumNamed(album, name: "Été", replaces: dots),
                .photoAdded(
                    PhotoAddition(
                        album: album, blob: blob, byteCount: 5_000_000, pieceListHash: blob, name: "a.jpg",
                        mediaType: "image/jpeg", modified: -5)),
                .photoRemoved(album, blob, adds: dots), .photoNamed(album, blob, name: "b", replaces: []),
                .deviceNamed("Anna"), .gatheringNamed("Kuh", replaces: dots), .unknown(kind: 77, payload: [1, 2]),
            ],
            proof: ReplicaProof(publicKey: [1], nonce: [2], membershipCode: [3]))
    }

    @Test func batchesRoundTrip() throws {
        #expect(try Batch(decoding: batch.encoded()) == batch)
    }

    /// Today's bytes, pinned: a later version must read them.
    @Test func pinnedBytesAreRead() throws {
        let pinned = Batch(
            replica: replica, firstSequence: 7, previous: BatchID(bytes: [UInt8](repeating: 5, count: 32)),
            clock: ClockReading(microseconds: 1_700_000_000_000_000), changes: [.deviceNamed("Ben")], proof: nil)
        let hex =
            "0a1003030303030303030303030303030303"
            + "10071a20" + String(repeating: "05", count: 32) + "208080f9c0c1c482032a09080512050a0342656e"
        let bytes = try #require(Hexadecimal.bytes(hex))
        #expect(try Batch(decoding: bytes) == pinned)
        #expect(pinned.encoded() == bytes)
    }

    @Test func changeWithBrokenPayloadIsKeptAsUnknown() throws {
        var broken = batch
        broken.changes = [.unknown(kind: 2, payload: [255, 255])]
        #expect(try Batch(decoding: broken.encoded()) == broken)
    }

    @Test func sequencesThatOverflowAreRefused() {
        var late = batch
        late.firstSequence = .max
        #expect(throws: WireError.self) { try Batch(decoding: late.encoded()) }
        late.firstSequence = 0
        #expect(throws: WireError.self) { try Batch(decoding: late.encoded()) }
    }
}
