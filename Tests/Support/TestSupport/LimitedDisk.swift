public import Glibc
import Synchronization

/// A disk that takes so many bytes and no more.
public final class LimitedDisk: Sendable {
    private let left: Mutex<Int>
    private let failure: Int32

    /// - Parameter failure: the error of each write after these bytes.
    public init(byteCount: Int, failure: Int32 = ENOSPC) {
        left = Mutex(byteCount)
        self.failure = failure
    }

    /// Writes to a descriptor at an offset, as the system's `pwrite` does.
    public var write: @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ offset: off_t) -> Int {
        { descriptor, bytes, offset in
            let count = self.left.withLock { left in
                let count = min(left, bytes.count)
                left -= count
                return count
            }
            guard count > 0 || bytes.isEmpty else {
                errno = self.failure
                return -1
            }
            return pwrite(descriptor, bytes.baseAddress, count, offset)
        }
    }
}
