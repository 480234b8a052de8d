import Glibc

/// What goes into an export: a file's bytes, or bytes in memory.
enum Content: Sendable {
    /// A file of the home, which may be shared but not moved.
    case file(String)
    /// A file that a ``PictureMaker`` made at a temporary path of the sink; the sink may take it.
    case made(String)
    case bytes([UInt8])
}

/// An open file whose bytes are read once, from its beginning to its end.
final class SourceBytes {
    /// What is in memory of a file at a time.
    static let chunkByteCount = 1 << 20

    let descriptor: Int32
    let byteCount: UInt64
    /// When it was last changed, in milliseconds since 1970.
    let modified: Int64

    /// - Throws: ``SourceError``.
    init(path: String) throws(SourceError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last() }
        self.descriptor = descriptor
        var info = stat()
        let status = fstat(descriptor, &info)
        byteCount = UInt64(info.st_size)
        modified = Int64(info.st_mtim.tv_sec) * 1000 + Int64(info.st_mtim.tv_nsec) / 1_000_000
        guard status == 0, info.st_mode & S_IFMT == S_IFREG else {
            throw SourceError(reason: "it is no file")
        }
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    }

    deinit {
        close(descriptor)
    }

    /// Hands over all bytes in order.
    ///
    /// - Throws: ``SourceError`` where the file cannot be read; whatever `body` throws.
    func forEachChunk(_ body: (_ bytes: UnsafeRawBufferPointer, _ offset: UInt64) throws -> Void) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkByteCount, alignment: 4096)
        defer { buffer.deallocate() }
        var offset: UInt64 = 0
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count > 0 {
                try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]), offset)
                offset += UInt64(count)
            } else if count == 0 {
                return
            } else if errno != EINTR {
                throw SourceError.last()
            }
        }
    }

    /// SHA-256 and size of a file; `nil` where there is none that can be read.
    static func digest(ofFileAt path: String) -> Written? {
        do {
            var digest = StreamDigest()
            try SourceBytes(path: path).forEachChunk { bytes, _ in digest.update(bytes) }
            return digest.written
        } catch {
            return nil
        }
    }
}
