import Glibc

/// The file that a job came with, or a copy of it in memory. Closed with the last use.
struct HandedFile: ~Copyable {
    let descriptor: Int32
    let byteCount: Int

    /// Takes `descriptor` over; `nil` if it is no regular file.
    init?(owning descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        byteCount = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// Fewer bytes at the file's end, and none where it cannot be read.
    func read(at offset: Int, count: Int) -> [UInt8] {
        let wanted = max(0, min(count, byteCount - offset))
        return [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            while filled < wanted {
                let got = pread(descriptor, buffer.baseAddress! + filled, wanted - filled, off_t(offset + filled))
                guard got > 0 else { return }
                filled += got
            }
        }
    }
}
