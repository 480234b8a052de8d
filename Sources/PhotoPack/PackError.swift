import DiskIO
import Glibc

/// Why a pack cannot be written or read.
public struct PackError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// The directory is missing, or holds something else.
        case destination
        /// The pack is another gathering's.
        case foreign
        /// A later version of Potluck made it.
        case newer
        /// Somebody else packs there.
        case busy
        /// No more bytes fit.
        case full
        /// Something stands there that no packing made.
        case obstacle
        /// The operating system said no.
        case system
    }

    public var code: Code
    /// Sentences for people, which say what to do.
    public var message: String

    public var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Gives what was thrown inside this module its face.
    ///
    /// - Parameter directory: the pack's.
    init(_ error: any Error, directory: String) {
        switch error {
        case let error as PackError: self = error
        case let error as FileError where error.isFull:
            self.init(
                .full,
                "The disk of \(directory) is full. What is there is whole; make room, and pack again: it goes on where it stopped."
            )
        case let error as FileError where error.errno == EROFS:
            self.init(
                .system,
                "\(directory) is write-protected. Some sticks have a small switch for that; else name another disk.")
        case let error as FileError where error.isGone:
            self.init(
                .system,
                "The disk of \(directory) does not answer any longer (\(error.reason)). If it was pulled out, plug it in and say it again: it goes on where it stopped."
            )
        case let error as FileError where error.isObstacle:
            self.init(.obstacle, error.obstacleSentence)
        case let error as FileError: self.init(.system, "\(directory) cannot be used: \(error.reason).")
        default: self.init(.system, "\(directory) cannot be used: \(error).")
        }
    }

    static func wrapping<Value>(_ directory: String, _ body: () throws -> Value) throws(PackError) -> Value {
        do { return try body() } catch { throw PackError(error, directory: directory) }
    }
}
