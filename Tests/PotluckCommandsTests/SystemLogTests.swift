import DiskIO
import Glibc
import Logging
import Synchronization
import TestSupport
import Testing

@testable import PotluckCommands

/// Log messages as journald gets them.
@Suite(.timeLimit(.minutes(1))) struct SystemLogTests {
    /// A datagram socket of the test's own, in journald's place.
    private final class Receiver {
        let path: String
        private let descriptor: Int32

        init(in directory: String) throws {
            path = directory + "/journal.sock"
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let isBound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                }
            }
            try #require(isBound, "bind: \(String(cString: strerror(errno)))")
            TestSocket.limitWaiting(descriptor)
        }

        deinit { close(descriptor) }

        /// The next datagram; empty where none comes.
        func receive() -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 1 << 18)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            return Array(bytes.prefix(max(0, count)))
        }

        /// Nothing waits.
        var isEmpty: Bool {
            var byte: UInt8 = 0
            return recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN
        }
    }

    /// The fields of a datagram, read as journald reads them.
    private func fields(_ bytes: [UInt8]) throws -> [(name: String, value: String)] {
        var fields: [(String, String)] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let isEnd = { (byte: UInt8) in byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "=") }
            let end = try #require(rest.firstIndex(where: isEnd))
            let name = String(decoding: rest[..<end], as: UTF8.self)
            let hasLength = rest[end] == UInt8(ascii: "\n")
            rest = rest[(end + 1)...]
            let count: Int
            if hasLength {
                count = rest.prefix(8).enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
                rest = rest.dropFirst(8)
            } else {
                count = try #require(rest.firstIndex(of: UInt8(ascii: "\n"))) - rest.startIndex
            }
            fields.append((name, String(decoding: rest.prefix(count), as: UTF8.self)))
            rest = rest.dropFirst(count)
            let newline = rest.popFirst()
            try #require(newline == UInt8(ascii: "\n"))
        }
        return fields
    }

    /// - Returns: What arrived, by the names of fields, and what was written to standard error.
    private func log(
        bufferByteCount: Int32? = nil, isServed: Bool = true, _ body: (Logger) -> Void
    ) async throws -> (fields: [String: String], errors: String) {
        let errors = ErrorOutput()
        var received: [String: String] = [:]
        try await withTemporaryHome { directory in
            let receiver = try Receiver(in: directory)
            var console = TestConsole().console(isTerminal: false, environment: [:])
            console.live = LiveLine { errors.append($0) }
            let path = isServed ? receiver.path : directory + "/none.sock"
            let socket = try #require(JournalSocket(path: path, bufferByteCount: bufferByteCount))
            console.journal = socket
            body(console.logger(level: .debug))
            guard isServed else { return #expect(receiver.isEmpty) }
            received = Dictionary(uniqueKeysWithValues: try fields(receiver.receive()))
            #expect(receiver.isEmpty)
        }
        return (received, errors.text)
    }

    private final class ErrorOutput: Sendable {
        private let written = Mutex("")
        var text: String { written.withLock { $0 } }
        func append(_ text: String) { written.withLock { $0 += text } }
    }

    /// Shows a message with its fields, and that standard error stays empty.
    @Test func metadataAreFields() async throws {
        let (fields, errors) = try await log { logger in
            var logger = logger
            logger[metadataKey: "peer.id"] = "c1c1"
            logger.warning("a door has closed", metadata: ["error-2": "no room", "list": ["a", "b"]])
        }
        #expect(
            fields == [
                "MESSAGE": "a door has closed (error-2: no room, list: [\"a\", \"b\"], peer.id: c1c1)",
                "PRIORITY": "4", "SYSLOG_IDENTIFIER": "potluck", "POTLUCK_PEER_ID": "c1c1",
                "POTLUCK_ERROR_2": "no room", "POTLUCK_LIST": "[\"a\", \"b\"]",
            ])
        #expect(errors.isEmpty)
    }

    /// Shows the priorities of syslog, and that less important messages are not sent.
    @Test func levelsArePriorities() async throws {
        #expect(Logger.Level.allCases.map(JournalEntry.priority) == [7, 7, 6, 5, 4, 3, 2])
        let (fields, _) = try await log { logger in
            logger.trace("not this")
            logger.error("this")
        }
        #expect(fields["MESSAGE"] == "this" && fields["PRIORITY"] == "3")
    }

    /// Shows that a name that others chose adds no field, whatever lines are in it.
    @Test func noValueIsAField() async throws {
        let name = "Anna\nPRIORITY=0\nMESSAGE=all is well\n"
        let (fields, _) = try await log { $0.notice("a laptop came", metadata: ["name": "\(name)"]) }
        #expect(fields["POTLUCK_NAME"] == name && fields["PRIORITY"] == "5" && fields.count == 4)
        #expect(fields["MESSAGE"]?.hasPrefix("a laptop came (name: Anna\u{FFFD}PRIORITY=0\u{FFFD}") == true)
        #expect(JournalEntry.name("ü=\n.a") == "POTLUCK_____A")
        #expect(JournalEntry.name(String(repeating: "x", count: 100)).utf8.count == 64)
    }

    /// Shows that long messages, long values and many of them are cut, and that it is said.
    @Test func longMessagesAreCut() async throws {
        let long = String(repeating: "é", count: 10_000)
        let metadata = Dictionary(uniqueKeysWithValues: (0..<40).map { ("k\($0)", Logger.MetadataValue.string("v")) })
        let (fields, errors) = try await log { logger in
            logger.info("\(long)", metadata: metadata.merging(["a": "\(long)"]) { $1 })
        }
        let message = try #require(fields["MESSAGE"])
        #expect(message.hasPrefix("éé") && message.hasSuffix(" bytes left out]") && message.utf8.count < 17_000)
        let value = try #require(fields["POTLUCK_A"])
        #expect(value == String(repeating: "é", count: 2048) + "… [15,904 bytes left out]")
        #expect(fields["POTLUCK_FIELDS_LEFT_OUT"] == "9" && fields.count == 3 + 32 + 1)
        #expect(errors.isEmpty)
        // No character is cut in two.
        #expect(JournalEntry.cut("aéb", to: 2) == "a… [3 bytes left out]")
        #expect(JournalEntry.cut("aé", to: 3) == "aé")
    }

    /// Shows that a socket whose buffer is too small for a message sends the beginning of it.
    @Test func smallBuffersGetTheBeginning() async throws {
        let (fields, errors) = try await log(bufferByteCount: 1) { logger in
            logger.error("\(String(repeating: "x", count: 15_000))", metadata: ["a": "b"])
        }
        #expect(fields["MESSAGE"] == String(repeating: "x", count: 1024) + "… [13,983 bytes left out]")
        #expect(fields["PRIORITY"] == "3" && fields["POTLUCK_FIELDS_LEFT_OUT"] == "1")
        #expect(errors.isEmpty)
    }

    /// Shows that nothing is lost where journald takes no datagrams: its line goes to standard error.
    @Test func linesReplaceDatagrams() async throws {
        let (_, errors) = try await log(isServed: false) { $0.error("the disk is full", metadata: ["a": "b"]) }
        #expect(errors == "error: the disk is full (a: b)\n")
    }

    /// Shows that journald is written to only where it reads standard error: device and inode are those that systemd named.
    @Test func theStreamIsRecognised() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let end = try #require(FileIdentity(of: ends[1]))
        let (device, inode) = (end.device, end.inode)
        #expect(JournalSocket.isRead(ends[1], stream: "\(device):\(inode)"))
        for stream in [
            nil, "", ":", "\(device)", "\(device):\(inode + 1)", "\(device):\(inode):1", "\(device):x",
            "-\(device):\(inode)",
        ] {
            #expect(!JournalSocket.isRead(ends[1], stream: stream), "\(stream ?? "nil")")
        }
        #expect(!JournalSocket.isRead(-1, stream: "0:0"))
    }
}
