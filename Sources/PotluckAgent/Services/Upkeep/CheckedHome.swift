import AlbumModel
import DiskIO
import Glibc
import NIOPosix
import PhotoStore
import PotluckAPI
import SharedFolder
import SyncEngine

/// A home that is looked through: an agent's, or one in which none runs.
protocol CheckedHome: Sendable {
    var path: String { get }
    var journal: Journal { get }
    var index: Index { get }
    var blobs: BlobStore { get }
    var signing: DeviceSigning { get }
    /// Absolute; `nil` where no agent has run yet.
    var folderRoot: String? { get }
    /// `nil` where there is none to look at.
    var folder: (any FolderFiles)? { get async }
    /// What is known at this moment.
    var engine: Engine { get async }
    var isOffline: Bool { get }
    /// Returns once the index holds what was known when it was called.
    func indexIsComplete() async
    func rebuildIndex() async throws
    /// The store has no right bytes of a blob any more: they are looked for in the folder, and wanted from others.
    func lost(_ blob: BlobID) async
    /// Shows what a look left wrong, where a person sees it; `nil` for nothing.
    func noteUpkeep(_ sentence: String?) async
}

extension CheckedHome {
    /// What a photo is called, and the album that shows it; for a small picture, those of its photo.
    func name(of blob: BlobID, _ engine: Engine) -> (album: String?, name: String?, isPicture: Bool) {
        let catalog = engine.catalog
        let picture = catalog.photos(ofThumbnail: blob).first
        let key = catalog.liveAlbums(of: blob).first.map { PhotoKey(album: $0, blob: blob) } ?? picture
        guard let key else { return (nil, nil, false) }
        return (catalog.shownName(key.album), catalog.photo(key)?.shownName, key.blob != blob)
    }

    /// Where bytes that are not here may come from, as a sentence, and whether they may.
    func source(of blob: BlobID, _ engine: Engine) -> (sentence: String, exists: Bool) {
        guard isFetched(blob, engine) else { return ("No album needs it any longer.", true) }
        let wall = SystemClock().wall
        let catalog = engine.catalog
        let devices = engine.copies(wall: wall).holders(of: blob)
        let names = devices.map { catalog.deviceName($0) ?? "Laptop \($0.hex.prefix(6))" }
        guard !names.isEmpty else {
            return (
                "No other laptop is known to have it: if you have the file elsewhere, or a backup, put it into the folder again.",
                false
            )
        }
        let holders = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and others" : "")
        return ("It is fetched again from \(holders)\(isOffline ? " once the agent runs" : "").", true)
    }

    /// Whether a blob is asked of others where it is not here: not what only the trash needs, or what was left out.
    private func isFetched(_ blob: BlobID, _ engine: Engine) -> Bool {
        !engine.catalog.liveAlbums(of: blob).isEmpty || !engine.catalog.photos(ofThumbnail: blob).isEmpty
    }

    /// Whether a blob's bytes are known to be anywhere but in the file of this inode, and are taken from there.
    func hasAnother(of blob: BlobID, than inode: UInt64) async throws -> Bool {
        let engine = await engine
        if isFetched(blob, engine), source(of: blob, engine).exists { return true }
        guard let root = folderRoot, let files = await folder?.files() else { return false }
        let blobs = blobs
        return try await NIOThreadPool.singleton.perform {
            files.contains { file in
                guard file.blob == blob else { return false }
                // Read, since it may be damaged too; one that cannot be read helps nobody now.
                let stat = try? blobs.stat(ofFileWith: blob, at: "\(root)/\(file.path)")
                return stat.map { $0.inode != inode } ?? false
            }
        }
    }

    /// Takes wrong bytes out of store and folder, and has right ones fetched.
    func replace(_ blob: BlobID, inode: UInt64) async throws -> (remedy: String, isMended: Bool) {
        _ = await folder?.setAsideDamaged(blob, inode: inode)
        let blobs = blobs
        let kept = try await NIOThreadPool.singleton.perform { try blobs.setAside(blob, inode: inode) }
        await lost(blob)
        if blobs.contains(blob) { return ("The folder's file has the right bytes; they were taken from there.", true) }
        let (sentence, exists) = source(of: blob, await engine)
        return (sentence + (kept.map { " What is left of it is in \($0)." } ?? ""), exists)
    }
}

/// The home of a running agent.
struct AgentsHome: CheckedHome {
    let path: String
    let services: Services
    let signing: DeviceSigning
    let folderRoot: String?

    private var parts: AgentParts { services.parts }
    var journal: Journal { parts.journal }
    var index: Index { parts.index }
    var blobs: BlobStore { parts.blobs }
    var isOffline: Bool { false }
    var folder: (any FolderFiles)? { services.folder.files }
    var engine: Engine { get async { await services.host.view.engine } }

    func indexIsComplete() async { await services.index.isComplete() }

    func lost(_ blob: BlobID) async { await services.recovery.noteIfLost(blob) }

    func noteUpkeep(_ sentence: String?) async { services.problems.note(.upkeep, sentence) }

    /// Writes it again until nothing was added meanwhile: what the agent wrote in between may have been overwritten.
    func rebuildIndex() async throws {
        for _ in 0..<10 {
            let before = await services.host.view.engine
            try await parts.indexPool.perform { [parts] in
                try parts.index.write(before.catalog, stamp: IndexStamp(catalog: before.catalog, log: before.log))
            }
            await services.index.isComplete()
            guard await services.host.ask({ $0.log.vector != before.log.vector }) else { return }
        }
        throw PotluckError(.tryAgain, "So much is being added that the index cannot be made anew; try again later.")
    }
}

/// A home in which no agent runs.
struct IdleHome: CheckedHome {
    let path: String
    let home: OpenHome
    let engine: Engine
    let folderRoot: String?
    let shared: SharedFolder?

    var journal: Journal { home.journal }
    var index: Index { home.index }
    var blobs: BlobStore { home.blobs }
    var signing: DeviceSigning { home.membership.signing }
    var isOffline: Bool { true }
    var folder: (any FolderFiles)? { shared }

    func indexIsComplete() async {}

    func lost(_ blob: BlobID) async { _ = await shared?.takeAgain([blob]) }

    /// Whoever looks is told by the look itself.
    func noteUpkeep(_ sentence: String?) async {}

    func rebuildIndex() async throws {
        try await NIOThreadPool.singleton.perform {
            let engine = self.engine
            try index.write(engine.catalog, stamp: IndexStamp(catalog: engine.catalog, log: engine.log))
        }
    }
}
