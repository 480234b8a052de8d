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

    /// The errno values that mean that no more bytes fit.
    static func isDiskFull(_ errno: Int32) -> Bool { errno == ENOSPC || errno == EDQUOT }

    static func text(_ errno: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let status = buffer.withUnsafeMutableBytes { bytes in
            strerror_r(errno, bytes.assumingMemoryBound(to: CChar.self).baseAddress!, bytes.count)
        }
        guard status == 0 else { return "error \(errno)" }
        return String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
    }
}
