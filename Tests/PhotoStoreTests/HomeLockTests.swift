import Glibc
import Synchronization
import Testing

@testable import PhotoStore

/// A second agent of a home is told who has it, and comes in when the first has gone.
@Test func homeLockIsExclusive() throws {
    let home = TemporaryHome()
    let first = try HomeLock.acquire(home: home.path)
    #expect(throws: HomeError.lockedByAgent(pid: getpid())) { try HomeLock.acquire(home: home.path) }
    first.release()
    // A process that another test starts meanwhile has the first one's lock until it runs its own program.
    let second = try HomeLock.acquire(home: home.path, waitMilliseconds: 5000)
    second.release()
}

/// Waiting for a listing that is about to finish ends with the lock, not with an error.
@Test func homeLockWaitsForALetGo() throws {
    let home = TemporaryHome()
    let holder = Mutex<HomeLock?>(try HomeLock.acquire(home: home.path))
    try onThreads(2) { number in
        if number == 0 {
            try HomeLock.acquire(home: home.path, waitMilliseconds: 10_000).release()
        } else {
            holder.withLock { $0.take()?.release() }
        }
    }
}

/// A home that cannot be made is reported with its path.
@Test func homeThatCannotBeMade() {
    #expect(throws: HomeError.unusable(path: "/nonexistent/home", errno: ENOENT)) {
        try HomeLock.acquire(home: "/nonexistent/home")
    }
}
