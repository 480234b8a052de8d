import ArgumentParser
import PotluckAPI
import PotluckClient

/// Orders about all photos of albums: the agent is told of each photo, so that nothing happens to one that came since.
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

    /// Gives one order for each album.
    ///
    /// - Parameter photos: whole IDs, each with its album's.
    /// - Returns: what was done, an album after the other in the order in which they were given first.
    static func order(
        _ action: RemovalOrder.Action, _ photos: [(album: String, id: String)], _ client: AgentClient
    ) async throws -> [RemovalReport] {
        var albums: [String] = []
        var idsByAlbum: [String: [String]] = [:]
        for photo in photos {
            if idsByAlbum[photo.album] == nil { albums.append(photo.album) }
            idsByAlbum[photo.album, default: []].append(photo.id)
        }
        var reports: [RemovalReport] = []
        for album in albums {
            let order = RemovalOrder(action, album: album, photos: idsByAlbum[album] ?? [])
            reports.append(try await client.ask(order))
        }
        return reports
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
