import PotluckAPI
import TestSupport
import Testing

@testable import PotluckCommands

/// `potluck hosts`, and what `potluck host` and `potluck peers` say of hosts.
@Suite(.timeLimit(.minutes(1))) struct HostsCommandTests {
    /// Shows the list by rank, and the same for scripts.
    @Test func hostsAreListed() async throws {
        try await withAgent(FakeAgent()) { home in
            let text = await run("hosts", "--home", home)
            #expect(
                text.output == """
                    Rank  Host                    ID
                       1  Grand\u{FFFD}ma (this laptop)  c0c0c0c0
                       2  (no name yet)           c1c1c1c1

                    Turned away          ID                Why
                    Ben                  c2c2c2c2c2c2c2c2  put out
                    (never met)          c8c8c8c8c8c8c8c8  has an earlier phrase
                    calls itself “Anna”  c9c9c9c9c9c9c9c9  has an earlier phrase
                    `potluck let-in ID` lets one in.

                    This laptop's ID is c0c0c0c0c0c0c0c0.

                    """)
            let json = await run("hosts", "--json", "--home", home)
            #expect(json.output.hasPrefix(#"{"founding":"known","hosts":[{"id":"c0c0c0c0c0","name":"#))
        }
    }

    /// Shows what is said of a laptop that becomes a host, of one that is one, and who is asked where this one may not.
    @Test func hostsAreNamed() async throws {
        let agent = FakeAgent()
        try await withAgent(agent) { home in
            let new = await run("hosts", "--add", "Ben", "--home", home)
            #expect(new.output == "“Ben” is a host now. Laptops that are away hear of it when they are back.\n")
            let old = await run("hosts", "--add", "Anna", "--home", home)
            #expect(old.output == "“Anna” is a host already.\n")
            let refused = await run("hosts", "--add", "Carla", "--home", home)
            #expect(refused.status == 78 && refused.output.isEmpty)
            #expect(refused.errors == "potluck: Only a host can: Anna, Grandma.\n")
        }
        let asked = ["Ben", "Anna", "Carla"].map { AnyHashable(AddHostRequest(device: $0)) }
        #expect(agent.requests == asked)
        #expect(await run("hosts", "--add", "Ben", "--home", "/nonexistent/h").status == 69)
    }

    /// Shows what a person reads whose laptop changes the phrase, that it is asked before, and the same for scripts.
    @Test func thePhraseIsChanged() async throws {
        let agent = FakeAgent()
        try await withAgent(agent) { home in
            let unasked = await run("new-phrase", "--home", home)
            #expect(unasked.status == 64 && unasked.errors.contains("--yes"))
            #expect(agent.requests.isEmpty)
            let changed = await run("new-phrase", "--yes", "--home", home)
            let head =
                "New phrase: lusab-babad-gutih-tugad-kabok\n2 of 3 laptops have it; the others get it when they are back.\n"
            #expect(changed.output.hasPrefix(head), "\(changed)")
            let json = await run("new-phrase", "--yes", "--json", "--home", home)
            #expect(json.output.contains(#""have":2"#) && json.output.contains(#""laptops":3"#))
        }
        #expect(agent.requests == [AnyHashable(NewPhraseRequest()), AnyHashable(NewPhraseRequest())])
    }

    /// Shows how it is said who has a phrase, of one laptop, of two and of more.
    @Test func whoHasAPhraseIsSaid() {
        func said(_ have: Int, of laptops: Int) -> String {
            InviteText.spread(.init(since: nil, have: have, laptops: laptops))
        }
        #expect(said(1, of: 1) == "No other laptop takes part yet.")
        #expect(said(2, of: 2) == "Both laptops have it.")
        #expect(said(3, of: 3) == "All 3 laptops have it.")
        #expect(said(1, of: 2) == "1 of 2 laptops have it; the others get it when they are back.")
    }

    /// Shows that a phrase that is typed while the agent runs is handed to it.
    @Test func theAgentTakesANewPhrase() async throws {
        let agent = FakeAgent()
        try await withAgent(agent) { home in
            let made = await run("host", "Kuh reunion", "--json", "--home", home)
            #expect(made.status == 0)
            let phrase = "lusab-babad-gutih-tugad-kabok"
            let joined = await run("join", phrase, "--again", "--home", home)
            #expect(joined.status == 0, "\(joined)")
        }
        #expect(agent.requests == [AnyHashable(JoinAgainRequest(phrase: "lusab-babad-gutih-tugad-kabok", again: true))])
    }

    /// Shows a gathering from its start, without an agent: `host` tells the recovery code, once, and this laptop is the
    /// first host; a laptop that joined knows none yet.
    @Test func theFounderIsTheFirstHost() async throws {
        try await withTemporaryHome { first in
            let hosted = await run("host", "Kuh reunion", "--as", "Grandma", "--json", "--home", first)
            let report = try ReportJSON.value(HostReport.self, from: .init(hosted.output.utf8))
            #expect(report.recoveryCode.split(separator: "-").count == 9)
            let invite = await run("invite", "--home", first)
            #expect(invite.status == 0 && !invite.output.contains(report.recoveryCode))
            let hosts = await run("hosts", "--home", first)
            #expect(hosts.output.contains("1  Grandma (this laptop)"), "\(hosts)")
            try await withTemporaryHome { second in
                #expect(await run("join", report.phrase, "--as", "Ben", "--home", second).status == 0)
                let hosts = await run("hosts", "--home", second)
                #expect(hosts.output.hasPrefix("This laptop does not know the hosts yet"), "\(hosts)")
            }
        }
    }

    /// Shows what a person reads who starts a gathering: the code stands by itself, and what it is good for.
    @Test func theCodeIsExplained() {
        let text = InviteText.text(Sample.hostReport, code: nil)
        #expect(text.hasPrefix("“Kuh reunion” is open."))
        #expect(
            text.contains(
                "\nRecovery code, for paper:\n\n    sogan-sorar-sugat-suraz-tagid-tarig-tigij-tiril-gigud\n\n"))
        #expect(text.contains("kept nowhere") && text.hasSuffix("`potluck put-out DEVICE --recovery`.\n"))
    }

    /// Shows that a phrase that lets nobody in, as others say, is not shown as an invite, neither when asked for nor when it
    /// was typed again.
    @Test(arguments: [InviteText.Qualifier.shown, .joined])
    func aPhraseOfNoUseIsNoInvite(_ qualifier: InviteText.Qualifier) {
        var report = Sample.invite
        #expect(InviteText.text(report, qualifier, code: "█").contains("potluck join \(report.phrase)"))
        report.problem = "Another laptop says that this one was put out of the gathering."
        let text = InviteText.text(report, qualifier, code: "█")
        #expect(text.hasPrefix("Another laptop says that this one was put out of the gathering.\n"), "\(text)")
        #expect(!text.contains("potluck join") && !text.contains("potluck up") && !text.contains("█"), "\(text)")
    }

    /// Shows the column for hosts, which is there only where they are known.
    @Test func peersTellWhoIsHost() {
        let known = Listing.peers(Sample.peers, now: Sample.instant, cellCount: nil)
        #expect(known.split(separator: "\n").map { $0.contains("yes") } == [false, true, false])
        #expect(known.contains("Host"))
        var peers = Sample.peers
        for index in peers.peers.indices { peers.peers[index].isHost = nil }
        #expect(!Listing.peers(peers, now: Sample.instant, cellCount: nil).contains("Host"))
    }
}
