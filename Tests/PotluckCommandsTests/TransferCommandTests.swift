import PotluckAPI
import PotluckAgent
import Testing

@testable import PotluckCommands

/// Commands about what comes, how fast, and whether this laptop may leave.
@Suite(.timeLimit(.minutes(1))) struct TransferCommandTests {
    private func ask(
        _ arguments: String..., status expected: Int32 = 0
    ) async throws -> (outcome: Outcome, requests: [AnyHashable]) {
        let agent = FakeAgent()
        let console = TestConsole()
        var status: Int32 = 0
        try await withAgent(agent) { home in
            status = await PotluckCommandLine.run(
                arguments + ["--home", home], console: console.console(isTerminal: false, environment: [:]))
        }
        #expect(status == expected)
        return (console.outcome(status), agent.requests)
    }

    /// Shows what is asked of the agent, words and numbers included.
    @Test func everyCommandReachesTheAgent() async throws {
        let cases: [([String], AnyHashable)] = [
            (["originals"], OriginalsRequest(album: nil)),
            (["originals", "Beach day"], OriginalsRequest(album: "Beach day")),
            (["originals", "Beach day", "none"], SetOriginalsRequest(album: "Beach day", .none)),
            (["fetch", "Beach day", "A.JPG", "B.JPG"], FetchRequest(album: "Beach day", photos: ["A.JPG", "B.JPG"])),
            (["fetch", "Beach day"], FetchRequest(album: "Beach day", photos: [])),
            (["pause"], TransferEdit(isPaused: true)),
            (["resume"], TransferEdit(isPaused: false)), (["limit"], TransferEdit()),
            (
                ["limit", "--up", "500 kB", "--down", "off"],
                TransferEdit(up: .rate(500_000), down: .off)
            ),
            (["leave-check", "--others", "1"], LeaveCheckRequest(others: 1)),
        ]
        for (arguments, request) in cases {
            let agent = FakeAgent()
            try await withAgent(agent) { home in
                let console = TestConsole().console(isTerminal: false, environment: [:])
                #expect(await PotluckCommandLine.run(arguments + ["--home", home], console: console) == 0)
            }
            #expect(agent.requests == [request])
        }
    }

    /// Shows that a choice for all albums is one for each.
    @Test func originalsOfAllAlbums() async throws {
        let (outcome, requests) = try await ask("originals", "--all", "none")
        #expect(requests == [OriginalsRequest(album: nil), SetOriginalsRequest(album: "a1", .none)])
        #expect(outcome.output.contains("Beach day  none"))
    }

    /// Shows the tables and sentences that people read.
    @Test func answersAreForPeople() async throws {
        let left = try await ask("originals", "Beach day", "none").outcome.output
        #expect(
            left == """
                Album      Originals  Photos  Here     Left out
                Beach day  none           12     2  10, 42.0 MB

                """)
        #expect(!(try await ask("originals").outcome.output.contains("Left out")))
        #expect(try await ask("pause").outcome.output.hasPrefix("Paused: no originals come until `potluck resume`"))
        let limits = try await ask("limit", "--up", "500kB").outcome.output
        #expect(limits.hasSuffix("Up: at most 500 kB/s. Down: no limit.\n"), "\(limits)")
    }

    /// Shows that a laptop that should not leave yet is told with 75, after the whole report, and a safe one with 0.
    @Test func leavingEndsWithAStatus() async throws {
        let (outcome, _) = try await ask("leave-check", status: 75)
        #expect(
            outcome.output == """
                Here     2 photos, 8.4 MB
                Alone    nothing: every photo here is known to be on another laptop too
                Short    1 photo, 4.2 MB, on fewer than 2 other laptops
                Time     about 2 s, at 2.1 MB/s

                Device   Connected  Has of these
                Anna     yes                   2
                Ben\u{FFFD}[2J  yes                   1

                Album      Here  Alone  Short  Fewest others
                Beach day     2      0      1              1

                  IMG_0001.JPG (Beach day): also on Anna

                """)
        #expect(outcome.errors.contains("1 photo is on fewer than 2 other laptops. They are being copied"))
        let (safe, _) = try await ask("leave-check", "--others", "1", "--wait")
        #expect(safe.errors.isEmpty && safe.output.contains("every photo here is on 1 other laptop or more"))
        let (json, _) = try await ask("leave-check", "--json", status: 75)
        #expect(json.output.hasPrefix(#"{"albums":[{"alone":0,"here":2,"id":"a1","name":"Beach day","others_min":1,"#))
    }

    /// Shows that rates, counts and choices that make no sense are wrong usage.
    @Test func nonsenseIsWrongUsage() async throws {
        for arguments in [
            ["limit", "--up", "9kB"], ["limit", "--down", "fast"], ["leave-check", "--others", "0"],
            ["originals", "Beach day", "some"], ["originals", "--all"], ["originals", "Beach day", "none", "--all"],
        ] {
            let console = TestConsole()
            let status = await PotluckCommandLine.run(
                arguments + ["--home", "/nonexistent"],
                console: console.console(isTerminal: false, environment: ["HOME": "/nonexistent"]))
            #expect(status == 64, "\(arguments)")
        }
    }

    /// Shows when waiting for copies ends: not while others are enough and something goes on, after 30 seconds without
    /// enough of them, after two minutes in which nothing went on.
    @Test func patienceHasAnEnd() {
        let start = ContinuousClock.now
        var patience = LeavePatience<ContinuousClock.Instant>()
        func verdict(
            _ seconds: Int, short: Int, blocked: Int = 0, rate: UInt64 = 0
        ) -> LeavePatience<ContinuousClock.Instant>.Verdict {
            let amount = StatusReport.Amount(photos: short, bytes: UInt64(short))
            let report = LeaveReport(
                safe: short == 0, others: 2, here: amount, alone: amount, short: amount, blocked: blocked,
                incoming: nil, obstacles: [], rate: rate, seconds: nil, albums: [], devices: [], photos: [])
            return patience.judge(report, now: start + .seconds(seconds))
        }
        #expect(verdict(0, short: 3, blocked: 3) == .waiting)
        #expect(verdict(29, short: 3, blocked: 3) == .waiting)
        #expect(verdict(30, short: 3, blocked: 2) == .waiting)
        #expect(verdict(31, short: 3, blocked: 3) == .waiting)
        #expect(verdict(61, short: 3, blocked: 3) == .stuck)
        #expect(verdict(62, short: 2) == .waiting)
        #expect(verdict(170, short: 2, rate: 5) == .waiting)
        #expect(verdict(289, short: 2) == .waiting)
        #expect(verdict(290, short: 2) == .stuck)
        #expect(verdict(291, short: 0) == .safe)
    }

    /// Shows that what a pause or a full disk keeps from coming is waited for no longer than what nobody has.
    @Test func heldUpPhotosAreHopelessToo() {
        let start = ContinuousClock.now
        var patience = Patience<ContinuousClock.Instant>()
        let missing = StatusReport.Missing(photos: 5, bytes: 5, unreachable: 2, heldUp: 3, items: [])
        #expect(patience.judge(missing, now: start) == .waiting)
        #expect(patience.judge(missing, now: start + .seconds(30)) == .stuck)
    }
}
