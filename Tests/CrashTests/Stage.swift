import DiskIO
import Foundation
import Glibc
import StoreProbe

/// An operation's home as it is before, made once and set up anew for every run.
final class Stage: Sendable {
    private struct File {
        var path: String
        var bytes: Data
        var mode: mode_t
    }

    let operation: StoreOperation
    private let path: String
    /// Below the root, parents first.
    private let directories: [String]
    private let files: [File]
    private let next = Counter()

    init(_ operation: StoreOperation) throws {
        self.operation = operation
        path = "\(Self.base)/potluck-crash-\(UInt64.random(in: 0...UInt64.max))"
        let before = path + "/before"
        for directory in [path, before, before + "/folder", before + "/home"] {
            guard mkdir(directory, 0o700) == 0 else { throw CrashTestError("\(directory) cannot be made") }
        }
        try operation.prepare(Probe(root: before) { _ in })
        unlink(before + "/home/lock")
        var directories: [String] = []
        var files: [File] = []
        for name in try FileManager.default.subpathsOfDirectory(atPath: before).sorted() {
            var info = stat()
            guard lstat(before + "/" + name, &info) == 0 else { continue }
            if info.st_mode & S_IFMT == S_IFDIR {
                directories.append(name)
            } else {
                let bytes = try Data(contentsOf: URL(fileURLWithPath: before + "/" + name))
                files.append(File(path: name, bytes: bytes, mode: info.st_mode & 0o777))
            }
        }
        (self.directories, self.files) = (directories, files)
    }

    /// In memory where there is room: a sync takes no time there, and what a power cut loses the library decides.
    private static var base: String {
        var info = statvfs()
        let isThere = access("/dev/shm", W_OK) == 0 && statvfs("/dev/shm", &info) == 0
        return isThere && UInt64(info.f_bavail) * UInt64(info.f_frsize) > memoryByteCountMin
            ? "/dev/shm" : NSTemporaryDirectory()
    }

    /// Each processor has a home of some 5 MB at a time.
    private static let memoryByteCountMin: UInt64 = 512 << 20

    deinit { Self.removeTree(path) }

    /// Runs `body` with a root of its own, which is gone afterwards.
    func withRoot<Value>(_ body: (String) throws -> Value) throws -> Value {
        let root = "\(path)/\(next.increment())"
        defer { Self.removeTree(root) }
        for directory in [""] + directories { mkdir(root + "/" + directory, 0o700) }
        for file in files {
            let descriptor = open(root + "/" + file.path, O_WRONLY | O_CREAT | O_CLOEXEC, file.mode)
            defer { close(descriptor) }
            let count = file.bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count == file.bytes.count else { throw CrashTestError("\(file.path) cannot be written") }
        }
        return try body(root)
    }

    /// Foundation's own takes longer than the operation.
    private static func removeTree(_ path: String) {
        // What cannot be listed stays behind, and is in nobody's way.
        guard let list = try? DirectoryListing(path: path) else { return }
        for entry in list.entries {
            let file = path + "/" + entry.text
            if unlink(file) != 0 { removeTree(file) }
        }
        rmdir(path)
    }
}
