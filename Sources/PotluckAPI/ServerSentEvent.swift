/// One event of a stream, by section 9.2 of the HTML standard.
public struct ServerSentEvent: Hashable, Sendable {
    /// Where the stream is after it; what a client repeats as `Last-Event-ID`.
    public var id: String?
    /// `message` where nothing is said.
    public var name: String
    public var data: String

    public init(id: String? = nil, name: String, data: String) {
        self.id = id
        self.name = name
        self.data = data
    }

    /// A line that browsers ignore, sent so that both sides know that the other one is there.
    public static let stillHere = Array(": still here\n\n".utf8)

    /// Tells a client its place without an event.
    public static func place(_ id: String) -> [UInt8] { Array("id: \(id)\n\n".utf8) }

    /// As it is sent. `data` must have no line's end in it, which JSON never has.
    public var bytes: [UInt8] {
        Array("\(id.map { "id: \($0)\n" } ?? "")event: \(name)\ndata: \(data)\n\n".utf8)
    }
}

/// Reads a stream of events out of bytes.
public struct ServerSentEventParser: Sendable {
    /// Longer lines are an error: the result of a long request is the longest.
    public static let lineByteCountMax = 64 << 20

    public struct TooLong: Error {}

    /// Of the last event, or of a place that was told without one.
    public private(set) var lastID: String?
    private var line: [UInt8] = []
    private var isAfterReturn = false
    private var name = ""
    private var data: [String] = []
    private var ready: [ServerSentEvent] = []

    public init() {}

    /// - Returns: the events that these bytes complete.
    /// - Throws: ``TooLong``.
    public mutating func read(_ bytes: some Sequence<UInt8>) throws -> [ServerSentEvent] {
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n"):
                if !isAfterReturn { endLine() }
                isAfterReturn = false
            case UInt8(ascii: "\r"):
                endLine()
                isAfterReturn = true
            default:
                isAfterReturn = false
                line.append(byte)
                guard line.count <= Self.lineByteCountMax else { throw TooLong() }
            }
        }
        defer { ready = [] }
        return ready
    }

    private mutating func endLine() {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else { return endEvent() }
        let halves = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        var value = halves.count > 1 ? halves[1] : []
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: halves[0], as: UTF8.self) {
        case "event": name = text
        case "data": data.append(text)
        case "id": lastID = text
        // Comments, and fields that are not used here.
        default: break
        }
    }

    private mutating func endEvent() {
        defer { (name, data) = ("", []) }
        guard !data.isEmpty else { return }
        ready.append(
            ServerSentEvent(
                id: lastID, name: name.isEmpty ? "message" : name, data: data.joined(separator: "\n")))
    }
}
