import AlbumModel
import FoundationEssentials
import PeerTransport
import PhotoStore
import PotluckAPI
import SyncEngine
import TestSupport
import Testing

@testable import PotluckAgent

/// A phrase that is changed: what homes keep of it, and how laptops that were away come to have it.
@Suite(.timeLimit(.minutes(2))) struct NewPhraseTests {
    /// A host changes the phrase: `invite` shows the new one, with and without an agent, a backup has it, and the home still
    /// knows the first; whoever is no host is refused.
    @Test func aHostChangesThePhrase() async throws {
        try await CarriedGathering.with { gathering in
            let old = try await HomeSetup.invite(home: gathering.anna.path).phrase
            try await RunningAgent.run(gathering.anna.path) { running in
                let control = running.control()
                let before = try await control.hosts()
                let report = try await control.newPhrase()
                let invite = try await control.invite()
                #expect(before.phrase == nil && report.phrase != old && report.gathering == "Kuh reunion")
                #expect(invite == report)
                // It goes on with the first phrase's keys until it has begun anew.
                #expect(running.services.admissions.isBeginningAnew)
            }
            let new = try await HomeSetup.invite(home: gathering.anna.path).phrase
            let phrases = try phrases(gathering.anna)
            #expect(new != old && phrases.epochs.count == 2 && phrases.entry.phrase.text == old && !phrases.isBehind)
            let newest = try phrases.newest()
            let secrets = try GatheringSecrets(newest)
            #expect(newest.text == new && secrets == phrases.keyring.newest.secrets)
            #expect(phrases.keyring.epochs.last?.secrets == phrases.entry.secrets)
            try await RunningAgent.run(gathering.anna.path) { running in
                #expect(!running.services.admissions.isBeginningAnew)
                let phrase = try #require(await running.control().hosts().phrase)
                #expect(phrase.have == 1 && phrase.laptops == 1)
            }
            let backup = gathering.root + "/backup"
            _ = try await Backup.make(home: gathering.anna.path, directory: backup, check: false) { _ in }
            let restored = gathering.root + "/restored"
            _ = try await Restore.run(directory: backup, home: restored) { _ in }
            let kept = try await HomeSetup.invite(home: restored)
            #expect(kept.phrase == new)

            try await RunningAgent.run(gathering.ben.path) { running in
                await #expect(throws: PotluckError.self) { _ = try await running.control().newPhrase() }
            }
        }
    }

    /// Ben was away: one connection gives him the rulings and the new phrase, and he is to begin anew. A newcomer with the
    /// old phrase is told that it has changed; one with the new phrase is let in.
    @Test func laptopsThatWereAwayCatchUp() async throws {
        try await CarriedGathering.with { gathering in
            try gathering.ben.add(["sea"], to: "Beach")
            try await gathering.ben.pack()
            _ = try await gathering.anna.unpack()
            let old = try await HomeSetup.invite(home: gathering.anna.path).phrase
            try await RunningAgent.run(gathering.anna.path) { running in
                _ = try await running.control().newPhrase()
            }
            let new = try await HomeSetup.invite(home: gathering.anna.path).phrase
            let stranger = try await home("mallory", joining: old, in: gathering)
            let newcomer = try await home("carla", joining: new, in: gathering)
            try await RunningAgent.run(gathering.anna.path) { anna in
                let port = try await anna.parts.transport.listen(host: "127.0.0.1", port: 0)
                let address = PeerAddress(host: "127.0.0.1", port: port)
                for home in [gathering.ben.path, newcomer] {
                    try await RunningAgent.run(home) { other in
                        let connection = try await connect(other, to: anna, at: address)
                        #expect(connection.purpose == .catchUp)
                        try await eventually("\(home) has the new phrase") {
                            let phrases = other.services.admissions.phrases
                            return .when(
                                phrases.epochs.count == 2 && !phrases.isBehind, "\(phrases.keyring.epochs.count)")
                        }
                        try await eventually("it is to begin anew") {
                            .when(other.services.admissions.isBeginningAnew, "it goes on")
                        }
                    }
                    let invite = try await HomeSetup.invite(home: home)
                    #expect(invite.phrase == new)
                    try await RunningAgent.run(home) { other in
                        let connection = try await connect(other, to: anna, at: address)
                        #expect(connection.purpose == .link)
                    }
                }
                try await RunningAgent.run(stranger) { other in
                    await #expect(throws: DialError.toldChanged) {
                        _ = try await other.parts.transport.dial([address], expecting: nil)
                    }
                    await other.services.admissions.note(.changed)
                    let status = try await other.control().status(skipped: false, all: false)
                    let isTold = status.problems.contains { $0.contains("the phrase has changed") }
                    #expect(status.phrase == .changed && isTold)
                    #expect(other.services.admissions.phrases.founding == nil)
                    // From here on the person need not say that it is this gathering's.
                    _ = try await other.control().join(phrase: new, again: false)
                    #expect(other.services.admissions.isBeginningAnew)
                }
                try await RunningAgent.run(stranger) { other in
                    let connection = try await connect(other, to: anna, at: address)
                    #expect(connection.purpose == .catchUp)
                    try await eventually("it has the new phrase") {
                        let phrases = other.services.admissions.phrases
                        return .when(phrases.joining == nil && phrases.epochs.count == 2, "\(phrases.epochs.count)")
                    }
                }
                let replica = try Journal(home: stranger).identity(.replica)
                #expect(replica == nil)
            }
        }
    }

    /// Another phrase than the home's is taken only where somebody says that it is the gathering's new one; it is shown from
    /// then on. One that turns out to be another gathering's is forgotten, and nothing else.
    @Test func aPhraseIsTypedLater() async throws {
        try await CarriedGathering.with { gathering in
            let other = "\(gathering.root)/other"
            let theirs = try await HomeSetup.host(home: other, gathering: "Regatta", device: "Dora").phrase
            let path = gathering.anna.path
            await #expect(throws: HomeSetup.otherGatheringError) {
                _ = try await HomeSetup.join(home: path, phrase: theirs, device: nil)
            }
            let old = try await HomeSetup.invite(home: path).phrase
            let joined = try await HomeSetup.join(home: path, phrase: theirs, device: nil, again: true)
            let shown = try await HomeSetup.invite(home: path)
            let typed = try phrases(gathering.anna)
            #expect(joined.phrase == theirs && shown.phrase == theirs && typed.keyring.newest.ruling == nil)
            // The same again is fine.
            _ = try await HomeSetup.join(home: path, phrase: theirs, device: nil)
            try await RunningAgent.run(other) { dora in
                let port = try await dora.parts.transport.listen(host: "127.0.0.1", port: 0)
                try await RunningAgent.run(path) { anna in
                    let connection = try await connect(anna, to: dora, at: PeerAddress(host: "127.0.0.1", port: port))
                    #expect(connection.purpose == .catchUp && connection.epoch == nil)
                    try await eventually("the phrase is forgotten") {
                        .when(anna.services.admissions.phrases.joining == nil, "it is there")
                    }
                    try await eventually("it is told") {
                        let problems = anna.services.problems.all
                        return .when(problems.contains { $0.contains("another gathering") }, "\(problems)")
                    }
                }
            }
            let again = try await HomeSetup.invite(home: path)
            let left = try phrases(gathering.anna)
            #expect(again.phrase == old && left.epochs.count == 1)
        }
    }

    /// A phrase that was typed wrongly goes once the person says which one the home has, with an agent and without.
    @Test func aTypedPhraseIsTakenBack() async throws {
        try await CarriedGathering.with { gathering in
            let path = gathering.anna.path
            let old = try await HomeSetup.invite(home: path).phrase
            let wrong = try await HomeSetup.host(home: "\(gathering.root)/o", gathering: "O", device: "O").phrase
            _ = try await HomeSetup.join(home: path, phrase: wrong, device: nil, again: true)
            let back = try await HomeSetup.join(home: path, phrase: old, device: nil)
            let left = try phrases(gathering.anna)
            #expect(back.phrase == old && left.joining == nil && left.pending.isEmpty)
            try await RunningAgent.run(path) { anna in
                let typed = try await anna.control().join(phrase: wrong, again: true)
                #expect(typed.phrase == wrong && anna.services.admissions.phrases.joining != nil)
                let back = try await anna.control().join(phrase: old, again: false)
                #expect(back.phrase == old && anna.services.admissions.phrases.joining == nil)
                _ = try await anna.control().newPhrase()
            }
            // By each that it has, also by one that nobody typed here; what invites is shown.
            let new = try await HomeSetup.invite(home: path).phrase
            for known in [new, old] {
                _ = try await HomeSetup.join(home: path, phrase: wrong, device: nil, again: true)
                let back = try await HomeSetup.join(home: path, phrase: known, device: nil)
                let left = try phrases(gathering.anna).joining
                #expect(back.phrase == new && left == nil)
            }
        }
    }

    /// What others say of the phrase outlives the run to which they said it, and ends with the first link.
    @Test func newsOfThePhraseIsKept() async throws {
        try await CarriedGathering.with { gathering in
            try await RunningAgent.run(gathering.anna.path) { anna in
                await anna.services.admissions.note(.changed)
                try await eventually("it is kept") {
                    .when(try anna.parts.journal.identity(.phraseNews) != nil, "it is not")
                }
            }
            try await RunningAgent.run(gathering.anna.path) { anna in
                let problems = anna.services.problems.all
                #expect(anna.services.admissions.isPhraseDoubted && problems.contains { $0.contains("has changed") })
                anna.services.admissions.noteLinked()
                #expect(!anna.services.admissions.isPhraseDoubted)
                try await eventually("it is forgotten") {
                    let kept = try anna.parts.journal.identity(.phraseNews)
                    return .when(kept == nil, "\(kept ?? [])")
                }
            }
        }
    }

    /// Shows that the phrase of a laptop that was put out, as others say, is not shown as if it were good, with an agent
    /// and without, nor where it is typed once more; and that it is good again once a laptop is linked, or another phrase
    /// was typed.
    @Test func thePhraseOfWhoIsOutIsNotCalledGood() async throws {
        try await CarriedGathering.with { gathering in
            let path = gathering.anna.path
            let other = try await HomeSetup.host(home: "\(gathering.root)/o", gathering: "O", device: "O").phrase
            try await RunningAgent.run(path) { anna in
                let before = try await anna.control().invite()
                #expect(before.problem == nil)
                await anna.services.admissions.note(.out)
                let told = try await anna.control().invite()
                #expect(told.problem?.contains("was put out") == true, "\(told)")
                let same = try await anna.control().join(phrase: before.phrase, again: true)
                #expect(same == told)
                try await eventually("it is kept") {
                    .when(try anna.parts.journal.identity(.phraseNews) != nil, "it is not")
                }
            }
            let kept = try await HomeSetup.invite(home: path)
            #expect(kept.problem?.contains("was put out") == true, "\(kept)")
            try await RunningAgent.run(path) { anna in
                let again = try await anna.control().invite()
                #expect(again.problem != nil)
                anna.services.admissions.noteLinked()
                let linked = try await anna.control().invite()
                #expect(linked.problem == nil)
                await anna.services.admissions.note(.out)
                _ = try await anna.control().join(phrase: other, again: true)
                let typed = try await anna.control().invite()
                #expect(typed.phrase == other && typed.problem == nil, "\(typed)")
            }
        }
    }

    /// Shows that what others said of a phrase is not said of the next one, which a host chose since: it invites, though no
    /// laptop has been linked.
    @Test func aNewPhraseIsNotDoubtedForTheOldOne() async throws {
        try await CarriedGathering.with { gathering in
            let path = gathering.anna.path
            try await RunningAgent.run(path) { anna in
                await anna.services.admissions.note(.changed)
                let doubted = try await anna.control().invite()
                #expect(doubted.problem != nil)
                try await eventually("it is kept") {
                    .when(try anna.parts.journal.identity(.phraseNews) != nil, "it is not")
                }
                let new = try await anna.control().newPhrase()
                let invite = try await anna.control().invite()
                #expect(invite == new && anna.services.admissions.trouble == nil, "\(invite)")
                try await eventually("it is forgotten") {
                    .when(try anna.parts.journal.identity(.phraseNews) == nil, "it is not")
                }
            }
            let kept = try await HomeSetup.invite(home: path)
            #expect(kept.problem == nil, "\(kept)")
        }
    }

    // MARK: Helpers

    private func phrases(_ home: CarriedHome) throws -> HeldPhrases {
        try #require(try Membership.load(try Journal(home: home.path))).phrases
    }

    private func home(_ name: String, joining phrase: String, in gathering: CarriedGathering) async throws -> String {
        let home = "\(gathering.root)/\(name)"
        _ = try await HomeSetup.join(home: home, phrase: phrase, device: name)
        return home
    }

    /// - Returns: the dialler's end.
    private func connect(
        _ dialler: RunningAgent, to acceptor: RunningAgent, at address: PeerAddress
    ) async throws -> PeerConnection {
        let dialled = try await dialler.parts.transport.dial([address], expecting: nil)
        var inbound = acceptor.parts.transport.inbound.makeAsyncIterator()
        let accepted = try #require(await inbound.next(isolation: nil))
        await acceptor.services.network.connected(accepted, key: nil)
        await dialler.services.network.connected(dialled, key: nil)
        return dialled
    }
}
