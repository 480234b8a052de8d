import AlbumModel
import DiskIO
import Synchronization

/// Finds out whether the home's disk takes writes, by writing to it.
final class DiskProbe: Sendable {
    private struct Finding {
        var at: MonotonicInstant
        /// `nil` where the disk took it.
        var failure: String?
    }

    /// In the home while it is written.
    static let fileName = "health.new"
    private static let byteCount = 4096
    /// A sync makes the disk work: so long a finding holds, in seconds.
    static let patience = 10.0

    private let home: String
    private let write: TemporaryFile.Write
    private let last = Mutex<Finding?>(nil)
    /// The disk is asked by one thread at a time: those that serve photos must not wait for it.
    private let isAsking = Mutex(false)

    /// - Parameters:
    ///   - home: An absolute path.
    ///   - write: Tests hand in disks that are full.
    init(home: String, write: @escaping TemporaryFile.Write = TemporaryFile.systemWrite) {
        self.home = home
        self.write = write
    }

    /// Writes a small file, syncs it and removes it, unless that was done less than ``patience`` ago. Blocks; while
    /// another thread does it, the answer is what was found before.
    ///
    /// - Returns: why the disk did not take it; `nil` where it did.
    func failure(now: MonotonicInstant) -> String? {
        let before = last.withLock { $0 }
        if let before, now.seconds(since: before.at) < Self.patience { return before.failure }
        let isMine = isAsking.withLock { isAsking in
            defer { isAsking = true }
            return !isAsking
        }
        guard isMine else { return before?.failure }
        defer { isAsking.withLock { $0 = false } }
        let failure = failure()
        last.withLock { $0 = Finding(at: now, failure: failure) }
        return failure
    }

    private func failure() -> String? {
        do throws(FileError) {
            let file = try TemporaryFile(
                in: try OpenDirectory(path: home), name: Self.fileName, mode: 0o600, write: write)
            try file.append([UInt8](repeating: 0x2E, count: Self.byteCount))
            try file.synchronize()
            try file.close()
            return nil
        } catch {
            return "\(error)"
        }
    }
}
