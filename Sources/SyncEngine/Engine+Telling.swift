import AlbumModel
import WireFormat

/// What peers are owed without having asked for each of it, told as fast as they read. None of it is a reason to end a
/// connection, however much it is: it waits as names of things, and becomes messages when there is room.
extension Engine {
    /// Tells the peers what has gathered, at most once an interval, and what waits for them to read.
    mutating func tellNews(now: MonotonicInstant) {
        guard !reconciliation.sessions.isEmpty else { return toPresence(.announce, now: now) }
        toPresence(.turn(tree: treeLinks), now: now)
        if hasNews, newsPace.isDue(now: now) {
            pull.announce()
            toPresence(.announce, now: now)
            newsPace.told(now: now)
            toBroadcast(.announce, now: now)
        }
        for link in reconciliation.links where owedCount(link) > 0 || presence.isTellingDue(link, now: now) {
            tellOwed(link, now: now)
        }
    }

    private var hasNews: Bool { pull.hasNews || presence.hasNews || broadcast.hasAnnouncements }

    /// How many things wait to be told to a peer, without those that wait for their time.
    private func owedCount(_ link: LinkID) -> Int {
        pull.owedCount(link) + membership.owedCount(link) + broadcast.owedCount(link)
            + reconciliation.owedCount(link) + rulingExchange.owedCount(link)
    }

    /// The most things that wait to be told to one peer.
    var owedCountMax: Int { reconciliation.links.map { owedCount($0) + presence.owedCount($0) }.max() ?? 0 }

    /// When a peer may be told something that waits for its time.
    var tellingDeadlines: [MonotonicInstant] {
        guard !reconciliation.sessions.isEmpty else { return [] }
        let news = [presence.summaryDeadline, hasNews ? newsPace.nextDeadline : nil]
        let peers = reconciliation.sessions.map { link, session in
            session.mayTell ? presence.nextDeadline(for: link) : nil
        }
        return (news + peers).compactMap { $0 }
    }

    mutating func tellOwed(_ link: LinkID, now: MonotonicInstant) {
        toReconciliation(.telling(link), now: now)
        presence.lookForSummaries(for: link, log: log, now: now)
        while reconciliation.mayTell(link) {
            let messages = nextOwed(link, now: now)
            guard !messages.isEmpty else { return }
            for message in messages {
                emit(.send(link, message))
                let question = reconciliation.noteTold(link, message.roughByteCount, now: now)
                if let question { emit(.send(link, question)) }
            }
        }
    }

    /// What a peer is told next: one message, or what belongs into two of different kinds. First what photos wait for.
    private mutating func nextOwed(_ link: LinkID, now: MonotonicInstant) -> [Message] {
        let message =
            presence.nextPresence(for: link, log: log) ?? pull.nextMessage(for: link, catalog, presence)
            ?? rulingExchange.nextMessage(for: link) ?? membership.nextMessage(for: link) ?? presence.nextQuestion(
                for: link)
            ?? broadcast.nextMessage(for: link) ?? reconciliation.nextDigest(for: link, catalog, log)
        return message.map { [$0] } ?? presence.nextSummaries(for: link, now: now)
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
