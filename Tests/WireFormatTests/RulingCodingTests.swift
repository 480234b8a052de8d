import AlbumModel
import Testing
import WireFormat

/// Rulings keep what they hold, and have one form only.
@Suite struct RulingCodingTests {
    private static func ruling(_ number: UInt8) -> RulingID {
        RulingID(bytes: [UInt8](repeating: number, count: 32))!
    }

    private static func device(_ number: UInt8) -> DeviceID {
        DeviceID(bytes: [UInt8](repeating: number, count: 32))!
    }

    private static func member(_ number: UInt8) -> MemberPrefix {
        MemberPrefix(bytes: [UInt8](repeating: number, count: 16))!
    }

    private static func end(_ sequence: UInt64, _ number: UInt8) -> Ruling.Cut.End {
        Ruling.Cut.End(sequence: sequence, batch: BatchID(bytes: [UInt8](repeating: number, count: 32))!)
    }

    private static let commitment = SeedCommitment(bytes: [UInt8](repeating: 5, count: 32))!

    private static func cut(_ number: UInt8, _ ends: Ruling.Cut.End...) -> Ruling.Cut {
        Ruling.Cut(replica: ReplicaID(bytes: [UInt8](repeating: number, count: 16))!, ends: ends)
    }

    private static let epoch = Ruling.Epoch(
        commitment: commitment,
        out: [
            Ruling.Out(device: device(6), cuts: [cut(3, end(4, 1), end(4, 2)), cut(4, end(1, 1))]),
            Ruling.Out(device: device(7)),
        ], members: [member(1), member(2)], voids: [ruling(8), ruling(9)])

    /// One of each kind; their bytes are pinned.
    static let samples: [String: Ruling] = [
        "ruling-founding": Ruling(
            authorKey: [1, 2], after: [],
            kind: .founding(Ruling.Founding(recoveryKey: [3, 4], commitment: commitment))),
        "ruling-host": Ruling(authorKey: [1, 2], after: [ruling(1)], kind: .host(device(6), goesOn: false)),
        "ruling-successor": Ruling(authorKey: [1, 2], after: [ruling(1)], kind: .host(device(6), goesOn: true)),
        "ruling-epoch": Ruling(authorKey: [1, 2], after: [ruling(1), ruling(2)], kind: .epoch(epoch)),
        "ruling-let-in": Ruling(authorKey: [1, 2], after: [ruling(1)], kind: .letIn([device(6), device(7)])),
    ]

    @Test(arguments: samples.values.sorted { $0.authorKey.count < $1.authorKey.count })
    func rulingsRoundTrip(ruling: Ruling) throws {
        #expect(try Ruling(decoding: ruling.encoded()) == ruling)
    }

    /// Lists that are not in order, or name something twice, would give one ruling several IDs.
    @Test func listsHaveOneForm() {
        func expectRefused(_ field: String, _ ruling: Ruling) {
            #expect(throws: WireError.outOfRange(field: field)) { try Ruling(decoding: ruling.encoded()) }
        }
        func epoch(_ change: (inout Ruling.Epoch) -> Void) -> Ruling {
            var epoch = Self.epoch
            change(&epoch)
            return Ruling(authorKey: [1], after: [Self.ruling(1)], kind: .epoch(epoch))
        }
        let host = Ruling.Kind.host(Self.device(6), goesOn: false)
        expectRefused("after", Ruling(authorKey: [1], after: [Self.ruling(2), Self.ruling(1)], kind: host))
        expectRefused("after", Ruling(authorKey: [1], after: [Self.ruling(1), Self.ruling(1)], kind: host))
        let letIn = Ruling.Kind.letIn([Self.device(7), Self.device(6)])
        expectRefused("devices", Ruling(authorKey: [1], after: [Self.ruling(1)], kind: letIn))
        expectRefused("out", epoch { $0.out.reverse() })
        expectRefused("members", epoch { $0.members.reverse() })
        expectRefused("voids", epoch { $0.voids.reverse() })
        expectRefused("cuts", epoch { $0.out[0].cuts.reverse() })
        expectRefused("ends", epoch { $0.out[0].cuts[0].ends.reverse() })
        expectRefused("sequence", epoch { $0.out[0].cuts[0].ends[0].sequence = .max / 2 })
        // They would be shorter than any.
        for short in [epoch { $0.out[0].cuts[1].ends = [] }, epoch { $0.out[0].cuts[1].ends[0].sequence = 0 }] {
            #expect(throws: WireError.wrongByteCount(field: "element")) { try Ruling(decoding: short.encoded()) }
        }
    }

    /// A founding follows nothing, and everything else follows something.
    @Test func onlyFoundingsFollowNothing() {
        let founding = Self.samples["ruling-founding"]!.kind
        for ruling in [
            Ruling(authorKey: [1], after: [], kind: .letIn([])),
            Ruling(authorKey: [1], after: [Self.ruling(1)], kind: founding),
        ] {
            #expect(throws: WireError.outOfRange(field: "after")) { try Ruling(decoding: ruling.encoded()) }
        }
    }

    /// A later version's kind is kept; no kind at all is none, and neither is an author without a key.
    @Test func unknownKindsAreKept() throws {
        let after = [0x12, 32] + Self.ruling(1).bytes
        // Field 900, length-delimited, two bytes.
        let later = try Ruling(decoding: [0x0A, 1, 7] + after + [0xA2, 0x38, 2, 1, 2])
        #expect(later.kind == .unknown)
        #expect(later.author == Ruling(authorKey: [7], after: [], kind: .unknown).author)
        #expect(throws: WireError.emptyMessage) { try Ruling(decoding: [0x0A, 1, 7] + after) }
        #expect(throws: WireError.self) { try Ruling(decoding: after + [0xA2, 0x38, 2, 1, 2]) }
    }

    /// As long as a ruling may be is read, with as many as it may follow; more is refused before it is decoded.
    @Test func rulingsAreBounded() throws {
        let memberCount = (WireLimits.rulingByteCountMax - 3000) / 16
        let members = (0..<memberCount).map {
            MemberPrefix(bytes: BigEndian.bytes(UInt64($0)) + [UInt8](repeating: 0, count: 8))!
        }
        let after = (0..<WireLimits.rulingAfterCountMax).map { Self.ruling(UInt8($0)) }
        let full = Ruling(
            authorKey: [1], after: after,
            kind: .epoch(Ruling.Epoch(commitment: Self.commitment, members: members)))
        #expect(try Ruling(decoding: full.encoded()) == full)
        let wide = Ruling(authorKey: [1], after: after + [Self.ruling(200)], kind: full.kind)
        #expect(throws: WireError.tooLong) { try Ruling(decoding: wide.encoded()) }
        let long = [UInt8](repeating: 0, count: WireLimits.rulingByteCountMax + 1)
        #expect(throws: WireError.tooLong) { try Ruling(decoding: long) }
        // Elements without content, many times their bytes in memory.
        for field: [UInt8] in [[0x12, 0], [0x2A, 2, 0x12, 0], [0x32, 2, 0x0A, 0]] {
            let flood = Array(repeatElement(field, count: 50_000).joined())
            #expect(throws: WireError.self) { try Ruling(decoding: flood) }
        }
    }
}
