import CFileOps
import FolderEngine
import Glibc

/// Asks whether anybody has a file open for writing.
enum ReadLease {
    /// `descriptor` must be open for reading only. Does not block, and does not hold up writers.
    static func writer(of descriptor: Int32) -> CandidateBook.Observation.Writer {
        // A writer that comes while we hold the lease makes the kernel send a signal. SIGURG is ignored by default;
        // SIGIO, which it would be, ends the process.
        _ = fcntl(descriptor, setSignal, SIGURG)
        switch cfileops_take_read_lease(descriptor) {
        case 0:
            _ = cfileops_release_lease(descriptor)
            return .none
        case EAGAIN: return .open
        // No leases here (network file systems, FUSE), or the file is another user's.
        default: return .unknown
        }
    }

    /// F_SETSIG of fcntl(2), which Swift does not import.
    private static let setSignal: Int32 = 10
}
