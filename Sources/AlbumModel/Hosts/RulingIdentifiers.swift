import Crypto

/// SHA-256 of a ruling's content bytes as they were signed.
public struct RulingID: ByteIdentifier {
    public static let byteCount = 32
    private let words: Words32

    public init?(bytes: some Collection<UInt8>) {
        guard let words = Words32(bytes) else { return nil }
        self.words = words
    }

    /// The ID of the ruling with these content bytes.
    public init(content: [UInt8]) { self.init(digest: SHA256.hash(data: content)) }

    public func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        words.withUnsafeBytes(body)
    }

    public static func < (left: RulingID, right: RulingID) -> Bool { left.words < right.words }
}

/// The first half of the ``RulingID`` that began an epoch: names the epoch in a replica's proof.
public struct EpochPrefix: ByteIdentifier {
    public static let byteCount = 16
    private let words: Words16

    public init?(bytes: some Collection<UInt8>) {
        guard let words = Words16(bytes) else { return nil }
        self.words = words
    }

    public init(_ ruling: RulingID) { self.init(bytes: ruling.bytes.prefix(Self.byteCount))! }

    public func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        words.withUnsafeBytes(body)
    }

    public static func < (left: EpochPrefix, right: EpochPrefix) -> Bool { left.words < right.words }
}

/// The first half of a ``DeviceID``, by which an epoch lists its members.
public struct MemberPrefix: ByteIdentifier {
    public static let byteCount = 16
    private let words: Words16

    public init?(bytes: some Collection<UInt8>) {
        guard let words = Words16(bytes) else { return nil }
        self.words = words
    }

    public init(_ device: DeviceID) { self.init(bytes: device.bytes.prefix(Self.byteCount))! }

    public func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        words.withUnsafeBytes(body)
    }

    public static func < (left: MemberPrefix, right: MemberPrefix) -> Bool { left.words < right.words }
}

/// SHA-256 over a label and an epoch's seed, by which whoever is handed the seed checks it.
public struct SeedCommitment: ByteIdentifier {
    public static let byteCount = 32
    private let words: Words32

    public init?(bytes: some Collection<UInt8>) {
        guard let words = Words32(bytes) else { return nil }
        self.words = words
    }

    /// - Parameter seed: 32 random bytes.
    public init(seed: [UInt8]) { self.init(digest: SHA256.hash(data: Array("potluck seed 1".utf8) + seed)) }

    public func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        words.withUnsafeBytes(body)
    }

    public static func < (left: SeedCommitment, right: SeedCommitment) -> Bool { left.words < right.words }
}
