import DequeModule
import PotluckAPI
import Synchronization

/// What happens, for everyone who follows it: numbers it, and keeps the last of it for those who come back.
///
/// The agent is asked for its events while somebody follows, and a while longer (``WebLimits/replayPatience``): records of
/// thousands of photos for nobody would be work.
actor EventFeed {
    /// Something for one follower.
    enum Item: Sendable {
        case event(EventNote)
        case stillHere
        /// Nobody lets this follower in any more.
        case sessionEnded
    }

    private struct Watcher {
        var visitor: Visitor
        var items: AsyncStream<Item>.Continuation
    }

    /// Hears of each event before followers do; `nil` says that none are heard of any more.
    typealias Observer = @Sendable (EventRecord?) async -> Void

    /// A function that is itself what a generic type holds would be wrapped once more each time that it is read: after a
    /// hundred thousand events each call would go through as many wrappers.
    private struct Observing: Sendable {
        var observer: Observer
    }

    private let agent: any AgentAPI
    private let limits: WebLimits
    /// Tells this run of the server from others, whose numbers mean something else.
    nonisolated let run: String
    private var lastNumber: UInt64 = 0
    private var kept: Deque<EventNote> = []
    private var keptByteCount = 0
    private var watchers: [UInt64: Watcher] = [:]
    private var nextWatcher: UInt64 = 0
    private var idleSince: ContinuousClock.Instant?
    /// Until then events are wanted although nobody follows.
    private var attendedUntil: ContinuousClock.Instant?
    private let observing = Mutex<Observing?>(nil)
    private var events: AsyncStream<EventRecord>?
    private let demand: AsyncStream<Void>
    private let demandContinuation: AsyncStream<Void>.Continuation

    init(agent: any AgentAPI, limits: WebLimits) {
        self.agent = agent
        self.limits = limits
        run = String(UInt64.random(in: 1 << 60 ... .max), radix: 16)
        (demand, demandContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    // MARK: Followers

    /// What a follower gets first, and then what happens from now on.
    ///
    /// - Parameter place: The `Last-Event-ID` of a client that comes back.
    func follow(
        after place: String?, for visitor: Visitor
    ) -> (first: [[UInt8]], items: AsyncStream<Item>, lastNumber: UInt64) {
        begin()
        let (stream, continuation) = AsyncStream.makeStream(
            of: Item.self, bufferingPolicy: .bufferingNewest(limits.watcherCountMax))
        nextWatcher += 1
        watchers[nextWatcher] = Watcher(visitor: visitor, items: continuation)
        idleSince = nil
        return (first(after: place, for: visitor), stream, lastNumber)
    }

    private func begin() {
        guard events == nil else { return }
        events = agent.events()
        demandContinuation.yield()
    }

    /// Forgets followers whose stream has ended, which is told by what they take next.
    private func send(_ item: Item) {
        for (number, watcher) in watchers {
            if case .terminated = watcher.items.yield(item) { watchers[number] = nil }
        }
    }

    private func first(after place: String?, for visitor: Visitor) -> [[UInt8]] {
        guard let place else { return [ServerSentEvent.place(id(lastNumber))] }
        let firstKept = kept.first?.number ?? lastNumber + 1
        guard let number = number(place), number <= lastNumber, number + 1 >= firstKept else {
            return [afresh(lastNumber)]
        }
        let missed = kept.drop { $0.number <= number }.compactMap { $0.bytes(for: visitor) }
        return missed.isEmpty ? [ServerSentEvent.place(id(lastNumber))] : missed
    }

    /// Ends the streams of those who may not hear any more, and those of whom something else holds now: a page whose
    /// stream ends comes back by itself.
    ///
    /// - Parameter current: Who a follower is now; `nil` for nobody.
    func review(_ current: @Sendable (Visitor) -> Visitor?) {
        for (number, watcher) in watchers {
            let now = current(watcher.visitor)
            guard now != watcher.visitor else { continue }
            if now == nil { watcher.items.yield(.sessionEnded) }
            watcher.items.finish()
            watchers[number] = nil
        }
    }

    // MARK: Observers

    /// Lets somebody hear of each event before followers do. There is one.
    nonisolated func observe(_ observer: @escaping Observer) {
        observing.withLock { $0 = Observing(observer: observer) }
    }

    /// From when this returns on, the observer hears of everything, for a while also where nobody follows.
    func attend(for duration: Duration) {
        begin()
        attendedUntil = .now + duration
    }

    private nonisolated func id(_ number: UInt64) -> String { "\(run)-\(number)" }

    /// The place after an event that a follower did not get.
    nonisolated func place(_ number: UInt64) -> [UInt8] { ServerSentEvent.place(id(number)) }

    /// `nil` for another run's.
    private func number(_ place: String) -> UInt64? {
        let halves = place.split(separator: "-", omittingEmptySubsequences: false)
        return halves.count == 2 && halves[0] == run ? UInt64(halves[1]) : nil
    }

    /// Tells that events are missing up to a place.
    nonisolated func afresh(_ number: UInt64) -> [UInt8] {
        ServerSentEvent(id: id(number), name: "afresh", data: "{}").bytes
    }

    // MARK: The agent's events

    /// Follows the agent whenever somebody follows this; until cancelled.
    func serve() async {
        for await _ in demand {
            guard let events else { continue }
            await withTaskGroup { group in
                group.addTask {
                    for await event in events { await self.publish(event) }
                }
                group.addTask { await self.tick() }
                await group.next()
                group.cancelAll()
            }
            await end()
        }
        await end()
    }

    private func publish(_ event: EventRecord) async {
        await observing.withLock { $0 }?.observer(event)
        guard let note = EventNote(event, number: lastNumber + 1, id: id(lastNumber + 1)) else { return }
        publish(note)
    }

    /// Tells pages of something, where any may follow.
    func publish(_ event: PageEvent) {
        guard events != nil else { return }
        publish(EventNote(event, number: lastNumber + 1, id: id(lastNumber + 1)))
    }

    private func publish(_ note: EventNote) {
        lastNumber = note.number
        kept.append(note)
        keptByteCount += note.byteCount
        while kept.count > limits.replayCountMax || keptByteCount > limits.replayByteCountMax {
            keptByteCount -= kept.removeFirst().byteCount
        }
        send(.event(note))
    }

    /// Returns when nobody has followed for a while.
    private func tick() async {
        let clock = ContinuousClock()
        while true {
            // It is thrown where the task is cancelled.
            guard (try? await clock.sleep(for: limits.stillHereInterval)) != nil else { return }
            send(.stillHere)
            guard watchers.isEmpty else { continue }
            let since = idleSince ?? clock.now
            idleSince = since
            let isAttended = attendedUntil.map { clock.now < $0 } ?? false
            if !isAttended, since.duration(to: clock.now) >= limits.replayPatience { return }
        }
    }

    /// What follows is not what follows the last event: a number is left out, so that nobody takes it for that.
    private func end() async {
        for watcher in watchers.values { watcher.items.finish() }
        watchers = [:]
        events = nil
        attendedUntil = nil
        kept = []
        keptByteCount = 0
        lastNumber += 1
        await observing.withLock { $0 }?.observer(nil)
    }
}
