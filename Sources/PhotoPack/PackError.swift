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
        case let error as StickError where error.isFull:
            self.init(
                .full,
                "The disk of \(directory) is full. What is there is whole; make room, and pack again: it goes on where it stopped."
            )
        case let error as StickError where error.number == EROFS:
            self.init(
                .system,
                "\(directory) is write-protected. Some sticks have a small switch for that; else name another disk.")
        case let error as StickError where error.isGone:
            self.init(
                .system,
                "The disk of \(directory) does not answer any longer (\(error.reason)). If it was pulled out, plug it in and say it again: it goes on where it stopped."
            )
        case let error as StickError: self.init(.system, "\(directory) cannot be used: \(error.reason).")
        default: self.init(.system, "\(directory) cannot be used: \(error).")
        }
    }

    static func wrapping<Value>(_ directory: String, _ body: () throws -> Value) throws(PackError) -> Value {
        do { return try body() } catch { throw PackError(error, directory: directory) }
    }
}

/// A call on the pack's files that failed. Inside this module only.
struct StickError: Error, Hashable {
    var number: Int32
    /// What was tried: a verb.
    var call: String
    var path: String

    /// What the current thread's last call said.
    static func last(_ call: String, _ path: String) -> StickError { StickError(number: errno, call: call, path: path) }

    var isFull: Bool { number == ENOSPC || number == EDQUOT }
    /// The file system takes no file of this size: FAT, above 4 GB.
    var isTooLarge: Bool { number == EFBIG }
    var isGone: Bool { [EIO, ENODEV, ENXIO, ESTALE, ENOTCONN].contains(number) }

    var reason: String {
        // glibc's text belongs to the thread.
        let text = strerror(number).map { String(cString: $0) } ?? "error \(number)"
        return "cannot \(call) \(path): \(text)"
    }
}
