import Glibc

/// A call on the destination that failed. The export ends with it, or, where ``isAboutOneFile``, goes on without a file.
struct DiskError: Error, Hashable {
    var number: Int32
    /// What was tried: a verb.
    var call: String
    var path: String

    /// What the current thread's last call said.
    static func last(_ call: String, _ path: String) -> DiskError { DiskError(number: errno, call: call, path: path) }

    var isFull: Bool { number == ENOSPC || number == EDQUOT }
    /// The file system takes no file of this size: FAT, above 4 GB.
    var isTooLarge: Bool { number == EFBIG }

    var reason: String {
        // glibc's text belongs to the thread.
        let text = strerror(number).map { String(cString: $0) } ?? "error \(number)"
        return "cannot \(call) \(path): \(text)"
    }
}

/// A file that cannot be exported; the others can.
struct SourceError: Error, Hashable {
    /// The end of a sentence, without its full stop.
    var reason: String

    static let notHere = SourceError(reason: "its bytes are not on this laptop")
    static let damaged = SourceError(reason: "its bytes on this laptop are not those that were shared")

    /// What the current thread's last call said.
    static func last() -> SourceError {
        guard errno != ENOENT else { return notHere }
        return SourceError(
            reason: "it cannot be read: \(strerror(errno).map { String(cString: $0) } ?? "error \(errno)")")
    }
}
