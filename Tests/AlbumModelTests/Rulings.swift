import AlbumModel

/// Rulings of one gathering, made by hand. A laptop's key is one byte; that of the recovery code is 255, the founder's 0.
struct Rulings {
    private(set) var all: [RulingID: Ruling] = [:]
    private(set) var founding: RulingID
    /// In the order in which they were made.
    private(set) var made: [RulingID] = []
    private let salt: UInt8

    /// - Parameter salt: other IDs for the same rulings.
    init(salt: UInt8 = 0) {
        self.salt = salt
        founding = RulingID(content: [salt])
        let kind = Ruling.Kind.founding(Ruling.Founding(recoveryKey: [255], commitment: SeedCommitment(seed: [0])))
        all[founding] = Ruling(authorKey: [0], after: [], kind: kind)
        made = [founding]
    }

    /// - Parameter after: nothing stands for the founding.
    @discardableResult
    mutating func rule(_ author: UInt8, after: [RulingID] = [], _ kind: Ruling.Kind) -> RulingID {
        let id = RulingID(content: [salt] + BigEndian.bytes(UInt64(made.count)))
        all[id] = Ruling(authorKey: [author], after: after.isEmpty ? [founding] : after.sorted(), kind: kind)
        made.append(id)
        return id
    }

    @discardableResult
    mutating func name(
        _ host: UInt8, by author: UInt8 = 0, after: [RulingID] = [], goesOn: Bool = false
    ) -> RulingID {
        rule(author, after: after, .host(laptop(host), goesOn: goesOn))
    }

    @discardableResult
    mutating func epoch(
        by author: UInt8 = 0, after: [RulingID] = [], out: [UInt8] = [], cuts: [UInt8: [Ruling.Cut]] = [:],
        members: [UInt8] = [], voids: [RulingID] = []
    ) -> RulingID {
        rule(
            author, after: after,
            .epoch(
                Ruling.Epoch(
                    commitment: SeedCommitment(seed: [UInt8(truncatingIfNeeded: made.count)]),
                    out: out.map { Ruling.Out(device: laptop($0), cuts: cuts[$0] ?? []) }
                        .sorted { $0.device < $1.device },
                    members: members.map { MemberPrefix(laptop($0)) }.sorted(), voids: voids.sorted())))
    }

    @discardableResult
    mutating func letIn(_ devices: [UInt8], by author: UInt8 = 0, after: [RulingID]) -> RulingID {
        rule(author, after: after, .letIn(devices.map(laptop).sorted()))
    }

    /// - Parameter proved: by laptop; `nil` is the first epoch.
    func roll(proved: [UInt8: [RulingID?]] = [:], lineage: [(UInt8, from: UInt8)] = []) -> Roll {
        Self.roll(all, proved: proved, lineage: lineage)
    }

    static func roll(
        _ rulings: [RulingID: Ruling], proved: [UInt8: [RulingID?]] = [:], lineage: [(UInt8, from: UInt8)] = []
    ) -> Roll {
        var successions = Lineage()
        for (device, former) in lineage { successions.add(laptop(device), from: laptop(former)) }
        let proofs = proved.map { (laptop($0.key), Set($0.value.map { $0.map { EpochPrefix($0) } })) }
        return Roll(
            rulings: rulings, proofs: Dictionary(uniqueKeysWithValues: proofs), lineage: successions)
    }
}

func laptop(_ key: UInt8) -> DeviceID { Ruling(authorKey: [key], after: [], kind: .unknown).author }
