import PotluckAPI
import PotluckAgent

/// The one way by which commands put a home into a gathering: the list of homes follows.
extension HomeLocation {
    func host(gathering: String, device: String?, console: Console) async throws(PotluckError) -> HostReport {
        let report = try await HomeSetup.host(home: path, gathering: gathering, device: device)
        remember(console)
        return report
    }

    func join(phrase: String, device: String?, console: Console) async throws(PotluckError) -> InviteReport {
        let report = try await HomeSetup.join(home: path, phrase: phrase, device: device)
        remember(console)
        return report
    }

    /// Notes that there is a gathering in a home that is not the standard one.
    func remember(_ console: Console) {
        do throws(PotluckError) {
            let standard = try HomeLocation(standard: console.environment)
            guard !FilePaths.isSame(path, standard.path) else { return }
            try KnownHomes.remember(path, in: Self.dataDirectory(console.environment))
        } catch {
            // The gathering is there all the same.
            console.warn(
                PrintableText.line(
                    "potluck: The home is not among those that `potluck gatherings` lists. \(error.message)") + "\n")
        }
    }
}
