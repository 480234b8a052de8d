import Dispatch
public import Logging
public import ServiceLifecycle
import Synchronization

/// Announces this device on the local network by DNS-SD (RFC 6763) through Avahi, and finds the others of its
/// gathering.
///
/// Works without a daemon too: it says so, and keeps trying. Addresses that change, a restarted daemon and a machine
/// that wakes up are noticed by itself. No call blocks, whatever the daemon does.
public final class LANDiscovery: Service, Sendable {
    /// For one reader. A slow reader misses nothing that still holds: of two events about one device, or about
    /// discovery itself, that were not read yet, the newer stays. Ends after `run()`.
    public let events: AsyncStream<DiscoveryEvent>

    private let mailbox = EventMailbox()
    private let shell: DiscoveryShell

    /// How long a goodbye may take. If the process ends without, the daemon says it.
    private static let goodbyeTimeout: DispatchTimeInterval = .seconds(2)

    /// - Parameters:
    ///   - advertisement: what this device shows.
    ///   - interfaceFilter: whether devices are looked for on the interface of this name; on all where `nil`. Called
    ///     on a queue of discovery's own. It does not change where this device is announced.
    public init(
        advertisement: Advertisement, interfaceFilter: (@Sendable (_ interfaceName: String) -> Bool)? = nil,
        logger: Logger
    ) {
        let mailbox = mailbox
        shell = DiscoveryShell(
            advertisement: advertisement, interfaceFilter: interfaceFilter, mailbox: mailbox, logger: logger)
        events = AsyncStream { await mailbox.next() }
    }

    /// Announces and looks for devices until graceful shutdown or cancellation, then says goodbye: at most 2 s where
    /// the daemon stands still. To be called once. Does not throw.
    public func run() async throws {
        shell.ask(.start)
        // Cancellation ends discovery like a graceful shutdown does.
        try? await gracefulShutdown()
        await sayGoodbye()
        mailbox.finish()
    }

    /// Registers anew and resolves all known devices again, at most every 30 s; what is asked in between is done at
    /// the end of that time. To be called now and then while no device is reachable: it is the only thing that makes
    /// services heard of that were registered while packets were lost silently.
    public func refresh() { shell.ask(.refresh) }

    /// Tells from now on of the devices behind these records; at first of those with the own tag.
    public func follow(_ records: FollowedRecords) { shell.ask(.follow(records)) }

    /// Resolves known devices again, but for `connected` ones (prefixes of 8 bytes), each at most once a second. To be
    /// called after ``DiscoveryEvent/networkChanged``: whoever is connected has no need to be found.
    public func lookAgain(except connected: Set<[UInt8]>) { shell.ask(.look(except: connected)) }

    /// Resolves a device again, at most once a second. To be called when dialling it failed: a restarted agent may
    /// have a new port without any event. `found` follows only if something changed.
    public func resolveAgain(devicePrefix: [UInt8]) { shell.ask(.resolve(devicePrefix: devicePrefix)) }

    /// Also runs in a cancelled task.
    private func sayGoodbye() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let waiter = Waiter(continuation)
            shell.stop { waiter.resume() }
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.goodbyeTimeout) { waiter.resume() }
        }
    }
}

/// Somebody who waits for the first of two things.
private final class Waiter: Sendable {
    private let continuation: Mutex<CheckedContinuation<Void, Never>?>

    init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = Mutex(continuation) }

    func resume() {
        let waiting = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        waiting?.resume()
    }
}
