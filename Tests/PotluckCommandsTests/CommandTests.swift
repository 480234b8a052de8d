import PotluckAPI
import PotluckAgent
import PotluckClient
import Testing

@testable import PotluckCommands

/// Commands as a person or a script runs them, most with an agent behind a real socket.
@Suite(.timeLimit(.minutes(1))) struct CommandTests {
    /// Shows a listing as text, harmless and in columns, and as one JSON document.
    @Test func albumsAreListed() async throws {
        try await withAgent(FakeAgent()) { home in
            let text = await run("albums", "--home", home)
            #expect(text.status == 0)
            #expect(
                text.output == """
                    Album           Photos    Size  Here  Copies  Changed
                    Beach\u{FFFD}[31m day       1  4.2 MB  all        2  just now
                    1 album, 1 photo, 4.2 MB

                    """)
            let json = await run("--json", "albums", "--home", home)
            #expect(json.output.hasPrefix(#"{"albums":[{"bytes":4200000,"#) && json.output.hasSuffix("}]}\n"))
            #expect(json.errors.isEmpty)
        }
    }

    /// Shows the other devices.
    @Test func peersAreListed() async throws {
        try await withAgent(FakeAgent()) { home in
            let text = await run("peers", "--home", home)
            #expect(
                text.output == """
                    Device  Seen       Address         Found   Photos  ID
                    Anna    connected  10.77.0.1:4711  dns-sd       1  c1c1c1c1

                    """)
        }
    }

    /// Shows that POTLUCK_HOME names the home, and that --home beats it.
    @Test func theEnvironmentNamesTheHome() async throws {
        try await withAgent(FakeAgent()) { home in
            let environment = ["HOME": "/nonexistent", "POTLUCK_HOME": home]
            #expect(await run("albums", environment: environment).status == 0)
            #expect(await run("down", "--home", "/nonexistent/h", environment: environment).status == 69)
        }
    }

    /// Shows that an agent's error is one sentence on standard error with its status, and nothing on standard output;
    /// with --json it is the document that the API sends.
    @Test func anErrorLeavesStandardOutputEmpty() async throws {
        try await withAgent(FakeAgent()) { home in
            let outcome = await run("photos", "No\u{1B}where", "--home", home)
            #expect(outcome.status == 66)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors == "potluck: There is no album called “No\u{FFFD}where”.\n")
            let json = await run("photos", "No\u{1B}where", "--json", "--home", home)
            #expect(json.status == 66)
            #expect(json.output.isEmpty)
            #expect(
                json.errors
                    == #"{"error":{"code":"not_found","message":"There is no album called “No\u001bwhere”."}}"# + "\n")
        }
    }

    /// Shows that wrong arguments, and a setting that is wrong, are JSON too where that is asked for.
    @Test func wrongUsageIsJSONWhereAsked() async {
        let usage = await run("--json", "albums", "extra")
        #expect(usage.status == 64 && usage.output.isEmpty)
        #expect(usage.errors.hasPrefix(#"{"error":{"code":"usage","message":""#) && usage.errors.hasSuffix("\"}}\n"))
        let unset = await run("albums", "--json", "--home", "/nonexistent/h")
        #expect(unset.status == 78 && unset.errors.hasPrefix(#"{"error":{"code":"bad_setting","#))
        let text = await run("search", "--home", "/nonexistent/h", "--", "--json")
        #expect(text.errors.hasPrefix("potluck: "))
    }

    /// Shows what is said in a home without a gathering, and that `up` asks nobody where there is no terminal.
    @Test(arguments: [
        ["albums"], ["photos", "x"], ["search", "x"], ["tags"], ["caption", "x", "y"], ["cover", "x"], ["clock", "x"],
        ["peers"], ["status"], ["invite"], ["up"], ["status", "--wait", "--json"],
    ])
    func aHomeWithoutGatheringIsABadSetting(arguments: [String]) async throws {
        try await withTemporaryHome { home in
            let console = TestConsole()
            let status = await PotluckCommandLine.run(
                arguments + ["--home", home], console: console.console(isTerminal: false, environment: [:]))
            let outcome = console.outcome(status)
            #expect(outcome.status == 78)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("potluck host") && outcome.errors.contains("potluck join"))
        }
    }

    /// An agent that begins anew ends connections; listings are asked for again.
    @Test func aListingOutlivesAnAgent() async throws {
        try await withAgent(FakeAgent()) { home in
            let location = try HomeLocation(
                option: home, console: TestConsole().console(isTerminal: false, environment: [:]))
            var count = 0
            let albums = try await location.ask { listings in
                count += 1
                guard count > 1 else { throw PotluckError.endedEarly }
                return try await listings.albums()
            }
            #expect(count == 2 && albums.albums.count == 1)
        }
    }

    /// Shows that what needs the agent says so.
    @Test(arguments: [
        ["down"], ["events"], ["add", "Beach day", "a.jpg"], ["tag", "Beach day", "a.jpg", "sea"],
        ["caption", "Beach day", "a.jpg", "Waves"], ["caption", "Beach day", "a.jpg", "--clear"],
        ["favourite", "Beach day", "a.jpg"], ["cover", "Beach day", "a.jpg"], ["clock", "Beach day", "--apply"],
        ["clock", "Beach day", "--set", "5"],
    ])
    func withoutAnAgentItSaysSo(arguments: [String]) async throws {
        try await withTemporaryHome { home in
            let console = TestConsole()
            let status = await PotluckCommandLine.run(
                arguments + ["--home", home], console: console.console(isTerminal: false, environment: [:]))
            #expect(status == 69)
            #expect(console.outcome(status).errors.contains("potluck up"))
        }
    }

    /// Shows that on a terminal `up` asks, and that an end of input or only wrong answers leave everything as it is.
    @Test func upAsksOnATerminal() async throws {
        try await withTemporaryHome { home in
            let outcome = await run("up", "--home", home, isTerminal: true, input: ["x", "", "s"])
            #expect(outcome.status == 78)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("Start one (s), or join one with its phrase (j)?"))
            #expect(outcome.errors.contains("Please type s or j."))
            #expect(outcome.errors.contains("What is it called"))
        }
    }

    /// Shows that the invite has a QR code on a terminal and, in a pipe, only when asked for.
    @Test func theInviteHasAQRCodeOnATerminal() async throws {
        try await withAgent(FakeAgent()) { home in
            let piped = await run("invite", "--home", home)
            #expect(piped.output.contains("potluck join lusab-babad-gutih-tugad-kabok\n"))
            #expect(piped.output.contains("potluck://join/lusab-babad-gutih-tugad-kabok"))
            #expect(!piped.output.contains("█"))
            #expect(await run("invite", "--qr", "--home", home).output.contains("█"))
            #expect(await run("invite", "--home", home, isTerminal: true).output.contains("\u{1B}[38;5;16;48;5;231m"))
            #expect(!(await run("invite", "--no-qr", "--home", home, isTerminal: true).output.contains("█")))
        }
    }

    /// Shows the status as text: what is missing and why, how long it takes, and what is at risk.
    @Test func statusTellsWhatIsMissing() async throws {
        try await withAgent(FakeAgent(statuses: [FakeAgent.status(missing: 12)])) { home in
            let outcome = await run("status", "--home", home)
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("Grandma in “Kuh reunion”\nAgent    running, 1 device connected\n"))
            #expect(outcome.output.contains("Missing  12 photos, 50.4 MB, 2.1 MB/s, about 24 s left\n"))
            #expect(
                outcome.output.contains("  IMG_9.JPG (Beach day): coming from Anna\n  and 2 more; --all lists them\n"))
            #expect(
                outcome.output.contains(
                    "At risk  1 photo, 4.2 MB, is on this laptop alone; `potluck leave-check` names it\n"))
            #expect(await run("status", "--all", "--home", home).output.contains("IMG_11.JPG"))
        }
    }

    /// Shows that nothing is said of a pace while originals are paused, and that what comes in from the folder is told, in
    /// the live line too.
    @Test func statusTellsWhatComesIn() {
        var report = FakeAgent.status(missing: 12)
        report.incoming = .init(photos: 3, bytes: 734_000_000)
        #expect(StatusListing.live(report).contains("12 photos, 50.4 MB, 2.1 MB/s, about 24 s left"))
        #expect(StatusListing.live(report).contains(" · coming in: 3 files, 734 MB · "))
        report.paused = true
        for text in [StatusListing.text(report, isAll: false, cellCount: nil), StatusListing.live(report)] {
            #expect(text.contains("12 photos, 50.4 MB") && !text.contains("MB/s") && !text.contains("left"), "\(text)")
            #expect(text.contains("3 files, 734 MB"))
        }
        report.incoming = .init(photos: 0, bytes: 0)
        #expect(!StatusListing.live(report).contains("coming in"))
    }

    /// Shows that `--wait` returns when nothing is missing any more, with progress on a terminal and none in a pipe.
    @Test func waitReturnsWhenNothingIsMissing() async throws {
        for isTerminal in [false, true] {
            let statuses = [2, 1, 0].map(FakeAgent.status)
            try await withAgent(FakeAgent(statuses: statuses)) { home in
                let outcome = await run("status", "--wait", "--home", home, isTerminal: isTerminal)
                #expect(outcome.status == 0)
                #expect(outcome.output.contains("Missing  nothing"), "\(outcome.output)")
                #expect(outcome.errors.contains("1 photo, 4.2 MB") == isTerminal)
            }
        }
    }

    /// Shows that `--wait` gives up after 30 s in which nobody here had anything of what is missing, and that one photo
    /// that somebody has starts the 30 s again.
    @Test func waitGivesUpAfterThirtySecondsWithoutHope() {
        var patience = Patience<ContinuousClock.Instant>()
        let start = ContinuousClock.now
        func verdict(_ seconds: Int, missing: Int, unreachable: Int?) -> Patience<ContinuousClock.Instant>.Verdict {
            let missing = StatusReport.Missing(photos: missing, bytes: 1, unreachable: unreachable, items: [])
            return patience.judge(missing, now: start.advanced(by: .seconds(seconds)))
        }
        #expect(verdict(0, missing: 2, unreachable: 2) == .waiting)
        #expect(verdict(29, missing: 2, unreachable: 2) == .waiting)
        #expect(verdict(29, missing: 2, unreachable: 1) == .waiting)
        #expect(verdict(31, missing: 2, unreachable: 2) == .waiting)
        #expect(verdict(60, missing: 2, unreachable: 2) == .waiting)
        #expect(verdict(61, missing: 2, unreachable: 2) == .stuck)
        #expect(verdict(62, missing: 0, unreachable: 0) == .complete)
    }

    /// Shows that events are one object a line, and that the agent's end is told.
    @Test func eventsAreLines() async throws {
        try await withAgent(FakeAgent()) { home in
            let outcome = await run("events", "--home", home)
            #expect(
                outcome.output
                    == #"{"at":"2026-11-21T13:44:29.250Z","event":"peer.lost","name":"Anna","peer":"c1"}"# + "\n")
            #expect(outcome.status == 69)
        }
    }

    /// Shows that files are sent as absolute paths, and what is said of them.
    @Test func addSendsAbsolutePaths() async throws {
        let agent = FakeAgent()
        try await withAgent(agent) { home in
            let outcome = await run("add", "Beach day", "a.jpg", "./b/../c.jpg", "/d.jpg", "--home", home)
            #expect(outcome.status == 0)
            #expect(outcome.output == "Added 3 photos to “Beach day”.\n")
            #expect(agent.addedFiles == ["/work dir/a.jpg", "/work dir/c.jpg", "/d.jpg"])
            #expect(outcome.errors.isEmpty)
        }
    }

    /// Shows that people at a terminal see how far it is, and that the line is gone before what is said at the end.
    @Test func addShowsProgress() async throws {
        let agent = FakeAgent(skipped: [SkippedFile(path: "/a.txt", reason: "it is not a photo or video")])
        try await withAgent(agent) { home in
            let shown = await run("add", "Beach day", "/a.txt", "/b.jpg", "--home", home, isTerminal: true)
            #expect(shown.progress == ["Adding: 2 of 2 files"], "\(shown)")
            #expect(shown.errors.hasSuffix("\r\u{1B}[2Kpotluck: 1 of 2 files not added.\n"), "\(shown)")
            let json = await run("add", "Beach day", "/b.jpg", "--json", "--home", home, isTerminal: true)
            let error = #"{"error":{"code":"failed","message":"1 of 2 files not added."}}"#
            #expect(json.errors == error + "\n")
        }
    }

    /// Shows that what is in a directory and is no photo is listed, and is no failure unless nothing else is there.
    @Test func addTakesDirectories() async throws {
        let notes = SkippedFile(path: "/DCIM/notes.txt", reason: "it is not a photo or a video")
        try await withAgent(FakeAgent(leftOut: [notes])) { home in
            let some = await run("add", "Beach day", "/DCIM/a.jpg", "/DCIM/notes.txt", "--home", home)
            #expect(some.status == 0 && some.errors.isEmpty)
            #expect(
                some.output == """
                    Added 1 photo to “Beach day”.
                    Left out 1 file that is no photo or video:
                      /DCIM/notes.txt: it is not a photo or a video

                    """)
            let none = await run("add", "Beach day", "/DCIM/notes.txt", "--home", home)
            #expect(none.status == 1 && none.output.isEmpty)
            #expect(none.errors == "potluck: Nothing was added. /DCIM/notes.txt: it is not a photo or a video\n")
            let json = await run("add", "Beach day", "/DCIM/a.jpg", "--json", "--home", home)
            #expect(json.output.contains(#""left_out":[{"path":"/DCIM/notes.txt","#))
        }
        let many = (1...25).map { "\($0)" }
        #expect(Listing.shortened(many).hasSuffix("\n20\n  and 5 more"))
    }

    /// Shows that files that were left out end with 1: beside a report where others were added, without one where none
    /// was.
    @Test func addTellsWhatItLeftOut() async throws {
        let agent = FakeAgent(skipped: [SkippedFile(path: "/a.txt", reason: "it is not a photo or video")])
        try await withAgent(agent) { home in
            let some = await run("add", "Beach day", "/a.txt", "/b.jpg", "--home", home)
            #expect(some.status == 1)
            #expect(some.output == "Added 1 photo to “Beach day”.\n  /a.txt: it is not a photo or video\n")
            #expect(some.errors == "potluck: 1 of 2 files not added.\n")
            let none = await run("add", "Beach day", "/a.txt", "--json", "--home", home)
            #expect(none.status == 1)
            #expect(none.output.isEmpty)
            #expect(none.errors.contains("/a.txt: it is not a photo or video"))
        }
    }
}
