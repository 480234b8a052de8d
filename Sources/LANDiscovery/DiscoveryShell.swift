import Dispatch
import Glibc
import Logging
import Synchronization

/// Performs what `DiscoveryModel` directs, over dns_sd.h.
///
/// Everything happens on one serial queue of its own, which calls into the library block for 25 s at a time while the
/// daemon stands still. So nothing outside waits for it: requests are left in a bounded inbox.
actor DiscoveryShell {
    private let executor: QueueExecutor
    private let interfaceFilter: (@Sendable (String) -> Bool)?
    private let mailbox: EventMailbox
    private let logger: Logger
    private let inbox = Mutex(DiscoveryInbox())

    /// idle → running → stopped
    private enum Stage { case idle, running, stopped }

    private var model: DiscoveryModel
    private var stage = Stage.idle
    private var operations: [OperationID: WatchedOperation] = [:]
    /// How many operations are closed as soon as Dispatch lets go of them.
    private var closingCount = 0
    /// Directives wait here while one is performed, since performing one may bring the next input, and while operations
    /// are being closed: a registration is taken back before the next is made.
    private var directives: [DiscoveryModel.Directive] = []
    private var isPerforming = false
    /// Who waits until everything is closed.
    private var stopWaiters: [@Sendable () -> Void] = []
    private var timer: (any DispatchSourceTimer)?
    private var watcher: NetworkWatcher?
    private var timeAsleep: Duration = .zero

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(
        advertisement: Advertisement, interfaceFilter: (@Sendable (String) -> Bool)?, mailbox: EventMailbox,
        logger: Logger
    ) {
        executor = QueueExecutor(label: "potluck.discovery")
        model = DiscoveryModel(advertisement: advertisement)
        self.interfaceFilter = interfaceFilter
        self.mailbox = mailbox
        self.logger = logger
    }

    /// Leaves a request, without waiting.
    nonisolated func ask(_ request: DiscoveryInbox.Request) {
        let isFirst = inbox.withLock { $0.put(request) }
        guard isFirst else { return }
        executor.queue.async { self.assumeIsolated { $0.serveInbox() } }
    }

    /// Takes back the registration and closes everything; `done` is called on the queue, after a goodbye was sent.
    nonisolated func stop(_ done: @escaping @Sendable () -> Void) {
        executor.queue.async {
            self.assumeIsolated { $0.close(done) }
        }
    }

    private func serveInbox() {
        let inputs = inbox.withLock { $0.takeAll() }
        if stage == .idle, inputs.contains(.start) { setUp() }
        for input in inputs { feed(input) }
    }

    private func setUp() {
        stage = .running
        timeAsleep = Self.timeAsleep()
        watcher = NetworkWatcher(queue: executor.queue) { self.assumeIsolated { $0.feed(.networkChanged) } }
        if watcher == nil { logger.warning("network changes cannot be watched", metadata: ["errno": "\(errno)"]) }
        let timer = DispatchSource.makeTimerSource(queue: executor.queue)
        timer.setEventHandler { self.assumeIsolated { $0.timerFired() } }
        timer.activate()
        self.timer = timer
    }

    private func close(_ done: @escaping @Sendable () -> Void) {
        stage = .stopped
        directives = []
        stopWaiters.append(done)
        for id in operations.keys.sorted() { close(id) }
        watcher?.stop()
        watcher = nil
        timer?.cancel()
        timer = nil
        performDirectives()
    }

    private func timerFired() {
        let asleep = Self.timeAsleep()
        if asleep - timeAsleep > .seconds(1) { feed(.networkChanged) }
        timeAsleep = asleep
        feed(.deadlineReached)
    }

    /// How long the machine has slept since it was started.
    private static func timeAsleep() -> Duration {
        func read(_ clock: clockid_t) -> Duration {
            var time = timespec()
            clock_gettime(clock, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
        return read(CLOCK_BOOTTIME) - read(CLOCK_MONOTONIC)
    }
}

// MARK: - Inputs and directives

extension DiscoveryShell {
    private func feed(_ input: DiscoveryModel.Input) {
        guard stage != .stopped else { return }
        directives += model.handle(input, now: .now)
        performDirectives()
        if !isPerforming { setTimer() }
    }

    private func performDirectives() {
        guard !isPerforming else { return }
        isPerforming = true
        while let next = directives.first {
            if case .open = next, closingCount > 0 { break }
            directives.removeFirst()
            perform(next)
        }
        isPerforming = false
        guard stage == .stopped, closingCount == 0 else { return }
        for waiter in stopWaiters { waiter() }
        stopWaiters = []
    }

    private func perform(_ directive: DiscoveryModel.Directive) {
        switch directive {
        // Where the browser failed, the registration beside it is already given up: with a daemon that stands still
        // opening it would take another 25 s.
        case .open(let id, let operation): if !directives.contains(.close(id)) { open(id, operation) }
        case .close(let id): close(id)
        case .tell(let event):
            log(event)
            mailbox.put(event)
        }
    }

    /// At the model's next deadline, but at least every 30 s, to notice that the machine was asleep.
    private func setTimer() {
        let pause = min(.seconds(30), model.nextDeadline.map { max(.zero, $0 - .now) } ?? .seconds(30))
        timer?.schedule(
            deadline: .now() + .nanoseconds(Int(pause / .nanoseconds(1))), leeway: .milliseconds(5))
    }

    private func open(_ id: OperationID, _ operation: DiscoveryOperation) {
        do throws(OperationFailure) {
            let opened = try DNSServiceOperation(operation)
            let watch = ReadWatch(descriptor: opened.descriptor, queue: executor.queue) {
                self.assumeIsolated { $0.serve(id) }
            }
            operations[id] = WatchedOperation(operation: opened, watch: watch)
            // It may have spoken while it was opened.
            serve(id)
        } catch {
            logger.debug(
                "discovery operation failed to open",
                metadata: ["operation": "\(id.number)", "reason": "\(error)"])
            feed(.failed(id, error))
        }
    }

    private func close(_ id: OperationID) {
        guard let closing = operations.removeValue(forKey: id) else { return }
        closingCount += 1
        // Touched on the queue alone.
        nonisolated(unsafe) let operation = closing.operation
        closing.watch.stop {
            operation.close()
            self.assumeIsolated { shell in
                shell.closingCount -= 1
                shell.performDirectives()
            }
        }
    }

    private func serve(_ id: OperationID) {
        for answer in operations[id]?.operation.takeAnswers() ?? [] {
            switch answer {
            case .registered: feed(.registered(id))
            case .browsed(let added, let key):
                if !added || isWanted(key.interface) { feed(.browsed(id, added: added, key)) }
            case .resolved(let service): feed(.resolved(id, service))
            case .address(let added, let address): feed(.address(id, added: added, address))
            case .failed(let failure): feed(.failed(id, failure))
            }
        }
    }

    private func isWanted(_ interface: UInt32) -> Bool {
        guard let interfaceFilter else { return true }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IF_NAMESIZE)) { buffer in
            if_indextoname(interface, buffer.baseAddress).map { interfaceFilter(String(cString: $0)) } ?? false
        }
    }

    private func log(_ event: DiscoveryEvent) {
        switch event {
        case .found(let prefix, let addresses):
            logger.debug(
                "device found", metadata: ["device.prefix": "\(hex(prefix))", "addresses": "\(addresses)"])
        case .lost(let prefix): logger.debug("device lost", metadata: ["device.prefix": "\(hex(prefix))"])
        case .available: logger.info("discovery available")
        case .unavailable: logger.info("discovery unavailable")
        case .networkChanged: logger.debug("network changed")
        }
    }
}

/// An open operation, and who tells when it has something to say.
private struct WatchedOperation {
    let operation: DNSServiceOperation
    let watch: ReadWatch
}

/// Runs an actor's code on one serial dispatch queue, whose handlers may then touch its state directly.
private final class QueueExecutor: SerialExecutor {
    let queue: DispatchQueue

    init(label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
