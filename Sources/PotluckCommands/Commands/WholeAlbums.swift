import ArgumentParser
import PotluckAPI
import PotluckClient

/// Orders about whole albums: the agent is told of each photo, so that nothing happens to one that came since.
enum WholeAlbums {
    /// - Throws: `ValidationError` unless there is either an album or `--all`.
    static func validate(album: String?, all: Bool) throws {
        if all, album != nil { throw ValidationError("Name an album, or say --all, not both.") }
        if !all, album == nil { throw ValidationError("Name an album, or say --all.") }
    }

    /// - Throws: `ValidationError` unless there are either photos of an album or `--all`.
    static func validate(photos: [String], all: Bool) throws {
        if photos.isEmpty, !all { throw ValidationError("Name photos after the album, or say --all.") }
        if !photos.isEmpty, all { throw ValidationError("Name photos, or say --all, not both.") }
    }

    /// What was done of several albums, each by an order of its own.
    struct Outcome<Report> {
        var reports: [Report] = []
        /// Why the rest was not done; `nil` where all of it was.
        var failure: PotluckError?
    }

    /// Gives an order for one album after the other, until one fails.
    ///
    /// - Throws: What the first one failed with: nothing was done then.
    static func each<Album, Report>(
        _ albums: [Album], _ order: (Album) async throws -> Report
    ) async throws -> Outcome<Report> {
        var outcome = Outcome<Report>()
        for album in albums {
            do {
                outcome.reports.append(try await order(album))
            } catch {
                guard !outcome.reports.isEmpty else { throw error }
                let error = PotluckError(describing: error)
                let done = "\(Phrases.grouped(outcome.reports.count)) of \(Phrases.count(albums.count, "album"))"
                outcome.failure = PotluckError(error.status, "It ended after \(done): \(error.message)")
                break
            }
        }
        return outcome
    }

    /// - Parameter photos: Whole IDs, each with its album's.
    /// - Returns: What was done, an album after the other in the order in which they were given first.
    static func order(
        _ action: RemovalOrder.Action, _ photos: [(album: String, id: String)], _ client: AgentClient
    ) async throws -> Outcome<RemovalReport> {
        var albums: [String] = []
        var idsByAlbum: [String: [String]] = [:]
        for photo in photos {
            if idsByAlbum[photo.album] == nil { albums.append(photo.album) }
            idsByAlbum[photo.album, default: []].append(photo.id)
        }
        return try await each(albums) { album in
            try await client.ask(RemovalOrder(action, album: album, photos: idsByAlbum[album] ?? []))
        }
    }

    /// One report; of several albums it names none.
    static func whole(_ reports: [RemovalReport]) -> RemovalReport {
        guard reports.count != 1 else { return reports[0] }
        return RemovalReport(album: "", albumID: "", photos: reports.flatMap(\.photos))
    }

    static func text(_ reports: [RemovalReport]) -> String {
        reports.isEmpty ? RemovalListing.done(whole(reports)) : reports.map(RemovalListing.done).joined()
    }
}

extension PotluckSubcommand {
    /// Gives an order for each album, and prints what was done.
    ///
    /// - Parameter photos: Whole IDs, each with its album's.
    /// - Throws: ``PotluckError`` as well where only some albums' orders were done, after what was is printed.
    func order(
        _ action: RemovalOrder.Action, _ photos: [(album: String, id: String)], _ client: AgentClient
    ) async throws {
        let outcome = try await WholeAlbums.order(action, photos, client)
        try show(WholeAlbums.whole(outcome.reports)) { WholeAlbums.text(outcome.reports) }
        if let failure = outcome.failure { throw failure }
    }
}
