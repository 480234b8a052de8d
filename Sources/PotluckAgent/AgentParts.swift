import AlbumModel
import FolderEngine
import LANDiscovery
import Logging
import MediaReader
import NIOCore
import NIOPosix
import PeerTransport
import PhotoStore
import SharedFolder
import SyncEngine

/// What the agent is composed of, shared by its services.
struct AgentParts: Sendable {
    let clock = SystemClock()
    let journal: Journal
    let index: Index
    let blobs: BlobStore
    let reader: MediaReader
    /// What was made of originals for browsers.
    let renditions: PictureStore
    /// Photos that are read at a time.
    let readingCount: Int
    let transport: PeerTransport
    /// `nil` with `--no-discovery`.
    let discovery: LANDiscovery?
    let eventLoop: any EventLoop
    /// One thread: SQLite has one writer, and transactions keep their order.
    let journalPool: NIOThreadPool
    let indexPool: NIOThreadPool
    /// Hashes and writes pieces.
    let blobPool: NIOThreadPool
    /// Waits for the disk to sync; many may wait at once, and share what can be shared.
    let commitPool: NIOThreadPool
    /// Reads what peers are sent: it waits neither behind what they send, nor behind a sync.
    let servingPool: NIOThreadPool
    let logger: Logger

    /// Makes facts durable, in one transaction.
    func setFacts(_ facts: [FactChange]) async throws {
        guard !facts.isEmpty else { return }
        try await journalPool.perform { [journal] in try journal.setFacts(facts) }
    }
}

/// Where photos become files.
protocol FolderFiles: Sendable {
    func place(_ placements: [Placement]) async -> [Result<String?, FolderError>]
    func follow(_ names: [AlbumID: AlbumNames])
    func follow(_ names: [PhotoKey: PhotoName])
    func placedFiles() -> [FolderFile]
    func path(album: AlbumID, blob: BlobID) -> String?
    func files() -> [FolderFile]
    func album(ofDirectory directory: String, remembered: AlbumID?) -> AlbumID?
    func takeAway(_ photos: [PhotoKey]) async throws
    func letBack(_ photos: [PhotoKey]) async throws
    func heldGroup() async throws(FolderError) -> HeldGroup?
    func confirmHeld(version: UInt64?) async throws(FolderError)
    func undoHeld() async throws(FolderError)
    func skippedFiles() -> [(path: String, reason: String)]
    func incoming() -> IncomingFiles
    func takeAgain(_ blobs: Set<BlobID>) async -> Set<BlobID>
    var awaitsAdoption: Bool { get }
    func adopt()
    func setAsideDamaged(_ blob: BlobID, inode: UInt64) async -> [String]
    func ownFiles() -> [FolderFile]
    func share(_ file: FolderFile) async -> Bool
    func separate(_ file: FolderFile) async -> Bool
}

extension SharedFolder: FolderFiles {
    func skippedFiles() -> [(path: String, reason: String)] { skipped().map { ($0.path, $0.reason) } }
}

/// Serves pieces from the blob store.
struct BlobSource: PieceSource {
    let blob: BlobID
    let reader: BlobReader
    let failedReads: FailedReads

    func read(at offset: UInt64, into target: UnsafeMutableRawBufferPointer) throws -> Int {
        do {
            return try reader.read(at: offset, into: target)
        } catch {
            failedReads.note(blob)
            throw error
        }
    }
}

/// Serves pieces of a blob that is still being received.
struct PartSource: PieceSource {
    let partial: PartialBlob

    func read(at offset: UInt64, into target: UnsafeMutableRawBufferPointer) throws -> Int {
        try partial.read(at: offset, into: target)
    }
}

extension NIOThreadPool {
    /// Runs blocking work on the pool.
    func perform<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await runIfActive(body)
    }

    static func started(_ count: Int) -> NIOThreadPool {
        let pool = NIOThreadPool(numberOfThreads: count)
        pool.start()
        return pool
    }
}
