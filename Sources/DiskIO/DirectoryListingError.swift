import Glibc

/// Why a directory has no listing now. It says nothing of what is in the directory.
public struct DirectoryListingError: Error, Hashable, Sendable {
    public var errno: Int32
    public var path: String

    public init(errno: Int32, path: String) {
        self.errno = errno
        self.path = path
    }

    /// The error of a directory that was open already and is there still: whatever it says, nobody knows what is in it.
    static func whileReading(_ errno: Int32, _ path: String) -> DirectoryListingError {
        DirectoryListingError(errno: PathPresence.failed(errno) == .absent ? ESTALE : errno, path: path)
    }

    /// Whether there is no such directory. Everything else means that nobody could look.
    public var isAbsent: Bool { PathPresence.failed(errno) == .absent }

    public var message: String { "\(path) cannot be listed: \(FileError.text(errno))" }
}

extension DirectoryListingError: CustomStringConvertible {
    public var description: String { message }
}
