import AlbumModel
import FolderEngine
import Foundation
import Glibc
import Logging
import NIOPosix
import PhotoStore
import Synchronization
import TestSupport
import Testing

@testable import SharedFolder

/// An agent's part around the folder: albums in memory, and a wait for what the folder tells.
actor FakeHost: FolderHost {
    private(set) var drops: [Drop] = []
    private(set) var notices: [FolderNotice] = []
    private var present: Set<PhotoKey> = []
    private var removed: Set<PhotoKey> = []
    /// Others' photos: their files' vanishing only hides them here.
    private var foreign: Set<PhotoKey> = []
    /// What a person sees of the photos: it must survive renaming, moving and editing.
    private(set) var names: [PhotoKey: String] = [:]
    private(set) var captions: [PhotoKey: String] = [:]
    private(set) var edits: [FolderEdit] = []
    private(set) var held: HeldGroup?
    /// Those that have not their albums' names any more, or have their new ones.
    private(set) var directories: [String: AlbumID] = [:]
    private var amidNextContribution: (@Sendable () async -> Void)?
    private var failuresLeft = 0
    private var editFailuresLeft = 0
    private var questionCount = 0
    private var waiters: [Int: Waiter] = [:]
    private var nextWaiter = 0

    private struct Waiter {
        var condition: @Sendable (View) -> Bool
        var continuation: CheckedContinuation<Bool, Never>
    }

    /// What a wait looks at.
    struct View: Sendable {
        var drops: [Drop]
        var notices: [FolderNotice]
        /// How often the folder asked for a photo's standing.
        var questionCount: Int
        var edits: [FolderEdit]
        var held: HeldGroup?

        func isRemoved(_ bytes: [UInt8]) -> Bool {
            edits.contains { if case .removed(_, blobID(bytes), _) = $0 { true } else { false } }
        }

        func isReplaced(_ bytes: [UInt8]) -> Bool {
            edits.contains { if case .replaced(_, blobID(bytes), _) = $0 { true } else { false } }
        }
    }

    static func photo(_ blob: BlobID, in directory: String) -> PhotoKey {
        PhotoKey(album: AlbumName.identifier(directory.isEmpty ? AlbumName.unsorted : directory), blob: blob)
    }

    func standing(ofPhoto blob: BlobID, inDirectory directory: String) -> PhotoStanding {
        let photo = key(blob, in: directory)
        questionCount += 1
        changed()
        return present.contains(photo) ? .present : removed.contains(photo) ? .removed : .unknown
    }

    private func key(_ blob: BlobID, in directory: String) -> PhotoKey {
        directories[directory].map { PhotoKey(album: $0, blob: blob) } ?? Self.photo(blob, in: directory)
    }

    func directoryIsRenamed(_ former: String, to directory: String, album: AlbumID) {
        directories[former] = nil
        directories[directory] = album
        changed()
    }

    func albumID(forDirectory directory: String) -> AlbumID? {
        let album = key(blobID([]), in: directory).album
        return present.union(removed).contains { $0.album == album } ? album : nil
    }

    func contribute(_ drop: Drop) async throws -> AlbumID {
        await amidNextContribution.take()?()
        if failuresLeft > 0 {
            failuresLeft -= 1
            throw FolderError(.diskFull, "The disk is full.")
        }
        let photo = key(drop.blob.id, in: drop.directory)
        insert(photo, drop.name)
        drops.append(drop)
        changed()
        return photo.album
    }

    func apply(_ edits: [FolderEdit]) throws {
        if editFailuresLeft > 0 {
            editFailuresLeft -= 1
            throw FolderError(.diskFull, "The disk is full.")
        }
        for edit in edits { apply(edit) }
        self.edits += edits
        changed()
    }

    private func apply(_ edit: FolderEdit) {
        switch edit {
        case .removed(let album, let blob, _): take(PhotoKey(album: album, blob: blob))
        case .renamed(let album, let blob, let name, _): names[PhotoKey(album: album, blob: blob)] = name
        case .moved(let album, let blob, let drop):
            insert(key(blob, in: drop.directory), drop.name, from: PhotoKey(album: album, blob: blob))
            take(PhotoKey(album: album, blob: blob))
        case .replaced(let album, let old, let drop):
            let old = PhotoKey(album: album, blob: old)
            insert(PhotoKey(album: album, blob: drop.blob.id), drop.name, from: old)
            take(old)
        }
    }

    private func insert(_ photo: PhotoKey, _ name: String, from old: PhotoKey? = nil) {
        removed.remove(photo)
        if present.insert(photo).inserted { names[photo] = name }
        captions[photo] = old.flatMap { captions[$0] } ?? captions[photo]
    }

    private func take(_ photo: PhotoKey) {
        guard !foreign.contains(photo), present.remove(photo) != nil else { return }
        removed.insert(photo)
    }

    func heldBack(_ group: HeldGroup?) {
        held = group
        changed()
    }

    func setCaption(_ caption: String, of bytes: [UInt8], in directory: String) {
        captions[Self.photo(blobID(bytes), in: directory)] = caption
    }

    func caption(of bytes: [UInt8], in directory: String) -> String? {
        captions[Self.photo(blobID(bytes), in: directory)]
    }

    /// The photos of an album, by name.
    func names(in directory: String) -> [String] {
        let album = Self.photo(blobID([]), in: directory).album
        return present.filter { $0.album == album }.map { names[$0] ?? "?" }.sorted()
    }

    var photos: Set<PhotoKey> { present }

    func report(_ notice: FolderNotice) {
        notices.append(notice)
        changed()
    }

    /// As if a peer's change had come.
    func add(_ bytes: [UInt8], in directory: String) {
        present.insert(Self.photo(blobID(bytes), in: directory))
        foreign.insert(Self.photo(blobID(bytes), in: directory))
    }

    func remove(_ bytes: [UInt8], in directory: String) {
        present.remove(Self.photo(blobID(bytes), in: directory))
        removed.insert(Self.photo(blobID(bytes), in: directory))
    }

    func fail(times: Int) {
        failuresLeft = times
    }

    /// What happens while the next photo is on its way into its album.
    func whileContributing(_ body: @escaping @Sendable () async -> Void) {
        amidNextContribution = body
    }

    func failEdits(times: Int) {
        editFailuresLeft = times
    }

    /// False if it never came true within the limit.
    func wait(
        within limit: Duration = .seconds(20), _ condition: @escaping @Sendable (View) -> Bool
    ) async -> Bool {
        if condition(view) { return true }
        let number = nextWaiter
        nextWaiter += 1
        let end = Task {
            try? await Task.sleep(for: limit)
            give(up: number)
        }
        defer { end.cancel() }
        return await withCheckedContinuation { waiters[number] = Waiter(condition: condition, continuation: $0) }
    }

    var view: View {
        View(drops: drops, notices: notices, questionCount: questionCount, edits: edits, held: held)
    }

    private func changed() {
        let view = view
        for (number, waiter) in waiters where waiter.condition(view) {
            waiters[number] = nil
            waiter.continuation.resume(returning: true)
        }
    }

    private func give(up number: Int) {
        waiters.removeValue(forKey: number)?.continuation.resume(returning: false)
    }
}

/// A home, a folder and what runs them, in a directory of its own.
final class Kit: Sendable {
    let base: String
    let root: String
    let host: FakeHost
    let journal: Journal
    let blobs: BlobStore
    let pool: NIOThreadPool
    let folder: SharedFolder

    init(
        base: String? = nil, folder name: String = "Photos", host: FakeHost = FakeHost(),
        settings: FolderSettings = .calm,
        boot: BootID = BootID(bytes: [1]), probe: FolderProbe = .system
    ) async throws {
        var template = Array("/tmp/potluck-folder-XXXXXX".utf8CString)
        if base == nil { try #require(mkdtemp(&template) != nil) }
        let base = base ?? String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.base = base
        root = base + "/" + name
        self.host = host
        mkdir(base + "/home", 0o700)
        journal = try Journal(home: base + "/home")
        blobs = try BlobStore(home: base + "/home", index: try Index(home: base + "/home"))
        pool = NIOThreadPool(numberOfThreads: 8)
        pool.start()
        let folderID = try SharedFolder.prepare(root: root, journal: journal)
        folder = try await SharedFolder.open(
            root: root, folderID: folderID, journal: journal, blobs: blobs, pool: pool, host: host,
            settings: settings, logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }), boot: boot,
            probe: probe)
    }

    /// Runs the folder while the body does; the first scan is over when the body begins.
    func running(_ body: @Sendable (Kit) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.folder.run() }
            let result = await Result { try await body(self) }
            group.cancelAll()
            try await group.waitForAll()
            try await pool.shutdownGracefully()
            try result.get()
        }
    }

    func remove() {
        // A leftover in /tmp is no reason to fail.
        try? FileManager.default.removeItem(atPath: base)
    }

    // MARK: What a person does

    func path(_ path: String) -> String { root + "/" + path }

    func makeDirectory(_ name: String) {
        mkdir(path(name), 0o755)
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Self.write(bytes, to: path(name))
    }

    static func write(_ bytes: [UInt8], to path: String, flags: Int32 = O_CREAT | O_TRUNC) throws {
        let file = open(path, O_WRONLY | O_CLOEXEC | flags, 0o644)
        try #require(file >= 0, "cannot open \(path)")
        defer { close(file) }
        try #require(Glibc.write(file, bytes, bytes.count) == bytes.count)
    }

    /// Written elsewhere, then renamed into the folder.
    func drop(_ bytes: [UInt8], as name: String) throws {
        let outside = base + "/outside-\(UInt64.random(in: 0...UInt64.max))"
        try Self.write(bytes, to: outside)
        try #require(rename(outside, path(name)) == 0)
    }

    /// A photo that comes after all that happened before, through the same watcher.
    func dropSentinel(_ number: Int = 0) async throws {
        let bytes = SamplePhoto.jpeg(1_000_000 + number)
        try drop(bytes, as: "sentinel-\(number).jpg")
        #expect(await host.wait { view in view.drops.contains { $0.blob.id == blobID(bytes) } })
    }

    /// Waits for photos in directories that were just made: these are watched later than the folder itself, so what is
    /// dropped into it afterwards may come first.
    func waitForDrops(of seeds: some Sequence<Int>) async throws {
        let blobs = Set(seeds.map { blobID(SamplePhoto.jpeg($0)) })
        #expect(await host.wait { blobs.isSubset(of: $0.drops.map(\.blob.id)) })
        // The only worker looks at it after it has remembered the others.
        try await dropSentinel(Int.random(in: 1_000...1_000_000_000))
    }

    /// Returns once no file waits for a look, 20 s at most. One that was written to in place waits for another: the watcher
    /// tells of the closing somewhat before the system counts the writer out, and the first look may fall in between.
    func waitForLooks() async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while folder.core.queue.read({ !$0.schedule.unsettled(now: .now).paths.isEmpty }),
            ContinuousClock.now < deadline
        {
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Returns once all that was done to the folder before is judged. For folders that import in order.
    ///
    /// - Parameter confirms: whether a person says of everything that the brake holds back that it was meant.
    func settle(confirms: Bool = false) async throws {
        let number = Int.random(in: 1_000...1_000_000_000)
        try await dropSentinel(number)
        try await waitForLooks()
        #expect(unlink(path("sentinel-\(number).jpg")) == 0)
        // Its dropping comes after the other's vanishing.
        try await dropSentinel(number + 1)
        folder.core.queue.judgeSoon()
        let judged = SamplePhoto.jpeg(1_000_000 + number)
        #expect(await host.wait { $0.isRemoved(judged) || confirms && $0.held != nil })
        while confirms, await !host.view.isRemoved(judged) {
            // Refused where all of it changed since it was looked at: the next round sees it as it is.
            try? await confirm()
            folder.core.queue.judgeSoon()
            #expect(await host.wait { $0.isRemoved(judged) || $0.held != nil })
        }
        // The only worker looks at it after it has followed the judgement.
        try await dropSentinel(number + 2)
    }

    /// A person looks at what the brake holds back, and says that it was meant.
    func confirm() async throws {
        let seen = try await folder.heldGroup()
        try await folder.confirmHeld(version: seen?.version)
    }

    /// What was judged, without sentinels.
    func edits() async -> [FolderEdit] {
        await host.edits.filter { if case .removed(_, _, let path) = $0 { !path.hasPrefix("sentinel") } else { true } }
    }

    /// Returns once the disk has taken all files, 10 s at most; false if it has not.
    func synced() async -> Bool {
        let deadline = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < deadline {
            if folder.core.queue.read({ $0.state.fresh.isEmpty }) { return true }
            await Task.yield()
        }
        return false
    }

    /// Paths of files that hold shared photos, without sentinels.
    var shared: [String] { folder.files().map(\.path).filter { !$0.hasPrefix("sentinel") } }

    /// What has been dropped, without sentinels.
    func dropped() async -> [Drop] { await host.drops.filter { !$0.name.hasPrefix("sentinel") } }

    func placement(_ bytes: [UInt8], name: String, album: String = "Beach", device: String = "Ben") throws -> Placement
    {
        let source = base + "/incoming"
        try Self.write(bytes, to: source)
        let file = open(source, O_RDONLY)
        defer { close(file) }
        let blob = try blobs.ingest(descriptor: file) { true }
        return Placement(
            album: AlbumName.identifier(album), albumName: album, blob: blob.id, name: name,
            modified: 1_700_000_000_123_456_789, deviceName: device, mayLink: true)
    }
}

/// Makes a kit, runs it, and cleans up.
func withKit(settings: FolderSettings = .calm, _ body: @Sendable (Kit) async throws -> Void) async throws {
    let kit = try await Kit(settings: settings)
    defer { kit.remove() }
    try await kit.running(body)
}

extension FolderSettings {
    /// One file at a time: what is dropped last is imported last.
    static var inOrder: FolderSettings {
        var settings = calm
        settings.workConcurrency = 1
        return settings
    }

    /// The same, where names are followed after a moment.
    static var renamingSoon: FolderSettings {
        var settings = inOrder
        settings.renamingDelay = .milliseconds(200)
        return settings
    }

    /// What vanishes and changes is judged when the test says so.
    static var calm: FolderSettings {
        var settings = FolderSettings()
        settings.judging.quiet = .seconds(3600)
        settings.judging.waitMax = .seconds(3600)
        return settings
    }
}

extension Result where Failure == any Error, Success: Sendable {
    init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}

extension SharedFolder {
    /// Places one photo.
    func place(_ placement: Placement) async throws(FolderError) -> String? {
        try await place([placement])[0].get()
    }
}
