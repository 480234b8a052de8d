import AlbumModel
import DiskIO
import PotluckAPI
import PotluckAgent

/// The homes of a person, looked at one after the other.
struct GatheringHomes {
    let console: Console
    let known: KnownHomes
    let standard: HomeLocation
    /// Where commands work that name no home.
    let current: HomeLocation

    /// - Parameter option: the value of --home, which is looked at as well.
    init(option: String?, console: Console) throws(PotluckError) {
        self.console = console
        known = try KnownHomes(directory: HomeLocation.dataDirectory(console.environment))
        standard = try HomeLocation(standard: console.environment)
        current = try HomeLocation(option: option, console: console)
    }

    /// The standard home only where there is a gathering in it.
    private var paths: [String] {
        var paths = HomeSetup.hasGathering(home: standard.path) ? [standard.path] : []
        for path in known.homes where !paths.contains(where: { FilePaths.isSame($0, path) }) { paths.append(path) }
        let isListed = paths.contains { FilePaths.isSame($0, current.path) }
        return isListed || !HomeSetup.hasGathering(home: current.path) ? paths : paths + [current.path]
    }

    func report() async -> GatheringsReport {
        var gatherings: [GatheringsReport.Gathering] = []
        for path in paths { gatherings.append(await look(at: path)) }
        return GatheringsReport(gatherings: gatherings)
    }

    func look(at path: String) async -> GatheringsReport.Gathering {
        var gathering = GatheringsReport.Gathering(home: path, chosen: FilePaths.isSame(path, current.path))
        guard HomeSetup.hasGathering(home: path) else {
            if PathPresence(of: path, followsLink: true) == .absent { gathering.state = .away }
            return gathering
        }
        do {
            let home = try HomeLocation(known: path, console.environment)
            let status = try await home.ask { try await $0.status(skipped: false, all: false) }
            gathering.state = status.agent == .running ? .running : try HomeSetup.hasLeft(home: path) ? .left : .stopped
            gathering.name = status.gathering.name
            gathering.device = status.device.name
            gathering.folder = status.folder
            (gathering.missing, gathering.atRisk) = (status.missing.photos, status.atRisk.photos)
        } catch {
            // One home that cannot be read, or that another command has, does not hide the others.
            return gathering
        }
        return gathering
    }

    /// A home that is listed, by the path that a person wrote, if there is no gathering in it now.
    func listedWithoutGathering(_ text: String) -> String? {
        let path = FilePaths.absolute(text, from: console.directory)
        return known.homes.contains(path) && !HomeSetup.hasGathering(home: path) ? path : nil
    }

    /// Where photos go of a home that is deleted: where people look for them.
    func keptPhotos(of home: String) throws(PotluckError) -> String {
        guard FilePaths.isSame(home, standard.path) else { return home + " kept photos" }
        return try FilePaths.personHome(console.environment) + "/Pictures/Potluck kept photos"
    }

    /// A home by the path that a person wrote, or by its gathering's name.
    ///
    /// - Parameter isSure: whether a name is refused while it may be that of a home as well that cannot be looked at.
    func find(_ text: String, isSure: Bool) async throws -> String {
        let path = FilePaths.absolute(text, from: console.directory)
        // Names may have slashes, too, but are hardly whole paths.
        if text.hasPrefix("/"), HomeSetup.hasGathering(home: path) { return path }
        let gatherings = await report().gatherings
        let key = AlbumName.key(text)
        let found = gatherings.filter { $0.name.map { AlbumName.key($0) } == key }.map(\.home)
        guard let first = found.first else {
            if HomeSetup.hasGathering(home: path) { return path }
            if text.hasPrefix("/") { throw HomeSetup.noGathering(home: path) }
            let close = CloseNames.find(text, among: gatherings.compactMap(\.name)).first
            let advice = close.map { " Did you mean “\($0)”?" } ?? ""
            throw PotluckError(
                .notFound,
                "No home is known of a gathering “\(text)”.\(advice) Name its home by its path, if it has one.")
        }
        guard found.count == 1 else {
            throw PotluckError(
                .usage, "Several gatherings are called “\(text)”: name the home, \(Phrases.list(found)).")
        }
        let unseen = gatherings.first { $0.state == .away || $0.state == .unreadable }
        if isSure, let unseen {
            throw PotluckError(
                .usage,
                "The home \(unseen.home) cannot be looked at now, and its gathering may be called “\(text)”, too. Name the home that you mean: \(first)."
            )
        }
        return first
    }
}
