import AlbumModel
import FolderEngine
import Logging
import PhotoStore
import PotluckAPI
import SharedFolder
import SyncEngine
import Synchronization

/// What the folder asks of the agent.
final class FolderBridge: FolderHost {
    let services: Services
    /// The folder's absolute path.
    let folderRoot: String
    private let directories: Mutex<DirectoryAlbums>

    var parts: AgentParts { services.parts }

    init(services: Services, folderRoot: String) throws {
        self.services = services
        self.folderRoot = folderRoot
        directories = Mutex(DirectoryAlbums(facts: try services.parts.journal.facts(.directory)))
    }

    func standing(ofPhoto blob: BlobID, inDirectory directory: String) async -> PhotoStanding {
        let kept = keptAlbum(ofDirectory: directory)
        // One question for both: each may have to wait for the engine's turn.
        let found = await services.host.ask { engine -> (key: PhotoKey, isLive: Bool?, isLeftOut: Bool)? in
            guard let album = engine.album(kept, named: DirectoryAlbums.albumName(directory)) else { return nil }
            let key = PhotoKey(album: album, blob: blob)
            return (key, engine.catalog.photo(key)?.isLive, engine.log.leftOut.catalog.isLive(key))
        }
        guard let found else { return .unknown }
        switch found.isLive {
        // What is left out only a person brings back, not a scan.
        case nil: return found.isLeftOut ? .removed : .unknown
        case true?: return services.removal.isHidden(found.key) ? .hidden : .present
        case false?: return .removed
        }
    }

    func albumID(forDirectory directory: String) async -> AlbumID? {
        let kept = keptAlbum(ofDirectory: directory)
        return await services.host.ask { $0.album(kept, named: DirectoryAlbums.albumName(directory)) }
    }

    /// Photos of an album that has this name by now may be there, where those of the remembered one went; and until the
    /// directory of an album that was renamed elsewhere follows, it is that album's.
    private func keptAlbum(ofDirectory directory: String) -> AlbumID? {
        let remembered = directories.withLock { $0.album(of: directory) }
        return services.folder.files?.album(ofDirectory: directory, remembered: remembered) ?? remembered
    }

    func contribute(_ drop: Drop) async throws -> AlbumID { try await contribute([drop])[0] }

    /// Adds photos to the albums of their directories, all at one time, so that they share transactions; returns once all of
    /// them are durable.
    ///
    /// - Returns: the album of each.
    func contribute(_ drops: [Drop]) async throws -> [AlbumID] {
        let known = await albums(of: drops)
        let keys = drops.compactMap { drop in
            known[drop.directory].map { PhotoKey(album: $0, blob: drop.blob.id) }
        }
        // Else their files would be taken away at once. They have some: none is to be placed.
        try await services.removal.unhide(keys, withFiles: false)
        let contributions = drops.map { Contribution($0, to: known[$0.directory]) }
        let albums = try await services.contributions.contribute(all: contributions).map { album in
            guard let album else { throw PotluckError(.failed, "the photo was not added") }
            return album
        }
        try await remember(Dictionary(zip(drops.map(\.directory), albums)) { $1 })
        return albums
    }

    /// The albums of the drops' directories, by those; none for an album that is not there yet.
    func albums(of drops: [Drop]) async -> [String: AlbumID] {
        var albums: [String: AlbumID] = [:]
        for directory in Set(drops.map(\.directory)) { albums[directory] = await albumID(forDirectory: directory) }
        return albums
    }

    func remember(_ albums: [String: AlbumID]) async throws {
        // Known once it is durable: where that fails, the next attempt has to commit it.
        try await parts.setFacts(
            directories.withLock { known in albums.flatMap { known.facts(remembering: $1, of: $0) } })
        directories.withLock { known in for (directory, album) in albums { known.remember(directory, album) } }
    }

    func directoryIsRenamed(_ former: String, to directory: String, album: AlbumID) async throws {
        try await parts.setFacts(directories.withLock { $0.rename(former, to: directory, album) })
    }

    func report(_ notice: FolderNotice) async {
        switch notice {
        case .unavailable(let sentence): services.problems.note(.folder, sentence)
        case .available:
            services.problems.note(.folder, nil)
            services.problems.note(.placing, nil)
        case .watchLimit(let sentence): services.problems.note(.watchLimit, sentence)
        case .unreachable(let sentence): services.problems.note(.folderParts, sentence)
        case .overwritten(_, let blob): await services.recovery.examine(blob)
        case .stored(let blob, let byteCount):
            services.folder.noteDone(byteCount: byteCount)
            await services.recovery.foundInFolder(blob)
        case .returned(_, let album, let blob): await showAgain(PhotoKey(album: album, blob: blob))
        case .unplaced(let album, let blob): services.folder.requestPlacement(PhotoKey(album: album, blob: blob))
        case .skipped:
            services.folder.noteDone(byteCount: 0)
            log(notice)
        case .postponed: log(notice)
        }
    }

    private func log(_ notice: FolderNotice) {
        parts.logger.debug("folder notice", metadata: ["notice": "\(notice)"])
    }

    /// Whoever puts a photo there again that is hidden here wants to see it.
    private func showAgain(_ photo: PhotoKey) async {
        do {
            try await services.removal.unhide([photo])
        } catch {
            parts.logger.warning("photo stays hidden", metadata: ["error": "\(error)"])
        }
    }
}

extension Engine {
    /// The album that a directory stands for, if there is one: the one it stood for before, else the one of its name.
    fileprivate func album(_ kept: AlbumID?, named name: String) -> AlbumID? {
        if let kept, catalog.albums[kept] != nil { return kept }
        let album = catalog.albumID(named: name)
        return catalog.albums[album] == nil ? nil : album
    }
}

extension Contribution {
    /// - Parameter album: of the photo's directory; `nil` where it is new.
    init(_ drop: Drop, to album: AlbumID?) {
        let file = PhotoFile(
            blob: drop.blob.id, byteCount: drop.blob.byteCount, pieceList: drop.blob.pieceList, name: drop.name,
            mediaType: drop.mediaType, modified: drop.modified)
        self =
            album.map { .photoInAlbum($0, file) }
            ?? .photo(albumName: DirectoryAlbums.albumName(drop.directory), file)
    }
}
