import FoundationEssentials
import Glibc
import SyncEngine

/// The asker's side of a test between two laptops.
enum TestProbe {
    private static let connectPatience = Duration.seconds(4)
    private static let answerPatience = Duration.seconds(15)

    static func look(_ partner: TestPartner, port: UInt16, _ seen: Observations) async -> TestSight {
        let address = PeerAddress(host: partner.host, port: port)
        let network = seen.network.local
        let agentPort: UInt16?
        if case .running = seen.agent { agentPort = seen.agentPort } else { agentPort = nil }
        let result = await ProbeThreads.run(within: connectPatience + answerPatience) {
            ask(address, agentPort: agentPort, network)
        }
        var attempt = Contact.Attempt(address: address, outcome: result?.outcome ?? .timedOut)
        if attempt.outcome != .accepted, let address = IPv4(partner.host) {
            attempt.neighbour = await ContactProbe.neighbours([address])[address] ?? .unknown
        }
        return TestSight(host: partner.shown, attempt: attempt, answer: result?.answer)
    }

    /// Blocks for some seconds.
    private static func ask(
        _ address: PeerAddress, agentPort: UInt16?, _ network: [NetworkSight.Interface]
    ) -> (outcome: Contact.Outcome, answer: HelperAnswer?) {
        let (outcome, socket) = TCPSocket.connect(to: address, until: .now + connectPatience)
        guard let socket else { return (outcome, nil) }
        let deadline = ContinuousClock.now + answerPatience
        let question = HelperQuestion(mark: MDNSMessage.newMark(), port: agentPort)
        let asked = WallTime.milliseconds
        guard HelperLine.send(question, socket),
            let greeting = HelperLine.receive(HelperGreeting.self, socket, until: deadline),
            MDNSMessage.isMark(greeting.mark)
        else { return (outcome, nil) }
        // Both at the same moment, as far as can be told: half of the way there and back.
        let middle = asked + (WallTime.milliseconds - asked) / 2
        let wasHeard = MulticastExchange.heard(greeting.mark, saying: question.mark, on: network)
        let there = greeting.port.map { port in
            TCPSocket.connect(to: PeerAddress(host: address.host, port: port), until: .now + connectPatience).outcome
        }
        guard let verdict = HelperLine.receive(HelperVerdict.self, socket, until: deadline) else {
            return (outcome, nil)
        }
        let answer = HelperAnswer(
            tag: greeting.tag.flatMap(Doctor.prefix), clockDifference: greeting.time.clampedDifference(middle),
            runsAgent: greeting.port != nil, isAvahiWell: verdict.isAvahiWell, heardMulticast: verdict.heardMulticast,
            wasHeard: wasHeard, connectionBack: verdict.connectionBack, connectionThere: there)
        return (outcome, answer)
    }
}

extension Int64 {
    /// The other laptop may say any number.
    fileprivate func clampedDifference(_ other: Int64) -> Int64 {
        let (difference, isTooLarge) = subtractingReportingOverflow(other)
        return isTooLarge ? (self < 0 ? -.max : .max) : Swift.max(difference, -.max)
    }
}

/// Lines of JSON on a connection.
enum HelperLine {
    static func send(_ message: some Encodable, _ socket: TCPSocket) -> Bool {
        guard let data = try? JSONEncoder().encode(message) else { return false }
        return socket.send(Array(data))
    }

    /// `nil` where none comes in time, or it is not understood.
    static func receive<Message: Decodable>(
        _ type: Message.Type, _ socket: TCPSocket, until deadline: ContinuousClock.Instant
    ) -> Message? {
        guard let line = socket.line(byteCountMax: HelperQuestion.byteCountMax, until: deadline) else { return nil }
        return try? JSONDecoder().decode(type, from: Data(line))
    }
}

enum WallTime {
    /// Since 1970.
    static var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
