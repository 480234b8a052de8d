import AlbumModel
import Crypto
import WireFormat

/// A message in a file of a pack: its length (4 bytes) and SHA-256, then the message as a peer sends it. What is damaged
/// mostly costs no more than its record.
enum PackRecord {
    private static let headByteCount = 4 + 32

    static func bytes(_ message: Message) -> [UInt8] {
        let body = message.encoded()
        return BigEndian.bytes(UInt32(body.count)) + Array(SHA256.hash(data: body)) + body
    }

    /// Takes the first record off `rest`, which is not empty.
    ///
    /// - Returns: `nil` for one that is damaged, or holds no message; all goes where not even its length is known.
    static func take(from rest: inout ArraySlice<UInt8>) -> Message? {
        guard rest.count >= headByteCount else {
            rest = []
            return nil
        }
        let byteCount = Int(BigEndian.word(rest.prefix(4)))
        let digest = rest.dropFirst(4).prefix(headByteCount - 4)
        rest = rest.dropFirst(headByteCount)
        let body = Array(rest.prefix(byteCount))
        rest = rest.dropFirst(byteCount)
        // Whoever made bytes of the right hash that are no message has counted wrong, or worse.
        guard body.count == byteCount, byteCount <= WireLimits.messageByteCountMax,
            digest.elementsEqual(SHA256.hash(data: body))
        else { return nil }
        return try? Message(decoding: body)
    }
}
