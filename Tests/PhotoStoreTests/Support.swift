import AlbumModel
import Crypto
import Glibc
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

    func stagingNames() throws -> [String] { try Files.names(in: path + "/staging") }

    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try overwrite(path + "/" + name, with: bytes)
        return path + "/" + name
    }
}

func overwrite(_ path: String, with bytes: [UInt8], at offset: UInt64 = 0) throws {
    let file = try Descriptor(opening: path, O_RDWR | O_CREAT, mode: 0o644)
    try bytes.withUnsafeBytes { try file.writeAll($0, at: offset) }
}

func contents(_ path: String) throws -> [UInt8] {
    let file = try Descriptor(opening: path, O_RDONLY)
    var bytes = [UInt8](repeating: 0, count: Int(try FileStat(path: path).byteCount))
    _ = try bytes.withUnsafeMutableBytes { try file.read(at: 0, into: $0) }
    return bytes
}

/// Bytes that look random and are the same in every run: one drawn block again and again, numbered, so that no two
/// pieces are alike and an unoptimised build draws little.
func pattern(_ count: Int, seed: UInt64) -> [UInt8] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    let block = (0..<min(count, 4096)).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + block.count)
    while bytes.count < count {
        let number = bytes.isEmpty ? [] : BigEndian.bytes(UInt64(bytes.count))
        bytes += number
        bytes += block.dropFirst(number.count)
    }
    return Array(bytes.prefix(count))
}

func blobID(_ bytes: [UInt8]) -> BlobID { BlobID(digest: SHA256.hash(data: bytes)) }

/// The pieces of a blob, as a peer would send them, and their list.
struct Cut {
    let id: BlobID
    let pieces: [[UInt8]]
    var byteCount: UInt64 { UInt64(pieces.reduce(0) { $0 + $1.count }) }
    var list: PieceList? { pieces.count > 1 ? PieceList(hashes: pieces.map { blobID($0) }) : nil }

    init(_ bytes: [UInt8]) {
        id = blobID(bytes)
        let size = Int(Pieces.byteCount)
        pieces =
            bytes.isEmpty
            ? [[]]
            : stride(from: 0, to: bytes.count, by: size).map { start in
                Array(bytes[start..<min(start + size, bytes.count)])
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
        let partial = try beginReceiving(cut.id, byteCount: cut.byteCount, list: cut.list)
        for (number, piece) in cut.pieces.enumerated() { _ = try partial.write(number, piece) }
        return try partial.commit()
    }

    func ingest(path: String, isStillSame: () throws -> Bool = { true }) throws -> IngestedBlob {
        let file = try Descriptor(opening: path, O_RDONLY)
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
        for name in (try? Files.names(in: path)) ?? [] { removeTree(path + "/" + name) }
        rmdir(path)
    } else {
        unlink(path)
    }
}
