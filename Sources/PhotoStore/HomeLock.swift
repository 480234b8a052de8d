import CFileOps
import DiskIO
import Glibc

/// Why a home cannot be had.
public enum HomeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another process has the home; `pid` is 0 where it has not written its number yet.
    case lockedByAgent(pid: Int32)
    /// The home's directory or lock file cannot be used.
    case unusable(path: String, errno: Int32)

    public var description: String {
        switch self {
        case .lockedByAgent(0): "Another potluck uses this home."
        case .lockedByAgent(let pid): "Another potluck, process \(pid), uses this home."
        case .unusable(let path, let errno): "\(path) cannot be used: \(FileError.text(errno))."
        }
    }
}

/// The right to write in a home: one process at a time has it.
///
/// It ends with ``release()``, with the last reference, or with the process, however that ends.
public final class HomeLock: Sendable {
    private static let pollMicroseconds: UInt32 = 10_000

    private let file: Descriptor

    private init(file: Descriptor) {
        self.file = file
    }

    /// Takes `home/lock`, and makes the home (mode 0700) where there is none; its parent must exist.
    ///
    /// Blocks for at most about `waitMilliseconds`; 0 tries once.
    public static func acquire(home: String, waitMilliseconds: Int = 0) throws(HomeError) -> HomeLock {
        do {
            try Files.makeDirectory(home, mode: 0o700)
            let file = try Descriptor(opening: home + "/lock", O_RDWR | O_CREAT, mode: 0o600)
            try take(file, waitMilliseconds: waitMilliseconds)
            return HomeLock(file: file)
        } catch let error as HomeError {
            throw error
        } catch let error as SystemError {
            throw .unusable(path: error.path, errno: error.errno)
        } catch {
            throw .unusable(path: home, errno: EIO)
        }
    }

    /// Lets the next process in, at once.
    public func release() {
        file.close()
    }

    private static func take(_ file: Descriptor, waitMilliseconds: Int) throws {
        var waited = 0
        while true {
            let status = cfileops_try_lock(file.number)
            if status == 0 { break }
            guard status == EWOULDBLOCK else { throw SystemError(status, "lock", file.path) }
            // flock has no limit of its own, and a listing holds the lock for milliseconds only.
            guard waited < waitMilliseconds else { throw HomeError.lockedByAgent(pid: holder(in: file)) }
            usleep(pollMicroseconds)
            waited += Int(pollMicroseconds) / 1000
        }
        // The number is for people's eyes; a lock without it, as on a full disk, is as good.
        let text = Array("\(getpid())\n".utf8)
        try? file.truncate(to: 0)
        try? text.withUnsafeBytes { try file.writeAll($0, at: 0) }
    }

    private static func holder(in file: Descriptor) -> Int32 {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = (try? bytes.withUnsafeMutableBytes { try file.read(at: 0, into: $0) }) ?? 0
        return Int32(String(decoding: bytes.prefix(count).prefix { $0 != 10 }, as: UTF8.self)) ?? 0
    }
}
