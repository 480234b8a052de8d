import PotluckAPI
import PotluckClient
import Synchronization
import TestSupport
import Testing
import WebServer

/// The stream of events: order, places, what is missed, what ends it.
@Suite(.timeLimit(.minutes(1))) struct EventTests {
    private static func lost(_ name: String) -> EventRecord {
        .peerLost(at: Sample.instant, peer: "c1", name: name)
    }

    private static func request(after place: String? = nil) -> String {
        "GET /api/v1/events HTTP/1.1\r\nHost: a\r\n" + (place.map { "Last-Event-ID: \($0)\r\n" } ?? "") + "\r\n"
    }

    private static func ids(_ stream: String) -> [String] {
        stream.matches(of: /\nid: (\S+)\n/.matchingSemantics(.unicodeScalar)).map { String($0.output.1) }
    }

    /// Shows the bytes of a stream: first the place, then each event with its number, kind and JSON.
    @Test func eventsHaveNumbers() async throws {
        let agent = FakeAgent(sent: [Self.lost("Anna"), Self.lost("Ben")])
        try await withServer(agent) { path async throws in
            let client = try RawClient(path: path)
            try await client.send(Self.request())
            let stream = try await client.receive(upTo: #""name":"Ben""#)
            #expect(stream.lowercased().contains("\r\ncontent-type: text/event-stream\r\n"))
            let ids = Self.ids(stream)
            let run = try #require(ids.first?.split(separator: "-").first)
            #expect(ids == ["\(run)-0", "\(run)-1", "\(run)-2"])
            #expect(stream.contains("\nevent: peer.lost\ndata: \(try ReportJSON.text(Self.lost("Anna")))\n\n"))
        }
    }

    /// Shows that a client that comes back gets what it missed, and nothing twice; and that one whose place nobody knows
    /// is told to begin afresh.
    @Test func whatWasMissedIsRepeated() async throws {
        let agent = FakeAgent(sent: ["Anna", "Ben", "Cleo"].map(Self.lost))
        try await withServer(agent) { path async throws in
            let first = try RawClient(path: path)
            try await first.send(Self.request())
            let run = try #require(
                Self.ids(try await first.receive(upTo: "Cleo")).first?.split(separator: "-").first)
            let second = try RawClient(path: path)
            try await second.send(Self.request(after: "\(run)-1"))
            let missed = try await second.receive(upTo: "Cleo")
            #expect(Self.ids(missed) == ["\(run)-2", "\(run)-3"])
            #expect(!missed.contains("Anna") && !missed.contains("afresh"))
            let current = try RawClient(path: path)
            try await current.send(Self.request(after: "\(run)-3"))
            #expect(!(try await current.receive(upTo: "id: \(run)-3\n\n")).contains("afresh"))
            agent.happen(Self.lost("Dora"))
            #expect(try await current.receive(upTo: "Dora").contains("id: \(run)-4\n"))
            for place in ["0-1", "\(run)-99", "\(run)-", "garbage", "\(run)--1"] {
                let other = try RawClient(path: path)
                try await other.send(Self.request(after: place))
                let stream = try await other.receive(upTo: "data: {}\n\n")
                #expect(stream.contains("id: \(run)-4\nevent: afresh\ndata: {}\n\n"), "\(stream)")
            }
        }
    }

    /// Shows that the memory of what happened is bounded, and that who missed more is told so.
    @Test func theMemoryIsBounded() async throws {
        var limits = WebLimits()
        limits.replayCountMax = 2
        let agent = FakeAgent(sent: ["Anna", "Ben", "Cleo", "Dora"].map(Self.lost))
        try await expectTwoRemembered(agent, limits)
    }

    /// Shows that of long events fewer are remembered.
    @Test func theMemoryIsBoundedByBytes() async throws {
        var limits = WebLimits()
        limits.replayByteCountMax = 5000
        let long = String(repeating: "n", count: 3000)
        let agent = FakeAgent(sent: ["Anna", long, "\(long)2", "Dora"].map(Self.lost))
        try await expectTwoRemembered(agent, limits)
    }

    /// Of four events, the last of which is Dora's, the memory has the last two.
    private func expectTwoRemembered(_ agent: FakeAgent, _ limits: WebLimits) async throws {
        try await withServer(agent, limits: limits) { path async throws in
            let first = try RawClient(path: path)
            try await first.send(Self.request())
            let run = try #require(
                Self.ids(try await first.receive(upTo: "Dora")).first?.split(separator: "-").first)
            let near = try RawClient(path: path)
            try await near.send(Self.request(after: "\(run)-2"))
            #expect(Self.ids(try await near.receive(upTo: "Dora")) == ["\(run)-3", "\(run)-4"])
            let far = try RawClient(path: path)
            try await far.send(Self.request(after: "\(run)-1"))
            #expect(try await far.receive(upTo: "data: {}\n\n").contains("event: afresh"))
        }
    }

    /// Shows that the agent is let go when nobody has followed for a while, and that who comes back later is told that
    /// it may have missed something.
    @Test func nobodyListeningLetsTheAgentGo() async throws {
        var limits = WebLimits()
        limits.stillHereInterval = .milliseconds(5)
        limits.replayPatience = .milliseconds(10)
        let agent = FakeAgent(sent: [Self.lost("Anna")])
        try await withServer(agent, limits: limits) { path async throws in
            var client: RawClient? = try RawClient(path: path)
            try await client?.send(Self.request())
            let stream = try #require(try await client?.receive(upTo: ": still here\n\n"))
            let run = try #require(Self.ids(stream).first?.split(separator: "-").first)
            client = nil
            await agent.wait(for: .eventsEnded)
            let back = try RawClient(path: path)
            try await back.send(Self.request(after: "\(run)-1"))
            #expect(try await back.receive(upTo: "data: {}\n\n").contains("event: afresh"))
        }
    }

    /// Shows that events arrive in order at the command line, and that the client's leaving ends its stream.
    @Test func eventsStreamUntilTheClientGoes() async throws {
        struct Enough: Error {}
        let sent = ["Anna", "Ben"].map(Self.lost)
        let agent = FakeAgent(sent: sent)
        try await withServer(agent) { path async throws in
            let seen = Mutex<[EventRecord]>([])
            await #expect(throws: Enough.self) {
                try await AgentClient(path: path).events { event in
                    let count = seen.withLock { seen in
                        seen.append(event)
                        return seen.count
                    }
                    if count == sent.count { throw Enough() }
                }
            }
            #expect(seen.withLock { $0 } == sent)
        }
        await agent.wait(for: .eventsEnded)
    }

    /// Shows that an agent that ends ends the stream of events without an error, whether it says so or goes.
    @Test(arguments: [true, false]) func theAgentsEndEndsTheEvents(saysSo: Bool) async throws {
        let agent = FakeAgent()
        try await withThrowingTaskGroup { group in
            try await withServer(agent) { path async throws in
                group.addTask { try await AgentClient(path: path).events { _ in } }
                await agent.wait(for: .eventsAsked)
                if saysSo {
                    agent.endEvents()
                    try await group.waitForAll()
                }
            }
            try await group.waitForAll()
        }
    }

    /// Shows that a stream that breaks is taken up where it was, so that nothing is lost and nothing comes twice.
    @Test func aBrokenStreamIsTakenUpAgain() async throws {
        struct Enough: Error {}
        let agent = FakeAgent(sent: [Self.lost("Anna")])
        try await withServer(agent) { path async throws in
            let names = Mutex<[String]>([])
            let proxy = CuttingProxy(to: path)
            await #expect(throws: Enough.self) {
                try await proxy.serve {
                    try await AgentClient(path: proxy.path).events { event in
                        let count = names.withLock { names in
                            names.append(event.name ?? "")
                            return names.count
                        }
                        if count == 2 { throw Enough() }
                        proxy.cut()
                        agent.happen(Self.lost("Ben"))
                    }
                }
            }
            #expect(names.withLock { $0 } == ["Anna", "Ben"])
        }
    }

    /// Shows that of steps of progress the last 64 wait for a client that does not read, and that the end comes in any case.
    @Test func slowClientsMissOldSteps() async throws {
        let (agent, total) = (FakeAgent(), 20_000)
        try await withServer(agent) { path async throws in
            let client = try RawClient(path: path)
            let files = [String](repeating: #""/a""#, count: total).joined(separator: ",")
            let body = #"{"album":"Beach day","files":[\#(files)]}"#
            try await client.send(
                "POST /api/v1/add HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            await agent.wait(for: .added)
            let stream = try await client.receive()
            let step = /"done":(\d+),"total"/.matchingSemantics(.unicodeScalar)
            let steps = stream.matches(of: step).compactMap { Int($0.output.1) }
            #expect(steps.last == total && steps.count < total / 2, "\(steps.count) steps have come")
            let latest = zip(steps.reversed(), (1...total).reversed()).prefix { $0 == $1 }
            // The end may have taken the place of one of them.
            #expect((63...64).contains(Array(latest).count))
            let ends = stream.matches(of: /event: (\w+)\n/.matchingSemantics(.unicodeScalar)).map { $0.output.1 }
            #expect(ends.last == "result" && ends.count { $0 == "result" } == 1)
        }
    }
}
