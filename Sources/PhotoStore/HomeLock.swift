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
    private let file: Descriptor

    private init(file: Descriptor) {
        self.file = file
    }

    /// Takes `home/lock`, and makes the home (mode 0700) where there is none; its parent must exist.
    ///
    /// Blocks for at most about `waitMilliseconds`; 0 tries once.
    public static func acquire(home: String, waitMilliseconds: Int = 0) throws(HomeError) -> HomeLock {
        do {
            try Disk.makeDirectory(home, mode: 0o700)
            let path = home + "/lock"
            while true {
                let file = try Descriptor(opening: path, .updateOrMake(mode: 0o600))
                try take(file, waitMilliseconds: waitMilliseconds)
                // Whoever deleted the home meanwhile deleted this file, and the next one makes another: it locks nothing.
                if try FileStat(descriptor: file.number).linkCount > 0 { return HomeLock(file: file) }
            }
        } catch let error as HomeError {
            throw error
        } catch let error as FileError {
            throw .unusable(path: error.path, errno: error.errno ?? EIO)
        } catch {
            throw .unusable(path: home, errno: EIO)
        }
    }

    /// Lets the next process in, at once.
    public func release() {
        file.close()
    }

    private static func take(_ file: Descriptor, waitMilliseconds: Int) throws {
        // A listing holds the lock for milliseconds only.
        guard try LockWait.isTaken(within: waitMilliseconds, { try file.tryLock() }) else {
            throw HomeError.lockedByAgent(pid: holder(in: file))
        }
        // The number is for people's eyes; a lock without it, as on a full disk, is as good.
        try? file.truncate(to: 0)
        try? file.write(Array("\(getpid())\n".utf8), at: 0)
    }

    private static func holder(in file: Descriptor) -> Int32 {
        let bytes = (try? file.bytes(atMost: 16)) ?? []
        return Int32(String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)) ?? 0
    }
}
