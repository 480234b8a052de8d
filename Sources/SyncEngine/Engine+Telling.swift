import AlbumModel
import WireFormat

/// What peers are owed without having asked for each of it, told as fast as they read. None of it is a reason to end a
/// connection, however much it is: it waits as names of things, and becomes messages when there is room.
extension Engine {
    /// Tells the peers what has gathered, at most once an interval, and what waits for them to read.
    mutating func tellNews(now: MonotonicInstant) {
        guard !sessions.isEmpty else { return toPresence(.announce, now: now) }
        toPresence(.turn(tree: treeLinks), now: now)
        if hasNews, newsPace.isDue(now: now) {
            pull.announce()
            toPresence(.announce, now: now)
            newsPace.told(now: now)
            for (link, heads) in broadcast.takeAnnouncements() { sessions[link]?.outbox.announce(heads) }
        }
        tellOwed(now: now)
    }

    private var hasNews: Bool {
        pull.hasNews || presence.hasNews || broadcast.hasAnnouncements
    }

    /// When a peer may be told something that waits for its time.
    var tellingDeadlines: [MonotonicInstant] {
        guard !sessions.isEmpty else { return [] }
        let news = [presence.summaryDeadline, hasNews ? newsPace.nextDeadline : nil]
        let peers = sessions.map { link, session in session.mayTell ? presence.nextDeadline(for: link) : nil }
        return (news + peers).compactMap { $0 }
    }

    /// Tells every peer that reads some of what waits for it.
    private mutating func tellOwed(now: MonotonicInstant) {
        for link in sessions.keys.sorted() {
            let isOwed = sessions[link]!.outbox.count > 0 || pull.owedCount(link) > 0
            guard isOwed || presence.isTellingDue(link, now: now) else { continue }
            tellOwed(link, now: now)
        }
    }

    mutating func tellOwed(_ link: LinkID, now: MonotonicInstant) {
        if sessions[link]!.outbox.comparesVectors, sessions[link]!.isReconciling {
            sessions[link]!.outbox.comparesVectors = false
            perform(sessions[link]!.askAgain(log: log), link, now: now)
        }
        presence.lookForSummaries(for: link, log: log, now: now)
        while sessions[link]?.mayTell == true {
            let messages = nextOwed(link, now: now)
            guard !messages.isEmpty else { return }
            for message in messages {
                emit(.send(link, message))
                let question = sessions[link]!.noteTold(message.roughByteCount, now: now)
                if let question { emit(.send(link, question)) }
            }
        }
    }

    /// What a peer is told next: one message, or what belongs into two of different kinds. First what photos wait for.
    private mutating func nextOwed(_ link: LinkID, now: MonotonicInstant) -> [Message] {
        if let message = presence.nextPresence(for: link, log: log) { return [message] }
        if let message = pull.nextMessage(for: link, catalog, presence) { return [message] }
        let addresses = sessions[link]!.outbox.takeAddresses(own: device).compactMap { membership.book.record(of: $0) }
        if !addresses.isEmpty { return [.addresses(addresses)] }
        if let question = presence.nextQuestion(for: link) { return [question] }
        let heads = sessions[link]!.outbox.takeHeads()
        if !heads.isEmpty { return [.announced(heads)] }
        if let digest = nextDigest(link) { return [digest] }
        return presence.nextSummaries(for: link, now: now)
    }

    private mutating func nextDigest(_ link: LinkID) -> Message? {
        if sessions[link]!.outbox.isDigestDue {
            sessions[link]!.outbox.isDigestDue = false
            return catalogDigest(link)
        }
        guard sessions[link]!.outbox.areDigestsDue else { return nil }
        sessions[link]!.outbox.areDigestsDue = false
        return .digests(albumDigests, vectorHash: vectorHash)
    }
}

/// News is told at once where it is alone; what follows soon after it waits, so that much of it shares a message.
struct NewsPace: Sendable {
    private var toldAt: MonotonicInstant?
    /// In seconds.
    private let interval: Double

    init(interval: Double) { self.interval = interval }

    func isDue(now: MonotonicInstant) -> Bool { toldAt.map { $0 + interval <= now } ?? true }

    mutating func told(now: MonotonicInstant) { toldAt = now }

    /// When news may be told again; `nil` where it was never told.
    var nextDeadline: MonotonicInstant? { toldAt.map { $0 + interval } }
}
