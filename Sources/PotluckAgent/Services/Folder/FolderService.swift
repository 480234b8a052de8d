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
        followNames(ofFiles: placed.map { (PhotoKey(album: $0.album, blob: $0.blob), $0.path) }, on: host)
    }

    /// Hands the names of photos to the folder whose files are called otherwise.
    private func followNames(ofFiles files: [(key: PhotoKey, path: String)], on host: isolated EngineHost) {
        let misnamed = files.filter { key, path in host.engine.catalog.photo(key).map { !isCalled($0, path) } ?? false }
        followNames(of: misnamed.map(\.key), on: host)
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
            names[key] = PhotoName(
                shared: name, deviceName: catalog.contributorName(of: photo),
                isSuccessor: catalog.hasFormer(of: key, called: name))
        }
        if !names.isEmpty { files?.follow(names) }
    }

    /// The same of the photos that took the place of these, whose files are gone: theirs may get those names. In parts: a
    /// start takes all files away that were to go, however many they are.
    func followNames(ofSuccessorsOf photos: [PhotoKey]) async {
        for start in stride(from: 0, to: photos.count, by: Self.comparedFileCount) {
            await followNames(ofSuccessorsOf: photos[start...].prefix(Self.comparedFileCount), on: host)
        }
    }

    private func followNames(ofSuccessorsOf photos: ArraySlice<PhotoKey>, on host: isolated EngineHost) {
        let catalog = host.engine.catalog
        let successors: Set<PhotoKey> = Set(photos.flatMap { catalog.liveSuccessors(of: $0) })
        followNames(of: successors, on: host)
    }

    // MARK: Placing

    /// Photos that are here and not yet in the folder.
    var photosToPlace: Set<PhotoKey> { state.withLock { $0.placements.pending } }

    func requestPlacement(_ key: PhotoKey) {
        if state.withLock({ $0.placements.add(key) }) { startPlacements() }
    }

    private func startPlacements() {
        while true {
            let group = state.withLock { $0.placements.next { isLarge($0) } }
            if group.isEmpty { return }
            jobs.add { await self.place(group) }
        }
    }

    /// Of more than one piece. Copying it may take a while.
    private func isLarge(_ key: PhotoKey) -> Bool { (parts.blobs.byteCount(of: key.blob) ?? 0) > Pieces.byteCount }

    private func retryPlacements() {
        state.withLock { $0.placements.retry() }
        startPlacements()
    }

    /// What became of a photo that was to be placed.
    private enum Outcome {
        case placed(String)
        /// It has a file there already, or is not to have one.
        case notPlaced(at: String?)
        case refused(String)
        /// Worth another try.
        case failed

        /// Where the photo's file is; `nil` for one that has none.
        var path: String? {
            switch self {
            case .placed(let path): path
            case .notPlaced(let path): path
            case .refused, .failed: nil
            }
        }
    }

    /// Each photo once.
    func place(_ keys: [PhotoKey]) async {
        let placements = await placements(keys, on: host)
        guard let files, !placements.isEmpty else {
            return await ended(keys.map { ($0, .notPlaced(at: nil)) }, on: host)
        }
        var outcomes: [PhotoKey: Outcome] = [:]
        var (isDone, complaint) = (false, nil as String?)
        for ((key, _), result) in zip(placements, await files.place(placements.map(\.placement))) {
            do throws(FolderError) {
                outcomes[key] =
                    try result.get().map { .placed($0) }
                    ?? .notPlaced(at: files.path(album: key.album, blob: key.blob))
                isDone = true
            } catch {
                outcomes[key] = outcome(of: error, key)
                if case .failed? = outcomes[key] { complaint = "A photo cannot be put into the folder: \(error)" }
            }
        }
        if isDone || complaint != nil { problems.note(.placing, complaint) }
        await ended(keys.map { ($0, outcomes[$0] ?? .notPlaced(at: nil)) }, on: host)
    }

    private func outcome(of error: FolderError, _ key: PhotoKey) -> Outcome {
        if case .noPhoto(let reason) = error.code { return .refused(reason) }
        // Once it is here again it is asked for again.
        return parts.blobs.contains(key.blob) ? .failed : .notPlaced(at: nil)
    }

    private func placements(
        _ keys: [PhotoKey], on host: isolated EngineHost
    ) -> [(key: PhotoKey, placement: Placement)] {
        keys.compactMap { key in placement(key, on: host).map { (key, $0) } }
    }

    /// How a photo is to be placed now; `nil` where it is not.
    func placement(_ key: PhotoKey, on host: isolated EngineHost) -> Placement? {
        let catalog = host.engine.catalog
        guard let photo = catalog.photo(key), photo.isLive, host.engine.held.contains(key.blob),
            !records.isHidden(key), let name = catalog.shownName(key.album), let first = photo.adds.first
        else { return nil }
        return Placement(
            album: key.album, albumName: name, blob: key.blob, name: photo.shownName, modified: first.modified,
            deviceName: catalog.contributorName(of: photo),
            mayLink: host.engine.isElsewhere(key.blob, wall: parts.clock.wall))
    }

    private func ended(_ outcomes: [(key: PhotoKey, outcome: Outcome)], on host: isolated EngineHost) {
        let isRetryNeeded = state.withLock { state in
            var isFailed = false
            for (key, outcome) in outcomes {
                switch outcome {
                case .placed: state.placements.finish(key, isPlaced: true)
                case .notPlaced: state.placements.finish(key)
                case .refused(let reason): state.placements.finish(key, refusal: reason)
                case .failed:
                    state.placements.finish(key, isFailed: true)
                    isFailed = true
                }
            }
            return isFailed && state.placements.beginRetry()
        }
        startPlacements()
        if isRetryNeeded { jobs.add(after: retryInterval) { self.retryPlacements() } }
        // They may have other names since; those whose bytes are here again, since these were lost.
        followNames(ofFiles: outcomes.compactMap { key, outcome in outcome.path.map { (key, $0) } }, on: host)
        followPlaced(outcomes.compactMap { if case .placed(let path) = $1 { ($0, path) } else { nil } }, on: host)
    }

    private func followPlaced(_ placed: [(key: PhotoKey, path: String)], on host: isolated EngineHost) {
        let photos = placed.compactMap { key, path in
            host.engine.catalog.photo(key).map { (key: key, path: path, photo: $0) }
        }
        // Its removal, or a person who does not want to see it, may have come while it was on its way.
        let unwanted = photos.filter { !$0.photo.isLive || records.isHidden($0.key) }.map(\.key)
        if !unwanted.isEmpty { host.services?.removal.settleLater(unwanted) }
        guard problems.hub.hasWatchers else { return }
        let at = Instant(microsecondsSince1970: parts.clock.wall)
        for (key, path, photo) in photos {
            problems.hub.send(
                .photoHere(at: at, album: key.album.hex, photo: key.blob.hex, name: photo.shownName, file: path))
        }
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

    /// Whether a photo took the place of one of its album that has, or had, what a person would call the same name.
    fileprivate func hasFormer(of key: PhotoKey, called name: String) -> Bool {
        formers(of: key).contains { former in
            photo(former).map { DiskName.folded($0.shownName) == DiskName.folded(name) } ?? false
        }
    }
}
