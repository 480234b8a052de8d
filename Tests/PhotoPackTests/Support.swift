import AlbumModel
import Crypto
import DiskIO
import FoundationEssentials
import Glibc
import Testing

@testable import PhotoPack

/// A directory with files as a home has them, and room for packs.
final class Workshop: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/potluck-pack-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        // What cannot be removed stays in /tmp and hurts nobody.
        try? FileManager.default.removeItem(atPath: path)
    }

    var stick: String { "\(path)/stick" }

    /// A blob's file on this laptop.
    func blob(_ text: String) throws -> (id: BlobID, path: String) {
        let id = BlobID(digest: SHA256.hash(data: Array(text.utf8)))
        let file = "\(path)/\(id.hex)"
        try Data(text.utf8).write(to: URL(filePath: file))
        return (id, file)
    }

    func packed(_ id: BlobID) -> String { "\(stick)/\(PackLayout.file(of: id))" }

    func names(_ directory: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(stick)/\(directory)").sorted()
    }

    func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: "\(stick)/\(name)")) }

    func put(_ bytes: some Sequence<UInt8>, _ name: String) throws {
        try Data(bytes).write(to: URL(filePath: "\(stick)/\(name)"))
    }

    func reader() throws -> PackReader { try PackReader(directory: stick, tag: "aa") }

    func writer(
        _ tag: String = "aa", rereads: Bool = false, write: @escaping TemporaryFile.Write = TemporaryFile.systemWrite
    ) throws -> PackWriter {
        try PackWriter(directory: stick, manifest: manifest(tag), rereads: rereads, write: write)
    }

    func manifest(_ tag: String) -> PackManifest {
        PackManifest(gathering: "Kuh reunion", tag: tag, packedBy: "Anna", packedAt: "2026-08-01T12:00:00.000Z")
    }
}

/// Some batch; what it says is nobody's concern here.
func batch(_ number: Int, byteCount: Int = 100) -> SignedBatch {
    let content = BigEndian.bytes(UInt64(number)) + [UInt8](repeating: 7, count: byteCount - 8)
    return SignedBatch(content: content, signature: [UInt8](repeating: 9, count: 64))
}
