/// A name of fixed length: a hash or a random number, never text.
///
/// Identifiers order by their bytes, so every device sorts them alike.
public protocol ByteIdentifier: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// How many bytes every value of this type has.
    static var byteCount: Int { get }
    /// `nil` unless there are exactly ``byteCount`` bytes.
    init?(bytes: some Collection<UInt8>)
    /// Lends ``bytes`` without making an array of them.
    func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value
}

extension ByteIdentifier {
    /// ``byteCount`` bytes, most significant first.
    public var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    /// Lower-case hexadecimal digits, two a byte.
    public var hex: String { Hexadecimal.text(bytes) }

    public var description: String { hex }

    /// `nil` unless `hex` is exactly two hexadecimal digits a byte.
    public init?(hex: some StringProtocol) {
        guard let bytes = Hexadecimal.bytes(hex) else { return nil }
        self.init(bytes: bytes)
    }
}

/// Hexadecimal text, without Foundation.
public enum Hexadecimal {
    public static func text(_ bytes: some Collection<UInt8>) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
            var end = 0
            for byte in bytes {
                text[end] = digit(byte >> 4)
                text[end + 1] = digit(byte & 15)
                end += 2
            }
            return end
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// `nil` for an odd number of digits or anything that is no digit.
    public static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let inPlace = text.utf8.withContiguousStorageIfAvailable { bytes(ofDigits: $0) }
        return inPlace ?? Array(text.utf8).withUnsafeBufferPointer { bytes(ofDigits: $0) }
    }

    /// A start parses the name of every blob.
    private static func bytes(ofDigits digits: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        // Of a digit it has four bits at most, of anything else more.
        var seen: UInt8 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: digits.count / 2) { bytes, count in
            for place in 0..<digits.count / 2 {
                let (high, low) = (value(digits[2 * place]), value(digits[2 * place + 1]))
                seen |= high | low
                bytes[place] = high << 4 | low & 15
            }
            count = digits.count / 2
        }
        return seen < 16 ? bytes : nil
    }

    /// 255 for anything that is no digit.
    private static func value(_ digit: UInt8) -> UInt8 {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: 255
        }
    }
}

/// Sixteen bytes in two machine words: comparing and hashing allocate nothing.
struct Words16: Hashable, Comparable, Sendable {
    var high: UInt64
    var low: UInt64

    /// Takes a whole number at a time where the bytes lie together, which they nearly always do: batches are full of
    /// identifiers.
    init?(_ bytes: some Collection<UInt8>) {
        let words = bytes.withContiguousStorageIfAvailable { Self(raw: UnsafeRawBufferPointer($0)) }
        guard let words = words ?? Array(bytes).withUnsafeBytes({ Self(raw: $0) }) else { return nil }
        self = words
    }

    init?(raw bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        Swift.withUnsafeBytes(of: (high.bigEndian, low.bigEndian), body)
    }

    static func < (left: Words16, right: Words16) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

/// Thirty-two bytes in four machine words.
struct Words32: Hashable, Comparable, Sendable {
    var high: Words16
    var low: Words16

    init?(_ bytes: some Collection<UInt8>) {
        let words = bytes.withContiguousStorageIfAvailable { Self(raw: UnsafeRawBufferPointer($0)) }
        guard let words = words ?? Array(bytes).withUnsafeBytes({ Self(raw: $0) }) else { return nil }
        self = words
    }

    init?(raw bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 32, let high = Words16(raw: UnsafeRawBufferPointer(rebasing: bytes[..<16])),
            let low = Words16(raw: UnsafeRawBufferPointer(rebasing: bytes[16...]))
        else { return nil }
        self.high = high
        self.low = low
    }

    func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        let words = (high.high.bigEndian, high.low.bigEndian, low.high.bigEndian, low.low.bigEndian)
        return Swift.withUnsafeBytes(of: words, body)
    }

    static func < (left: Words32, right: Words32) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

/// Integers as bytes, most significant first.
public enum BigEndian {
    /// The number that up to eight bytes spell.
    @inlinable
    public static func word(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var word: UInt64 = 0
        for byte in bytes { word = word << 8 | UInt64(byte) }
        return word
    }

    public static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}

/// One laptop's agent: SHA-256 of the device's public key in its DER form (SubjectPublicKeyInfo).
public struct DeviceID: ByteIdentifier {
    public static let byteCount = 32
    private let words: Words32

    public init?(bytes: some Collection<UInt8>) {
        guard let words = Words32(bytes) else { return nil }
        self.words = words
    }

    public func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        words.withUnsafeBytes(body)
    }

    public static func < (left: DeviceID, right: DeviceID) -> Bool { left.words < right.words }
}

/// One life of one device's journal.
public struct ReplicaID: ByteIdentifier {
    public static let byteCount = 16
    private let words: Words16

    public init?(bytes: some Collection<UInt8>) {
        guard let words = Words16(bytes) else { return nil }
        self.words = words
    }

    public func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        words.withUnsafeBytes(body)
    }

    public static func < (left: ReplicaID, right: ReplicaID) -> Bool { left.words < right.words }
}

/// SHA-256 of a batch's content bytes as they were signed.
public struct BatchID: ByteIdentifier {
    public static let byteCount = 32
    private let words: Words32
    /// The first eight bytes: what vectors and dots carry to tell branches of a forked replica apart.
    public var prefix: UInt64 { words.high.high }

    public init?(bytes: some Collection<UInt8>) {
        guard let words = Words32(bytes) else { return nil }
        self.words = words
    }

    public func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        words.withUnsafeBytes(body)
    }

    public static func < (left: BatchID, right: BatchID) -> Bool { left.words < right.words }
}

/// Bytes named by their SHA-256.
public struct BlobID: ByteIdentifier {
    public static let byteCount = 32
    private let words: Words32
    /// The first eight bytes as a number.
    public var prefix: UInt64 { words.high.high }

    public init?(bytes: some Collection<UInt8>) {
        guard let words = Words32(bytes) else { return nil }
        self.words = words
    }

    public func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        words.withUnsafeBytes(body)
    }

    public static func < (left: BlobID, right: BlobID) -> Bool { left.words < right.words }
}

/// One album, the same on every device.
public struct AlbumID: ByteIdentifier {
    public static let byteCount = 16
    private let words: Words16

    public init?(bytes: some Collection<UInt8>) {
        guard let words = Words16(bytes) else { return nil }
        self.words = words
    }

    public func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        words.withUnsafeBytes(body)
    }

    public static func < (left: AlbumID, right: AlbumID) -> Bool { left.words < right.words }
}

/// Names one change: the replica that made it, its number there, and the batch it came in.
///
/// A replica that forked (a restored backup) has two changes with one number; the batch tells them apart.
public struct Dot: Hashable, Comparable, Sendable {
    public var replica: ReplicaID
    /// Counts from 1.
    public var sequence: UInt64
    /// ``BatchID/prefix`` of the batch that holds the change; 0 inside a batch that refers to itself.
    public var branch: UInt64

    public init(replica: ReplicaID, sequence: UInt64, branch: UInt64) {
        self.replica = replica
        self.sequence = sequence
        self.branch = branch
    }

    public static func < (left: Dot, right: Dot) -> Bool {
        (left.replica, left.sequence, left.branch) < (right.replica, right.sequence, right.branch)
    }
}
