import AlbumModel
import WireFormat

/// Brings connected peers to know the same rulings, and hands the founding to those who have none yet. A value type without
/// I/O.
///
/// Peers whose hellos name other rulings than are known here are sent all, and later what is new; each is durable before it
/// is told to anybody. A peer that knows no founding is sent that with its seed, judges whether its own phrase is made of
/// both, and is sent the rest once it says the founding itself: so nobody buffers what is not proved.
struct RulingExchange: Sendable {
    enum Input: Sendable {
        /// This device decides something, with its own key or the recovery code's: each ruling follows the one before, and
        /// the seed is the last one's.
        case rule(token: UInt64, [Ruling.Kind], Seed? = nil, recovery: (any BatchSigning)? = nil)
        /// It may not, for a reason that was found elsewhere.
        case refuse(token: UInt64, RulingFlaw)
        /// What a link for catching up brought; the seeds fit.
        case caughtUp(token: UInt64, [SignedStatement], seeds: [RulingID: Seed])
        /// A link was greeted and stays; the digest is that of the peer's hello.
        case opened(LinkID, digest: [UInt8]?)
        case received(LinkID, [SignedStatement])
        case seeds(LinkID, [RulingID: Seed])
        /// Whether the own phrase is made of a founding and its seed.
        case judged(RulingID, fits: Bool)
        case disconnected(LinkID)
        /// The outstanding rulings are durable …
        case stored
        /// … or the disk refused them, for the reason that the sentence names.
        case failed(String)
        case deadlineReached
    }

    enum Directive: Hashable, Sendable {
        /// Make these durable in one transaction; there is one at a time, of at most
        /// ``CatchUpLimits/storedSeedCountMax`` seeds.
        case store([SignedStatement], seeds: [RulingID: Seed])
        /// Find out whether the own phrase is made of these.
        case judge(RulingID, Seed)
        case close(LinkID, RulingFlaw)
        /// A decision of this device is durable …
        case ruled(token: UInt64)
        /// … or this device may not make it.
        case refused(token: UInt64, RulingFlaw)
        /// More rulings are known.
        case changed
        case storageFailed(String)
    }

    /// A founding that the own phrase may be made of.
    private struct Candidate: Sendable {
        let id: RulingID
        let statement: SignedStatement
        var seed: Seed?
    }

    private struct Link: Sendable {
        var knowsFounding: Bool
        /// What the peer is to be told, each after all that it follows.
        var outbox: [RulingID] = []
        var owesSeed = false
        var candidate: Candidate?
        /// Its founding was judged: it may not name another one over this link.
        var isJudged = false
    }

    private struct Waiting: Sendable {
        let id: RulingID
        /// Who sent it; `nil` for this device's own, and for what was caught up.
        var source: LinkID? = nil
        /// Of those who wait until it is durable.
        var tokens: [UInt64] = []
        /// The ruling was known: its seed is what waits.
        var isSeed = false
    }

    /// What is durable.
    private(set) var kept: RulingBook
    /// The same with what waits to be durable.
    private var checked: RulingBook
    private var waiting: [Waiting] = []
    /// How many of those, from the first, are in the outstanding transaction.
    private var outstandingCount = 0
    private var retryAt: MonotonicInstant?
    private var links: [LinkID: Link] = [:]
    /// Links over which the own hello named no founding, until the peer's hello comes.
    private var greetedWithoutFounding: Set<LinkID> = []
    private var judged: Candidate?
    private let signing: any BatchSigning
    private let retryInterval: Double

    init(_ book: RulingBook, signing: any BatchSigning, limits: EngineLimits) {
        kept = book
        checked = book
        self.signing = signing
        retryInterval = limits.diskRetryInterval
    }

    mutating func handle(_ input: Input, now: MonotonicInstant) -> [Directive] {
        switch input {
        case .rule(let token, let kinds, let seed, let recovery):
            rule(kinds, seed, using: recovery ?? signing, token: token)
        case .refuse(let token, let flaw): [.refused(token: token, flaw)]
        case .caughtUp(let token, let statements, let seeds): caughtUp(statements, seeds, token: token)
        case .opened(let link, let digest): opened(link, digest)
        case .received(let link, let statements): received(statements, link)
        case .seeds(let link, let seeds): received(seeds, link)
        case .judged(let founding, let fits): judgement(on: founding, fits: fits)
        case .disconnected(let link): disconnected(link)
        case .stored: stored()
        case .failed(let reason): failed(reason, now: now)
        case .deadlineReached: retryIfDue(now: now)
        }
    }

    private mutating func rule(
        _ kinds: [Ruling.Kind], _ seed: Seed?, using key: any BatchSigning, token: UInt64
    ) -> [Directive] {
        do throws(RulingFlaw) {
            guard checked.founding != nil else { throw .foreign }
            // All of them or none.
            var book = checked
            var news: [Waiting] = []
            for kind in kinds {
                // It follows all that is known: so it is new.
                guard let id = try book.insert(book.sign(kind, using: key), using: signing) else { continue }
                news.append(Waiting(id: id))
            }
            guard let last = news.last else { return [.ruled(token: token)] }
            if let seed { book.keep(seed, of: last.id) }
            news[news.count - 1].tokens = [token]
            checked = book
            waiting += news
            return begin()
        } catch {
            return [.refused(token: token, error)]
        }
    }

    private mutating func caughtUp(
        _ statements: [SignedStatement], _ seeds: [RulingID: Seed], token: UInt64
    ) -> [Directive] {
        var seeds = seeds
        var news: [Waiting] = []
        var flaw: RulingFlaw?
        do throws(RulingFlaw) {
            for statement in statements {
                guard let id = try checked.insert(statement, using: signing) else { continue }
                if let seed = seeds.removeValue(forKey: id) { checked.keep(seed, of: id) }
                news.append(Waiting(id: id))
            }
        } catch {
            flaw = error
        }
        for (id, seed) in seeds.sorted(by: { $0.key < $1.key })
        where checked.seeds[id] == nil && (checked[id] != nil && checked.isSeed(seed, of: id)) {
            checked.keep(seed, of: id)
            news.append(Waiting(id: id, isSeed: true))
        }
        waiting += news
        if let flaw { return [.refused(token: token, flaw)] + begin() }
        // What is known already may still wait for the disk.
        guard !waiting.isEmpty else { return [.ruled(token: token)] }
        waiting[waiting.count - 1].tokens.append(token)
        return begin()
    }

    /// What is durable, and what waits for that: what this device rules follows all of it.
    var known: RulingBook { checked }

    // MARK: Peers

    /// Returns the digest of what is durable, for the own hello over a link that was just connected.
    mutating func greeting(_ link: LinkID) -> [UInt8] {
        if kept.founding == nil { greetedWithoutFounding.insert(link) }
        return kept.digest
    }

    private mutating func opened(_ link: LinkID, _ digest: [UInt8]?) -> [Directive] {
        let wasWithoutFounding = greetedWithoutFounding.remove(link) != nil
        // An earlier version: it is told nothing.
        guard let digest else { return [] }
        links[link] = Link(knowsFounding: digest != RulingBook.emptyDigest)
        if digest != kept.digest {
            owe(link)
        } else if wasWithoutFounding, let founding = kept.founding {
            // It became durable after the own hello, so the peer takes this device for a newcomer. It has the same, but what
            // it stores from now on it sends only to whoever told it the founding.
            links[link]!.outbox = [founding]
        }
        return []
    }

    /// Owes a peer all that it may lack.
    private mutating func owe(_ link: LinkID) {
        guard let founding = kept.founding, let knowsFounding = links[link]?.knowsFounding else { return }
        links[link]!.outbox = knowsFounding ? kept.ids : kept.seeds[founding] == nil ? [] : [founding]
        links[link]!.owesSeed = !knowsFounding && kept.seeds[founding] != nil
    }

    private mutating func received(_ statements: [SignedStatement], _ link: LinkID) -> [Directive] {
        guard let state = links[link], !statements.isEmpty else { return [] }
        do throws(RulingFlaw) {
            guard checked.founding != nil else {
                try noteFounding(statements[0], link)
                return []
            }
            for statement in statements {
                guard let id = try checked.insert(statement, using: signing) else { continue }
                waiting.append(Waiting(id: id, source: link))
            }
            if !state.knowsFounding {
                links[link]!.knowsFounding = true
                owe(link)
            }
            return begin()
        } catch {
            return begin() + [.close(link, error)]
        }
    }

    private mutating func noteFounding(_ statement: SignedStatement, _ link: LinkID) throws(RulingFlaw) {
        links[link]!.knowsFounding = true
        guard links[link]!.candidate == nil, !links[link]!.isJudged else { return }
        var book = RulingBook()
        if let id = try book.insert(statement, using: signing) {
            links[link]!.candidate = Candidate(id: id, statement: statement)
        }
    }

    private mutating func received(_ seeds: [RulingID: Seed], _ link: LinkID) -> [Directive] {
        guard checked.founding == nil, let candidate = links[link]?.candidate, let seed = seeds[candidate.id] else {
            return []
        }
        let book = RulingBook([candidate.statement], using: signing)
        guard book.isSeed(seed, of: candidate.id) else { return [.close(link, .falseSeed)] }
        links[link]!.candidate!.seed = seed
        return judgeNext()
    }

    private mutating func judgeNext() -> [Directive] {
        guard judged == nil, checked.founding == nil,
            let candidate = links.sorted(by: { $0.key < $1.key }).lazy.compactMap(\.value.candidate)
                .first(where: { $0.seed != nil })
        else { return [] }
        judged = candidate
        return [.judge(candidate.id, candidate.seed!)]
    }

    private mutating func judgement(on founding: RulingID, fits: Bool) -> [Directive] {
        guard let candidate = judged, candidate.id == founding else { return [] }
        judged = nil
        for link in links.keys where fits || links[link]!.candidate?.id == founding {
            links[link]!.candidate = nil
            links[link]!.isJudged = true
        }
        guard fits, let id = try? checked.insert(candidate.statement, using: signing) else { return judgeNext() }
        checked.keep(candidate.seed!, of: id)
        waiting.append(Waiting(id: id))
        return begin()
    }

    private mutating func disconnected(_ link: LinkID) -> [Directive] {
        links[link] = nil
        greetedWithoutFounding.remove(link)
        return []
    }

    // MARK: Storing

    private mutating func begin() -> [Directive] {
        guard outstandingCount == 0, retryAt == nil, !waiting.isEmpty else { return [] }
        var seeds: [RulingID: Seed] = [:]
        for waiting in waiting {
            if let seed = checked.seeds[waiting.id] {
                guard seeds.count < CatchUpLimits.storedSeedCountMax else { break }
                seeds[waiting.id] = seed
            }
            outstandingCount += 1
        }
        let rulings = waiting.prefix(outstandingCount).filter { !$0.isSeed }.map { checked.statement($0.id)! }
        return [.store(rulings, seeds: seeds)]
    }

    /// They count from now on, and may be told.
    private mutating func stored() -> [Directive] {
        guard outstandingCount > 0 else { return [] }
        let done = Array(waiting.prefix(outstandingCount))
        waiting.removeFirst(outstandingCount)
        outstandingCount = 0
        let hadFounding = kept.founding != nil
        for done in done {
            if done.isSeed {
                kept.keep(checked.seeds[done.id]!, of: done.id)
            } else {
                kept.adopt(done.id, from: checked)
            }
        }
        for link in links.keys {
            if !hadFounding {
                owe(link)
            } else if links[link]!.knowsFounding {
                links[link]!.outbox += done.filter { $0.source != link && !$0.isSeed }.map(\.id)
            }
        }
        return done.flatMap(\.tokens).map { .ruled(token: $0) } + [.changed] + begin()
    }

    private mutating func failed(_ reason: String, now: MonotonicInstant) -> [Directive] {
        guard outstandingCount > 0 else { return [] }
        outstandingCount = 0
        retryAt = now + retryInterval
        return [.storageFailed(reason)]
    }

    private mutating func retryIfDue(now: MonotonicInstant) -> [Directive] {
        guard let retryAt, retryAt <= now else { return [] }
        self.retryAt = nil
        return begin()
    }

    /// When to feed ``Input/deadlineReached``.
    var nextDeadline: MonotonicInstant? { retryAt }

    // MARK: Telling

    /// How many things wait to be told to a peer.
    func owedCount(_ link: LinkID) -> Int { links[link].map { $0.outbox.count + ($0.owesSeed ? 1 : 0) } ?? 0 }

    /// What a peer is told next.
    mutating func nextMessage(for link: LinkID) -> Message? {
        guard let state = links[link], owedCount(link) > 0 else { return nil }
        guard !state.outbox.isEmpty else {
            links[link]!.owesSeed = false
            let founding = kept.founding!
            return .seeds([founding: kept.seeds[founding]!])
        }
        var page: [SignedStatement] = []
        var byteCount = 0
        for statement in state.outbox.prefix(WireLimits.statementCountMax).map({ kept.statement($0)! }) {
            byteCount += statement.content.count
            guard byteCount <= WireLimits.rulingPageByteCountMax else { break }
            page.append(statement)
        }
        links[link]!.outbox.removeFirst(page.count)
        return .rulings(page)
    }
}
