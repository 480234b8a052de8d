import PotluckAPI
import TestSupport
import Testing

@testable import PotluckCommands

/// `potluck let-in`.
@Suite(.timeLimit(.minutes(1))) struct LetInCommandTests {
    /// Shows what is asked of the agent, what a person reads then, and the same for scripts.
    @Test func laptopsAreLetIn() async throws {
        let agent = FakeAgent()
        try await withAgent(agent) { home in
            let one = await run("let-in", "Ben", "--home", home)
            let words =
                "“Ben” (c2c2c2c2c2c2) is let in. It comes by itself once it meets a laptop that has heard of it.\n"
            #expect(one.status == 0 && one.output == words, "\(one)")
            let two = await run("let-in", "Ben", "3f9a41c277aa01de", "--home", home)
            #expect(
                two.output.hasPrefix("“Ben” (c2c2c2c2c2c2) and “3f9a41c277aa01de” (c2c2c2c2c2c2) are let in."), "\(two)"
            )
            let json = await run("let-in", "Ben", "--json", "--home", home)
            #expect(json.output == #"{"laptops":[{"id":"c2c2c2c2c2c2","name":"Ben"}]}"# + "\n", "\(json)")
            let refused = await run("let-in", "Carla", "--home", home)
            #expect(refused.status == 78 && refused.errors == "potluck: Only a host can: Anna, Grandma.\n")
        }
        #expect(agent.requests.contains(AnyHashable(LetInRequest(devices: ["Ben", "3f9a41c277aa01de"]))))
        #expect(await run("let-in").status == 64)
        #expect(await run("let-in", "Ben", "--home", "/nonexistent/h").status == 69)
    }
}
