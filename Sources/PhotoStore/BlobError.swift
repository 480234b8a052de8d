import AlbumModel
import DiskIO
import Glibc

/// Why a blob could not be taken in, read or placed.
public struct BlobError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// The file that was being taken in changed meanwhile; nothing of it was kept.
        case changedWhileReading
        /// The blob's file holds other bytes now (edited through a hard link); the blob has left the store.
        case contentChanged
        /// The store does not have this blob.
        case absent
        /// The store has this blob already: there is nothing to receive.
        case alreadyHeld
        /// Somebody else receives this blob right now.
        case alreadyReceiving
        /// Size and piece list do not fit each other, or the size is beyond ``BlobStore/byteCountMax``.
        case badShape
        /// Pieces are missing still, or the partial blob has ended.
        case incomplete
        /// Something stands at the path where the blob was to be placed.
        case destinationExists
        /// The operating system said no; ``BlobError/errno`` says why.
        case system
    }

    public var code: Code
    /// 0 unless ``code`` is ``Code/system``.
    public var errno: Int32
    /// A sentence for people.
    public var message: String

    public var description: String { message }

    /// No more bytes fit on the disk, or in the person's quota: worth another try once there is room.
    public var isDiskFull: Bool { code == .system && FileError.isFull(errno) }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.errno = 0
        self.message = message
    }

    init(_ error: FileError) {
        code = .system
        errno = error.errno ?? 0
        if error.isFull {
            // Of the file, a temporary one mostly, nobody has heard.
            let directory = error.path.lastIndex(of: "/").map { error.path[..<$0] } ?? error.path[...]
            message = "The disk with \(directory) is full: make room, and it goes on by itself."
        } else {
            message = error.isObstacle ? error.obstacleSentence : error.sentence
        }
    }

    private init(_ error: StoreError) {
        code = .system
        errno = error.isDiskFull ? ENOSPC : EIO
        message = error.message
    }

    /// Gives whatever was thrown inside this module its face.
    init(wrapping error: any Error) {
        switch error {
        case let error as BlobError: self = error
        case let error as FileError: self.init(error)
        case let error as StoreError: self.init(error)
        case let error as BlobPublisher.FailedSync: self.init(wrapping: error.cause)
        default: self.init(.system, "\(error)")
        }
    }

    static func wrapping<Value>(_ body: () throws -> Value) throws(BlobError) -> Value {
        do { return try body() } catch { throw BlobError(wrapping: error) }
    }

    static func absent(_ id: BlobID) -> BlobError {
        BlobError(.absent, "The blob \(id) is not here.")
    }
}
