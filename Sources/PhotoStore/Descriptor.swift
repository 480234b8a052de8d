import CFileOps
import DiskIO
import Glibc
import Synchronization

/// An open file, closed with the last reference.
final class Descriptor: Sendable {
    let number: Int32
    /// Where it was opened; for messages.
    let path: String
    private let isOpen = Atomic<Bool>(true)

    /// Takes ownership of `number`.
    init(owning number: Int32, path: String) {
        self.number = number
        self.path = path
    }

    convenience init(opening path: String, _ flags: Int32, mode: mode_t = 0) throws {
        let number = open(path, flags | O_CLOEXEC, mode)
        guard number >= 0 else { throw SystemError.last("open", path) }
        self.init(owning: number, path: path)
    }

    deinit {
        close()
    }

    /// Nothing may use the descriptor any more.
    func close() {
        if isOpen.exchange(false, ordering: .sequentiallyConsistent) { _ = Glibc.close(number) }
    }

    /// Reads until `buffer` is full or the file ends; returns how many bytes there were.
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        try Files.read(number, path: path, at: offset, into: buffer)
    }

    func writeAll(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
        var done = 0
        while done < bytes.count {
            let count = pwrite(number, bytes.baseAddress! + done, bytes.count - done, off_t(offset) + off_t(done))
            if count >= 0 {
                done += count
            } else if errno != EINTR {
                throw SystemError.last("write", path)
            }
        }
    }

    func truncate(to byteCount: UInt64) throws {
        guard ftruncate(number, off_t(byteCount)) == 0 else { throw SystemError.last("truncate", path) }
    }

    func setMode(_ mode: mode_t) throws {
        guard fchmod(number, mode) == 0 else { throw SystemError.last("chmod", path) }
    }

    /// Sets the modification time, in nanoseconds since 1970; the time of access stays.
    func setModified(_ nanoseconds: Int64) throws {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let modified = timespec(
            tv_sec: Int(rest < 0 ? seconds - 1 : seconds), tv_nsec: Int(rest < 0 ? rest + 1_000_000_000 : rest))
        let times = [timespec(tv_sec: 0, tv_nsec: Int(Files.keepTime)), modified]
        guard futimens(number, times) == 0 else { throw SystemError.last("set the time of", path) }
    }

    /// Asks the kernel to begin writing these bytes to the disk. Whether it does changes only how long a sync takes.
    func startWriteback(at offset: UInt64, byteCount: Int) {
        _ = cfileops_start_writeback(number, Int64(offset), Int64(byteCount))
    }

    /// Whether anything was ever written there; true where the file system cannot tell. Moves the file's offset.
    func hasData(in range: Range<UInt64>) -> Bool {
        let start = lseek(number, off_t(range.lowerBound), Files.seekData)
        guard start >= 0 else { return errno != ENXIO }
        return UInt64(start) < range.upperBound
    }

    /// Waits until all that was written, and the file's size, survive a power cut. Its name needs its directory's.
    func synchronize() throws {
        guard fsync(number) == 0 else { throw SystemError.last("sync", path) }
    }
}

/// Calls on paths and on descriptors that somebody else owns.
enum Files {
    /// UTIME_OMIT of POSIX, a macro that Swift does not import.
    static let keepTime = (1 << 30) - 2
    /// SEEK_DATA of Linux.
    static let seekData: Int32 = 3

    static func read(
        _ number: Int32, path: String, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws -> Int {
        var done = 0
        while done < buffer.count {
            let count = pread(number, buffer.baseAddress! + done, buffer.count - done, off_t(offset) + off_t(done))
            if count > 0 {
                done += count
            } else if count == 0 {
                break
            } else if errno != EINTR {
                throw SystemError.last("read", path)
            }
        }
        return done
    }

    /// A directory that is there already is fine.
    static func makeDirectory(_ path: String, mode: mode_t) throws {
        guard mkdir(path, mode) == 0 || errno == EEXIST else { throw SystemError.last("make", path) }
    }

    /// A file that is gone already is fine.
    static func remove(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemError.last("remove", path) }
    }

    /// Makes the names in a directory survive a power cut.
    static func synchronizeDirectory(_ path: String) throws {
        try Descriptor(opening: path, O_RDONLY | O_DIRECTORY).synchronize()
    }

    /// All names in a directory but `.` and `..`, in no order.
    static func names(in path: String) throws -> [String] { try entries(in: path).map(\.text) }

    /// The same, with what each name stands for. A link in the path's last part is followed: a home's directories may be
    /// on other disks.
    static func entries(in path: String) throws -> [DirectoryListing.Entry] {
        do throws(DirectoryListingError) {
            return try DirectoryListing(path: path, followsLink: true).entries
        } catch {
            throw SystemError(error.errno, "list", error.path)
        }
    }

    /// Whether something stands at a path, links followed. Throws where nobody can look.
    static func exists(_ path: String) throws -> Bool {
        switch PathPresence(of: path, followsLink: true) {
        case .present: true
        case .absent: false
        case .unknown(let errno): throw SystemError(errno, "look at", path)
        }
    }
}
