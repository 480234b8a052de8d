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

    public var message: String { "\(path) cannot be listed: \(Self.text(errno))" }

    private static func text(_ errno: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let status = buffer.withUnsafeMutableBytes { bytes in
            strerror_r(errno, bytes.assumingMemoryBound(to: CChar.self).baseAddress!, bytes.count)
        }
        guard status == 0 else { return "error \(errno)" }
        return String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
    }
}

extension DirectoryListingError: CustomStringConvertible {
    public var description: String { message }
}
