import PotluckAPI
import PotluckAgent
import PotluckClient

/// The one way by which commands put a home into a gathering: the list of homes follows.
extension HomeLocation {
    func host(gathering: String, device: String?, console: Console) async throws(PotluckError) -> HostReport {
        let report = try await HomeSetup.host(home: path, gathering: gathering, device: device)
        remember(console)
        return report
    }

    /// - Parameter again: the phrase is the new one of the gathering that the home is in.
    func join(
        phrase: String, device: String?, again: Bool = false, console: Console
    ) async throws(PotluckError) -> InviteReport {
        let report = try await enter(phrase: phrase, device: device, again: again)
        remember(console)
        return report
    }

    /// Asks the agent that runs in the home; without one, changes the home itself.
    private func enter(phrase: String, device: String?, again: Bool) async throws(PotluckError) -> InviteReport {
        if HomeSetup.hasGathering(home: path) {
            do {
                return try await AgentClient(home: path).ask(JoinAgainRequest(phrase: phrase, again: again))
            } catch let error {
                let error = PotluckError(describing: error)
                guard error.status == .notRunning else { throw error }
            }
        }
        return try await HomeSetup.join(home: path, phrase: phrase, device: device, again: again)
    }

    /// Notes that there is a gathering in a home that is not the standard one.
    func remember(_ console: Console) {
        do throws(PotluckError) {
            let standard = try HomeLocation(standard: console.environment)
            guard !FilePaths.isSame(path, standard.path) else { return }
            try KnownHomes.remember(path, in: Self.dataDirectory(console.environment))
        } catch {
            // The gathering is there all the same.
            console.notice("The home is not among those that `potluck gatherings` lists. \(error.message)")
        }
    }
}
