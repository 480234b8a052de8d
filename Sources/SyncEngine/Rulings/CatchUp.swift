public import AlbumModel
public import WireFormat

/// Brings two devices whose epochs or foundings differ to know the same rulings and hold the same seeds, over a link of its
/// own which carries nothing else. A value type without I/O.
///
/// Both send all rulings in pages, and with the last which seeds they hold; then each sends the seeds that the other one
/// lacks, if that one is a member by the rulings of both, and none if it is not. Whoever has both commits them and closes.
/// A device that knows no founding believes what it was told only if the phrase by which it entered is made of one of the
/// seeds.
public struct CatchUp: Sendable {
    public enum Input: Sendable {
        /// The link is there.
        case began
        case received(Message)
        /// The answer to ``Directive/judge(_:_:)``.
        case judged(RulingID, fits: Bool)
        /// The other side closed, or the link broke.
        case disconnected
        case deadlineReached
    }

    public enum Directive: Hashable, Sendable {
        case send(Message)
        /// Find out whether the phrase by which this home was entered is made of the ruling and its seed. There is one such
        /// at a time; the link may be closed meanwhile.
        case judge(RulingID, Seed)
        /// Hand these to the engine (``EngineInput/caughtUp(token:_:seeds:)``), which makes them durable in one
        /// transaction, or a few where there are many seeds; each ruling comes after all that it follows, and the seeds fit.
        /// At most once.
        case commit([SignedStatement], seeds: [RulingID: Seed])
        /// Close the link once what was sent has left; nothing comes after it.
        case close(End)
    }

    /// How it ended.
    public enum End: Hashable, Sendable {
        /// All was exchanged. `isNews`: something of it was new here.
        case level(isNews: Bool)
        /// All was exchanged but for seeds: the other one is no member.
        case peerIsNoMember
        /// The other one has nothing that the phrase by which this home was entered is made of.
        case phraseUnknown
        /// What was sent is not of the form; ``RulingFlaw/foreign``: it is another gathering's.
        case refused(RulingFlaw)
        /// The other side does not keep to the protocol.
        case unexpectedMessage
        /// It took too long.
        case late
        /// The link was lost before all was exchanged, or the disk refused what was.
        case lost
    }

    /// exchanging → judging → over; exchanging → over.
    private enum Phase: Sendable {
        case exchanging
        /// The link is not needed any longer.
        case judging(rest: [RulingID])
        case over
    }

    private var phase = Phase.exchanging
    /// What is known here, and what the other one sent.
    private var merged: RulingBook
    private let evidence: RollEvidence
    private let signing: any BatchSigning
    private let peer: AdmittedPeer
    /// A founding was known here before.
    private let knewFounding: Bool
    private var newRulings: [RulingID] = []
    private var newSeeds: [RulingID: Seed] = [:]
    private var receivedCount = 0
    /// Whether the other one has sent its last page.
    private var hasRulings = false
    /// Whether it is a member, once that can be told.
    private var isPeerMember = true
    private var deadline: MonotonicInstant?
    /// When it is to be over, whatever the other one sends.
    private var lastDeadline = MonotonicInstant(nanoseconds: 0)

    /// - Parameters:
    ///   - book: what is known here.
    ///   - evidence: of this device's journal.
    public init(with peer: AdmittedPeer, _ book: RulingBook, _ evidence: RollEvidence, signing: any BatchSigning) {
        self.peer = peer
        self.evidence = evidence
        self.signing = signing
        merged = book
        knewFounding = book.founding != nil
    }

    /// When to feed ``Input/deadlineReached``; `nil` when nothing is waited for on the link.
    public var nextDeadline: MonotonicInstant? { deadline }

    public mutating func handle(_ input: Input, now: MonotonicInstant) -> [Directive] {
        switch (input, phase) {
        case (.began, .exchanging): begin(now: now)
        case (.received(let message), .exchanging): received(message, now: now)
        case (.disconnected, .exchanging): abandon(.lost)
        case (.deadlineReached, .exchanging):
            if let deadline, deadline <= now { abandon(.late) } else { [] }
        case (.judged(let ruling, let fits), .judging(let rest)): judged(ruling, fits, rest)
        case (.began, _), (.received, _), (.disconnected, _), (.deadlineReached, _), (.judged, _): []
        }
    }

    // MARK: Exchanging

    private mutating func begin(now: MonotonicInstant) -> [Directive] {
        deadline = now + CatchUpLimits.seconds
        lastDeadline = now + CatchUpLimits.allSeconds
        var pages: [[SignedStatement]] = [[]]
        var byteCount = 0
        for statement in merged.ids.map({ merged.statement($0)! }) {
            let isFull =
                pages.last!.count == WireLimits.statementCountMax
                || byteCount + statement.content.count > WireLimits.rulingPageByteCountMax
            if isFull { (pages, byteCount) = (pages + [[]], 0) }
            pages[pages.count - 1].append(statement)
            byteCount += statement.content.count
        }
        let held = Array(merged.heldEpochs.prefix(WireLimits.seedCountMax))
        return pages.enumerated().map { number, page in
            let isLast = number == pages.count - 1
            return .send(.rulings(page, held: isLast ? held : [], isLast: isLast))
        }
    }

    private mutating func received(_ message: Message, now: MonotonicInstant) -> [Directive] {
        switch message {
        case .rulings(let page, let held, let isLast) where !hasRulings:
            deadline = min(now + CatchUpLimits.seconds, lastDeadline)
            receivedCount += page.count
            guard receivedCount <= RulingLimits().allCountMax, isLast || !page.isEmpty else {
                return abandon(.unexpectedMessage)
            }
            do throws(RulingFlaw) {
                for statement in page {
                    if let id = try merged.insert(statement, using: signing) { newRulings.append(id) }
                }
            } catch {
                return abandon(.refused(error))
            }
            return isLast ? tellSeeds(held: Set(held)) : []
        case .seeds(let seeds) where hasRulings: return received(seeds)
        // Of a later version.
        case .unknown: return []
        default: return abandon(.unexpectedMessage)
        }
    }

    private mutating func tellSeeds(held: Set<RulingID>) -> [Directive] {
        hasRulings = true
        let roll = evidence.roll(PlantedFault.isPlanted(.seedBeforeMerge) ? known : merged)
        let isMember = roll.isMember(peer)
        // Of a phrase whose ruling was not known here it cannot be told what it proves.
        isPeerMember = isMember || peer.epoch == nil
        let isGiven = isMember || PlantedFault.isPlanted(.mintedKeyHandedSecret)
        let given = isGiven ? self.given(by: roll, held: held) : []
        return [.send(.seeds(Dictionary(uniqueKeysWithValues: given.map { ($0, merged.seeds[$0]!) })))]
    }

    /// Epochs whose seeds the other one lacks. Of those that do not count first the ones are given under which somebody began
    /// a replica: without them its batches could not be checked. Then the one whose phrase the other one proved: by that it
    /// believes the founding. Of the rest a few: somebody may still come with their phrases, and such a seed opens nothing.
    private func given(by roll: Roll, held: Set<RulingID>) -> [RulingID] {
        let valid = Set(roll.epochs)
        let lacked = merged.seeds.keys.filter { !held.contains($0) }
        let needed = lacked.filter {
            valid.contains($0) || evidence.epochs.contains(EpochPrefix($0)) || $0 == peer.epoch
        }
        let others = Set(lacked).subtracting(needed).sorted().prefix(CatchUpLimits.voidSeedCountMax)
        return Array((merged.newestFirst(needed) + others).prefix(WireLimits.seedCountMax))
    }

    private mutating func received(_ seeds: [RulingID: Seed]) -> [Directive] {
        guard seeds.allSatisfy({ merged.isSeed($1, of: $0) }) else { return abandon(.refused(.falseSeed)) }
        newSeeds = seeds.filter { merged.seeds[$0.key] == nil }
        guard !knewFounding, merged.founding != nil else { return commit(isPeerMember ? nil : .peerIsNoMember) }
        let candidates = merged.newestFirst(newSeeds.keys).prefix(CatchUpLimits.judgedCountMax)
        return judgeNext(Array(candidates))
    }

    /// What was known here before.
    private var known: RulingBook {
        let news = Set(newRulings)
        return RulingBook(merged.ids.filter { !news.contains($0) }.map { merged.statement($0)! }, using: signing)
    }

    // MARK: The phrase of entry

    private mutating func judgeNext(_ candidates: [RulingID]) -> [Directive] {
        deadline = nil
        guard let next = candidates.first else { return end(.phraseUnknown) }
        phase = .judging(rest: Array(candidates.dropFirst()))
        return [.judge(next, newSeeds[next]!)]
    }

    private mutating func judged(_ ruling: RulingID, _ fits: Bool, _ rest: [RulingID]) -> [Directive] {
        fits ? commit(nil) : judgeNext(rest)
    }

    // MARK: Ending

    private mutating func commit(_ end: End?) -> [Directive] {
        let isNews = !newRulings.isEmpty || !newSeeds.isEmpty
        let statements = newRulings.map { merged.statement($0)! }
        return (isNews ? [.commit(statements, seeds: newSeeds)] : []) + self.end(end ?? .level(isNews: isNews))
    }

    /// What was sent counts as far as it came, where it is bound to a founding that is known.
    private mutating func abandon(_ end: End) -> [Directive] {
        newSeeds = [:]
        return knewFounding ? commit(end) : self.end(end)
    }

    private mutating func end(_ end: End) -> [Directive] {
        phase = .over
        deadline = nil
        return [.close(end)]
    }
}

/// Everything that bounds catching up.
enum CatchUpLimits {
    /// From one page to the next, at most: a link of 1 MB/s carries one, and all seeds, in a tenth of that.
    static let seconds = 15.0
    /// For all of it: a link of 300 kB/s carries as many rulings as are kept.
    static let allSeconds = 120.0
    /// Seeds that are held against a phrase, the newest first: of each a slow hash is made, 0.1 s.
    static let judgedCountMax = 32
    /// Seeds that become durable at one time: of each two slow hashes are made, 0.2 s, and nothing else is stored meanwhile.
    static let storedSeedCountMax = 16
    /// Seeds that are given though nobody is known to need them, of epochs that do not count.
    static let voidSeedCountMax = 32
}
