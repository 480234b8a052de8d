import AlbumModel
import Glibc
import NIOCore
import NIOPosix
import SyncEngine
import Synchronization

/// One dial: the addresses race for TCP; those that connect are admitted one after the other, or side by side where one
/// takes long; the first admitted wins and the rest is closed.
struct DialRace: Sendable {
    private enum Outcome: Sendable {
        case connected(any Channel)
        case admitted(PeerConnection)
        case failed(DialError, wasAdmission: Bool)
        case patienceEnded
        case timeEnded
    }

    let core: TransportCore
    let group: any EventLoopGroup
    let addresses: [PeerAddress]
    let expectation: DeviceExpectation?
    private let reached = Reached()

    init(
        core: TransportCore, group: any EventLoopGroup, addresses: [PeerAddress], expectation: DeviceExpectation?
    ) {
        self.core = core
        self.group = group
        self.addresses = addresses
        self.expectation = expectation
    }

    func run() async throws(DialError) -> PeerConnection {
        let result = await withTaskGroup(of: Outcome.self) { tasks in
            for (index, address) in addresses.enumerated() {
                tasks.addTask { await connect(to: address, after: core.limits.dialStagger * index) }
            }
            tasks.addTask {
                // A cancelled sleep ends the dial as well.
                try? await Task.sleep(for: core.limits.dialTimeout)
                return .timeEnded
            }
            let result = await decide(&tasks)
            tasks.cancelAll()
            for await late in tasks { discard(late) }
            return result
        }
        return try result.get()
    }

    /// Waits for the first admitted connection or for the last attempt's failure.
    private func decide(_ tasks: inout TaskGroup<Outcome>) async -> Result<PeerConnection, DialError> {
        var runningCount = addresses.count
        var admittingCount = 0
        var waiting: [any Channel] = []
        var failure: DialError?
        defer { waiting.forEach { $0.letGo() } }
        while runningCount > 0, let outcome = await tasks.next() {
            switch outcome {
            case .connected(let channel):
                waiting.append(channel)
                guard admittingCount == 0 else { continue }
            case .admitted(let connection): return .success(connection)
            case .failed(let error, let wasAdmission):
                runningCount -= 1
                if wasAdmission { admittingCount -= 1 }
                if error.rank >= failure?.rank ?? 0 { failure = error }
                guard admittingCount == 0 else { continue }
            case .patienceEnded: break
            case .timeEnded: return .failure(failure ?? .timedOut)
            }
            guard !waiting.isEmpty else { continue }
            admittingCount += 1
            let channel = waiting.removeFirst()
            tasks.addTask { await admit(channel) }
            tasks.addTask {
                try? await Task.sleep(for: core.limits.dialPatience)
                return .patienceEnded
            }
        }
        return .failure(failure ?? .unreachable(reason: "no address of it is known"))
    }

    /// Closes what came after the decision.
    private func discard(_ outcome: Outcome) {
        switch outcome {
        case .connected(let channel): channel.letGo()
        case .admitted(let connection): connection.close("another address was faster")
        case .failed, .patienceEnded, .timeEnded: break
        }
    }

    // MARK: - One address

    private func connect(to address: PeerAddress, after delay: Duration) async -> Outcome {
        let attempt = CancellableAttempt()
        do {
            try await Task.sleep(for: delay)
            // Somebody answers already, and is mostly the one: a connection beside would be closed again.
            if reached.isSet.load(ordering: .relaxed) { try await Task.sleep(for: core.limits.dialRestraint) }
            let channel = try await withTaskCancellationHandler {
                try await start(address, attempt: attempt).get()
            } onCancel: {
                attempt.cancel()
            }
            reached.isSet.store(true, ordering: .relaxed)
            return .connected(channel)
        } catch {
            return .failed(.unreachable(reason: "\(address): \(Self.reason(error))"), wasAdmission: false)
        }
    }

    private func start(_ address: PeerAddress, attempt: CancellableAttempt) -> EventLoopFuture<any Channel> {
        var bootstrap = ClientBootstrap(group: group)
            .connectTimeout(TimeAmount(core.limits.dialTimeout))
            .channelOption(ChannelOptions.maxMessagesPerRead, value: 1)
            .channelOption(
                ChannelOptions.recvAllocator, value: SocketSettings.receiveAllocator(core.limits)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try attempt.begin(channel)
                    try core.adopt(channel)
                }
            }
        for (option, value) in SocketSettings.options(core.limits) {
            bootstrap = bootstrap.channelOption(option, value: value)
        }
        // A name is resolved here, which only addresses that a person typed need.
        guard let numeric = try? SocketAddress(ipAddress: address.host, port: Int(address.port)) else {
            return bootstrap.connect(host: address.host, port: Int(address.port))
        }
        guard OutgoingLink.isConnected(towards: numeric) else {
            return group.any().makeFailedFuture(NoCarrier())
        }
        return bootstrap.connect(to: numeric)
    }

    /// Both sides often dial at the same moment, and one of the two connections is closed at once: the device with the
    /// greater ID gives the other one's the time to be admitted, which has this dial given up.
    private var courtesy: Duration {
        let isGreater = expectation.map { $0.prefix.lexicographicallyPrecedes(core.identity.deviceID.bytes) } ?? false
        return isGreater ? core.limits.dialCourtesy : .zero
    }

    private func admit(_ channel: any Channel) async -> Outcome {
        let expectation = expectation
        do {
            try await Task.sleep(for: courtesy)
            let connection = try await withTaskCancellationHandler {
                try await channel.eventLoop.flatSubmit {
                    core.admit(channel, role: .dialler) { device in
                        expectation?.isMet(by: device) ?? true ? nil : .wrongDevice(device)
                    }
                }.get()
            } onCancel: {
                channel.triggerUserOutboundEvent(ConnectionSignal.abort, promise: nil)
            }
            return .admitted(connection)
        } catch is CancellationError {
            channel.letGo()
            return .failed(.unreachable(reason: "given up"), wasAdmission: true)
        } catch {
            return .failed(Self.dialError(error), wasAdmission: true)
        }
    }

    private static func dialError(_ error: any Error) -> DialError {
        switch error as? AdmissionFailure {
        case .isSelf, .isCopy: .isSelf
        case .wrongDevice(let device): .wrongDevice(found: device)
        case .notAMember: .notAMember
        case .outsider: .outsider
        case .toldOut: .toldOut
        case .toldChanged: .toldChanged
        case .earlierVersion(let device): .earlierVersion(device)
        case .protocolError(let reason): .unreachable(reason: reason)
        case .crowded, .closed, nil: .unreachable(reason: "the connection ended at once")
        }
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case ChannelError.connectTimeout: "no answer"
        case is NoCarrier: "this laptop's cable is unplugged, or its Wi-Fi is not connected"
        case is CancellationError: "given up"
        default: "\(error)"
        }
    }
}

/// The link by which an address is reached has no carrier.
private struct NoCarrier: Error {}

/// Whether any of a dial's addresses was reached.
private final class Reached: Sendable {
    let isSet = Atomic(false)
}

/// Lets a task that waits for a TCP connection be cancelled: NIO connects to the end by itself.
private final class CancellableAttempt: Sendable {
    private struct State {
        var isCancelled = false
        var channels: [any Channel] = []
    }

    private let state = Mutex(State())

    func begin(_ channel: any Channel) throws(CancellationError) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.channels.append(channel) }
            return state.isCancelled
        }
        if isCancelled { throw CancellationError() }
    }

    func cancel() {
        let channels = state.withLock { state in
            state.isCancelled = true
            return state.channels
        }
        for channel in channels { channel.letGo() }
    }
}

extension Channel {
    /// Closes a connection over which nothing was said, with one packet instead of three.
    fileprivate func letGo() { triggerUserOutboundEvent(ConnectionSignal.drop, promise: nil) }
}
