import AlbumModel
import Foundation
import TestSupport

/// A path as a disk has it: other bytes are another path, also where Unicode calls the texts equal.
struct DiskPath: Hashable, Comparable, Sendable, CustomStringConvertible {
    let text: String

    init(_ text: String) { self.text = text }

    /// The first-level directory, which stands for an album.
    var directory: DiskPath { DiskPath(String(text.prefix { $0 != "/" })) }
    var parent: DiskPath { DiskPath(FolderHands.parent(of: text)) }
    var name: String { FolderHands.name(of: text) }
    /// As others are told it.
    var sharedName: String { name.precomposedStringWithCanonicalMapping }
    var description: String {
        text.split(separator: "/").map { $0.count < 40 ? String($0) : "\($0.prefix(8))…\($0.count)…\($0.suffix(8))" }
            .joined(separator: "/")
    }

    func appending(_ name: String) -> DiskPath { DiskPath(text + "/" + name) }

    /// Whether a person would call two names, or paths, the same.
    static func isSame(_ text: String, _ other: String) -> Bool {
        text.precomposedStringWithCanonicalMapping.lowercased()
            == other.precomposedStringWithCanonicalMapping.lowercased()
    }

    static func == (left: DiskPath, right: DiskPath) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }
    static func < (left: DiskPath, right: DiskPath) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
    func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
}

/// What a disk holds, read without the product's help.
enum Disk {
    /// Every file below a directory, with the hash of its bytes; also hidden ones.
    static func files(below root: String) -> [DiskPath: BlobID] {
        // What vanishes while it is listed is not there.
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
        var files: [DiskPath: BlobID] = [:]
        for path in paths {
            var isDirectory: ObjCBool = false
            guard FileManager.default.fileExists(atPath: root + "/" + path, isDirectory: &isDirectory),
                !isDirectory.boolValue, let data = FileManager.default.contents(atPath: root + "/" + path)
            else { continue }
            files[DiskPath(path)] = blobID(Array(data))
        }
        return files
    }

    /// The blobs in a home whose files hold the bytes of their names.
    static func wholeBlobs(in home: String) -> Set<BlobID> {
        let files = files(below: home + "/blobs")
        return Set(
            files.compactMap { path, blob in
                path.text.replacing("/", with: "") == blob.hex ? blob : nil
            })
    }

    /// How many names the file has, and whether its owner may write to it.
    static func links(_ path: String) -> (count: Int, isWritable: Bool) {
        var info = stat()
        guard lstat(path, &info) == 0 else { return (0, false) }
        return (Int(info.st_nlink), info.st_mode & S_IWUSR != 0)
    }
}
