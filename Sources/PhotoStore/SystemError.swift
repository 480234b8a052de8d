import DiskIO
import Glibc

/// A call of the operating system that failed. Inside this module only: ``BlobError`` and ``StoreError`` leave it.
struct SystemError: Error {
    var errno: Int32
    var call: String
    var path: String

    init(_ errno: Int32, _ call: String, _ path: String) {
        self.errno = errno
        self.call = call
        self.path = path
    }

    /// What the current thread's last call said.
    static func last(_ call: String, _ path: String) -> SystemError {
        SystemError(Glibc.errno, call, path)
    }

    /// There is no file at the path.
    var meansAbsent: Bool { PathPresence.failed(errno) == .absent }

    /// The disk itself does not give a file's bytes back.
    var meansBadDisk: Bool { [EIO, EBADMSG, EUCLEAN, ENODATA].contains(errno) }

    /// No file could be opened or read at this moment, whichever it is.
    var concernsEveryFile: Bool { [EMFILE, ENFILE, ENOMEM, ENOBUFS, EAGAIN, ENODEV, ENOTCONN].contains(errno) }
}
