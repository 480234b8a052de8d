import AlbumModel
import FoundationEssentials
import Testing
import WireFormat

/// Today's bytes of messages, batches and statements are what this version reads and writes. They were made from the
/// schema alone, so they also show that the code keeps to it.
@Suite struct PinnedMessagesTests {
    struct Pin: Sendable, CustomTestStringConvertible {
        var name: String
        var hex: String

        var testDescription: String { name }
    }

    private static let replica = ReplicaID(bytes: [UInt8](repeating: 3, count: 16))!
    private static let album = AlbumID(bytes: [UInt8](repeating: 4, count: 16))!
    private static let blob = BlobID(bytes: [UInt8](repeating: 7, count: 32))!
    private static let device = DeviceID(bytes: [UInt8](repeating: 6, count: 32))!

    /// The lines of PinnedMessages.txt; none if it cannot be read, which the counts show.
    private static let pins: [Pin] = {
        let path = #filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/PinnedMessages.txt"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
            let words = line.split(separator: " ")
            return words.count == 2 ? Pin(name: String(words[0]), hex: String(words[1])) : nil
        }
    }()

    /// What is signed has lines of its own; all others are messages, in the order of the samples.
    private static let messagePins = pins.filter { batches[$0.name] == nil && statements[$0.name] == nil }

    private static let batches: [String: Batch] = {
        let dots = [Dot(replica: replica, sequence: 4, branch: 99)]
        let proof = ReplicaProof(publicKey: [1], nonce: [2], membershipCode: [3])
        var successor = proof
        successor.succession = Succession(formerKey: [4], signature: [5])
        func batch(_ changes: [Change], _ proof: ReplicaProof) -> Batch {
            Batch(
                replica: replica, firstSequence: 1, previous: nil, clock: ClockReading(microseconds: 123),
                changes: changes, proof: proof)
        }
        let ofEveryKind: [Change] = [
            .albumNamed(album, name: "Été", replaces: dots),
            .photoAdded(
                PhotoAddition(
                    album: album, blob: blob, byteCount: 5_000_000, pieceListHash: blob, name: "a.jpg",
                    mediaType: "image/jpeg", modified: -5)),
            .photoAdded(
                PhotoAddition(
                    album: album, blob: blob, byteCount: 9, pieceListHash: nil, name: "b.png",
                    mediaType: "image/png", modified: 1_700_000_000_000_000_000)),
            .photoRemoved(album, blob, adds: dots + [Dot(replica: replica, sequence: 2, branch: 0)]),
            .photoNamed(album, blob, name: "b", replaces: []), .deviceNamed("Anna"),
            .gatheringNamed("Kuh", replaces: dots), .unknown(kind: 77, payload: [1, 2]),
        ]
        return [
            "batch-of-every-kind": batch(ofEveryKind, proof),
            "batch-of-words": Batch(
                replica: replica, firstSequence: 1, previous: nil, clock: ClockReading(microseconds: 123),
                changes: WordsCodingTests.samples, proof: nil),
            "batch-of-a-replacement": Batch(
                replica: replica, firstSequence: 1, previous: nil, clock: ClockReading(microseconds: 123),
                changes: [WordsCodingTests.replacement], proof: nil),
            "batch-of-guests": GuestsCodingTests.batch,
            "batch-of-a-successor": batch([.deviceNamed("Anna")], successor),
            "batch-that-follows": Batch(
                replica: replica, firstSequence: 7, previous: BatchID(bytes: [UInt8](repeating: 5, count: 32)),
                clock: ClockReading(microseconds: 1_700_000_000_000_000), changes: [.deviceNamed("Ben")], proof: nil),
        ]
    }()

    private enum Statement: Hashable {
        case addresses(AddressStatement)
        case summary(PresenceSummary)
        case ruling(Ruling)
    }

    private static let statements: [String: Statement] = [
        "address-statement": .addresses(
            AddressStatement(
                device: device, number: 9,
                addresses: [.init(host: "10.0.0.1", port: 80), .init(host: "2001:db8::1", port: 1)])),
        "presence-summary": .summary(
            PresenceSummary(
                device: device, number: 9,
                presence: Presence(branches: [.init(replica: replica, head: nil, runs: [1...4])]))),
        "presence-summary-of-a-run": .summary(
            PresenceSummary(
                device: device, number: 9,
                presence: Presence(branches: [
                    .init(replica: replica, head: Head(sequence: 9, branch: 77), runs: [1...4])
                ]), position: PresencePosition(run: [UInt8](repeating: 9, count: 16), counter: 5))),
    ].merging(RulingCodingTests.samples.mapValues { .ruling($0) }) { first, _ in first }

    /// A sample that is added gets a line, below those of the other messages.
    @Test func everySampleIsPinned() {
        #expect(Self.messagePins.count == MessageCodingTests.samples.count)
        #expect(Self.pins.count == Self.messagePins.count + Self.batches.count + Self.statements.count)
        #expect(Set(Self.pins.map(\.name)).count == Self.pins.count)
    }

    @Test(arguments: zip(messagePins, MessageCodingTests.samples))
    func messagesKeepTheirBytes(pin: Pin, sample: Message) throws {
        let bytes = try #require(Hexadecimal.bytes(pin.hex))
        #expect(try Message(decoding: bytes) == sample)
        #expect(Hexadecimal.text(sample.encoded()) == pin.hex)
    }

    @Test(arguments: pins.filter { batches[$0.name] != nil })
    func batchesKeepTheirBytes(pin: Pin) throws {
        let bytes = try #require(Hexadecimal.bytes(pin.hex))
        let batch = try #require(Self.batches[pin.name])
        #expect(try Batch(decoding: bytes) == batch)
        #expect(Hexadecimal.text(batch.encoded()) == pin.hex)
    }

    @Test(arguments: pins.filter { statements[$0.name] != nil })
    func statementsKeepTheirBytes(pin: Pin) throws {
        let bytes = try #require(Hexadecimal.bytes(pin.hex))
        switch try #require(Self.statements[pin.name]) {
        case .addresses(let statement):
            #expect(try AddressStatement(decoding: bytes) == statement)
            #expect(Hexadecimal.text(statement.encoded()) == pin.hex)
        case .summary(let summary):
            #expect(try PresenceSummary(decoding: bytes) == summary)
            #expect(Hexadecimal.text(summary.encoded()) == pin.hex)
        case .ruling(let ruling):
            #expect(try Ruling(decoding: bytes) == ruling)
            #expect(Hexadecimal.text(ruling.encoded()) == pin.hex)
        }
    }
}
