import CFileOps
import DiskIO
import Glibc

/// A file of a pack that is being written under a temporary name. Unless it gets its own, it goes when this goes.
final class NewFile {
    /// How bytes are written: write(2). Tests hand in disks that are full.
    typealias Write = @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int

    static let systemWrite: Write = { Glibc.write($0, $1.baseAddress, $1.count) }

    private let path: String
    private let write: Write
    /// -1 once it is closed.
    private var descriptor: Int32
    private var byteCount = 0
    private var isTemporary = true

    init(temporary path: String, write: @escaping Write) throws {
        self.path = path
        self.write = write
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw StickError.last("make", path) }
    }

    deinit {
        if descriptor >= 0 { Glibc.close(descriptor) }
        if isTemporary { unlink(path) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        var done = 0
        while done < bytes.count {
            let count = write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[done...]))
            if count >= 0 {
                done += count
            } else if errno != EINTR {
                throw StickError.last("write", path)
            }
        }
        // Whether the kernel begins at once changes only how long the sync at the end takes.
        _ = cfileops_start_writeback(descriptor, Int64(byteCount), Int64(bytes.count))
        byteCount += bytes.count
    }

    func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try write($0) } }

    /// Says that all is written; some network disks only now say that they are full.
    func close() throws {
        defer { descriptor = -1 }
        guard Glibc.close(descriptor) == 0 else { throw StickError.last("write", path) }
    }

    /// Gives the file its name, in place of one that is damaged. Its bytes **must** be synced.
    func rename(to final: String) throws {
        guard Glibc.rename(path, final) == 0 else { throw StickError.last("rename", final) }
        isTemporary = false
    }
}

/// Calls on directories of a pack.
enum Directories {
    /// One that is there already is fine.
    static func make(_ path: String) throws {
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw StickError.last("make", path) }
    }

    /// All names in a directory but `.` and `..`, sorted; none where there is no such directory.
    static func names(in path: String) throws -> [String] {
        do throws(DirectoryListingError) {
            return try DirectoryListing(path: path, followsLink: true).entries.map(\.text).sorted()
        } catch {
            if error.errno == ENOENT { return [] }
            throw StickError(number: error.errno, call: "list", path: error.path)
        }
    }
}
