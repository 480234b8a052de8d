import FoundationEssentials
import PotluckAPI
import PotluckAgent
import Testing

@testable import PotluckCommands

/// Starting and entering a gathering, with real homes and no agent.
@Suite(.timeLimit(.minutes(1))) struct GatheringTests {
    /// Shows a gathering from its start: its phrase enters it in any spelling, again too, and neither `host` nor another
    /// phrase changes a home that has one.
    @Test func aPhraseEntersAGathering() async throws {
        try await withTemporaryHome { first in
            let hosted = await run("host", "Kuh reunion", "--as", "Grandma", "--json", "--home", first)
            #expect(hosted.status == 0, "\(hosted.errors)")
            let invite = try report(InviteReport.self, hosted)
            #expect(invite.gathering == "Kuh reunion")
            #expect(invite.link == "potluck://join/\(invite.phrase)")
            #expect(try report(InviteReport.self, await run("invite", "--json", "--home", first)) == invite)
            #expect(await run("host", "Another", "--home", first).status == 78)

            try await withTemporaryHome { second in
                let loud = invite.phrase.uppercased().replacing("-", with: " ")
                for spelling in [loud, invite.link, invite.phrase] {
                    let joined = await run("join", spelling, "--as", "Ben", "--json", "--home", second)
                    #expect(joined.status == 0, "\(joined.errors)")
                    #expect(try report(InviteReport.self, joined).phrase == invite.phrase)
                }
                let other = try report(
                    InviteReport.self, await run("host", "Other", "--json", "--home", second + "/other"))
                let refused = await run("join", other.phrase, "--json", "--home", second)
                #expect(refused.status == 78)
                #expect(refused.output.isEmpty)
            }
        }
    }

    /// Shows that a mistyped phrase is wrong usage that leaves no gathering behind.
    @Test func aMistypedPhraseIsTold() async throws {
        try await withTemporaryHome { home in
            let mistyped = await run("join", "lusab-babad-gutih-tugad-lusab", "--home", home)
            #expect(mistyped.status == 64)
            #expect(mistyped.output.isEmpty)
            #expect(await run("albums", "--home", home).status == 78)
        }
    }

    /// Shows that listings work without an agent, and what waiting needs.
    @Test func listingsWorkWithoutAnAgent() async throws {
        try await withTemporaryHome { home in
            #expect(await run("host", "Kuh reunion", "--as", "Grandma", "--home", home).status == 0)
            let status = try report(StatusReport.self, await run("status", "--json", "--home", home))
            #expect(status.agent == .stopped)
            #expect(status.device.name == "Grandma")
            #expect(status.gathering.name == "Kuh reunion")
            #expect(status.rate == nil)
            #expect(await run("albums", "--json", "--home", home).output == #"{"albums":[]}"# + "\n")
            #expect(await run("peers", "--json", "--home", home).output == #"{"peers":[]}"# + "\n")
            #expect(await run("photos", "Beach day", "--home", home).status == 66)
            let waiting = await run("status", "--wait", "--home", home)
            #expect(waiting.status == 69 && waiting.output.isEmpty)
            #expect(waiting.errors.contains("`potluck up`"))
        }
    }

    /// Shows that a second agent of a home says at once that one runs.
    @Test func aSecondAgentIsRefused() async throws {
        try await withAgent(FakeAgent()) { home in
            #expect(await run("host", "Kuh reunion", "--home", home).status == 0)
            let second = await run("up", "--home", home)
            #expect(second.status == 75 && second.output.isEmpty)
            #expect(second.errors.contains("is up already") && second.errors.contains("`potluck down`"))
        }
    }

    /// Shows that no agent begins that would wait for its folder in vain.
    @Test func aFolderThatCannotBeUsedIsRefused() async throws {
        try await withTemporaryHome { home in
            #expect(await run("host", "Kuh reunion", "--home", home).status == 0)
            let refused = await run("up", "--home", home, "--folder", home + "/none/Photos")
            #expect(refused.status == 78 && refused.output.isEmpty)
            #expect(refused.errors.contains("there is no directory \(home)/none"))
        }
    }

    private func report<Report: Decodable>(_ type: Report.Type, _ outcome: Outcome) throws -> Report {
        try JSONDecoder().decode(type, from: Data(outcome.output.utf8))
    }
}
