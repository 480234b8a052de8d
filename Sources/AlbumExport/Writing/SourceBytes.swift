import DiskIO

/// What goes into an export: a file's bytes, or bytes in memory.
enum Content: Sendable {
    /// A file of the home, which may be shared but not moved.
    case file(String)
    /// A file that a ``PictureMaker`` made at a temporary path of the sink; the sink may take it.
    case made(String)
    case bytes([UInt8])
}

/// A file that cannot be exported; the others can.
struct SourceError: Error, Hashable {
    /// The end of a sentence, without its full stop.
    var reason: String

    static let notHere = SourceError(reason: "its bytes are not on this laptop")
    static let damaged = SourceError(reason: "its bytes on this laptop are not those that were shared")

    init(reason: String) {
        self.reason = reason
    }

    init(_ error: FileError) {
        self = error.isAbsent ? .notHere : SourceError(reason: "it cannot be read: \(error.reason)")
    }
}

extension OpenFile {
    /// Opens a file that goes into an export.
    static func source(_ path: String) throws(SourceError) -> OpenFile {
        do throws(FileError) { return try OpenFile(path: path) } catch { throw SourceError(error) }
    }

    /// Hands over all bytes in order.
    ///
    /// - Throws: ``SourceError`` where the file cannot be read; whatever `body` throws.
    func forEachSourceChunk(_ body: (_ bytes: UnsafeRawBufferPointer, _ offset: UInt64) throws -> Void) throws {
        do {
            try forEachChunk(body)
        } catch let error as FileError where error.path == path {
            throw SourceError(error)
        }
    }
}
