/// What tools and libraries read in a file, before anybody asked whether it makes sense.
///
/// All of it is text that whoever made the file chose, and is kept within bounds: longer values are cut, more values of
/// one key dropped.
public struct RawMetadata: Hashable, Sendable {
    /// Bytes of one value in UTF-8.
    public static let valueByteCountMax = 1024
    /// Values of one key: as many as a Motion Photo has parts, or a film has tracks.
    public static let valueCountMax = 16

    private var values: [MetadataKey: [String]] = [:]

    public init() {}

    /// The first value.
    public subscript(key: MetadataKey) -> String? { values[key]?.first }

    /// All values, in the file's order.
    public func all(_ key: MetadataKey) -> [String] { values[key] ?? [] }

    public var isEmpty: Bool { values.isEmpty }

    /// Adds a value behind those that the key has.
    public mutating func add(_ value: String, for key: MetadataKey) {
        guard values[key, default: []].count < Self.valueCountMax else { return }
        let cut =
            value.utf8.count > Self.valueByteCountMax
            ? String(decoding: value.utf8.prefix(Self.valueByteCountMax), as: UTF8.self) : value
        values[key, default: []].append(cut)
    }

    /// Adds a value by the key's name; one that is not in the table is ignored.
    public mutating func add(_ value: String, named name: String) {
        if let key = MetadataKey(rawValue: name) { add(value, for: key) }
    }

    /// Adds what another reader found under keys that have no value yet.
    public mutating func fill(from other: RawMetadata) { values.merge(other.values) { mine, _ in mine } }

    /// The value as a number; `nil` if it is none, or not finite.
    func number(_ key: MetadataKey) -> Double? { self[key].flatMap(Self.number) }

    /// The value as a number without sign and fraction.
    func count(_ key: MetadataKey) -> UInt64? { self[key].flatMap { UInt64($0) } }

    static func number(_ text: some StringProtocol) -> Double? {
        guard let number = Double(text), number.isFinite else { return nil }
        return number
    }
}

extension RawMetadata: ExpressibleByDictionaryLiteral {
    /// A key may stand several times.
    public init(dictionaryLiteral elements: (MetadataKey, String)...) {
        for (key, value) in elements { add(value, for: key) }
    }
}
