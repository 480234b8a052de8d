import Glibc
import SyncEngine
import Testing

@testable import LaptopDoctor

/// A helper on this machine, asked over the loopback interface.
@Suite(.timeLimit(.minutes(1))) struct HelperTests {
    private static let tag = "0707070707070707"

    /// A helper at a port that is free, while `body` runs.
    private func withHelper(
        agentPort: UInt16? = nil, _ body: @escaping @Sendable (UInt16) async throws -> Void
    ) async throws {
        let facts: @Sendable () async -> Helper.Facts = { Helper.Facts(tag: Self.tag, agentPort: agentPort) }
        var helper: Helper?
        var port: UInt16 = 20_000
        while helper == nil, port < 20_100 {
            port += 1
            helper = Helper(port: port, facts: facts)
        }
        let running = try #require(helper)
        try await withThrowingTaskGroup(of: Void.self) { [port] group in
            group.addTask { await running.run(for: .seconds(50)) { _ in } }
            try await body(port)
            group.cancelAll()
        }
    }

    private func connect(_ port: UInt16) async -> TCPSocket? {
        await ProbeThreads.run(within: .seconds(5)) {
            TCPSocket.connect(to: PeerAddress(host: "127.0.0.1", port: port), until: .now + .seconds(4)).socket
        } ?? nil
    }

    private func line(_ socket: TCPSocket, within limit: Duration = .seconds(10)) async -> [UInt8]? {
        await ProbeThreads.run(within: limit + .seconds(1)) {
            socket.line(byteCountMax: HelperQuestion.byteCountMax, until: .now + limit)
        } ?? nil
    }

    /// Shows that the asker learns the tag, the clock and that no agent runs, and that a port that nobody listens at is
    /// told as refused.
    @Test func askersAreAnswered() async throws {
        try await withHelper { port in
            var seen = HealthyLaptop.observations
            // Nobody listens at the discard port of this machine.
            seen.agent = .running(.init(connectedCount: 0, port: 9))
            seen.network = NetworkSight()
            let test = await TestProbe.look(TestPartner(host: "127.0.0.1"), port: port, seen)
            let answer = try #require(test.answer)
            #expect(answer.tag == HealthyLaptop.tag && !answer.runsAgent && answer.connectionThere == nil)
            #expect(answer.clockDifference.magnitude < 60_000)
            #expect(answer.connectionBack == .refused)
        }
    }

    /// Shows that whoever says something else, or too much, gets no word, and that others are answered after that.
    @Test func nonsenseIsNotAnswered() async throws {
        try await withHelper { port in
            let long = #"{"mark":"\#(String(repeating: "x", count: 300))"}"#
            for words in ["GET / HTTP/1.1\r", "{}", long, String(repeating: "x", count: 5000)] {
                let socket = try #require(await connect(port))
                #expect(socket.send(Array(words.utf8)))
                #expect(await line(socket) == nil, "\(words.prefix(20))")
            }
            let socket = try #require(await connect(port))
            #expect(socket.send(Array(#"{"mark":"abcdefghijklmnop"}"#.utf8)))
            let greeting = try #require(await line(socket))
            #expect(String(decoding: greeting, as: UTF8.self).contains(Self.tag))
        }
    }

    /// Shows that a port cannot have two helpers, and that nobody there is told as such.
    @Test func portsAreTakenOnce() async throws {
        try await withHelper { port in
            #expect(Helper(port: port, facts: { Helper.Facts(tag: nil, agentPort: nil) }) == nil)
            #expect(PortProbe.look(PeerAddress(host: "", port: port))?.outcome == .taken)
        }
        let nobody = await ContactProbe.attempt(PeerAddress(host: "127.0.0.1", port: 9))
        #expect(nobody.outcome == .refused)
    }
}
