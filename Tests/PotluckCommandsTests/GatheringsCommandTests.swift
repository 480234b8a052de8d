import FoundationEssentials
import PotluckAPI
import PotluckAgent
import Testing

@testable import PotluckCommands

/// Several homes of one person, which are real.
@Suite(.timeLimit(.minutes(1))) struct GatheringsCommandTests {
    private func report(_ outcome: Outcome) throws -> GatheringsReport {
        try JSONDecoder().decode(GatheringsReport.self, from: Data(outcome.output.utf8))
    }

    /// Shows that homes are listed and switched between by name and path, and that a home that is named beats the choice.
    @Test func homesAreSwitched() async throws {
        try await withTemporaryHome { person in
            let environment = ["HOME": person]
            let empty = await run("gatherings", environment: environment)
            #expect(empty.status == 0 && empty.output.contains("`potluck host NAME`"))
            #expect(await run("host", "Kuh reunion", "--as", "Grandma", environment: environment).status == 0)
            let club = person + "/club"
            #expect(await run("host", "Rowing club", "--home", club, environment: environment).status == 0)
            // Homes below /tmp are not remembered by themselves.
            #expect(try report(await run("gatherings", "--json", environment: environment)).gatherings.count == 1)

            let switched = await run("gatherings", "switch", club, environment: environment)
            #expect(switched.status == 0, "\(switched.errors)")
            let both = try report(await run("gatherings", "--json", environment: environment)).gatherings
            #expect(both.map(\.name) == ["Kuh reunion", "Rowing club"])
            #expect(both.map(\.chosen) == [false, true])
            #expect(both.allSatisfy { $0.state == .stopped && $0.missing == 0 && $0.atRisk == 0 })
            #expect(await run("status", environment: environment).output.contains("“Rowing club”"))
            let standard = person + "/.local/share/potluck"
            let named = await run("status", "--home", standard, environment: environment)
            #expect(named.output.contains("“Kuh reunion”"))
            let variable = ["HOME": person, "POTLUCK_HOME": standard]
            #expect(await run("status", environment: variable).output.contains("“Kuh reunion”"))
            let told = await run("gatherings", "switch", club, environment: variable)
            #expect(told.output.contains("POTLUCK_HOME is set"))

            #expect(await run("gatherings", "switch", "kuh REUNION", environment: environment).status == 0)
            #expect(await run("status", environment: environment).output.contains("“Kuh reunion”"))
            let unknown = await run("gatherings", "switch", "Rowing clib", environment: environment)
            #expect(unknown.status == 66 && unknown.errors.contains("“Rowing club”"))
            let text = await run("gatherings", environment: environment)
            #expect(text.output.contains("*  Kuh reunion  Grandma"), "\(text.output)")
        }
    }

    /// Shows that no agent runs in a home that was left, and that the same phrase takes part again, with the same name.
    @Test func homesAreLeftAndJoinedAgain() async throws {
        try await withTemporaryHome { home in
            let hosted = await run("host", "Kuh reunion", "--as", "Grandma", "--json", "--home", home)
            let invite = try JSONDecoder().decode(InviteReport.self, from: Data(hosted.output.utf8))
            let unasked = await run("gatherings", "leave", "--home", home)
            #expect(unasked.status == 64 && unasked.errors.contains("--yes"))
            let left = await run("gatherings", "leave", "--home", home, isTerminal: true, input: ["yes"])
            #expect(left.status == 0, "\(left.errors)")
            #expect(await run("gatherings", "leave", "--yes", "--home", home).status == 1)
            let listed = try report(await run("gatherings", "--json", "--home", home)).gatherings
            #expect(listed.map(\.state) == [.left])
            let up = await run("up", "--home", home)
            #expect(up.status == 78 && up.errors.contains("`potluck join PHRASE`"), "\(up.errors)")
            #expect(await run("albums", "--home", home).status == 0)

            #expect(await run("join", invite.phrase, "--home", home).status == 0)
            let again = try report(await run("gatherings", "--json", "--home", home)).gatherings
            #expect(again.map(\.state) == [.stopped] && again.map(\.device) == ["Grandma"])
        }
    }

    /// Shows that where photos are on this laptop alone, no answer is enough that does not say that this is meant.
    @Test func lonePhotosAreToldOf() async throws {
        let console = TestConsole(input: ["yes"]).console(isTerminal: true, environment: [:])
        func ask(alone: Int, isMeant: Bool, takesLastCopies: Bool) async throws {
            try await Farewell(console: console, isMeant: isMeant, takesLastCopies: takesLastCopies).ask(
                "", alone: alone, question: "Leave?")
        }
        for isMeant in [false, true] {
            let error = await #expect(throws: PotluckError.self) {
                try await ask(alone: 1, isMeant: isMeant, takesLastCopies: false)
            }
            #expect(error?.status == .tryAgain && error?.message.contains("--last-copies") == true)
        }
        try await ask(alone: 1, isMeant: true, takesLastCopies: true)
        try await ask(alone: 0, isMeant: true, takesLastCopies: false)
        // The one answer that there is: nothing was asked before.
        try await ask(alone: 0, isMeant: false, takesLastCopies: false)
        await #expect(throws: PotluckError.self) { try await ask(alone: 0, isMeant: false, takesLastCopies: false) }
    }

    /// Shows what an agent is started by: systemd's unit knows no home but the standard one.
    @Test func agentsAreStartedInTheChosenHome() async throws {
        try await withTemporaryHome { person in
            let environment = ["HOME": person]
            let club = person + "/club"
            #expect(await run("host", "Rowing club", "--home", club, environment: environment).status == 0)
            func start(_ environment: [String: String], _ option: String? = nil) throws -> AgentStart {
                let console = TestConsole().console(isTerminal: false, environment: environment)
                let home = try HomeLocation(option: option, console: console)
                return try AgentStart(home: home, option: option, console: console)
            }
            let standard = person + "/.local/share/potluck"
            #expect(try start(environment).isStandardHome)
            #expect(try !start(environment, standard).isStandardHome)
            #expect(try !start(["HOME": person, "POTLUCK_HOME": standard]).isStandardHome)
            #expect(await run("gatherings", "switch", club, environment: environment).status == 0)
            let chosen = try start(environment)
            #expect(!chosen.isStandardHome && chosen.home.path == club)

            // The unit's own command stays where it was.
            let unit = await run("up", "--standard-home", environment: environment)
            #expect(unit.status == 78 && unit.errors.contains(standard), "\(unit.errors)")
        }
    }

    /// Shows that in a home that was left nothing starts, and that a link that is opened joins nothing.
    @Test func homesThatWereLeftAreNotStarted() async throws {
        try await withTemporaryHome { home in
            let hosted = await run("host", "Kuh reunion", "--json", "--home", home)
            let link = try JSONDecoder().decode(InviteReport.self, from: Data(hosted.output.utf8)).link
            #expect(await run("gatherings", "leave", "--yes", "--home", home).status == 0)
            for words in [[], [link], ["--ask-in-browser", link]] {
                let console = TestConsole()
                let status = await PotluckCommandLine.run(
                    ["open", "--start"] + words + ["--home", home],
                    console: console.console(isTerminal: false, environment: ["HOME": "/nonexistent"]))
                #expect(status == 78 && console.outcome(status).errors.contains("`potluck join PHRASE`"))
                #expect(try HomeSetup.hasLeft(home: home))
            }
            let other = await run("host", "Other", "--json", "--home", home + "/other")
            let foreign = try JSONDecoder().decode(InviteReport.self, from: Data(other.output.utf8)).link
            let refused = await run("open", "--start", foreign, "--home", home)
            #expect(refused.status == 78 && refused.errors.contains("another gathering"))
        }
    }

    /// Shows that an agent that runs is stopped, and that its home is left then.
    @Test func aRunningAgentIsStopped() async throws {
        try await withTemporaryHome { home in
            #expect(await run("host", "Kuh reunion", "--home", home).status == 0)
            let (ready, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            var console = TestConsole().console(isTerminal: false, environment: ["HOME": "/nonexistent"])
            console.write = { _ in continuation.yield() }
            try await withThrowingTaskGroup(of: Int32.self) { [console] group in
                group.addTask {
                    defer { continuation.finish() }
                    return await PotluckCommandLine.run(
                        ["up", "--no-discovery", "--home", home], console: console)
                }
                for await _ in ready { break }
                let listed = try report(await run("gatherings", "--json", "--home", home)).gatherings
                #expect(listed.map(\.state) == [.running])
                // As soon as the agent has looked through its folder, which is empty.
                var left = await run("gatherings", "leave", "--yes", "--home", home)
                while left.status == 75 { left = await run("gatherings", "leave", "--yes", "--home", home) }
                #expect(left.status == 0, "\(left.errors)")
                for try await status in group { #expect(status == 0) }
                #expect(try HomeSetup.hasLeft(home: home))
            }
            // It looked through its folder, which nobody does now.
            let words = try await HomeSetup.invite(home: home).phrase
            #expect(await run("join", words, "--home", home).status == 0)
            let unseen = await run("gatherings", "leave", "--yes", "--home", home)
            #expect(unseen.status == 75 && unseen.errors.contains(home + "/Photos"), "\(unseen.errors)")
            #expect(await run("gatherings", "leave", "--yes", "--last-copies", "--home", home).status == 0)
        }
    }

    /// Shows that nobody leaves while nobody knows what is here alone.
    @Test func anUnfinishedLookIsNoAnswer() async throws {
        try await withAgent(FakeAgent(leaveObstacles: ["The folder is being looked through."])) { home in
            #expect(await run("host", "Kuh reunion", "--home", home).status == 0)
            let refused = await run("gatherings", "leave", "--yes", "--home", home)
            #expect(refused.status == 75 && refused.errors.contains("is being looked through"))
            let hasLeft = try HomeSetup.hasLeft(home: home)
            #expect(!hasLeft)
        }
    }

    /// Shows that a name that two homes may have is refused where that matters, and that names may look like paths.
    @Test func namesAreNotGuessed() async throws {
        try await withTemporaryHome { person in
            let environment = ["HOME": person]
            let (first, second) = (person + "/one", person + "/it's two")
            for home in [first, second] {
                #expect(await run("host", "Mum/Dad", "--home", home, environment: environment).status == 0)
                #expect(await run("gatherings", "switch", home, environment: environment).status == 0)
            }
            let both = await run("gatherings", "switch", "mum/dad", environment: environment)
            #expect(both.status == 64 && both.errors.contains(first) && both.errors.contains(second))

            let journal = second + "/journal.sqlite"
            try FileManager.default.moveItem(atPath: journal, toPath: second + "/aside")
            try FileManager.default.createDirectory(atPath: journal, withIntermediateDirectories: false)
            let listed = try report(await run("gatherings", "--json", environment: environment)).gatherings
            #expect(listed.map(\.state) == [.stopped, .unreadable])
            let left = await run("gatherings", "leave", "Mum/Dad", "--yes", environment: environment)
            #expect(left.status == 64 && left.errors.contains(second) && left.errors.contains(first), "\(left.errors)")
            #expect(await run("gatherings", "switch", "Mum/Dad", environment: environment).status == 0)
            #expect(await run("gatherings", "leave", first, "--yes", environment: environment).status == 0)
        }
    }

    /// Shows that every way by which a home gets a gathering makes it known. Homes below /tmp are not.
    @Test func homesAreRemembered() async throws {
        let person = "/var/tmp/potluck-commands-\(UInt64.random(in: 0...UInt64.max))"
        try FileManager.default.createDirectory(atPath: person, withIntermediateDirectories: false)
        // What cannot be removed hurts nobody.
        defer { try? FileManager.default.removeItem(atPath: person) }
        let environment = ["HOME": person]
        let hosted = await run("host", "One", "--json", "--home", person + "/a", environment: environment)
        let invite = try JSONDecoder().decode(InviteReport.self, from: Data(hosted.output.utf8))
        #expect(await run("join", invite.phrase, "--home", person + "/b", environment: environment).status == 0)
        let console = TestConsole(input: ["s", "Three", "", ""]).console(isTerminal: true, environment: environment)
        let third = try HomeLocation(option: person + "/c", console: console)
        try await GatheringDialogue(
            home: third, settings: Settings(Settings.Flags(), home: third, console: console), console: console
        ).hold()
        #expect(
            await run("backup", person + "/stick", "--home", person + "/a", environment: environment).status == 0)
        #expect(
            await run("restore", person + "/stick", "--home", person + "/d", environment: environment).status == 0)
        try FileManager.default.createSymbolicLink(atPath: person + "/link", withDestinationPath: person + "/a")
        #expect(await run("join", invite.phrase, "--home", person + "/link", environment: environment).status == 0)
        let known = try KnownHomes(directory: person + "/.local/share")
        #expect(known.homes == ["a", "b", "c", "d"].map { person + "/" + $0 })
        #expect(known.chosen == nil)
    }

    /// Shows that a home is deleted after a question only, that what is beside it stays, and that the list follows.
    @Test func homesAreForgotten() async throws {
        try await withTemporaryHome { person in
            let environment = ["HOME": person]
            let club = person + "/club"
            #expect(await run("host", "Rowing club", "--home", club, environment: environment).status == 0)
            #expect(await run("gatherings", "switch", club, environment: environment).status == 0)
            try FileManager.default.createDirectory(atPath: club + "/Photos", withIntermediateDirectories: true)
            let file = club + "/Photos/mine.jpg"
            #expect(FileManager.default.createFile(atPath: file, contents: Data([1])))
            try FileManager.default.createDirectory(atPath: club + "/uploads", withIntermediateDirectories: true)
            #expect(FileManager.default.createFile(atPath: club + "/uploads/a.part", contents: Data([2])))

            let dry = await run("gatherings", "forget", club, "--dry-run", "--json", environment: environment)
            let report = try JSONDecoder().decode(ForgetReport.self, from: Data(dry.output.utf8))
            #expect(report.gathering == "Rowing club" && report.kept.photos == 1 && report.remaining == nil)
            #expect(report.keptIn == club + " kept photos")
            let unasked = await run("gatherings", "forget", club, environment: environment)
            #expect(unasked.status == 64 && unasked.errors.contains("--yes"))
            let refused = await run(
                "gatherings", "forget", "Rowing club", isTerminal: true, environment: environment, input: ["no"])
            #expect(refused.status == 1 && refused.errors.contains("phrase \(report.phrase)"))
            #expect(HomeSetup.hasGathering(home: club))

            let forgotten = await run("gatherings", "forget", club, "--yes", environment: environment)
            #expect(forgotten.status == 0 && forgotten.output.contains(report.keptIn), "\(forgotten.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: club) == ["Photos"])
            #expect(FileManager.default.contents(atPath: file) == Data([1]))
            #expect(
                FileManager.default.contents(atPath: report.keptIn + "/Unfinished uploads/a.part") == Data([2]))
            // The choice went with the home.
            #expect(await run("status", environment: environment).errors.contains(person + "/.local/share/potluck"))
            #expect(try KnownHomes(directory: person + "/.local/share").homes.isEmpty)

            try KnownHomes.choose(person + "/gone", in: person + "/.local/share")
            let gone = await run("gatherings", "forget", person + "/gone", environment: environment)
            #expect(gone.status == 0 && gone.output.contains("listed no longer"), "\(gone.errors)")
            #expect(try KnownHomes(directory: person + "/.local/share").homes.isEmpty)
        }
    }

    /// Shows that a list that cannot be read stops no command that names its home, and says what to do.
    @Test func aBrokenListIsNotInTheWay() async throws {
        try await withTemporaryHome { person in
            let environment = ["HOME": person]
            try FileManager.default.createDirectory(
                atPath: person + "/.local/share/" + KnownHomes.fileName, withIntermediateDirectories: true)
            let home = person + "/club"
            #expect(await run("host", "Rowing club", "--home", home, environment: environment).status == 0)
            #expect(await run("status", "--home", home, environment: environment).status == 0)
            #expect(await run("gatherings", "leave", "--yes", "--home", home, environment: environment).status == 0)
            let unnamed = await run("status", environment: environment)
            #expect(unnamed.status == 78 && unnamed.errors.contains("--home"))
        }
    }

    /// Shows that commands that change the list at the same time lose nothing of each other.
    @Test func writersWaitForEachOther() async throws {
        try await withTemporaryHome { directory in
            await withTaskGroup { group in
                for number in 0..<16 {
                    group.addTask {
                        #expect(throws: Never.self) { try KnownHomes.remember("/media/\(number)", in: directory) }
                    }
                }
            }
            let known = try KnownHomes(directory: directory)
            #expect(Set(known.homes) == Set((0..<16).map { "/media/\($0)" }))
        }
    }

    /// Shows that the list of homes is kept over runs, that one that cannot be read is no empty one, that what a later
    /// version wrote is passed over, and that no home is dropped for want of room.
    @Test func theListIsKept() async throws {
        try await withTemporaryHome { directory in
            try KnownHomes.remember("/media/a", in: directory)
            try KnownHomes.remember("/tmp/b", in: directory)
            try KnownHomes.choose("/media/c", in: directory)
            let known = try KnownHomes(directory: directory)
            #expect(known.homes == ["/media/a", "/media/c"] && known.chosen == "/media/c")
            let path = directory + "/" + KnownHomes.fileName
            var text = try #require(FileManager.default.contents(atPath: path))
            text += Data("colour /media/a red\nhome relative\n".utf8)
            #expect(FileManager.default.createFile(atPath: path, contents: text))
            #expect(try KnownHomes(directory: directory) == known)
            try KnownHomes.choose(nil, in: directory)
            #expect(try KnownHomes(directory: directory).chosen == nil)
            let long = "/" + String(repeating: "x", count: 4000)
            for number in 0..<100 { try KnownHomes.choose(long + String(number), in: directory) }
            #expect(try KnownHomes(directory: directory).homes.count == 102)
            #expect(throws: PotluckError.self) { try KnownHomes.remember("/media/a\nb", in: directory) }
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            #expect(throws: PotluckError.self) { _ = try KnownHomes(directory: directory) }
            #expect(throws: PotluckError.self) { try KnownHomes.remember("/media/d", in: directory) }
        }
    }
}
