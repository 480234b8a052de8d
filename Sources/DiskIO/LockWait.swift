import Glibc

/// Waiting for a lock that another process has: `flock` itself has no limit.
public enum LockWait {
    private static let pollMicroseconds: UInt32 = 10_000

    /// Tries again and again. Blocks for at most about `milliseconds`; 0 tries once.
    ///
    /// - Returns: whether the lock was had.
    public static func isTaken(within milliseconds: Int, _ tryLock: () throws -> Bool) rethrows -> Bool {
        var waited = 0
        while try !tryLock() {
            guard waited < milliseconds else { return false }
            usleep(pollMicroseconds)
            waited += Int(pollMicroseconds) / 1000
        }
        return true
    }
}
