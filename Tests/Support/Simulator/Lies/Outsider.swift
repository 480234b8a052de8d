import AlbumModel
import SyncEngine
import WireFormat

/// A laptop that was put out and wants back in. It has all seeds that it had, and knows every ruling that anybody knows; in
/// all else its agent is as others are.
extension Simulation {
    /// The laptop that hosts put out in runs that have such a one.
    var outsider: Int? { laptops.firstIndex { $0.lies.contains(.returns) } }

    /// Whether a laptop was put out, under this key or another one.
    func isOutsider(_ index: Int) -> Bool { laptops[index].lies.contains(.returns) && rulingLedger.isReturnerOut }

    /// It dials everybody anew, mostly under a key that nobody knows.
    mutating func comeBack(_ index: Int, _ random: inout SeededRandom) throws(SimulationFailure) {
        try crash(index, away: random.seconds(in: 0.05...0.5), &random)
        guard random.chance(0.6) else { return }
        rekey(index, Keys.pair(random.bytes(32), options), knowsFormer: false)
        rulingLedger.returnerKeys.insert(laptops[index].id)
        laptops[index].disk.giveUpReplica()
    }

    /// What it signs as the host that it was, as if that had been before it was put out: lets the key in that it has now, or
    /// makes it host. None where it was no host by then, or where it is in and may say so.
    private mutating func backdatedRulings(_ index: Int, _ book: RulingBook) -> [SignedStatement] {
        guard options.endsHosts, let signing = rulingLedger.returnerSigning,
            truth.isOut(BatchSignature.deviceID(publicKey: signing.publicKey)),
            let earlier = book.ids.randomElement(using: &liarRandom)
        else { return [] }
        let device = laptops[index].id
        let kind: Ruling.Kind = liarRandom.chance(0.5) ? .letIn([device]) : .host(device, goesOn: false)
        let ruling = Ruling(authorKey: signing.publicKey, after: [earlier], kind: kind)
        let statement = ruling.signed(using: signing)
        var book = book
        // Nobody takes in what is not of the form.
        return (try? book.insert(statement, using: signing)) == nil ? [] : [statement]
    }

    /// On a link for catching up it tells all rulings, claims to have no seed, and may offer false ones.
    mutating func takeAsOutsider(_ step: CatchUpStep) throws(SimulationFailure) {
        let (number, end) = (step.link, step.end)
        let index = catchUps[number].ends[end]
        switch step.input {
        case .began:
            let book = catchUps[number].books[end]
            let statements = book.ids.map { book.statement($0)! } + backdatedRulings(index, book)
            for start in stride(from: 0, to: statements.count, by: WireLimits.statementCountMax) {
                let page = Array(statements[start...].prefix(WireLimits.statementCountMax))
                let isLast = start + page.count == statements.count
                try send(.rulings(page, held: [], isLast: isLast), number, end)
            }
        case .received(.rulings(_, _, let isLast)) where isLast:
            var offered: [RulingID: Seed] = [:]
            if liarRandom.chance(0.3), let epoch = rulingLedger.seeds.keys.sorted().randomElement(using: &liarRandom) {
                offered[epoch] = Seed(bytes: liarRandom.bytes(Seed.byteCount))!
            }
            try send(.seeds(offered), number, end)
        case .disconnected: close(number, end)
        case .received, .judged, .deadlineReached: break
        }
    }
}
