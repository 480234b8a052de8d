import Crypto
import Glibc
import PhotoStore

/// Small files and journals of a backup, written as a whole or not at all. Blocks.
enum WholeFile {
    private static let bufferByteCount = 1 << 20

    /// What a file is called until it is whole.
    static func passing(_ path: String) -> String { path + ".new" }

    /// Replaces the file at `path`, durably.
    static func write(_ bytes: [UInt8], to path: String, mode: mode_t) throws(PotluckError) {
        let passing = passing(path)
        let file = open(passing, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard file >= 0 else { throw failure("make", passing) }
        defer { close(file) }
        try write(bytes[...], to: file, passing)
        try finish(file, passing, as: path)
    }

    /// Copies a file, durably, over one that stands there. Both are hashed.
    ///
    /// - Returns: the SHA-256 of what was read, in hexadecimal digits.
    @discardableResult
    static func copy(_ source: String, to path: String, mode: mode_t) throws(PotluckError) -> String {
        let from = open(source, O_RDONLY | O_CLOEXEC)
        guard from >= 0 else { throw failure("open", source) }
        defer { close(from) }
        let passing = passing(path)
        let file = open(passing, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard file >= 0 else { throw failure("make", passing) }
        defer { close(file) }
        var hasher = SHA256()
        try forEachChunk(of: from, source) { chunk throws(PotluckError) in
            hasher.update(data: chunk)
            try write(chunk, to: file, passing)
        }
        try finish(file, passing, as: path)
        return text(hasher.finalize())
    }

    /// The SHA-256 of a file as the disk gives it back, in hexadecimal digits.
    static func hash(_ path: String) throws(PotluckError) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure("open", path) }
        defer { close(file) }
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
        var hasher = SHA256()
        try forEachChunk(of: file, path) { chunk throws(PotluckError) in hasher.update(data: chunk) }
        return text(hasher.finalize())
    }

    /// Makes the names in a directory survive a power cut.
    static func synchronizeDirectory(_ path: String) throws(PotluckError) {
        let file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw failure("open", path) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw failure("sync", path) }
    }

    /// What the system said last, as a sentence.
    static func failure(_ call: String, _ path: String) -> PotluckError {
        let reason = errno
        switch reason {
        case ENOSPC, EDQUOT:
            return PotluckError(
                .tryAgain,
                "The disk with \(path) is full. Make room, or use a larger one, and run this again: it goes on where it was."
            )
        case EROFS: return PotluckError(.failed, "\(path) cannot be written: the disk or stick is write-protected.")
        default: return PotluckError(.failed, "Cannot \(call) \(path): \(String(cString: strerror(reason))).")
        }
    }

    private static func forEachChunk(
        of file: Int32, _ path: String, _ body: (ArraySlice<UInt8>) throws(PotluckError) -> Void
    ) throws(PotluckError) {
        var buffer = [UInt8](repeating: 0, count: bufferByteCount)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count == 0 { return }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw failure("read", path)
            }
            try body(buffer[..<count])
        }
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to file: Int32, _ path: String) throws(PotluckError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw failure("write", path)
            }
        }
    }

    private static func finish(_ file: Int32, _ passing: String, as path: String) throws(PotluckError) {
        guard fsync(file) == 0 else { throw failure("sync", passing) }
        guard rename(passing, path) == 0 else { throw failure("rename", passing) }
        try synchronizeDirectory(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
    }

    private static func text(_ digest: SHA256Digest) -> String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
