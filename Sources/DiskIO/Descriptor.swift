import CFileOps
public import Glibc
import Synchronization

/// An open file or directory, closed with the last reference. Every call blocks; calls may come from several threads.
public final class Descriptor: Sendable {
    /// How a path is opened.
    public enum Access: Hashable, Sendable {
        /// For reading what may be anything, as all that people put somewhere: no pipe is waited for.
        case read(followsLink: Bool)
        /// For reading what a person names as input: a pipe without a writer is waited for.
        case stream
        /// For reading a file of the program's own.
        case readOwn
        /// A directory, for ``Descriptor/synchronize(toleratesUnsupported:)``.
        case directory
        /// For reading and writing a file that is there.
        case update
        /// The same, which is made where it is missing.
        case updateOrMake(mode: mode_t)
        /// For reading and writing a new file; EEXIST where anything stands there.
        case make(mode: mode_t)

        fileprivate var flags: Int32 {
            switch self {
            case .read(let followsLink):
                O_RDONLY | O_NONBLOCK | O_NOCTTY | (followsLink ? 0 : O_NOFOLLOW)
            case .stream: O_RDONLY | O_NOCTTY
            case .readOwn: O_RDONLY
            case .directory: O_RDONLY | O_DIRECTORY
            case .update: O_RDWR
            case .updateOrMake: O_RDWR | O_CREAT
            case .make: O_RDWR | O_CREAT | O_EXCL
            }
        }

        fileprivate var mode: mode_t {
            switch self {
            case .updateOrMake(let mode), .make(let mode): mode
            case .read, .stream, .readOwn, .directory, .update: 0
            }
        }
    }

    public let number: Int32
    /// Where it was opened; for messages.
    public let path: String
    private let isOpen = Atomic<Bool>(true)

    /// Takes ownership of `number`.
    public init(owning number: Int32, path: String) {
        self.number = number
        self.path = path
    }

    public convenience init(opening path: some DiskPath, _ access: Access) throws(FileError) {
        let number = path.withCString { open($0, access.flags | O_CLOEXEC, access.mode) }
        guard number >= 0 else { throw .last("open", path.pathText) }
        self.init(owning: number, path: path.pathText)
    }

    deinit {
        close()
    }

    /// Nothing may use the descriptor any more.
    public func close() {
        if isOpen.exchange(false, ordering: .sequentiallyConsistent) { _ = Glibc.close(number) }
    }

    // MARK: Reading

    /// Reads until `buffer` is full or the file ends; returns how many bytes there were.
    public func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        try Self.read(number, path: path, at: offset, into: buffer)
    }

    /// The same for a descriptor that somebody else owns.
    public static func read(
        _ number: Int32, path: String, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(FileError) -> Int {
        var done = 0
        while done < buffer.count {
            let count = pread(number, buffer.baseAddress! + done, buffer.count - done, off_t(offset) + off_t(done))
            if count > 0 {
                done += count
            } else if count == 0 {
                break
            } else if errno != EINTR {
                throw .last("read", path)
            }
        }
        return done
    }

    /// At most `count` bytes at an offset: fewer where the file ends before.
    public static func bytes(
        _ number: Int32, path: String, at offset: UInt64, atMost count: Int
    ) throws(FileError) -> [UInt8] {
        var failure: FileError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            do throws(FileError) {
                done = try read(number, path: path, at: offset, into: UnsafeMutableRawBufferPointer(buffer))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// At most `count` bytes at an offset: fewer where the file ends before.
    public func bytes(at offset: UInt64 = 0, atMost count: Int) throws(FileError) -> [UInt8] {
        try Self.bytes(number, path: path, at: offset, atMost: count)
    }

    /// Whether anything was ever written there; true where the file system cannot tell. Moves the file's offset.
    public func hasData(in range: Range<UInt64>) -> Bool {
        // SEEK_DATA of Linux.
        let start = lseek(number, off_t(range.lowerBound), 3)
        guard start >= 0 else { return errno != ENXIO }
        return UInt64(start) < range.upperBound
    }

    /// Has the kernel drop what it keeps of the file in memory, so that a later read comes from the disk.
    public func dropCache() { Self.dropCache(number) }

    /// The same for a descriptor that somebody else owns.
    public static func dropCache(_ number: Int32) { posix_fadvise(number, 0, 0, POSIX_FADV_DONTNEED) }

    // MARK: Writing

    public func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileError) {
        try Self.write(bytes, to: number, path: path, at: offset)
    }

    /// Writes all bytes, or throws; what was written until then stays.
    static func write(
        _ bytes: UnsafeRawBufferPointer, to number: Int32, path: String, at offset: UInt64,
        by call: TemporaryFile.Write = TemporaryFile.systemWrite
    ) throws(FileError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = call(number, rest, off_t(offset) + off_t(done))
            if count >= 0 {
                done += count
            } else if errno != EINTR {
                throw .last("write", path)
            }
        }
    }

    public func write(_ bytes: [UInt8], at offset: UInt64) throws(FileError) {
        // The closure's error is known, but `withUnsafeBytes` has no typed throws for it.
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(FileError) in try write(buffer, at: offset) }
        }
        try result.get()
    }

    /// Asks the kernel to begin writing these bytes to the disk. Whether it does changes only how long a sync takes.
    public func startWriteback(at offset: UInt64, byteCount: Int) {
        _ = cfileops_start_writeback(number, Int64(offset), Int64(byteCount))
    }

    public func truncate(to byteCount: UInt64) throws(FileError) {
        guard ftruncate(number, off_t(byteCount)) == 0 else { throw .last("truncate", path) }
    }

    /// Makes the content that of another file, which is read from its beginning. Moves the file's offset.
    public func replaceContents(with other: Descriptor) throws(FileError) {
        var offset = off_t(0)
        let end = off_t(try FileStat(descriptor: other.number).byteCount)
        guard ftruncate(number, 0) == 0, lseek(number, 0, SEEK_SET) == 0 else { throw .last("truncate", path) }
        while offset < end {
            let count = sendfile(number, other.number, &offset, Int(end - offset))
            if count > 0 || count < 0 && errno == EINTR { continue }
            throw count == 0 ? FileError(.changed, "read", other.path) : .last("write", path)
        }
    }

    /// Makes an empty file share all bytes of another one, which costs no space: reflinks of Btrfs and XFS.
    ///
    /// - Returns: whether these file systems could.
    public static func clone(_ source: Int32, into destination: Int32) -> Bool {
        cfileops_clone(destination, source) == 0
    }

    // MARK: What it is

    /// The serial number of the FAT volume that this file or directory is on; `nil` on another file system.
    public func fatSerial() -> UInt32? {
        var serial: UInt32 = 0
        return cfileops_fat_serial(number, &serial) == 0 ? serial : nil
    }

    public func setMode(_ mode: mode_t) throws(FileError) {
        guard fchmod(number, mode) == 0 else { throw .last("chmod", path) }
    }

    /// Sets the modification time, in nanoseconds since 1970; the time of access stays.
    public func setModified(_ nanoseconds: Int64) throws(FileError) {
        guard FileTimes.setModified(number, timespec(nanoseconds: nanoseconds)) else {
            throw .last("set the time of", path)
        }
    }

    // MARK: Durability, locks, writers

    /// Waits until all that was written, and the file's size, survive a power cut. Its name needs its directory's; for a
    /// directory, the names in it do.
    ///
    /// - Parameter toleratesUnsupported: whether a file system that has no such call is no error: some network ones.
    public func synchronize(toleratesUnsupported: Bool = false) throws(FileError) {
        try Self.synchronize(number, path: path, toleratesUnsupported: toleratesUnsupported)
    }

    static func synchronize(_ number: Int32, path: String, toleratesUnsupported: Bool = false) throws(FileError) {
        if fsync(number) == 0 || toleratesUnsupported && errno == EINVAL { return }
        throw .last("sync", path)
    }

    /// Makes all that was written to the file system of this file or directory survive a power cut.
    public func synchronizeFileSystem() throws(FileError) {
        let status = cfileops_sync_file_system(number)
        guard status == 0 else { throw FileError(errno: status, "sync", path) }
    }

    /// Locks the file until it is closed, by this process or with its end.
    ///
    /// - Returns: whether nobody else has the lock.
    /// - Throws: where files cannot be locked.
    public func tryLock() throws(FileError) -> Bool {
        let status = cfileops_try_lock(number)
        guard status == 0 || status == EWOULDBLOCK else { throw FileError(errno: status, "lock", path) }
        return status == 0
    }

    /// Whether somebody has a file open for writing.
    public enum Writer: Hashable, Sendable {
        case none
        case open
        /// The file system, or the file's owner, does not allow to ask.
        case unknown
    }

    /// Asks by a lease for reading, which neither blocks nor holds up writers.
    ///
    /// - Parameter number: open for reading only.
    public static func writer(of number: Int32) -> Writer {
        // A writer that comes while we hold the lease makes the kernel send a signal. SIGURG is ignored by default;
        // SIGIO, which it would be, ends the process. F_SETSIG of fcntl(2), which Swift does not import, is 10.
        _ = fcntl(number, 10, SIGURG)
        switch cfileops_take_read_lease(number) {
        case 0:
            _ = cfileops_release_lease(number)
            return .none
        case EAGAIN: return .open
        // No leases here (network file systems, FUSE), or the file is another user's.
        default: return .unknown
        }
    }
}
