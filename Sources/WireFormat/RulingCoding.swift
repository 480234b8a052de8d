public import AlbumModel
import FoundationEssentials
import SwiftProtobuf

extension Ruling {
    /// The bytes that are signed.
    public func encoded() -> [UInt8] {
        Potluck_RulingPart.with {
            $0.authorKey = .init(authorKey)
            $0.after = after.map { .init($0.bytes) }
            switch kind {
            case .founding(let founding):
                $0.founding.recoveryKey = .init(founding.recoveryKey)
                $0.founding.commitment = .init(founding.commitment.bytes)
            case .host(let device, let goesOn):
                $0.host.device = .init(device.bytes)
                $0.host.goesOn = goesOn
            case .epoch(let epoch): $0.epoch = epoch.part
            case .letIn(let devices): $0.letIn.devices = devices.map { .init($0.bytes) }
            case .unknown: break
            }
        }.encodedBytes()
    }

    /// Reads the content of a ruling, and checks its form as far as it needs no other ruling.
    public init(decoding content: [UInt8]) throws(WireError) {
        guard content.count <= WireLimits.rulingByteCountMax else { throw .tooLong }
        try MessageShape.ruling.check(content)
        let part = try Potluck_RulingPart(decoding: content)
        guard !part.authorKey.isEmpty else { throw .wrongByteCount(field: "author key") }
        let after: [RulingID] = try .decoding(sorted: part.after, "after")
        let kind = try Kind(part: part)
        var isFounding = false
        if case .founding = kind { isFounding = true }
        guard isFounding == after.isEmpty else { throw .outOfRange(field: "after") }
        self.init(authorKey: Array(part.authorKey), after: after, kind: kind)
    }
}

extension Ruling.Kind {
    fileprivate init(part: Potluck_RulingPart) throws(WireError) {
        switch part.kind {
        case .founding(let founding):
            guard !founding.recoveryKey.isEmpty else { throw .wrongByteCount(field: "recovery key") }
            self = .founding(
                Ruling.Founding(
                    recoveryKey: Array(founding.recoveryKey),
                    commitment: try .decoding(founding.commitment, "commitment")))
        case .host(let host): self = .host(try .decoding(host.device, "device"), goesOn: host.goesOn)
        case .epoch(let epoch): self = .epoch(try Ruling.Epoch(part: epoch))
        case .letIn(let letIn): self = .letIn(try .decoding(sorted: letIn.devices, "devices"))
        case nil:
            guard !part.unknownFields.data.isEmpty else { throw .emptyMessage }
            self = .unknown
        }
    }
}

extension Ruling.Epoch {
    fileprivate var part: Potluck_EpochPart {
        .with {
            $0.commitment = .init(commitment.bytes)
            $0.out = out.map { out in
                .with {
                    $0.device = .init(out.device.bytes)
                    $0.cuts = out.cuts.map(\.part)
                }
            }
            $0.members = .init(members.flatMap(\.bytes))
            $0.voids = voids.map { .init($0.bytes) }
        }
    }

    fileprivate init(part: Potluck_EpochPart) throws(WireError) {
        let members = Array(part.members)
        guard members.count.isMultiple(of: MemberPrefix.byteCount) else { throw .wrongByteCount(field: "members") }
        self.init(
            commitment: try .decoding(part.commitment, "commitment"), out: [],
            members: try .decoding(
                sorted: stride(from: 0, to: members.count, by: MemberPrefix.byteCount).map {
                    members[$0..<$0 + MemberPrefix.byteCount]
                }, "members"),
            voids: try .decoding(sorted: part.voids, "voids"))
        for out in part.out {
            self.out.append(Ruling.Out(device: try .decoding(out.device, "device"), cuts: try .decoding(out.cuts)))
        }
        guard self.out.map(\.device).isAscending else { throw .outOfRange(field: "out") }
    }
}

extension Ruling.Cut {
    fileprivate var part: Potluck_CutPart {
        .with {
            $0.replica = .init(replica.bytes)
            $0.ends = ends.map { end in
                .with {
                    $0.sequence = end.sequence
                    $0.batch = .init(end.batch.bytes)
                }
            }
        }
    }
}

extension [Ruling.Cut] {
    fileprivate static func decoding(_ parts: [Potluck_CutPart]) throws(WireError) -> [Ruling.Cut] {
        var cuts: [Ruling.Cut] = []
        for part in parts {
            var ends: [Ruling.Cut.End] = []
            for end in part.ends {
                guard 1..<WireLimits.sequenceEnd ~= end.sequence else { throw .outOfRange(field: "sequence") }
                ends.append(Ruling.Cut.End(sequence: end.sequence, batch: try .decoding(end.batch, "batch")))
            }
            guard !ends.isEmpty, ends.isAscending else { throw .outOfRange(field: "ends") }
            cuts.append(Ruling.Cut(replica: try .decoding(part.replica, "replica"), ends: ends))
        }
        guard cuts.map(\.replica).isAscending else { throw .outOfRange(field: "cuts") }
        return cuts
    }
}

extension Array where Element: Comparable {
    /// Each greater than the one before it.
    fileprivate var isAscending: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}

extension Array where Element: ByteIdentifier {
    /// A list of which there is one form only: sorted, each once.
    fileprivate static func decoding(
        sorted parts: [some Collection<UInt8>], _ field: String
    ) throws(WireError) -> [Element] {
        var list: [Element] = []
        for part in parts { list.append(try .decoding(part, field)) }
        guard list.isAscending else { throw .outOfRange(field: field) }
        return list
    }
}

extension Potluck_RulingsPart {
    init(_ rulings: [SignedStatement], held: [RulingID], isLast: Bool) {
        self.init()
        self.rulings = rulings.map(\.part)
        self.held = held.map { .init($0.bytes) }
        self.isLast = isLast
    }

    /// The rulings whose seeds the sender has.
    func readHeld() throws(WireError) -> [RulingID] {
        var read: [RulingID] = []
        for part in held { read.append(try .decoding(part, "held")) }
        return read
    }
}

extension Potluck_SeedsPart {
    init(_ seeds: [RulingID: Seed]) {
        self.init()
        self.seeds = seeds.sorted { $0.key < $1.key }.map { ruling, seed in
            .with {
                $0.ruling = .init(ruling.bytes)
                $0.seed = .init(seed.bytes)
            }
        }
    }

    func read() throws(WireError) -> [RulingID: Seed] {
        var read: [RulingID: Seed] = [:]
        for part in seeds {
            guard let seed = Seed(bytes: Array(part.seed)) else { throw .wrongByteCount(field: "seed") }
            read[try .decoding(part.ruling, "ruling")] = seed
        }
        return read
    }
}
