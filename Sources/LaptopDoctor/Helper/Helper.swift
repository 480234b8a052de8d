import Glibc
import SyncEngine

/// The other laptop's side of a test: answers whoever asks, for a while.
///
/// It connects back to the asking address alone, and tells nothing that DNS-SD does not show, but for the clock.
public struct Helper: Sendable {
    /// Beside 4711, which many choose for their agent, and 4712 of the guests' door.
    public static let port: UInt16 = 4713

    private static let atOnceMax = 4
    private static let questionPatience = Duration.seconds(5)
    private static let connectPatience = Duration.seconds(4)
    private static let testPatience = Duration.seconds(20)

    /// What a helper says of its laptop.
    public struct Facts: Sendable {
        /// What DNS-SD shows of the gathering, in hexadecimal digits; `nil` where there is none.
        public var tag: String?
        /// Where the agent takes connections; `nil` where none runs.
        public var agentPort: UInt16?

        public init(tag: String?, agentPort: UInt16?) {
            self.tag = tag
            self.agentPort = agentPort
        }
    }

    private let listener: TCPSocket
    private let facts: @Sendable () async -> Facts

    /// Takes the port.
    ///
    /// - Parameter facts: Asked for each test.
    /// - Returns: `nil` where the port cannot be had.
    public init?(port: UInt16 = Helper.port, facts: @escaping @Sendable () async -> Facts) {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { return nil }
        listener = TCPSocket(owning: descriptor)
        self.facts = facts
        var isReused: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        let status = UDPSocket.withAddress(IPv4(bits: 0), port) { bind(descriptor, $0, $1) }
        guard status == 0, listen(descriptor, Int32(Self.atOnceMax)) == 0 else { return nil }
    }

    /// Answers until the time is over, or the task is cancelled.
    ///
    /// - Parameter onTest: called with the asker's address after each test.
    public func run(for duration: Duration, onTest: @escaping @Sendable (String) async -> Void) async {
        let end = ContinuousClock.now + duration
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            while ContinuousClock.now < end, !Task.isCancelled {
                if running >= Self.atOnceMax {
                    await group.next()
                    running -= 1
                }
                guard let socket = await accept() else { continue }
                running += 1
                group.addTask { await serve(socket, onTest) }
            }
            group.cancelAll()
        }
    }

    /// The next connection; `nil` when none came for a moment.
    private func accept() async -> TCPSocket? {
        await ProbeThreads.run(within: .seconds(2)) { [listener] () -> TCPSocket? in
            var ready = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, 500) == 1 else { return nil }
            let descriptor = Glibc.accept(listener.descriptor, nil, nil)
            guard descriptor >= 0 else { return nil }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            return TCPSocket(owning: descriptor)
        } ?? nil
    }

    private func serve(_ socket: TCPSocket, _ onTest: @Sendable (String) async -> Void) async {
        let facts = await facts()
        let mark = MDNSMessage.newMark()
        async let isAvahiWell = Self.isAvahiWell()
        let question =
            await ProbeThreads.run(within: Self.questionPatience + .seconds(1)) { () -> HelperQuestion? in
                let deadline = ContinuousClock.now + Self.questionPatience
                guard let question = HelperLine.receive(HelperQuestion.self, socket, until: deadline),
                    MDNSMessage.isMark(question.mark)
                else { return nil }
                let greeting = HelperGreeting(
                    mark: mark, tag: facts.tag, time: WallTime.milliseconds, port: facts.agentPort)
                return HelperLine.send(greeting, socket) ? question : nil
            } ?? nil
        guard let question, let peer = socket.peer else {
            _ = await isAvahiWell
            return
        }
        let verdict = await ProbeThreads.run(within: Self.testPatience) {
            let interfaces = NetworkProbe.look().local
            let heard = MulticastExchange.heard(question.mark, saying: mark, on: interfaces)
            let back = question.port.map { port in
                TCPSocket.connect(
                    to: .init(host: peer.description, port: port), until: .now + Self.connectPatience
                ).outcome
            }
            return (heard: heard, back: back)
        }
        guard let verdict else { return }
        let message = HelperVerdict(
            heardMulticast: verdict.heard, connectionBack: verdict.back, isAvahiWell: await isAvahiWell)
        let isSent = await ProbeThreads.run(within: Self.questionPatience) { HelperLine.send(message, socket) }
        if isSent == true { await onTest(peer.description) }
    }

    private static func isAvahiWell() async -> Bool {
        if case .works = await DiscoveryProbe.look(tag: nil, own: nil) { true } else { false }
    }

    /// This laptop's addresses, for whoever is to ask it.
    public static func addresses() async -> [String] {
        let network = await ProbeThreads.run(within: questionPatience) { NetworkProbe.look() }
        return (network ?? NetworkSight()).local.flatMap(\.networks).map(\.address.description)
    }
}
