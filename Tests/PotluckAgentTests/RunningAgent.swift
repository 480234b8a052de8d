import AlbumModel
import FolderEngine
import FoundationEssentials
import Logging
import MediaReader
import NIOCore
import NIOPosix
import PeerTransport
import PotluckAPI
import SyncEngine
import Synchronization
import TestSupport

@testable import PhotoStore
@testable import PotluckAgent
@testable import SharedFolder

/// A folder that only remembers what it was asked, and places photos when it is let.
final class NotedFolder: FolderFiles {
    func follow(_ names: [AlbumID: AlbumNames]) {}
    func follow(_ names: [PhotoKey: PhotoName]) {
        let notes = self.notes
        named.withLock { named in
            named.names.merge(names) { $1 }
            named.askedCount += 1
            for photo in names.keys { named.notes[photo] = notes }
        }
    }
    func placedFiles() -> [FolderFile] { files() }
    func ownFiles() -> [FolderFile] { [] }
    func share(_ file: FolderFile) async -> Bool { false }
    func separate(_ file: FolderFile) async -> Bool { false }

    enum Note: Hashable, Sendable {
        case placed(PhotoKey)
        case tookAway([PhotoKey])
        case letBack([PhotoKey])
    }

    private let noted = Mutex<[Note]>([])
    private let listed = Mutex<[FolderFile]>([])
    private let named = Mutex(Named())
    private let unshared = Mutex(IncomingFiles(files: 0, bytes: 0, paths: [], isScanComplete: true))
    private let refusal = Mutex<String?>(nil)
    private let failure = Mutex<(reason: String, photos: Set<BlobID>?)?>(nil)
    private let leavingFailure = Mutex<String?>(nil)
    private let givenBack = Mutex<Set<BlobID>>([])
    private let gate = Mutex(Gate())
    var notes: [Note] { noted.withLock { $0 } }

    /// What photos are called, as far as it was told since it was asked last.
    func takeNames() -> [PhotoKey: PhotoName] {
        named.withLock { named in
            defer { named = Named() }
            return named.names
        }
    }

    /// A photo's name, as it was told last; nothing is taken.
    func name(of photo: PhotoKey) -> PhotoName? { named.withLock { $0.names[photo] } }

    /// What it was asked before it was told a photo's name last.
    func notes(beforeNaming photo: PhotoKey) -> [Note] { named.withLock { $0.notes[photo] ?? [] } }

    /// In how many parts ``takeNames()`` was told.
    var namedPartCount: Int { named.withLock { $0.askedCount } }

    private struct Named {
        var names: [PhotoKey: PhotoName] = [:]
        var askedCount = 0
        var notes: [PhotoKey: [Note]] = [:]
    }

    private struct Gate {
        var isShut = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var countMax = 0
        var groups: [[BlobID]] = []
    }

    /// The most groups that waited for ``open()`` at one time.
    var waitingCountMax: Int { gate.withLock { $0.countMax } }

    /// Photos that were to be placed together, in the order in which they came.
    var groups: [[BlobID]] { gate.withLock { $0.groups } }

    /// Lets placements wait until ``open()``.
    func shut() { gate.withLock { $0.isShut = true } }

    func open() {
        let waiting = gate.withLock { gate in
            gate.isShut = false
            defer { gate.waiting.removeAll() }
            return gate.waiting
        }
        for group in waiting { group.resume() }
    }

    private func pass(_ group: [BlobID]) async {
        await withCheckedContinuation { continuation in
            let isOpen = gate.withLock { gate in
                gate.groups.append(group)
                if gate.isShut { gate.waiting.append(continuation) }
                gate.countMax = max(gate.countMax, gate.waiting.count)
                return !gate.isShut
            }
            if isOpen { continuation.resume() }
        }
    }

    /// Why photos fail to be placed from now on, as on a full disk: all but where some are named. `nil` lets them be placed.
    func setFailure(_ reason: String?, of photos: Set<BlobID>? = nil) {
        failure.withLock { $0 = reason.map { ($0, photos) } }
    }

    /// Why no file is taken away from now on, as on a disk that is not there.
    func setLeavingFailure(_ reason: String) { leavingFailure.withLock { $0 = reason } }

    /// Why no photo is placed from now on; `nil` lets them be placed.
    func setRefusal(_ reason: String?) { refusal.withLock { $0 = reason } }

    /// What the folder gives back to the store from now on: it has files of these bytes, and the disk has room.
    func setGivenBack(_ blobs: Set<BlobID>) { givenBack.withLock { $0 = blobs } }

    func setIncoming(_ files: IncomingFiles) { unshared.withLock { $0 = files } }
    func setFiles(_ files: [FolderFile]) { listed.withLock { $0 = files } }
    private func note(_ note: Note) { noted.withLock { $0.append(note) } }

    func place(_ placements: [Placement]) async -> [Result<String?, FolderError>] {
        for placement in placements { note(.placed(PhotoKey(album: placement.album, blob: placement.blob))) }
        await pass(placements.map(\.blob))
        return placements.map { placement in
            if let failure = failure.withLock({ $0 }), failure.photos?.contains(placement.blob) ?? true {
                return .failure(FolderError(.diskFull, failure.reason))
            }
            if let reason = refusal.withLock({ $0 }) {
                return .failure(FolderError(.noPhoto(reason: reason), reason))
            }
            return .success(nil)
        }
    }

    func path(album: AlbumID, blob: BlobID) -> String? { files().first { $0.album == album && $0.blob == blob }?.path }
    func files() -> [FolderFile] { listed.withLock { $0 } }
    func album(ofDirectory directory: String, remembered: AlbumID?) -> AlbumID? {
        let albums = files().filter { $0.path.hasPrefix(directory + "/") }.map(\.album)
        return remembered.flatMap { albums.isEmpty || albums.contains($0) ? $0 : nil } ?? albums.first
    }
    func skippedFiles() -> [(path: String, reason: String)] { [] }
    func incoming() -> IncomingFiles { unshared.withLock { $0 } }
    func takeAgain(_ blobs: Set<BlobID>) async -> Set<BlobID> { blobs.intersection(givenBack.withLock { $0 }) }
    var awaitsAdoption: Bool { false }
    func adopt() {}
    func takeAway(_ photos: [PhotoKey]) async throws {
        if photos.isEmpty { return }
        if let reason = leavingFailure.withLock({ $0 }) { throw FolderError(.unavailable, reason) }
        note(.tookAway(photos))
    }
    func letBack(_ photos: [PhotoKey]) async throws { if !photos.isEmpty { note(.letBack(photos)) } }
    func heldGroup() async throws(FolderError) -> HeldGroup? { nil }
    func confirmHeld(version: UInt64?) async throws(FolderError) {}
    func undoHeld() async throws(FolderError) {}
    func setAsideDamaged(_ blob: BlobID, inode: UInt64) async -> [String] { [] }
}

/// The agent's services with a real home, without network and folder.
struct RunningAgent {
    let services: Services
    let parts: AgentParts
    let folder: NotedFolder
    let home: OpenHome
    let path: String

    /// Runs services on the home at `path` while the body runs, as one run of the agent does.
    static func run(
        _ path: String, longMessages: LongMessages = LongMessages(), retryInterval: TimeAmount = .seconds(10),
        beginAnew: @escaping @Sendable () -> Void = {},
        _ body: @Sendable (RunningAgent) async throws -> Void
    ) async throws {
        // A process that another test starts meanwhile has the former run's lock until it runs its own program.
        let home = try OpenHome(home: path, waitMilliseconds: 5000)
        defer { home.lock.release() }
        let pools = AgentPools()
        let logger = Logger(label: "test")
        let transport = try PeerTransport(
            identity: home.membership.identity, standing: home.standing, knownDevices: { _ in false },
            eventLoopGroup: pools.eventLoops, blockingPool: pools.serving, logger: logger)
        let parts = AgentParts(
            journal: home.journal, index: home.index, blobs: home.blobs,
            reader: MediaReader(settings: .found(), logger: logger),
            renditions: PictureStore(path: path + "/renditions", logger: logger), readingCount: 0, transport: transport,
            discovery: nil, eventLoop: pools.eventLoops.next(), journalPool: pools.journal, indexPool: pools.index,
            blobPool: pools.blobs, commitPool: pools.commits, servingPool: pools.serving, logger: logger)
        let services = await Services.begin(
            home.engine(replica: try home.replicaToContinue(), port: 0), parts: parts,
            phrases: home.membership.phrases, beginAnew: beginAnew,
            removedPhotos: home.removedPhotos,
            running: try RunningTime(home.journal), longMessages: longMessages, retryInterval: retryInterval)
        let folder = NotedFolder()
        services.folder.setFiles(folder)
        let result = await Result {
            try await withThrowingTaskGroup { group in
                group.addTask { await services.host.run() }
                try await body(RunningAgent(services: services, parts: parts, folder: folder, home: home, path: path))
                await services.host.stop()
                try await group.waitForAll()
            }
        }
        await services.host.stop()
        await transport.shutdown()
        await pools.shutDown()
        try result.get()
    }

    /// A home with a gathering, in a directory that goes afterwards.
    static func withHome(_ body: (String) async throws -> Void) async throws {
        let home = "/tmp/potluck-removal-\(UInt64.random(in: 0...UInt64.max))"
        defer {
            // A leftover in /tmp is no reason to fail.
            try? FileManager.default.removeItem(atPath: home)
        }
        _ = try await HomeSetup.host(home: home, gathering: "Kuh reunion", device: "Grandma")
        try await body(home)
    }

    /// Adds a photo of these bytes to the album.
    ///
    /// - Parameter withBytes: whether they come with it, or may be here already.
    func add(
        _ bytes: [UInt8], name: String, to album: String, withBytes: Bool = true
    ) async throws -> PhotoKey {
        let blob = withBytes ? try parts.blobs.ingest(bytes: bytes) : blobID(bytes)
        let list = withBytes ? try parts.blobs.pieceList(blob) : nil
        let file = PhotoFile(
            blob: blob, byteCount: UInt64(bytes.count), pieceList: list, name: name, mediaType: "image/jpeg",
            modified: 0)
        let id = try await services.contributions.contribute(.photo(albumName: album, file))
        return PhotoKey(album: id ?? AlbumName.identifier(album), blob: blob)
    }

    /// A file of these bytes that a person put into the folder.
    func drop(_ bytes: [UInt8], name: String, in directory: String) throws -> Drop {
        let blob = try parts.blobs.ingest(bytes: bytes)
        return Drop(
            directory: directory, name: name,
            blob: IngestedBlob(id: blob, byteCount: UInt64(bytes.count), pieceList: nil, firstBytes: bytes),
            mediaType: "image/jpeg", modified: 0, isLive: true, problem: nil)
    }

    func control(trashDays: Int = 30) -> AgentControl {
        AgentControl(
            services: services, membership: home.membership, folderRoot: "/nonexistent",
            upkeep: Upkeep(
                home: AgentsHome(
                    path: path, services: services, signing: home.membership.signing,
                    folderRoot: "/nonexistent"),
                pool: parts.blobPool),
            trashDays: trashDays, requestStop: {}, network: .init(port: 4711, discovery: false, peers: []),
            monitoring: Monitoring(version: "1.0", started: parts.clock.now, disk: DiskProbe(home: path)))
    }

    func isLive(_ key: PhotoKey) async -> Bool { await services.host.ask { $0.catalog.isLive(key) } }

    /// What is known at this moment.
    var view: GatheringView { get async { await services.host.view } }
}

extension Result where Failure == any Error, Success: Sendable {
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
