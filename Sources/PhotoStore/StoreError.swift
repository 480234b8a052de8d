import DiskIO
import GRDB

/// Why the journal or the index could not be opened, read or written.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// No more bytes fit: worth another try once there is room.
        case diskFull
        /// The file holds something else, or is broken.
        case damaged
        /// Another process has the file, longer than the time that was allowed.
        case busy
        case failed
    }

    public var code: Code
    /// A sentence for people.
    public var message: String

    public var description: String { message }
    public var isDiskFull: Bool { code == .diskFull }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    init(_ error: any Error, path: String) {
        switch error {
        case let error as StoreError:
            self = error
        case let error as FileError:
            self.init(error.isFull ? .diskFull : .failed, BlobError(error).message)
        case let error as DatabaseError:
            self.init(error, path: path)
        case is OddColumn, is RowDecodingError:
            self.init(.damaged, "\(path) is damaged: a column holds something else than it is for.")
        default:
            self.init(.failed, "\(path) cannot be used: \(error)")
        }
    }

    private init(_ error: DatabaseError, path: String) {
        switch error.resultCode.primaryResultCode {
        case .SQLITE_FULL:
            self.init(.diskFull, "The disk with \(path) is full: make room, and it goes on by itself.")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self.init(.damaged, "\(path) is damaged: \(error.message ?? "it is no database").")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(.busy, "\(path) is in use by another program.")
        default:
            self.init(.failed, "\(path) cannot be used: \(error.message ?? "error \(error.resultCode.rawValue)").")
        }
    }
}
