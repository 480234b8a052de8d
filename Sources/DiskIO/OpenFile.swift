import Glibc

/// A plain file that is open for reading, closed with the last reference.
///
/// Its size is the one that it had when it was opened: no more is ever read, and a file that turns out to be shorter,
/// longer or newer at the end is an error.
public final class OpenFile: Sendable {
    /// What is in memory of a file at a time.
    public static let chunkByteCount = 1 << 20
    /// Smaller files may be holes: see ``refuseHoles()``.
    public static let hollowByteCountMin: UInt64 = 1 << 30
    /// More parts than a film has on a file system that keeps each 128 KiB of zeros as a hole.
    private static let holeCountMax = 1 << 20

    public let descriptor: Int32
    /// Where it was opened; for messages.
    public let path: String
    public let byteCount: UInt64
    /// When its bytes were changed last, in milliseconds since 1970.
    public let modifiedMilliseconds: Int64
    private let modifiedSeconds: Int
    private let modifiedNanoseconds: Int

    /// Opens a file by its path. Blocks.
    ///
    /// - Parameter followsLink: whether the path's last part may be a link, as for a file that a person named or keeps.
    /// - Throws: also where anything but a plain file stands there.
    public convenience init(path: String, followsLink: Bool = false) throws(FileError) {
        let descriptor = open(path, OpenDirectory.readFlags & (followsLink ? ~O_NOFOLLOW : ~0))
        guard descriptor >= 0 else {
            let error = FileError.last("open", path)
            var info = stat()
            guard !followsLink, lstat(path, &info) == 0, FileKind(mode: info.st_mode) == .link else { throw error }
            throw FileError(.obstacle(.link, wanted: .file), "open", path)
        }
        try self.init(owning: descriptor, path: path)
    }

    /// Takes ownership of `descriptor`, also where it throws.
    init(owning descriptor: Int32, path: String) throws(FileError) {
        self.descriptor = descriptor
        self.path = path
        var info = stat()
        let status = fstat(descriptor, &info)
        let number = errno
        byteCount = UInt64(max(0, info.st_size))
        (modifiedSeconds, modifiedNanoseconds) = (Int(info.st_mtim.tv_sec), Int(info.st_mtim.tv_nsec))
        let (milliseconds, isTooFar) = Int64(info.st_mtim.tv_sec).multipliedReportingOverflow(by: 1000)
        modifiedMilliseconds = isTooFar ? 0 : milliseconds &+ Int64(info.st_mtim.tv_nsec) / 1_000_000
        guard status == 0 else { throw FileError(errno: number, "look at", path) }
        let kind = FileKind(mode: info.st_mode)
        guard kind == .file else { throw FileError(.obstacle(kind, wanted: .file), "open", path) }
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    }

    deinit {
        close(descriptor)
    }

    /// Has the kernel drop what it keeps of the file in memory, so that a later read comes from the disk.
    public func dropCache() { Descriptor.dropCache(descriptor) }

    // MARK: Reading

    /// Hands over all bytes in order, a mebibyte at a time. Blocks.
    ///
    /// - Throws: ``FileError`` of this ``path`` where the file cannot be read or changes meanwhile; whatever `body` throws.
    public func forEachChunk(_ body: (_ bytes: UnsafeRawBufferPointer, _ offset: UInt64) throws -> Void) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkByteCount, alignment: 4096)
        defer { buffer.deallocate() }
        var offset: UInt64 = 0
        while offset < byteCount {
            let count = try read(at: offset, into: buffer)
            guard count > 0 else { throw FileError(.changed, "read", path) }
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]), offset)
            offset += UInt64(count)
        }
        try refuseChanges()
    }

    /// All bytes. Blocks.
    ///
    /// - Throws: ``FileError/Cause/tooLarge`` where there are more than `limit`, before any is read.
    public func bytes(atMost limit: Int) throws(FileError) -> [UInt8] {
        guard byteCount <= UInt64(limit) else { throw FileError(.tooLarge, "read", path) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(byteCount))
        do {
            try forEachChunk { chunk, _ in bytes += chunk }
        } catch let error as FileError {
            throw error
        } catch {
            preconditionFailure("only reading throws")
        }
        return bytes
    }

    /// At most what is left of the bytes that the file had when it was opened; 0 where it became shorter.
    private func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        let wanted = Int(min(UInt64(buffer.count), byteCount - offset))
        while true {
            let count = pread(descriptor, buffer.baseAddress, wanted, off_t(offset))
            if count >= 0 { return count }
            if errno != EINTR { throw .last("read", path) }
        }
    }

    private func refuseChanges() throws(FileError) {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw .last("look at", path) }
        guard UInt64(max(0, info.st_size)) == byteCount, Int(info.st_mtim.tv_sec) == modifiedSeconds,
            Int(info.st_mtim.tv_nsec) == modifiedNanoseconds
        else { throw FileError(.changed, "read", path) }
    }

    /// Throws where the file has a large size and hardly any bytes, as no photo and no journal has: reading its zeros
    /// would take hours, and writing them a disk. Where the file system does not tell, it has them all.
    public func refuseHoles() throws(FileError) {
        guard byteCount >= Self.hollowByteCountMin else { return }
        var (dataByteCount, offset): (UInt64, off_t) = (0, 0)
        for _ in 0..<Self.holeCountMax where UInt64(offset) < byteCount {
            // SEEK_DATA and SEEK_HOLE of Linux.
            let start = lseek(descriptor, offset, 3)
            guard start >= 0 else {
                // Nothing but a hole follows.
                if errno == ENXIO { throw FileError(.hollow, "read", path) }
                return
            }
            let end = lseek(descriptor, start, 4)
            guard end > start else { return }
            dataByteCount += UInt64(end - start)
            if dataByteCount >= byteCount / 2 { return }
            offset = end
        }
        let isSeenWhole = UInt64(offset) >= byteCount
        guard isSeenWhole || dataByteCount < UInt64(offset) / 2 else { return }
        throw FileError(.hollow, "read", path)
    }
}
