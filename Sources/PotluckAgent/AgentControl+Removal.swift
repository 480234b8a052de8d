import AlbumModel
import PhotoStore
import PotluckAPI
import SharedFolder
import SyncEngine

/// Photos that are taken from albums, hidden, or brought back.
extension AgentControl {
    func trash(album: String?) async throws -> TrashReport {
        await services.removal.isSettled()
        return try await builder().trash(
            album: album, removedPhotos: services.removal.removedPhotos,
            runningSeconds: services.removal.running.seconds,
            days: trashDays)
    }

    func hidden(album: String?) async throws -> HiddenReport {
        try await builder().hidden(album: album, removedPhotos: services.removal.removedPhotos)
    }

    func leftOut(album: String?) async throws -> LeftOutReport { try await builder().leftOut(album: album) }

    func remove(_ order: RemovalOrder) async throws -> RemovalReport {
        let builder = await builder()
        let album = try builder.album(order.album, order.action.scope)
        do {
            switch order.action {
            case .remove: return try await remove(order.photos, from: album, builder)
            case .removeForEveryone: return try await removeForEveryone(order.photos, from: album, builder)
            case .restore: return try await restore(order.photos, to: album, builder)
            case .unhide: return try await unhide(order.photos, in: album, builder)
            case .keep: return try await keep(order.photos, of: album, builder)
            }
        } catch let error as PotluckError where error.status == .tryAgain {
            // Unlike a photo in the folder, nobody finds it at the next start.
            throw PotluckError(.tryAgain, "That was not done; say it again when the agent runs.")
        }
    }

    /// What makes up one moment leaves together: a photo with its raw file and its film.
    ///
    /// - Returns: all of its files, and how they are counted.
    func moments(
        _ photos: [String], in album: AlbumID, _ builder: ReportBuilder
    ) async throws -> (keys: [PhotoKey], counter: MomentCounter) {
        let named = try builder.find(photos, in: album)
        let entries = try await builder.entries(of: named, in: album)
        let keys = Set(entries.flatMap(\.blobs)).union(named).sorted().map { PhotoKey(album: album, blob: $0) }
        return (keys, MomentCounter(of: entries))
    }

    private func remove(
        _ photos: [String], from album: AlbumID, _ builder: ReportBuilder
    ) async throws -> RemovalReport {
        let (keys, counter) = try await moments(photos, in: album, builder)
        let verdicts = try await services.removal.remove(keys)
        let outcomes = keys.map { key -> (PhotoKey, RemovalReport.Outcome) in
            (key, verdicts[key]?.hides == true ? .hidden : .removed)
        }
        return report(outcomes, album, builder, counter)
    }

    private func removeForEveryone(
        _ photos: [String], from album: AlbumID, _ builder: ReportBuilder
    ) async throws -> RemovalReport {
        let (keys, counter) = try await moments(photos, in: album, builder)
        try await services.contributions.contribute(all: keys.map { .photoRemoval($0.album, $0.blob) })
        return report(keys.map { ($0, .removed) }, album, builder, counter)
    }

    private func unhide(
        _ photos: [String], in album: AlbumID, _ builder: ReportBuilder
    ) async throws -> RemovalReport {
        let hidden = services.removal.removedPhotos.hidden.keys
        let blobs = try builder.lookup(hidden, in: album, .hidden).find(photos)
        let keys = together(blobs.map { PhotoKey(album: album, blob: $0) }, among: Array(hidden), builder.catalog)
        try await services.removal.unhide(keys)
        return report(keys.map { ($0, .shown) }, album, builder, await builder.momentCounter())
    }

    private func restore(
        _ photos: [String], to album: AlbumID, _ builder: ReportBuilder
    ) async throws -> RemovalReport {
        await services.removal.isSettled()
        let removedPhotos = services.removal.removedPhotos
        // Photos that are in nobody's album and not in this trash either are told apart from those that never were.
        let removed = builder.catalog.albums[album]?.photos.filter { !$0.value.isLive }.map(\.key) ?? []
        let hidden = removedPhotos.hidden.keys.filter { $0.album == album }
        let known = Set(removed.map { PhotoKey(album: album, blob: $0) }).union(hidden)
        let blobs = try builder.lookup(known, in: album, .trash).find(photos)
        let keys = together(
            blobs.map { PhotoKey(album: album, blob: $0) }, among: Array(removedPhotos.trash.keys), builder.catalog)
        try await services.removal.unhide(keys.filter { removedPhotos.hidden[$0] != nil })
        try await services.removal.restore(keys.filter { builder.catalog.photo($0)?.isLive != true })
        // What is in the album again is in the index again.
        let counter = await self.builder().momentCounter()
        return report(keys.map { ($0, .restored) }, album, builder, counter)
    }

    private func keep(
        _ photos: [String], of album: AlbumID, _ builder: ReportBuilder
    ) async throws -> RemovalReport {
        let blobs = try builder.lookup(builder.engine.leftOutPhotos, in: album, .leftOut).find(photos)
        try await services.removal.keep(blobs, of: album)
        return RemovalReport(
            album: builder.albumName(album, .leftOut), albumID: album.hex,
            photos: blobs.map { blob in
                let name = builder.photoName(PhotoKey(album: album, blob: blob), .leftOut)
                return RemovalReport.Photo(id: blob.hex, name: name, outcome: .added)
            })
    }

    /// With what has the same name but for its ending: of a removed photo nothing else tells what belonged to it.
    private func together(_ keys: [PhotoKey], among others: [PhotoKey], _ catalog: Catalog) -> [PhotoKey] {
        struct Kinship: Hashable {
            var album: AlbumID
            var stem: String
            var author: DeviceID?
        }
        func kinship(_ key: PhotoKey) -> Kinship? {
            guard let photo = catalog.photo(key), let dot = photo.shownName.lastIndex(of: ".") else { return nil }
            let stem = AlbumName.key(String(photo.shownName[..<dot]))
            return Kinship(album: key.album, stem: stem, author: photo.departure?.author)
        }
        func name(_ key: PhotoKey) -> MomentName? { catalog.photo(key).map { MomentName($0.shownName) } }
        let (named, names, kin) = (Set(keys), Set(keys.map(name)), Set(keys.compactMap(kinship)))
        let companions = others.filter { other in
            guard !named.contains(other), let kinship = kinship(other), kin.contains(kinship) else { return false }
            // Two files of one name, in whatever case, are two photos, not parts of one.
            return !names.contains(name(other))
        }
        return (keys + companions).sorted()
    }

    // MARK: Space

    func emptyTrash(_ order: TrashOrder) async throws -> RemovalReport {
        await services.removal.isSettled()
        let builder = await builder()
        let album = try order.album.map { try builder.album($0, .trash) }
        let trash = services.removal.removedPhotos.trash.keys.filter { album == nil || $0.album == album }.sorted()
        var keys = trash
        if !order.photos.isEmpty {
            guard let album else { throw PotluckError(.usage, "Name the album that the photos were in.") }
            keys = try builder.lookup(trash, in: album, .trash).find(order.photos).map {
                PhotoKey(album: album, blob: $0)
            }
        }
        let gone = Set(try await services.removal.discard(keys, evenLastCopies: order.lastCopies))
        return report(keys.map { ($0, gone.contains($0) ? .deleted : .kept) }, album, builder, MomentCounter())
    }

    // MARK: The brake

    func held() async throws -> BrakeReport {
        guard let folder = services.folder.files else { return BrakeReport(held: nil) }
        do throws(FolderError) {
            // After a start it takes a moment until it is known what waits.
            return BrakeReport(held: try await folder.heldGroup().map { .init($0) })
        } catch {
            throw Self.told(error)
        }
    }

    func decide(_ decision: BrakeDecision, version: UInt64?) async throws -> BrakeReport {
        let report = try await held()
        guard let folder = services.folder.files else { return report }
        do throws(FolderError) {
            switch decision {
            case .confirm: try await folder.confirmHeld(version: version)
            case .undo: try await folder.undoHeld()
            }
        } catch {
            throw Self.told(error)
        }
        return report
    }

    /// The sentence reaches the person, also in a browser.
    private static func told(_ error: FolderError) -> PotluckError {
        PotluckError(error.code == .unavailable || error.code == .diskFull ? .tryAgain : .failed, error.message)
    }

    private func report(
        _ outcomes: [(PhotoKey, RemovalReport.Outcome)], _ album: AlbumID?, _ builder: ReportBuilder,
        _ counter: MomentCounter
    ) -> RemovalReport {
        let catalog = builder.catalog
        let photos = outcomes.map { key, outcome in
            let photo = catalog.photo(key)
            let others = (photo?.contributingPeople ?? []).filter {
                $0.guest != nil || !catalog.isOwn(author: $0.device, of: builder.engine.device)
            }
            return RemovalReport.Photo(
                id: key.blob.hex, name: photo?.shownName ?? "", outcome: outcome,
                others: others.map { builder.name($0) }, partOf: counter.partOf(key.blob))
        }
        return RemovalReport(
            album: album.map { builder.albumName($0) } ?? "", albumID: album?.hex ?? "", photos: photos)
    }
}

extension RemovalOrder.Action {
    /// Which photos of an album it takes.
    fileprivate var scope: PhotoLookup.Scope {
        switch self {
        case .remove, .removeForEveryone: .album
        case .restore: .trash
        case .unhide: .hidden
        case .keep: .leftOut
        }
    }
}
