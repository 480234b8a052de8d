/// One guest of the gathering, the same at every laptop's door.
public struct GuestID: ByteIdentifier, Codable {
    public static let byteCount = 16
    private let high: UInt64
    private let low: UInt64

    public init(using generator: inout some RandomNumberGenerator) {
        high = generator.next()
        low = generator.next()
    }

    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        high = BigEndian.word(bytes.prefix(8))
        low = BigEndian.word(bytes.dropFirst(8))
    }

    public func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        Swift.withUnsafeBytes(of: (high.bigEndian, low.bigEndian), body)
    }

    public static func < (left: GuestID, right: GuestID) -> Bool { (left.high, left.low) < (right.high, right.low) }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let guest = GuestID(hex: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a guest's ID")
        }
        self = guest
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hex)
    }
}
