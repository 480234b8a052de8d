public import AlbumModel

/// What a journal says of who came by which phrase: the part of a ``Roll`` that is no ruling.
public struct RollEvidence: Hashable, Sendable {
    /// Under which epochs' keys each device began its replicas; `nil` is the first epoch.
    let proofs: [DeviceID: Set<EpochPrefix?>]
    let lineage: Lineage

    init(_ log: BatchLog, _ catalog: Catalog, using signing: any BatchSigning) {
        proofs = log.proofs.mapValues { proofs in
            // They were checked when they came: those that fit no key that is held are of an epoch that names itself.
            Set(proofs.map { if case .right(let epoch) = signing.judge($0) { epoch } else { $0.epoch } })
        }
        lineage = catalog.lineage
    }

    /// Of a journal that was folded.
    public init(_ journal: JournalFold, using signing: any BatchSigning) {
        self.init(journal.log, journal.catalog, using: signing)
    }

    /// Epochs after the first one under which somebody began a replica.
    var epochs: Set<EpochPrefix> { proofs.values.reduce(into: []) { $0.formUnion($1.compactMap { $0 }) } }

    /// Who is in, as these rulings have it.
    public func roll(_ rulings: RulingBook) -> Roll {
        Roll(rulings: rulings.rulings, proofs: proofs, lineage: lineage)
    }

    /// The same once whoever has this key ruled that as well; the same as before where they may not.
    func roll(_ rulings: RulingBook, and kind: Ruling.Kind, using key: any BatchSigning) -> Roll {
        roll(rulings.adding(kind, using: key))
    }
}
