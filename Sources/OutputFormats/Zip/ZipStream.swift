/// An archive that is sent while it is made: how large it is, and what is sent next.
///
/// Does no I/O and holds no content: its caller sends what ``next()`` hands out, and reads the files. The size is known
/// before anything is read, and equal files in an equal order make equal bytes, so that an interrupted download goes on
/// where it ended. For that the checksums of the files before that place are needed: files whose checksum is known from
/// an earlier run are skipped, others are read once more.
public struct ZipStream: Sendable {
    /// A file of the archive.
    public struct File: Hashable, Sendable {
        public var entry: ZipEntry
        public var byteCount: UInt64
        /// `nil` where the content has to be read first.
        public var crc: UInt32?

        public init(entry: ZipEntry, byteCount: UInt64, crc: UInt32? = nil) {
            self.entry = entry
            self.byteCount = byteCount
            self.crc = crc
        }
    }

    public enum Step: Hashable, Sendable {
        case send([UInt8])
        /// Send this part of a file's content, which may be nothing. Where `needsCRC`, read the file from its beginning,
        /// and call ``finishFile(crc:)`` with its checksum before ``ZipStream/next()``.
        case content(file: Int, from: UInt64, needsCRC: Bool)
        case finished
    }

    private enum State: Hashable, Sendable {
        case beforeFile
        case inContent
        case afterContent
        case finished
    }

    private let files: [File]
    private var writer = ZipWriter()
    private var index = 0
    private var state = State.beforeFile
    /// Learnt while the files are read.
    private var crc: UInt32?
    /// Bytes from the archive's beginning that are not to be sent.
    private let start: UInt64

    /// - Parameter start: Where an earlier download ended; 0 for all of it. At most ``byteCount(of:)``.
    public init(_ files: [File], from start: UInt64 = 0) {
        self.files = files
        self.start = start
    }

    /// Bytes of the archive of these files.
    public static func byteCount(of files: [File]) -> UInt64 {
        var writer = ZipWriter()
        for file in files {
            _ = writer.begin(file.entry, byteCount: file.byteCount)
            _ = writer.end(crc: 0)
        }
        _ = writer.finish()
        return writer.offset
    }

    /// What comes next; ``Step/finished`` again and again at the end.
    public mutating func next() -> Step {
        while true {
            let before = writer.offset
            switch state {
            case .beforeFile where index == files.count:
                state = .finished
                let bytes = sendable(writer.finish(), at: before)
                if !bytes.isEmpty { return .send(bytes) }
            case .beforeFile:
                state = .inContent
                let bytes = sendable(writer.begin(files[index].entry, byteCount: files[index].byteCount), at: before)
                if !bytes.isEmpty { return .send(bytes) }
            case .inContent:
                state = .afterContent
                crc = files[index].crc
                let contentStart = before - files[index].byteCount
                let skipped = min(start > contentStart ? start - contentStart : 0, files[index].byteCount)
                if crc == nil || skipped < files[index].byteCount {
                    return .content(file: index, from: skipped, needsCRC: crc == nil)
                }
            case .afterContent:
                guard let crc else { preconditionFailure("the checksum of file \(index) is missing") }
                state = .beforeFile
                index += 1
                let bytes = sendable(writer.end(crc: crc), at: before)
                if !bytes.isEmpty { return .send(bytes) }
            case .finished: return .finished
            }
        }
    }

    /// Gives the checksum of the file that ``Step/content(file:from:needsCRC:)`` asked for.
    public mutating func finishFile(crc: UInt32) {
        precondition(state == .afterContent, "no file's content was asked for")
        self.crc = crc
    }

    private func sendable(_ bytes: [UInt8], at offset: UInt64) -> [UInt8] {
        start <= offset ? bytes : Array(bytes.dropFirst(Int(min(start - offset, UInt64(bytes.count)))))
    }
}
