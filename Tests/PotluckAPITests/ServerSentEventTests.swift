import PotluckAPI
import TestSupport
import Testing

/// The text form of event streams.
@Suite struct ServerSentEventTests {
    private static let stream =
        ": still here\n\nid: r-1\nevent: photo.added\ndata: {\"a\":1}\n\nid: r-2\r\ndata:one\r\ndata: two\r\n\r\n"
        + "id: r-3\n\nevent: nothing\n\rdata: last\r\r"

    private static let events = [
        ServerSentEvent(id: "r-1", name: "photo.added", data: #"{"a":1}"#),
        ServerSentEvent(id: "r-2", name: "message", data: "one\ntwo"),
        ServerSentEvent(id: "r-3", name: "message", data: "last"),
    ]

    /// Shows that a stream is read the same however it is cut, with each of the three ends of a line.
    @Test(arguments: 1...16) func cutsDoNotMatter(length: Int) throws {
        var parser = ServerSentEventParser()
        var found: [ServerSentEvent] = []
        var rest = Array(Self.stream.utf8)[...]
        while !rest.isEmpty {
            found += try parser.read(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        #expect(found == Self.events)
        #expect(parser.lastID == "r-3")
    }

    /// Shows that what is written is read.
    @Test func eventsRoundTrip() throws {
        var parser = ServerSentEventParser()
        let event = ServerSentEvent(id: "r-9", name: "result", data: #"{"name":"é"}"#)
        #expect(try parser.read(ServerSentEvent.stillHere + ServerSentEvent.place("r-8") + event.bytes) == [event])
    }

    /// Shows that a line without an end is not kept for ever.
    @Test(.slow) func endlessLinesAreRefused() {
        var parser = ServerSentEventParser()
        let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        #expect(throws: ServerSentEventParser.TooLong.self) {
            for _ in 0...64 { _ = try parser.read(chunk) }
        }
    }
}
