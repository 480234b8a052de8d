import AlbumModel
import PeerTransport
import PotluckAPI
import SyncEngine

/// The phrase, and its change.
extension AgentControl {
    func newPhrase() async throws -> InviteReport {
        try await builder().checkIsHost()
        var random = SystemRandomNumberGenerator()
        try await services.contributions.beginEpoch(Seed(drawnFrom: &random))
        return try await inviteReport()
    }

    func join(phrase text: String, again: Bool) async throws -> InviteReport {
        let phrase = try HomeSetup.invitePhrase(text)
        let admissions = services.admissions
        let isMeant = again || admissions.isPhraseDoubted
        let facts = try await parts.commitPool.perform { [phrases = admissions.phrases] in
            try phrases.facts(typing: phrase, isMeant: isMeant)
        }
        if !facts.isEmpty { try await admissions.setJoining(facts) }
        return try await inviteReport()
    }

    /// With the newest phrase that is known here.
    func inviteReport() async throws -> InviteReport {
        let gathering = await builder().gatheringName
        let phrase = try await parts.commitPool.perform { [phrases = services.admissions.phrases] in
            try phrases.newest()
        }
        return InviteReport(gathering: gathering, phrase: phrase.text, link: phrase.link)
    }
}
