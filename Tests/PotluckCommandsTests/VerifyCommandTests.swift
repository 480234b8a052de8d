import PotluckAPI
import PotluckAgent
import Testing

@testable import PotluckCommands

/// `potluck verify` as a person runs it.
@Suite(.timeLimit(.minutes(1))) struct VerifyCommandTests {
    /// What is not mended is said, harmless for a terminal, and ends with 1; what is mended ends with 0.
    @Test func findingsAreListed() async throws {
        let agent = FakeAgent()
        try await withAgent(agent) { home in
            let found = await run("verify", "--home", home)
            #expect(found.status == 1)
            #expect(
                found.output == """
                    IMG_0001.JPG\u{FFFD}[2J is damaged. (album “Beach day”)
                      Mend it.
                    Looked at 2 files of photos, 8.4 MB, 3 entries of the journal, and 0 files of the folder.

                    """)
            #expect(found.errors == "potluck: 1 finding is not mended.\n")
            let mended = await run("verify", "--repair", "--restart", "--home", home)
            #expect(mended.status == 0)
            #expect(mended.output.contains("fetched again from Anna"))
            let json = await run("verify", "--json", "--home", home)
            #expect(json.output.hasPrefix(#"{"batches":3,"bytes":8400000,"files":2,"findings":[{"album":"Beach day""#))
            #expect(
                agent.requests == [
                    VerifyOrder(repair: false, restart: false),
                    VerifyOrder(repair: true, restart: true),
                    VerifyOrder(repair: false, restart: false),
                ])
        }
    }

    /// Shows that people at a terminal see how far it is, and nobody else.
    @Test func progressIsForPeople() async throws {
        try await withAgent(FakeAgent()) { home in
            let shown = await run("verify", "--repair", "--home", home, isTerminal: true).errors
            #expect(shown.hasPrefix("\r\u{1B}[2KReading: 1 of 2 files") && shown.hasSuffix("\r\u{1B}[2K"), "\(shown)")
            #expect(await run("verify", "--repair", "--json", "--home", home, isTerminal: true).errors.isEmpty)
            #expect(await run("verify", "--repair", "--home", home).errors.isEmpty)
        }
    }

    /// Without an agent the home itself is looked through; one without a gathering is told of.
    @Test func homesWithoutAgentAreRead() async throws {
        try await withTemporaryHome { home in
            #expect(await run("verify", "--home", home).status == 78)
            #expect(await run("host", "Kuh", "--home", home).status == 0)
            let outcome = await run("verify", "--home", home)
            #expect(outcome.status == 0)
            #expect(outcome.output.hasPrefix("All is well.\n"))
        }
    }
}
