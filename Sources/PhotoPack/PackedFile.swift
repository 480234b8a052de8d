import AlbumModel
import Crypto
import Glibc

/// A file that is open for reading: of a pack, or one that goes into it. Closed with the last reference.
public final class PackedFile: Sendable {
    public let descriptor: Int32
    public let byteCount: UInt64
    private let path: String

    /// - Returns: `nil` where there is no such file.
    /// - Throws: `StickError` where it cannot be opened, or is no file: a stick may hold anything.
    init?(path: String) throws {
        self.path = path
        descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        byteCount = try Self.byteCount(of: descriptor, path)
        guard descriptor >= 0 else { return nil }
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    private static func byteCount(of descriptor: Int32, _ path: String) throws -> UInt64 {
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return 0 }
            throw StickError.last("open", path)
        }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw StickError(number: EINVAL, call: "open", path: path)
        }
        return UInt64(info.st_size)
    }

    /// Hands over all bytes in order, a mebibyte at a time.
    func forEachChunk(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: PackLimits.chunkByteCount, alignment: 4096)
        defer { buffer.deallocate() }
        var offset = 0
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, offset)
            if count > 0 {
                try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                offset += count
            } else if count == 0 {
                return
            } else if errno != EINTR {
                throw StickError.last("read", path)
            }
        }
    }

    /// - Returns: `nil` where there are more than `limit`.
    func bytes(atMost limit: Int) throws -> [UInt8]? {
        guard byteCount <= limit else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(byteCount))
        try forEachChunk { bytes += $0 }
        return bytes.count <= limit ? bytes : nil
    }

    /// The name that its bytes have as a blob.
    func blobID() throws -> BlobID {
        var hasher = SHA256()
        try forEachChunk { hasher.update(bufferPointer: $0) }
        return BlobID(digest: hasher.finalize())
    }
}
