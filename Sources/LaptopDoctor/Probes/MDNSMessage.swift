/// Messages of multicast DNS (RFC 6762), as far as a test needs them.
package enum MDNSMessage {
    /// A query for pointers of this name: each label has at most 63 bytes.
    static func query(_ labels: [String]) -> [UInt8] {
        let header: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
        let name: [UInt8] = labels.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        let pointer: [UInt8] = [0, 12, 0, 1]
        return header + name + [0] + pointer
    }

    /// The query of whoever looks for Potluck.
    static let search = query(["_potluck", "_tcp", "local"])

    /// A query for a name that nobody has, by which two tests know each other.
    package static func marked(_ mark: String) -> [UInt8] { query([mark, "_potluck", "_tcp", "local"]) }

    package static func isAnswer(_ message: [UInt8]) -> Bool { message.count >= 12 && message[2] & 0x80 != 0 }

    package static func carries(_ mark: String, _ message: [UInt8]) -> Bool {
        let bytes = Array(mark.utf8)
        guard message.count >= 13 + bytes.count, message[12] == UInt8(bytes.count) else { return false }
        return Array(message[13..<13 + bytes.count]) == bytes
    }

    private static let markLength = 16
    private static let letters = Array("abcdefghijklmnopqrstuvwxyz")

    /// 16 letters, drawn anew.
    static func newMark() -> String { String((0..<markLength).map { _ in letters.randomElement()! }) }

    /// Whether another laptop's mark is of that kind.
    static func isMark(_ text: String) -> Bool {
        text.utf8.count == markLength && text.allSatisfy(letters.contains)
    }
}
