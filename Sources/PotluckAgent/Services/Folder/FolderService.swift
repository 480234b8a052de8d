import AlbumModel
import FolderEngine
import NIOCore
import PhotoStore
import PotluckAPI
import SharedFolder
import SyncEngine
import Synchronization

/// Has photos become files of the folder, and keeps what the folder holds back.
final class FolderService: Sendable {
    struct State {
        var placements = PlacementQueue()
        /// Files that wait for a person's word.
        var held: HeldGroup?
        /// Of what people put into the folder.
        var pace = ImportPace()
    }

    private let host: EngineHost
    let parts: AgentParts
    private let jobs: JobQueue
    let problems: Problems
    private let slot: FolderSlot
    private let records: RemovalRecords
    private let retryInterval: TimeAmount
    let state = Mutex(State())

    init(
        host: EngineHost, parts: AgentParts, jobs: JobQueue, problems: Problems, files: FolderSlot,
        records: RemovalRecords, retryInterval: TimeAmount
    ) {
        self.host = host
        self.parts = parts
        self.jobs = jobs
        self.problems = problems
        slot = files
        self.records = records
        self.retryInterval = retryInterval
    }

    /// The folder, once it is open.
    var files: (any FolderFiles)? { slot.files }

    func setFiles(_ files: (any FolderFiles)?) { slot.set(files) }

    // MARK: Names

    /// Files whose names are compared while the engine waits: some milliseconds.
    static let comparedFileCount = 1000

    /// Hands the names of all albums, and of photos whose files have other ones, to a folder that was just opened. What gets
    /// its name meanwhile is handed over by whoever tells of that.
    func followAllNames() async {
        await followAlbums(on: host)
        let placed = files?.placedFiles() ?? []
        for start in stride(from: 0, to: placed.count, by: Self.comparedFileCount) {
            await followNames(of: placed[start...].prefix(Self.comparedFileCount), on: host)
        }
    }

    private func followAlbums(on host: isolated EngineHost) {
        followNames(of: host.engine.catalog.albums.keys, on: host)
    }

    private func followNames(of placed: ArraySlice<FolderFile>, on host: isolated EngineHost) {
        let misnamed = placed.compactMap { file in
            let key = PhotoKey(album: file.album, blob: file.blob)
            return host.engine.catalog.photo(key).flatMap { isCalled($0, file.path) ? nil : key }
        }
        followNames(of: misnamed, on: host)
    }

    /// Whether the file at a path has the very name of its photo, so that the folder need not be told it.
    private func isCalled(_ photo: Photo, _ path: String) -> Bool {
        path.split(separator: "/").last.map { $0 == photo.shownName } ?? false
    }

    /// Hands the names of albums to the folder, whose directories follow.
    func followNames(of albums: some Sequence<AlbumID>, on host: isolated EngineHost) {
        let catalog = host.engine.catalog
        var names: [AlbumID: AlbumNames] = [:]
        for album in albums {
            // Its name may come yet.
            guard let own = catalog.albums[album]?.name.shown?.value, let listed = catalog.shownName(album) else {
                continue
            }
            names[album] = AlbumNames(own: own, listed: listed)
        }
        if !names.isEmpty { files?.follow(names) }
    }

    /// Hands the names of photos to the folder, whose placed files follow.
    func followNames(of photos: some Sequence<PhotoKey>, on host: isolated EngineHost) {
        let catalog = host.engine.catalog
        var names: [PhotoKey: PhotoName] = [:]
        for key in photos {
            guard let photo = catalog.photo(key), photo.isLive, let name = photo.name.shown?.value else { continue }
            names[key] = PhotoName(shared: name, deviceName: catalog.contributorName(of: photo))
        }
        if !names.isEmpty { files?.follow(names) }
    }

    // MARK: Placing

    /// Photos that are here and not yet in the folder.
    var photosToPlace: Set<PhotoKey> { state.withLock { $0.placements.pending } }

    func requestPlacement(_ key: PhotoKey) {
        if state.withLock({ $0.placements.add(key) }) { startPlacements() }
    }

    private func startPlacements() {
        while let key = state.withLock({ $0.placements.next() }) { jobs.add { await self.place(key) } }
    }

    private func retryPlacements() {
        state.withLock { $0.placements.retry() }
        startPlacements()
    }

    func place(_ key: PhotoKey) async {
        guard let files, let placement = await placement(key) else { return await placed(key, nil, on: host) }
        do {
            let path = try await files.place(placement)
            problems.note(.placing, nil)
            await placed(key, path, on: host)
        } catch {
            if case .noPhoto(let reason) = error.code { return await placed(key, nil, refusal: reason, on: host) }
            // Once it is here again it is asked for again.
            guard parts.blobs.contains(key.blob) else { return await placed(key, nil, on: host) }
            problems.note(.placing, "A photo cannot be put into the folder: \(error)")
            await placed(key, nil, isFailed: true, on: host)
        }
    }

    /// How a photo is to be placed now; `nil` where it is not.
    func placement(_ key: PhotoKey) async -> Placement? { await placement(key, on: host) }

    private func placement(_ key: PhotoKey, on host: isolated EngineHost) -> Placement? {
        let catalog = host.engine.catalog
        guard let photo = catalog.photo(key), photo.isLive, host.engine.held.contains(key.blob),
            !records.isHidden(key), let name = catalog.shownName(key.album), let first = photo.adds.first
        else { return nil }
        return Placement(
            album: key.album, albumName: name, blob: key.blob, name: photo.shownName, modified: first.modified,
            deviceName: catalog.contributorName(of: photo),
            mayLink: host.engine.isElsewhere(key.blob, wall: parts.clock.wall))
    }

    private func placed(
        _ key: PhotoKey, _ path: String?, isFailed: Bool = false, refusal: String? = nil, on host: isolated EngineHost
    ) {
        state.withLock {
            $0.placements.finish(key, isPlaced: path != nil, isFailed: isFailed, refusal: refusal)
        }
        startPlacements()
        if isFailed, state.withLock({ $0.placements.beginRetry() }) {
            jobs.add(after: retryInterval) { self.retryPlacements() }
        }
        guard let path, let photo = host.engine.catalog.photo(key) else { return }
        // It may have another name since.
        if !isCalled(photo, path) { followNames(of: [key], on: host) }
        // Its removal, or a person who does not want to see it, may have come while it was on its way.
        if !photo.isLive || records.isHidden(key) { host.services?.removal.settleLater([key]) }
        guard problems.hub.hasWatchers else { return }
        let at = Instant(microsecondsSince1970: parts.clock.wall)
        problems.hub.send(
            .photoHere(at: at, album: key.album.hex, photo: key.blob.hex, name: photo.shownName, file: path))
    }

    /// Photos that are whole here and that the folder does not take. Each start asks the folder again: a later version
    /// may know what they are.
    func notPlaced(_ view: GatheringView, all: Bool) -> StatusReport.NotPlaced {
        let engine = view.engine
        let refused = state.withLock { $0.placements.refused }
        let photos = refused.keys.sorted().compactMap { key in
            let photo = engine.catalog.photo(key).flatMap { $0.isLive ? $0 : nil }
            return engine.held.contains(key.blob) && !records.isHidden(key) ? photo.map { (key: key, photo: $0) } : nil
        }
        let items = photos.prefix(all ? .max : StatusReport.Missing.itemCountMax).map { key, photo in
            StatusReport.Item(
                id: key.blob.hex, album: engine.catalog.shownName(key.album) ?? "", name: photo.shownName,
                reason: refused[key] ?? "")
        }
        return StatusReport.NotPlaced(
            photos: photos.count, bytes: photos.reduce(0) { $0 + ($1.photo.adds.first?.byteCount ?? 0) }, items: items)
    }
}

extension Catalog {
    /// The name of the device that added a photo first, for telling apart photos of one name.
    fileprivate func contributorName(of photo: Photo) -> String {
        photo.adds.first.flatMap { deviceName($0.author) } ?? "Laptop"
    }
}
