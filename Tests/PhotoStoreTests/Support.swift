import AlbumModel
import DiskIO
import Glibc
import StoreProbe
import Synchronization

@testable import PhotoStore

/// A home in a directory of its own, which goes with the last reference.
final class TemporaryHome: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/potluck-store-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { preconditionFailure("no temporary directory") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        removeTree(path)
    }

    /// A store as the agent opens it.
    func store(cloner: BlobStore.Cloner? = nil) throws -> BlobStore {
        let index = try Index(home: path)
        guard let cloner else { return try BlobStore(home: path, index: index) }
        return try BlobStore(home: path, index: index, cloner: cloner)
    }

    func stagingNames() throws -> [String] { try Disk.names(in: path + "/staging") }

    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try overwrite(path + "/" + name, with: bytes)
        return path + "/" + name
    }
}

func overwrite(_ path: String, with bytes: [UInt8], at offset: UInt64 = 0) throws {
    try Descriptor(opening: path, .updateOrMake(mode: 0o644)).write(bytes, at: offset)
}

func contents(_ path: String) throws -> [UInt8] {
    try Descriptor(opening: path, .readOwn).bytes(atMost: Int(FileStat(path: path).byteCount))
}

/// The pieces of a blob, as a peer would send them, and their list.
struct Cut {
    enum ListKind: CaseIterable {
        case chained
        case ofPieceHashes
    }

    let id: BlobID
    let pieces: [[UInt8]]
    let list: PieceList
    var byteCount: UInt64 { UInt64(pieces.reduce(0) { $0 + $1.count }) }

    init(_ bytes: [UInt8], _ kind: ListKind = .chained) {
        id = Samples.blobID(bytes)
        pieces = Samples.pieces(bytes)
        list =
            switch kind {
            case .chained: Samples.chainedList(pieces)
            case .ofPieceHashes: Samples.listOfPieceHashes(pieces)
            }
    }
}

extension PartialBlob {
    func write(_ piece: Int, _ bytes: [UInt8]) throws -> PieceOutcome {
        try bytes.withUnsafeBytes { try write(piece: piece, bytes: $0) }
    }
}

extension BlobStore {
    func receive(_ cut: Cut) throws -> CommitOutcome {
        if cut.pieces.count == 1 {
            return try cut.pieces[0].withUnsafeBytes { try receive(cut.id, bytes: $0) } ? .committed : .wrongWhole
        }
        let partial = try beginReceiving(cut.id, byteCount: cut.byteCount, list: cut.list)
        for (number, piece) in cut.pieces.enumerated() { _ = try partial.write(number, piece) }
        return try partial.commit()
    }

    func ingest(path: String, isStillSame: () throws -> Bool = { true }) throws -> IngestedBlob {
        let file = try Descriptor(opening: path, .readOwn)
        return try ingest(descriptor: file.number, isStillSame: isStillSame)
    }

    func bytes(_ id: BlobID) throws -> [UInt8]? {
        guard let reader = try open(id) else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(reader.byteCount))
        let count = try bytes.withUnsafeMutableBytes { try reader.read(at: 0, into: $0) }
        return Array(bytes.prefix(count))
    }
}

/// Runs `body` on as many threads at once, waits for all, and throws one of their errors.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
    final class Work: Sendable {
        let number: Int
        let body: @Sendable (Int) throws -> Void
        let failure = Mutex<(any Error)?>(nil)

        init(number: Int, body: @escaping @Sendable (Int) throws -> Void) {
            self.number = number
            self.body = body
        }

        func run() {
            do { try body(number) } catch { failure.withLock { $0 = error } }
        }
    }
    let work = (0..<count).map { Work(number: $0, body: body) }
    let threads = work.map { work in
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(work).toOpaque()
        let status = pthread_create(
            &thread, nil,
            { argument in
                Unmanaged<Work>.fromOpaque(argument!).takeRetainedValue().run()
                return nil
            }, argument)
        precondition(status == 0, "no thread")
        return thread
    }
    for thread in threads { pthread_join(thread, nil) }
    for error in work.compactMap({ $0.failure.withLock { $0 } }) { throw error }
}

private func removeTree(_ path: String) {
    guard let stat = try? FileStat(path: path) else { return }
    if stat.isDirectory {
        for name in (try? Disk.names(in: path)) ?? [] { removeTree(path + "/" + name) }
        rmdir(path)
    } else {
        unlink(path)
    }
}
