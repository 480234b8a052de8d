public import AlbumModel
import WireFormat

extension Engine {
    mutating func toRulings(_ input: RulingExchange.Input, now: MonotonicInstant) {
        for directive in rulingExchange.handle(input, now: now) { perform(directive, now: now) }
    }

    private mutating func perform(_ directive: RulingExchange.Directive, now: MonotonicInstant) {
        switch directive {
        case .store(let rulings, let seeds): emit(.storeRulings(rulings, seeds: seeds))
        case .judge(let founding, let seed): emit(.judgeFounding(founding, seed))
        case .close(let link, let flaw): close(link, .refusedRuling(flaw), now: now)
        case .ruled(let token): emit(.notify(.ruled(token: token)))
        case .refused(let token, let flaw): emit(.notify(.rulingFailed(token: token, flaw.sentence)))
        case .changed: emit(.notify(.rulingsChanged))
        case .storageFailed(let reason): emit(.notify(.storageFailed(reason)))
        }
    }

    // MARK: Questions

    /// Rulings that are durable here.
    public var rulings: RulingBook { rulingExchange.kept }

    /// Who is in, as the rulings that are durable here have it. Made anew with each question.
    public var roll: Roll {
        // The first epoch, which no proof names.
        let proofs = log.devices.map { ($0, Set<EpochPrefix?>([nil])) }
        return Roll(
            rulings: rulings.rulings, proofs: Dictionary(uniqueKeysWithValues: proofs), lineage: catalog.lineage)
    }
}
