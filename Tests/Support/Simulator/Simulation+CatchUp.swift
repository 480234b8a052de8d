import AlbumModel
import SyncEngine
import WireFormat

/// Links for catching up: they carry nothing else, and no engine knows of them.
extension Simulation {
    /// Such a link between two laptops, the first of which dialled.
    struct CatchUpLink {
        let ends: [Int]
        /// The runs of their agents.
        let lives: [Int]
        let key: PeerKey
        /// Under whose phrase both proved themselves, where either knows the ruling.
        let common: RulingID?
        /// Whom each met at the other end; the laptop there may be another device since.
        let peers: [AdmittedPeer]
        /// What each knew when it began.
        let books: [RulingBook]
        /// `nil` for a laptop that was put out, which does what it likes.
        var parts: [CatchUp?]
        var isOver = [false, false]
        /// When the last message of each end arrives.
        var lastArrivals: [MonotonicInstant]
    }

    /// What happens at one end of such a link.
    struct CatchUpStep {
        var link: Int
        var end: Int
        var input: CatchUp.Input
    }

    /// - Parameter epochs: under which epoch each proved itself to the other one.
    mutating func catchUp(_ pair: [Int], provenUnder epochs: [RulingID?], _ key: PeerKey) {
        let peers = (0...1).map { end in
            let other = laptops[pair[1 - end]]
            return AdmittedPeer(other.id, goingOnFrom: other.formers, provenUnder: epochs[1 - end])
        }
        let parts = (0...1).map { end -> CatchUp? in
            guard !isOutsider(pair[end]) else { return nil }
            return laptops[pair[end]].look { $0.catchUp(with: peers[end]) }
        }
        catchUps.append(
            CatchUpLink(
                ends: pair, lives: pair.map { laptops[$0].life }, key: key,
                common: epochs[0] ?? epochs[1], peers: peers, books: pair.map { bookAtHand($0) },
                parts: parts,
                lastArrivals: [now, now]))
        for end in 0...1 {
            plan(.catchUp(CatchUpStep(link: catchUps.count - 1, end: end, input: .began)), after: options.delay)
        }
    }

    /// Whoever was put out has everybody's rulings.
    private func bookAtHand(_ index: Int) -> RulingBook {
        guard isOutsider(index) else { return laptops[index].look { $0.rulings } ?? RulingBook() }
        return RulingBook(Array(rulingLedger.statements.values), using: laptops[index].signing)
    }

    mutating func take(_ step: CatchUpStep) throws(SimulationFailure) {
        let (number, end, link) = (step.link, step.end, catchUps[step.link])
        let index = link.ends[end]
        let isJudgement = if case .judged = step.input { true } else { false }
        guard laptops[index].life == link.lives[end], laptops[index].isAwake, !link.isOver[end] || isJudgement else {
            return
        }
        if case .received = step.input, !network.reachability.carries(from: link.ends[1 - end], to: index) { return }
        guard catchUps[number].parts[end] != nil else { return try takeAsOutsider(step) }
        let former = catchUps[number].parts[end]!.nextDeadline
        let directives = catchUps[number].parts[end]!.handle(step.input, now: now)
        if let deadline = catchUps[number].parts[end]!.nextDeadline, deadline != former {
            events.plan(.catchUp(CatchUpStep(link: number, end: end, input: .deadlineReached)), at: deadline)
        }
        for directive in directives { try perform(directive, number, end) }
    }

    private mutating func perform(
        _ directive: CatchUp.Directive, _ number: Int, _ end: Int
    ) throws(SimulationFailure) {
        let link = catchUps[number]
        let index = link.ends[end]
        switch directive {
        case .send(let message):
            if laptops[index].isHonest {
                try EqualRulings.sent(message, by: laptops[index])
                try NothingToOutsiders.check(message, from: end, of: link, self)
            }
            try send(message, number, end)
        case .judge(let ruling, _):
            let answer = CatchUp.Input.judged(ruling, fits: isPhrase(ruling, of: index))
            plan(.catchUp(CatchUpStep(link: number, end: end, input: answer)), after: 0.1)
        case .commit(let rulings, let seeds):
            try feed(index, laptops[index].life, .caughtUp(token: 0, rulings, seeds: seeds))
        case .close(let reason):
            tell("\(index) has caught up with \(link.ends[1 - end]): \(reason)")
            close(number, end)
        }
    }

    /// What one end sends comes to the other in its order.
    mutating func send(_ message: Message, _ number: Int, _ end: Int) throws(SimulationFailure) {
        let read: Message
        do {
            read = try Message(decoding: message.encoded())
        } catch {
            throw SimulationFailure(.unreadable, "a message for catching up cannot be read: \(error)")
        }
        let arrival = max(
            now + options.delay * rulingsRandom.seconds(in: 0.5...1.5), catchUps[number].lastArrivals[end])
        catchUps[number].lastArrivals[end] = arrival
        events.plan(.catchUp(CatchUpStep(link: number, end: 1 - end, input: .received(read))), at: arrival)
    }

    mutating func close(_ number: Int, _ end: Int) {
        let link = catchUps[number]
        guard !link.isOver[end] else { return }
        catchUps[number].isOver[end] = true
        let last = max(link.lastArrivals[end], now + options.delay)
        events.plan(.catchUp(CatchUpStep(link: number, end: 1 - end, input: .disconnected)), at: last)
        guard end == 0 else { return }
        let failure = EngineInput.dialFailed(link.key, isStranger: false)
        plan(.input(laptop: link.ends[0], life: link.lives[0], failure), after: 0.01)
    }
}
