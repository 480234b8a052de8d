import DiskIO
import PhotoStore

/// Why the folder could not do what it was asked.
public struct FolderError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// The folder's marker is missing: a disk that is not mounted, or another folder. Worth another try later.
        case unavailable
        /// Worth another try once there is room.
        case diskFull
        /// The blob is not in the store, or no longer what it was.
        case blobGone
        /// The bytes are no photo or video that this version knows; the reason completes "it is skipped: …". Worth
        /// another try with a later version.
        case noPhoto(reason: String)
        case failed
    }

    public var code: Code
    /// A sentence for people.
    public var message: String

    public var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Gives any error of this module and of those below its face.
    init(_ error: any Error) {
        switch error {
        case let error as FolderError:
            self = error
        case let error as BlobError:
            let isGone = error.code == .absent || error.code == .contentChanged
            self.init(error.isDiskFull ? .diskFull : isGone ? .blobGone : .failed, error.message)
        case let error as StoreError:
            self.init(error.isDiskFull ? .diskFull : .failed, error.message)
        case let error as DirectoryListingError:
            self.init(.failed, "\(error.message).")
        case let error as FileError:
            self.init(error.isFull ? .diskFull : .failed, error.sentence)
        default:
            self.init(.failed, "The folder cannot be used: \(error).")
        }
    }

    /// What the thread's last system call said.
    static func last(_ call: String, _ path: String) -> FolderError {
        FolderError(FileError.last(call, path))
    }
}
