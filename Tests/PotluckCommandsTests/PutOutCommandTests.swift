import FoundationEssentials
import PotluckAPI
import TestSupport
import Testing

@testable import PotluckCommands

/// `potluck put-out`.
@Suite(.timeLimit(.minutes(1))) struct PutOutCommandTests {
    /// Shows what a person reads before they are asked, and that without an answer nothing is changed.
    @Test func whatItMeansIsSaidFirst() async throws {
        #expect(
            PutOutText.question(Sample.putOutPlan) == """
                “Ben's laptop” is to be put out.
                  214 photos of “Ben's laptop” stay.
                  Known to be on it alone: 12 photos, 48.0 MB. Out, it can give them to nobody: wait for them first.
                  What it has, it keeps; nothing new comes there.
                  Also put out, since it may still pass for them: “Ben's laptop” (c4c4c4c4).
                  It may still pass for “Old Ben” (c6c6c6c6), which stays unless you name it too.
                  “Ben (2)” (c5c5c5c5) was copied from its Potluck data, and stays unless you name it too.
                  “Carla” (c7c7c7c7) was made a host by it: it stays, and is a host no longer.
                  “Dora” (c8c8c8c8) was let in by it, and is out again.
                  “Anna” (c1) is in again, unless you name it too: it was kept out by it alone.
                  “Eve” (c9c9c9c9) was in by it alone, and needs the new phrase, or `potluck let-in`.
                  These stay: “Grandma” and “Anna”.
                  They get a new phrase by themselves, those that are away once they are back; whoever comes needs it.
                  All doors for guests close, and their links end; `potluck guests on` opens one anew.

                """)
        let agent = FakeAgent()
        try await withAgent(agent) { home in
            let unasked = await run("put-out", "Ben", "--home", home)
            #expect(unasked.status == 64 && unasked.errors.contains("--yes"))
        }
        #expect(agent.requests == [AnyHashable(PutOutPlanRequest(devices: ["Ben"]))])
        #expect(await run("put-out", "--yes").status == 64)
        #expect(await run("put-out", "Ben", "--yes", "--home", "/nonexistent/h").status == 69)
    }

    /// Shows that the recovery code goes to the agent from a file or standard input, and that nobody is asked for it who
    /// cannot be.
    @Test func theRecoveryCodeIsRead() async throws {
        let agent = FakeAgent()
        let code = "sogan-sorar-sugat-suraz-tagid-tarig-tigij-tiril-gigud"
        try await withAgent(agent) { home in
            let file = home + "/code"
            #expect(FileManager.default.createFile(atPath: file, contents: Data("\(code)\n".utf8)))
            let done = await run("put-out", "Anna", "--recovery-file", file, "--yes", "--home", home)
            #expect(done.status == 0, "\(done)")
            #expect(agent.requests.contains(AnyHashable(PutOutPlanRequest(devices: ["Anna"], recoveryCode: code))))
            let order = PutOutRequest(devices: ["c2c2c2c2c2c2", "c4c4c4c4c4c4"], recoveryCode: code)
            #expect(agent.requests.last == AnyHashable(order))
            #expect(FileManager.default.createFile(atPath: file, contents: Data("\n".utf8)))
            let empty = await run("put-out", "Anna", "--recovery-file", file, "--yes", "--home", home)
            #expect(empty.status == 64 && empty.errors.contains("no recovery code in it"), "\(empty)")
        }
        #expect(await run("put-out", "Anna", "--recovery").status == 64)
        var plan = Sample.putOutPlan
        plan.isHostHere = true
        #expect(PutOutText.question(plan).contains("\n  This laptop becomes a host, and can name others.\n"))
    }

    /// Shows what is asked of the agent, what a person reads then, and the same for scripts.
    @Test func laptopsArePutOut() async throws {
        let agent = FakeAgent()
        try await withAgent(agent) { home in
            let done = await run("put-out", "Ben", "--yes", "--home", home)
            let head =
                "“Ben's laptop” is out. `potluck guests on` opens a door for guests anew.\nNew phrase: lusab-babad-gutih-tugad-kabok\n2 of 3 laptops have it; the others get it when they are back.\n"
            #expect(done.status == 0 && done.output.hasPrefix(head), "\(done)")
            let json = await run("put-out", "Ben", "--yes", "--json", "--home", home)
            #expect(json.output.contains(#""out":[{"id":"c2c2c2c2c2c2","name":"Ben's laptop"}]"#), "\(json)")
            #expect(json.output.contains(#""phrase":"lusab-babad-gutih-tugad-kabok""#))
            #expect(json.output.contains(#""have":2"#) && json.output.contains(#""laptops":3"#))
        }
        #expect(agent.requests.last == AnyHashable(PutOutRequest(devices: ["c2c2c2c2c2c2", "c4c4c4c4c4c4"])))
    }
}
