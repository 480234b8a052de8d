import AlbumModel
import PhotoStore
import PotluckAPI
import SharedFolder
import SyncEngine
import Synchronization

/// Whether photos that people put into the folder take their space once or twice.
public enum SpaceUse: String, Hashable, Sendable, CaseIterable {
    /// The store has a copy of each, which edits of the file leave alone.
    case twice
    /// The store's copy goes as soon as enough other laptops hold the photo; the file is read-only from then on.
    case once
}

/// Has photos that people put into the folder take their space once, or twice again, as the owner chose.
final class SpaceService: Sendable {
    /// How many other laptops hold a photo before the store's copy of it goes: whoever writes into its file destroys the
    /// only bytes here, and one of the others may do the same at that time.
    static let holderCountMin = 2
    /// Files that were not relinked once are tried again after so many seconds; what takes how much is looked at after so
    /// many, and once a tenth of what the store has came or went.
    private static let (tryInterval, lookInterval) = (3600.0, 600.0)

    private struct State {
        /// What there is nothing to do about until a later round.
        var done: Set<FolderFile> = []
        var forgottenAt: MonotonicInstant?
        var lookedAt: MonotonicInstant?
        var measured: DiskReport.Use?
        /// How many blobs the store had then.
        var blobCount = 0

        /// Whether what takes how much is another matter by now.
        func isOutdated(_ blobCount: Int, now: MonotonicInstant) -> Bool {
            guard let lookedAt, now.seconds(since: lookedAt) < SpaceService.lookInterval else { return true }
            return abs(blobCount - self.blobCount) * 10 > self.blobCount
        }
    }

    private let host: EngineHost
    private let parts: AgentParts
    private let folder: FolderService
    private let transfers: TransferService
    private let removal: RemovalService
    private let home: String
    private let folderRoot: String
    private let use: SpaceUse
    private let state = Mutex(State())

    init(services: Services, home: String, folderRoot: String, use: SpaceUse) {
        host = services.host
        parts = services.parts
        folder = services.folder
        transfers = services.transfers
        removal = services.removal
        self.home = home
        self.folderRoot = folderRoot
        self.use = use
    }

    /// What took how much when it was last looked at.
    var measured: DiskReport.Use? { state.withLock { $0.measured } }

    /// Does what can be done now; ends early in a cancelled task.
    func step() async {
        guard let files = folder.files, !files.awaitsAdoption else { return }
        let now = parts.clock.now
        let blobCount = await host.ask(\.held.count)
        let (done, triesAll, looks) = state.withLock { state in
            let triesAll = state.forgottenAt.map { now.seconds(since: $0) >= Self.tryInterval } ?? true
            if triesAll { (state.done, state.forgottenAt) = ([], now) }
            return (state.done, triesAll, state.isOutdated(blobCount, now: now))
        }
        var isChanged = false
        // What takes its space twice may become one at any time; the opposite is settled at a start.
        if use == .once || triesAll {
            for file in await ready(files.ownFiles().filter { !done.contains($0) }) {
                if Task.isCancelled { return }
                // Copying takes its time, and what others hold may be another matter by now.
                let isReady = use == .once ? await isOnOthers(file.blob) : await hasRoom(for: file)
                guard isReady else { continue }
                let isRelinked = use == .once ? await files.share(file) : await files.separate(file)
                if isRelinked { isChanged = true }
                state.withLock { _ = $0.done.insert(file) }
            }
        }
        if isChanged || looks { await measure(files, blobCount: blobCount) }
    }

    /// Those of the files that are to be relinked. Those that never are, because they are as they should be, are done.
    private func ready(_ files: [FolderFile]) async -> [FolderFile] {
        let shared = await onPool { [blobs = parts.blobs, folderRoot] in
            files.map { try? blobs.isShared($0.blob, withFileAt: folderRoot + "/" + $0.path) }
        }
        // Of a file that nobody could look at nothing is known.
        let looks = zip(files, shared)
        state.withLock { $0.done.formUnion(looks.filter { $1 == (use == .once) }.map(\.0)) }
        let waiting = looks.filter { $1 == (use == .twice) }.map(\.0)
        guard use == .once, !waiting.isEmpty else { return waiting }
        let (view, wall) = (await host.view, parts.clock.wall)
        return await onPool {
            waiting.filter { view.engine.isElsewhere($0.blob, on: Self.holderCountMin, wall: wall) }
        }
    }

    private func isOnOthers(_ blob: BlobID) async -> Bool {
        let wall = parts.clock.wall
        return await host.ask { $0.isElsewhere(blob, on: Self.holderCountMin, wall: wall) }
    }

    /// Copies leave the disk's reserve alone.
    private func hasRoom(for file: FolderFile) async -> Bool {
        let (reserve, blobs) = (transfers.state.reserve, parts.blobs)
        let byteCount = await host.ask { $0.catalog.newestAdd(of: file.blob)?.byteCount ?? 0 }
        return await onPool { [home] in
            guard blobs.contains(file.blob), let space = DiskSpace(path: home) else { return [false] }
            return [space.room(keeping: reserve) >= byteCount]
        } == [true]
    }

    private func measure(_ files: any FolderFiles, blobCount: Int) async {
        let listed = files.files()
        let live = await host.view.engine.catalog.albums.values.reduce(into: Set<BlobID>()) {
            $0.formUnion($1.livePhotos.map(\.key))
        }
        let removed = Set(removal.removedPhotos.trash.keys.map(\.blob))
        let found = await onPool { [parts, folderRoot] in
            [DiskReport.Use(listed, root: folderRoot, blobs: parts.blobs, live: live, removed: removed)]
        }
        guard let use = found.first else { return }
        let now = parts.clock.now
        state.withLock { ($0.measured, $0.lookedAt, $0.blobCount) = (use, now, blobCount) }
    }

    /// Nothing where the pool is closed, as it is when the agent ends.
    private func onPool<Value: Sendable>(_ body: @escaping @Sendable () -> [Value]) async -> [Value] {
        (try? await parts.blobPool.perform(body)) ?? []
    }
}

extension DiskReport.Use {
    /// Looks at each file of the folder. Blocks.
    fileprivate init(
        _ files: [FolderFile], root: String, blobs: BlobStore, live: Set<BlobID>, removed: Set<BlobID>
    ) {
        self.init(photos: 0, trash: 0, pictures: 0, folder: 0)
        for (blob, byteCount) in blobs.held() {
            if live.contains(blob) {
                photos += byteCount
            } else if removed.contains(blob) {
                trash += byteCount
            } else {
                pictures += byteCount
            }
        }
        for file in files {
            let path = root + "/" + file.path
            guard let byteCount = blobs.byteCount(of: file.blob),
                let isShared = try? blobs.isShared(file.blob, withFileAt: path), !isShared, !blobs.mayClone(to: path)
            else { continue }
            folder += byteCount
        }
    }
}
