import CSandbox
import Glibc

/// A descriptor, closed with the last reference.
final class OwnedDescriptor: Sendable {
    let number: Int32

    /// Takes `number` over.
    init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// An empty file in memory.
    static func memory(_ name: String) throws(WorkerFailure) -> OwnedDescriptor {
        let number = csandbox_memory_file(name)
        guard number >= 0 else { throw .impossible("there is no memory (\(SystemWords.last))") }
        return OwnedDescriptor(number)
    }

    /// A file in memory with this text.
    static func memory(_ name: String, holding text: String) throws(WorkerFailure) -> OwnedDescriptor {
        let file = try memory(name)
        let bytes = Array(text.utf8)
        guard pwrite(file.number, bytes, bytes.count, 0) == bytes.count else {
            throw .impossible("there is no memory (\(SystemWords.last))")
        }
        return file
    }

    /// A regular file, to read. Blocks.
    static func file(_ path: String) throws(WorkerFailure) -> OwnedDescriptor {
        // A FIFO or device of that name must not hold anybody up.
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { throw .impossible("it cannot be opened (\(SystemWords.last))") }
        let file = OwnedDescriptor(number)
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .impossible("it is no file")
        }
        return file
    }

    /// A new file, to read and write. Blocks.
    static func newFile(_ path: String) throws(MediaError) -> OwnedDescriptor {
        let number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw MediaError(.impossible, "\(path) cannot be written: \(SystemWords.last).") }
        return OwnedDescriptor(number)
    }

    /// Makes a file with this content; leaves nothing there after an error. Blocks.
    static func write(_ bytes: [UInt8], to path: String) throws(MediaError) {
        let file = try newFile(path)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                pwrite(file.number, bytes.baseAddress! + done, bytes.count - done, off_t(done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let error = MediaError(.impossible, "\(path) cannot be written: \(SystemWords.last).")
                unlink(path)
                throw error
            }
            done += count
        }
    }

    var byteCount: UInt64 {
        var status = stat()
        return fstat(number, &status) == 0 ? UInt64(max(0, status.st_size)) : 0
    }

    /// All that is there, up to so many bytes. Blocks.
    func contents(byteCountMax: UInt64) -> [UInt8] {
        let wanted = Int(min(byteCount, byteCountMax))
        return [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            while filled < wanted {
                let got = pread(number, buffer.baseAddress! + filled, wanted - filled, off_t(filled))
                guard got > 0 else { return }
                filled += got
            }
        }
    }

    /// Makes its content that of another file. Blocks.
    func copy(_ other: OwnedDescriptor) throws(WorkerFailure) {
        var offset = off_t(0)
        let end = off_t(other.byteCount)
        guard ftruncate(number, 0) == 0, lseek(number, 0, SEEK_SET) == 0 else {
            throw .impossible("a file in memory cannot be used (\(SystemWords.last))")
        }
        while offset < end {
            let sent = sendfile(number, other.number, &offset, Int(end - offset))
            guard sent > 0 else { throw .impossible("it cannot be copied (\(SystemWords.last))") }
        }
    }

    func empty() { _ = ftruncate(number, 0) }
}

/// The system's words for what went wrong.
enum SystemWords {
    static var last: String { words(errno) }

    static func words(_ number: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        guard strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
