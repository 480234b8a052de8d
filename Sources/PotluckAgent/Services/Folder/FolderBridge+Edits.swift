import AlbumModel
import DiskIO
import FolderEngine
import Glibc
import PhotoStore
import SharedFolder
import SyncEngine

/// What people did to files of shared photos.
extension FolderBridge {
    func apply(_ edits: [FolderEdit]) async throws {
        try await renameAlbums(edits)
        let edits = await withoutStaying(edits)
        let verdicts = await services.host.ask {
            FolderVerdicts(edits, device: $0.device, catalog: $0.catalog)
        }
        let successors = try await successors(verdicts.successions.map(\.drop))
        let (withdrawn, contributions) = await services.host.ask { engine in
            let withdrawn = verdicts.withdrawn(successors: successors, device: engine.device, catalog: engine.catalog)
            let contributions = verdicts.contributions(
                successors: successors, withdrawn: withdrawn, device: engine.device, catalog: engine.catalog)
            return (withdrawn, contributions)
        }
        try await services.contributions.contribute(all: contributions)
        _ = try await services.removal.remove(verdicts.leaving(successors: successors, withdrawn: withdrawn))
    }

    /// The keys of dropped photos in their albums; none is hidden from then on. Photos of an album that is not there yet are
    /// contributed: before that nothing can be said of them.
    private func successors(_ drops: [Drop]) async throws -> [PhotoKey] {
        var albums = await albums(of: drops)
        let first = drops.filter { albums[$0.directory] == nil }
        if !first.isEmpty {
            try await albums.merge(zip(first.map(\.directory), contribute(first))) { $1 }
        }
        let keys = drops.map { PhotoKey(album: albums[$0.directory]!, blob: $0.blob.id) }
        try await services.removal.unhide(keys, withFiles: false)
        try await remember(albums)
        return keys
    }

    func heldBack(_ group: HeldGroup?) async { services.folder.setHeld(group) }

    // MARK: Renamed directories

    /// A directory that has another name is its album under another name, for everyone: photos keep all that they have,
    /// whoever added them.
    private func renameAlbums(_ edits: [FolderEdit]) async throws {
        for renaming in AlbumRenaming.all(in: edits, files: services.folder.files?.files() ?? []) {
            guard await albumID(forDirectory: renaming.directory) == nil,
                try await isGone(renaming.formerDirectory)
            else { continue }
            // First: a directory that has not its album's name is given that.
            try await services.contributions.contribute(all: [
                .albumName(renaming.album, AlbumName.composed(renaming.directory))
            ])
            try await directoryIsRenamed(
                renaming.formerDirectory, to: renaming.directory, album: renaming.album)
        }
    }

    /// What moved along with its album's name has not moved: nobody contributes it anew.
    private func withoutStaying(_ edits: [FolderEdit]) async -> [FolderEdit] {
        var albums: [String: AlbumID?] = [:]
        for case .moved(_, _, let drop) in edits where albums[drop.directory] == nil {
            albums[drop.directory] = .some(await albumID(forDirectory: drop.directory))
        }
        return edits.filter { edit in
            if case .moved(let album, _, let drop) = edit { albums[drop.directory] != .some(album) } else { true }
        }
    }

    private func isGone(_ directory: String) async throws -> Bool {
        let path = folderRoot + "/" + directory
        return try await parts.blobPool.perform {
            do throws(FileError) {
                _ = try FileStat(path: path, followsLink: true)
                return false
            } catch {
                return error.errno == ENOENT
            }
        }
    }
}

/// All files of an album that are moved to one directory, which is not another album's.
struct AlbumRenaming: Hashable {
    var album: AlbumID
    /// First-level directories.
    var formerDirectory: String
    var directory: String

    /// - Parameter files: as they were before the edits.
    static func all(in edits: [FolderEdit], files: [FolderFile]) -> [AlbumRenaming] {
        var targets: [AlbumID: Set<String>] = [:]
        var moved: Set<PhotoKey> = []
        for case .moved(let album, let blob, let drop) in edits {
            targets[album, default: []].insert(drop.directory)
            moved.insert(PhotoKey(album: album, blob: blob))
        }
        let filesByAlbum = Dictionary(grouping: files) { $0.album }
        return targets.sorted { $0.key < $1.key }.compactMap { album, directories in
            let files = filesByAlbum[album] ?? []
            let former = Set(files.compactMap { file in file.path.firstIndex(of: "/").map { file.path[..<$0] } })
            guard let directory = directories.first, directories.count == 1, !directory.isEmpty,
                let formerDirectory = former.first, former.count == 1, formerDirectory != directory,
                files.allSatisfy({ moved.contains(PhotoKey(album: album, blob: $0.blob)) })
            else { return nil }
            return AlbumRenaming(album: album, formerDirectory: String(formerDirectory), directory: directory)
        }
    }
}
