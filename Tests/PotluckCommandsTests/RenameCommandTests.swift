import PotluckAPI
import Testing

@testable import PotluckCommands

/// What this laptop is called.
@Suite(.timeLimit(.minutes(1))) struct RenameCommandTests {
    /// Shows that one name is this laptop's, and that an album that is named alone is not taken for one.
    @Test func theAgentIsTold() async throws {
        let agent = FakeAgent()
        try await withAgent(agent) { home in
            let renamed = await run("rename", "Oma", "--home", home)
            #expect(renamed.status == 0, "\(renamed.errors)")
            #expect(renamed.output == "This laptop is called “Oma” now, no longer “Grandma”, on every laptop.\n")
            #expect(agent.requests == [DeviceNameRequest(device: "Oma")])
            let taken = await run("rename", "anna", "--home", home)
            #expect(
                taken.output.hasSuffix(
                    "Another laptop is called so, too: nobody can tell the two apart by their names.\n"))
            let album = await run("rename", "BEACH\u{1B}[31m DAY", "--home", home)
            #expect(album.status == 64 && album.errors.contains("is an album"))
            #expect(agent.requests.count == 2)
            let meant = await run("rename", "BEACH\u{1B}[31m DAY", "--laptop", "--home", home)
            #expect(meant.status == 0 && agent.requests.count == 3)
        }
    }

    /// Shows that a laptop is renamed without an agent as well, and listed so at once.
    @Test func homesAreRenamed() async throws {
        try await withTemporaryHome { home in
            #expect(await run("rename", "Oma", "--home", home).status == 78)
            #expect(await run("host", "Kuh reunion", "--as", "Grandma", "--home", home).status == 0)
            let renamed = await run("rename", " Oma ", "--home", home, "--json")
            #expect(renamed.output == #"{"device":"Oma","former_name":"Grandma","taken":false,"told":false}"# + "\n")
            #expect(await run("status", "--home", home).output.hasPrefix("Oma in “Kuh reunion”"))
            let long = await run("rename", String(repeating: "x", count: 2000), "--home", home)
            #expect(long.status == 64)
            let again = await run("rename", "Grandma", "--home", home)
            #expect(again.output.contains("the others learn it later"))
            // The name that it has is no news.
            let same = await run("rename", "Grandma", "--home", home)
            #expect(same.status == 0 && same.output == "This laptop is called “Grandma” already.\n")
        }
    }
}
