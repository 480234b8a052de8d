import AlbumModel
import PeerTransport
import PotluckAPI
import SyncEngine

/// The phrase, its change, and who is put out by it.
extension AgentControl {
    func newPhrase() async throws -> InviteReport {
        try await builder().checkIsHost()
        var random = SystemRandomNumberGenerator()
        try await services.contributions.beginEpoch(Seed(drawnFrom: &random))
        return try await inviteReport()
    }

    func putOutPlan(_ devices: [String], recoveryCode: String?) async throws -> PutOutPlan {
        let builder = await builder()
        return try builder.putOutPlan(devices, try builder.recovery(recoveryCode))
    }

    func putOut(_ devices: [String], recoveryCode: String?) async throws -> InviteReport {
        let builder = await builder()
        let recovery = try builder.recovery(recoveryCode)
        let chosen = try builder.devicesToPutOut(devices, recovery)
        var random = SystemRandomNumberGenerator()
        // First, since the agent begins anew after the other. Whoever goes may know the links.
        do {
            try await raiseGuestEpoch()
        } catch {
            let error = PotluckError(describing: error)
            throw PotluckError(error.status, "Nobody was put out; say it again. \(error.message)")
        }
        do {
            try await services.contributions.beginEpoch(
                Seed(drawnFrom: &random), puttingOut: chosen, recovery: recovery)
        } catch {
            let error = PotluckError(describing: error)
            throw PotluckError(
                error.status,
                "Nobody may have been put out; look with `potluck peers`, and say it again. Guests' links have ended. \(error.message)"
            )
        }
        return try await inviteReport()
    }

    func letIn(_ texts: [String], recoveryCode: String?) async throws -> LetInReport {
        let builder = await builder()
        let recovery = try builder.recovery(recoveryCode)
        let devices = try builder.devicesToLetIn(texts, outsiders: services.admissions.outsiders, recovery)
        try await services.contributions.letIn(devices, recovery: recovery)
        return LetInReport(laptops: devices.map { builder.laptop($0) })
    }

    func join(phrase text: String, again: Bool) async throws -> InviteReport {
        let phrase = try HomeSetup.invitePhrase(text)
        let admissions = services.admissions
        if admissions.trouble == .out, !again {
            throw PotluckError(.badSetting, PhraseNews.out.sentence(of: await knowledge.device))
        }
        let isMeant = again || admissions.isPhraseDoubted
        let facts = try await parts.commitPool.perform { [phrases = admissions.phrases] in
            try phrases.facts(typing: phrase, isMeant: isMeant)
        }
        if !facts.isEmpty { try await admissions.setJoining(facts) }
        return try await inviteReportWithNews()
    }

    /// With the newest phrase that is known here.
    func inviteReport() async throws -> InviteReport {
        let gathering = await builder().gatheringName
        let phrase = try await parts.commitPool.perform { [phrases = services.admissions.phrases] in
            try phrases.newest()
        }
        return InviteReport(gathering: gathering, phrase: phrase.text, link: phrase.link)
    }

    /// The same with what other laptops say of the phrase.
    func inviteReportWithNews() async throws -> InviteReport {
        var report = try await inviteReport()
        report.problem = services.admissions.newsSentence
        return report
    }
}
