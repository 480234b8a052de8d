import Glibc

/// Why a file or a directory could not be used.
public struct FileError: Error, Hashable, Sendable {
    public enum Cause: Hashable, Sendable {
        /// The operating system said no.
        case system(errno: Int32)
        /// Something else stands there.
        case obstacle(FileKind, wanted: FileKind)
        /// The file has other names, so that writing to it would change what these lead to.
        case otherNames
        /// Its size or time is not what it was when it was opened.
        case changed
        /// It has more bytes, or a directory more entries, than one of its use can have.
        case tooLarge
        /// It is large by its size only: most of it is holes.
        case hollow
        /// No name that may lead below a directory.
        case badName
    }

    public var cause: Cause
    /// What was tried: a verb.
    public var call: String
    public var path: String

    public init(_ cause: Cause, _ call: String, _ path: String) {
        self.cause = cause
        self.call = call
        self.path = path
    }

    public init(errno: Int32, _ call: String, _ path: String) {
        self.init(.system(errno: errno), call, path)
    }

    /// What the current thread's last call said.
    public static func last(_ call: String, _ path: String) -> FileError {
        FileError(errno: Glibc.errno, call, path)
    }

    /// What the system said; `nil` where it did not say no.
    public var errno: Int32? {
        if case .system(let errno) = cause { errno } else { nil }
    }

    /// There is nothing of that name; every other error says nothing of what is there.
    public var isAbsent: Bool { errno.map { PathPresence.failed($0) == .absent } ?? false }
    public var isFull: Bool { errno.map { Self.isFull($0) } ?? false }
    /// The file system takes no file of this size: FAT, above 4 GB.
    public var isTooLargeForDisk: Bool { errno == EFBIG }
    /// The disk itself does not give a file's bytes back.
    public var meansBadDisk: Bool { errno.map { [EIO, EBADMSG, EUCLEAN, ENODATA].contains($0) } ?? false }
    /// No file could be opened or read at this moment, whichever it is.
    public var concernsEveryFile: Bool {
        errno.map { [EMFILE, ENFILE, ENOMEM, ENOBUFS, EAGAIN, ENODEV, ENOTCONN].contains($0) } ?? false
    }
    /// The disk does not answer any longer.
    public var isGone: Bool { errno.map { [EIO, ENODEV, ENXIO, ESTALE, ENOTCONN].contains($0) } ?? false }
    /// Something stands in the way, or is not what it says: it lies with whoever put it there, not with the disk.
    public var isObstacle: Bool { errno == nil && cause != .changed }

    /// A clause for people, without a full stop.
    public var reason: String {
        switch cause {
        case .system(let errno): "cannot \(call) \(path): \(Self.text(errno))"
        case .obstacle(let kind, let wanted): "\(path) is \(kind.phrase), not \(wanted.phrase)"
        case .otherNames: "\(path) is also known under another name (a hard link)"
        case .changed: "\(path) changed while it was read"
        case .tooLarge: "\(path) is larger than Potluck ever makes it"
        case .hollow: "\(path) is large by its size only and holds next to nothing"
        case .badName: "\(path) is no name of Potluck's"
        }
    }

    /// Why, without the path where the system said no: its words.
    public var causeText: String { errno.map { Self.text($0) } ?? reason }

    /// A whole sentence for people.
    public var sentence: String {
        if case .system = cause { "C" + reason.dropFirst() + "." } else { reason + "." }
    }

    /// Sentences about something that ``isObstacle``, which say what to do.
    public var obstacleSentence: String {
        "\(reason). Potluck did not put it there and leaves it alone: move it away, or name another directory."
    }

    /// Whether an error number says that no more bytes fit.
    public static func isFull(_ errno: Int32) -> Bool { errno == ENOSPC || errno == EDQUOT }

    /// What the system says of an error number.
    public static func text(_ errno: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let status = buffer.withUnsafeMutableBytes { bytes in
            strerror_r(errno, bytes.assumingMemoryBound(to: CChar.self).baseAddress!, bytes.count)
        }
        guard status == 0 else { return "error \(errno)" }
        return String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
    }
}

extension FileError: CustomStringConvertible {
    public var description: String { reason }
}
