import AlbumModel
import Crypto

/// What the members of a gathering share, derived from its invite phrase.
public struct GatheringSecrets: Hashable, Sendable {
    private static let tagByteCount = 8
    private static let keyByteCount = 32
    /// Of ``bytes``.
    public static let byteCount = tagByteCount + 2 * keyByteCount

    /// 8 bytes that DNS-SD shows: tells gatherings apart and nothing more.
    public let tag: [UInt8]
    /// 32 bytes: proves membership when a connection begins.
    public let admission: [UInt8]
    /// 32 bytes: binds replicas to the gathering.
    public let membership: [UInt8]

    /// Derives the secrets; blocks for about 100 ms and uses 32 MiB meanwhile, on purpose.
    ///
    /// - Throws: when there is no memory for it.
    public init(_ phrase: InvitePhrase) throws {
        let root = SymmetricKey(
            data: try SlowHash.scrypt(phrase.key, salt: Array("potluck/1".utf8), byteCount: Self.keyByteCount))
        func derive(_ label: String, byteCount: Int) -> [UInt8] {
            let key = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: root, info: Array(label.utf8), outputByteCount: byteCount)
            return key.withUnsafeBytes { Array($0) }
        }
        tag = derive("tag", byteCount: Self.tagByteCount)
        admission = derive("admission", byteCount: Self.keyByteCount)
        membership = derive("membership", byteCount: Self.keyByteCount)
    }

    /// All three, one after the other: what a home keeps so that a start need not derive them anew. Secret.
    public var bytes: [UInt8] { tag + admission + membership }

    /// `nil` unless there are as many bytes as ``bytes`` has.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        tag = Array(bytes.prefix(Self.tagByteCount))
        admission = Array(bytes.dropFirst(Self.tagByteCount).prefix(Self.keyByteCount))
        membership = Array(bytes.suffix(Self.keyByteCount))
    }
}
