import DequeModule
import PotluckAPI

/// What happens, for everyone who follows it: numbers it, and keeps the last of it for those who come back.
///
/// The agent is asked for its events while somebody follows, and a while longer (``WebLimits/replayPatience``): records of
/// thousands of photos for nobody would be work.
actor EventFeed {
    /// Something for one follower.
    enum Item: Sendable {
        case event(number: UInt64, bytes: [UInt8])
        case stillHere
    }

    private struct Kept {
        var number: UInt64
        var bytes: [UInt8]
    }

    private typealias Watcher = AsyncStream<Item>.Continuation

    private let agent: any AgentAPI
    private let limits: WebLimits
    /// Tells this run of the server from others, whose numbers mean something else.
    nonisolated let run: String
    private var lastNumber: UInt64 = 0
    private var kept: Deque<Kept> = []
    private var keptByteCount = 0
    private var watchers: [UInt64: Watcher] = [:]
    private var nextWatcher: UInt64 = 0
    private var idleSince: ContinuousClock.Instant?
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
    func follow(after place: String?) -> (first: [[UInt8]], items: AsyncStream<Item>, lastNumber: UInt64) {
        if events == nil {
            events = agent.events()
            demandContinuation.yield()
        }
        let (stream, continuation) = AsyncStream.makeStream(
            of: Item.self, bufferingPolicy: .bufferingNewest(limits.watcherCountMax))
        nextWatcher += 1
        let number = nextWatcher
        watchers[number] = continuation
        idleSince = nil
        return (first(after: place), stream, lastNumber)
    }

    /// Forgets followers whose stream has ended, which is told by what they take next.
    private func send(_ item: Item) {
        for (number, watcher) in watchers {
            if case .terminated = watcher.yield(item) { watchers[number] = nil }
        }
    }

    private func first(after place: String?) -> [[UInt8]] {
        guard let place else { return [ServerSentEvent.place(id(lastNumber))] }
        let firstKept = kept.first?.number ?? lastNumber + 1
        guard let number = number(place), number <= lastNumber, number + 1 >= firstKept else {
            return [afresh(lastNumber)]
        }
        let missed = kept.drop { $0.number <= number }.map(\.bytes)
        return missed.isEmpty ? [ServerSentEvent.place(id(lastNumber))] : missed
    }

    private nonisolated func id(_ number: UInt64) -> String { "\(run)-\(number)" }

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
            end()
        }
        end()
    }

    private func publish(_ event: EventRecord) {
        // An event is made of texts and numbers; a type that cannot be encoded fails its tests.
        guard let text = try? ReportJSON.text(event) else { return }
        lastNumber += 1
        let bytes = ServerSentEvent(id: id(lastNumber), name: event.event.rawValue, data: text).bytes
        kept.append(Kept(number: lastNumber, bytes: bytes))
        keptByteCount += bytes.count
        while kept.count > limits.replayCountMax || keptByteCount > limits.replayByteCountMax {
            keptByteCount -= kept.removeFirst().bytes.count
        }
        send(.event(number: lastNumber, bytes: bytes))
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
            if since.duration(to: clock.now) >= limits.replayPatience { return }
        }
    }

    /// What follows is not what follows the last event: a number is left out, so that nobody takes it for that.
    private func end() {
        for watcher in watchers.values { watcher.finish() }
        watchers = [:]
        events = nil
        kept = []
        keptByteCount = 0
        lastNumber += 1
    }
}
