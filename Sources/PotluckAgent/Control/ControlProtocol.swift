public import FoundationEssentials
import NIOCore

/// What is asked over the control socket: one JSON line, and one request a connection.
///
/// `{"command":"photos","arguments":{"album":"Beach day"}}` is answered by one line, `{"result":{…}}` or
/// `{"error":{"status":66,"message":"…"}}`. `add` sends `{"progress":{…}}` lines before it, `verify`
/// `{"verified":{…}}` lines, and `events` sends `{"event":{…}}` lines until either side closes.
public enum ControlRequest: Hashable, Sendable {
    case albums
    case photos(PhotoQuery)
    case tags(album: String?)
    case cover(album: String)
    case clocks(album: String, camera: String?)
    case peers
    case status(skipped: Bool, all: Bool)
    case invite
    case add(album: String, files: [String])
    case edit(PhotoEdit)
    /// `nil` leaves the album without a chosen cover.
    case setCover(album: String, photo: String?)
    case setClocks(ClockEdit)
    /// What a pack is to hold; for a device, without what that one has.
    case packPlan(device: String?)
    /// Takes in a pack; tells its progress as `add` does.
    case unpack(directory: String)
    case originals(album: String?)
    case setOriginals(album: String, OriginalsReport.Policy)
    /// Without photos, all that the album has now.
    case fetch(album: String, photos: [String])
    case transfers(TransferEdit)
    case leaveCheck(others: Int)
    case verify(VerifyOrder)
    case trash(album: String?)
    case hidden(album: String?)
    case remove(RemovalOrder)
    case emptyTrash(TrashOrder)
    case decide(BrakeDecision)
    case events
    /// Ends the agent. The connection stays open until it has ended.
    case down
}

/// Everything that bounds the control socket.
enum ControlLimits {
    /// Connections at a time. With ``requestByteCountMax`` this bounds what clients can make the agent keep: 512 MiB,
    /// reachable by the home's owner alone.
    static let clientCountMax: Int32 = 64
    /// An `add` with all paths that fit Linux's command line (2 MiB), made absolute and escaped.
    static let requestByteCountMax = 8 << 20
    /// Seconds from connecting to the end of the request line.
    static let requestSeconds: Int64 = 10
    /// A listing of a million photos.
    static let replyByteCountMax = 512 << 20
    /// Seconds that `down` waits for the agent's end.
    static let stopSeconds: Int64 = 30
}

/// One line of an answer; exactly one of its keys is there.
struct ControlReply<Result: Codable>: Codable {
    var result: Result?
    var error: PotluckError?
    var progress: AddProgress?
    /// Of `verify`.
    var verified: VerifyProgress?
    var event: EventRecord?
}

/// A result that says nothing but that it is done.
struct Done: Codable, Sendable {}

/// JSON as Potluck writes it: on one line, keys in alphabetical order, without a character that a terminal or a log
/// would not show as it is.
public enum ReportJSON {
    public static func data(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return JSONEscapes.escaped(try encoder.encode(value))
    }

    /// One line, without its end.
    public static func text(_ value: some Encodable) throws -> String {
        String(decoding: try data(value), as: UTF8.self)
    }

    static func line(_ value: some Encodable) throws -> ByteBuffer {
        var line = ByteBuffer(bytes: try data(value))
        line.writeInteger(UInt8(ascii: "\n"))
        return line
    }

    /// What stands in a line `{"result":…}`, as ``line(_:)`` writes it; `nil` for any other line. Escaped here once more:
    /// an agent of an earlier version may have written the line.
    static func result(in line: ByteBuffer) -> String? {
        let bytes = line.readableBytesView
        let opening = #"{"result":"#.utf8
        guard bytes.starts(with: opening), bytes.last == UInt8(ascii: "}") else { return nil }
        let document = Data(bytes.dropFirst(opening.count).dropLast())
        return String(decoding: JSONEscapes.escaped(document), as: UTF8.self)
    }

    static func value<Value: Decodable>(_ type: Value.Type, in line: ByteBuffer) throws -> Value {
        try JSONDecoder().decode(type, from: Data(line.readableBytesView))
    }
}

/// Cuts a stream of bytes into lines.
struct LineBuffer {
    private var bytes = ByteBuffer()
    /// How many readable bytes are known to hold no line's end, so that none is looked at twice.
    private var scannedByteCount = 0

    /// What waits for its line's end.
    var byteCount: Int { bytes.readableBytes }

    mutating func append(_ more: ByteBuffer) {
        bytes.writeImmutableBuffer(more)
    }

    /// The next whole line without its end.
    mutating func nextLine() -> ByteBuffer? {
        let unseen = bytes.readableBytesView.dropFirst(scannedByteCount)
        guard let end = unseen.firstIndex(of: UInt8(ascii: "\n")) else {
            scannedByteCount = bytes.readableBytes
            return nil
        }
        let line = bytes.readSlice(length: end - bytes.readerIndex)
        bytes.moveReaderIndex(forwardBy: 1)
        bytes.discardReadBytes()
        scannedByteCount = 0
        return line
    }
}
