public import AlbumModel
import Glibc
public import PhotoStore

/// One home, opened as the agent opens it, and a place to say what was promised.
///
/// A call that fails is said, and tried again with the same objects, as the agent does when a disk has room again.
public final class Probe {
    /// How often a call may fail; injected errors end after the first.
    private static let attemptCountMax = 3
    /// A process that is being started holds a copy of this one's files for a moment.
    private static let lockWaitMilliseconds = 5000
    public static let factKind = FactKind(rawValue: "probe")

    /// Holds `home` and `folder`.
    public let root: String
    private let tell: (Acknowledgement) -> Void
    /// Ends what makes calls fail; `nil` where nothing is tried again.
    private let heal: (() -> Void)?
    private var opened: Opened?

    private struct Opened {
        var lock: HomeLock
        var journal: Journal
        var index: Index
        var blobs: BlobStore
    }

    public var home: String { root + "/home" }
    public var folder: String { root + "/folder" }

    public init(root: String, heal: (() -> Void)? = nil, tell: @escaping (Acknowledgement) -> Void) {
        self.root = root
        self.heal = heal
        self.tell = tell
    }

    public func acknowledge(_ acknowledgement: Acknowledgement) { tell(acknowledgement) }

    /// Does something until it succeeds; it begins with what the last attempt left.
    public func persistently<Value>(_ work: () throws -> Value) throws -> Value {
        var attemptCount = 1
        while true {
            do {
                return try work()
            } catch {
                acknowledge(.failed("\(error)"))
                guard let heal, attemptCount < Self.attemptCountMax else { throw error }
                heal()
                attemptCount += 1
            }
        }
    }

    private func open() throws -> Opened {
        if let opened { return opened }
        let new = try persistently {
            let lock = try HomeLock.acquire(home: home, waitMilliseconds: Self.lockWaitMilliseconds)
            do {
                let journal = try Journal(home: home)
                let index = try Index(home: home)
                return Opened(
                    lock: lock, journal: journal, index: index, blobs: try BlobStore(home: home, index: index))
            } catch {
                lock.release()
                throw error
            }
        }
        opened = new
        return new
    }

    public func journal() throws -> Journal { try open().journal }
    public func index() throws -> Index { try open().index }
    public func blobs() throws -> BlobStore { try open().blobs }

    // MARK: Steps of operations

    public func append(_ batches: [JournalBatch], facts: [FactChange] = []) throws {
        let journal = try journal()
        try persistently { try journal.append(batches, facts: facts) }
        for batch in batches { acknowledge(.batch(batch.id)) }
        for fact in facts { acknowledge(.fact(key: fact.key, value: fact.value ?? [])) }
    }

    public func ingest(path: String) throws -> BlobID {
        let blobs = try blobs()
        let blob = try persistently {
            let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { throw ProbeError(sentence: "cannot open \(path): error \(errno)") }
            defer { close(file) }
            return try blobs.ingest(descriptor: file) { true }
        }
        acknowledge(.blob(blob.id))
        return blob.id
    }

    /// Receives a blob as from peers: its last piece first, the others in order.
    public func receive(_ bytes: [UInt8]) throws {
        let blobs = try blobs()
        let id = Samples.blobID(bytes)
        let pieces = Samples.pieces(bytes)
        let list = pieces.count > 1 ? PieceList(hashes: pieces.map { Samples.blobID($0) }) : nil
        var partial: PartialBlob?
        try persistently {
            do {
                if try blobs.contains(id) || receive(id, pieces, list, in: blobs, &partial) { return }
                throw ProbeError(sentence: "the blob \(id) is wrong")
            } catch {
                // The file went with the error: from the start.
                if (error as? BlobError)?.code == .incomplete { partial = nil }
                throw error
            }
        }
        acknowledge(.blob(id))
    }

    private func receive(
        _ id: BlobID, _ pieces: [[UInt8]], _ list: PieceList?, in blobs: BlobStore, _ partial: inout PartialBlob?
    ) throws -> Bool {
        if partial == nil {
            let new = try blobs.beginReceiving(id, byteCount: UInt64(pieces.reduce(0) { $0 + $1.count }), list: list)
            acknowledge(.resumed(id, new.piecesHeld.count { $0 }))
            partial = new
        }
        guard let partial else { return false }
        for number in [pieces.count - 1] + Array(0..<(pieces.count - 1)) where !partial.piecesHeld[number] {
            let outcome = try pieces[number].withUnsafeBytes { try partial.write(piece: number, bytes: $0) }
            guard outcome == .stored else { return false }
            acknowledge(.piece(id, number))
        }
        return try partial.commit() == .committed
    }

    /// Puts a blob into the folder; a file that stands there already counts if its bytes are right.
    public func place(_ id: BlobID, as name: String, mayLink: Bool) throws {
        let blobs = try blobs()
        let path = folder + "/" + name
        try persistently {
            do {
                _ = try blobs.place(id, at: path, mayLink: mayLink, modified: 1_600_000_000_000_000_000)
            } catch {
                guard (error as? BlobError)?.code == .destinationExists,
                    try blobs.makeDurable(fileWith: id, at: path) != nil
                else {
                    throw error
                }
            }
        }
        acknowledge(.placed(id, name: name))
    }
}

struct ProbeError: Error, CustomStringConvertible {
    var sentence: String
    var description: String { sentence }
}
