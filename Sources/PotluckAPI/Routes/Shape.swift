/// What a JSON value looks like.
public indirect enum Shape: Hashable, Sendable {
    case string(format: String? = nil)
    case integer(minimum: Int? = nil)
    case number
    case boolean
    case enumeration([String])
    case array(Shape)
    case object([Property])

    public struct Property: Hashable, Sendable {
        public var name: String
        public var shape: Shape
        /// Always there; else it may be missing, or `null`.
        public var isRequired: Bool
    }

    public var properties: [Property] {
        if case .object(let properties) = self { properties } else { [] }
    }
}

/// A type whose shape cannot be learned from how it decodes itself.
protocol ShapeDescribed: Decodable {
    static var shape: Shape { get }
    static var sample: Self { get }
}

extension Instant: ShapeDescribed {
    static var shape: Shape { .string(format: "date-time") }
    static var sample: Instant { Instant(millisecondsSince1970: 0) }
}

extension LocalTime: ShapeDescribed {
    static var shape: Shape { .string() }
    static var sample: LocalTime { LocalTime(milliseconds: 0) }
}

extension EndTime: ShapeDescribed {
    static var shape: Shape { .string() }
    static var sample: EndTime { EndTime(time: .sample) }
}

extension LimitWord: ShapeDescribed {
    static var shape: Shape { .string() }
    static var sample: LimitWord { .off }
}

extension Shape {
    /// The shape of what a type reads; types and documents cannot part, since the type itself is asked.
    ///
    /// - Throws: What the type throws that finds nothing but zeros, empty texts and one element in each list.
    public static func of<Value: Decodable>(_ type: Value.Type) throws -> Shape { try sample(type).shape }

    fileprivate static func sample<Value: Decodable>(_ type: Value.Type) throws -> (value: Value, shape: Shape) {
        if let described = type as? any ShapeDescribed.Type, let value = described.sample as? Value {
            return (value, described.shape)
        }
        if let listed = type as? any (CaseIterable & RawRepresentable).Type, let found = cases(listed, as: type) {
            return found
        }
        let recorder = ShapeRecorder()
        let value = try Value(from: recorder)
        return (value, recorder.shape ?? .object([]))
    }

    private static func cases<Listed: CaseIterable & RawRepresentable, Value>(
        _ type: Listed.Type, as _: Value.Type
    ) -> (value: Value, shape: Shape)? {
        let names = type.allCases.compactMap { $0.rawValue as? String }
        guard let first = type.allCases.first as? Value, names.count == type.allCases.count else { return nil }
        return (first, .enumeration(names))
    }
}

/// Feeds a type with zeros and notes what it asks for.
private final class ShapeRecorder: Decoder {
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    var shape: Shape?

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        if shape == nil { shape = .object([]) }
        return KeyedDecodingContainer(KeyedShapes(recorder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { ListedShape(recorder: self) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { SingleShape(recorder: self) }

    func add(_ name: String, _ shape: Shape, isRequired: Bool) {
        var properties = self.shape?.properties ?? []
        properties.append(Shape.Property(name: name, shape: shape, isRequired: isRequired))
        self.shape = .object(properties)
    }

    fileprivate static func unexpected(_ path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(.init(codingPath: path, debugDescription: "a shape that is not described"))
    }
}

private struct KeyedShapes<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let recorder: ShapeRecorder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) throws -> Bool { false }

    private func note<Value>(_ key: Key, _ shape: Shape, _ value: Value) -> Value {
        recorder.add(key.stringValue, shape, isRequired: true)
        return value
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { note(key, .boolean, false) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { note(key, .string(), "") }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { note(key, .number, 0) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { note(key, .number, 0) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { note(key, .integer(), 0) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { note(key, .integer(), 0) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { note(key, .integer(), 0) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { note(key, .integer(), 0) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { note(key, .integer(), 0) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { note(key, .integer(minimum: 0), 0) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { note(key, .integer(minimum: 0), 0) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { note(key, .integer(minimum: 0), 0) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { note(key, .integer(minimum: 0), 0) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { note(key, .integer(minimum: 0), 0) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let sample = try Shape.sample(type)
        return note(key, sample.shape, sample.value)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        recorder.add(key.stringValue, try Shape.of(type), isRequired: false)
        return nil
    }

    private func absent<Value>(_ key: Key, _ shape: Shape) -> Value? {
        recorder.add(key.stringValue, shape, isRequired: false)
        return nil
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { absent(key, .boolean) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { absent(key, .string()) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { absent(key, .number) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { absent(key, .number) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { absent(key, .integer()) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { absent(key, .integer()) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { absent(key, .integer()) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { absent(key, .integer(minimum: 0)) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { absent(key, .integer(minimum: 0)) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw ShapeRecorder.unexpected([key]) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw ShapeRecorder.unexpected([key])
    }

    func superDecoder() throws -> any Decoder { throw ShapeRecorder.unexpected([]) }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw ShapeRecorder.unexpected([key]) }
}

/// Has one element.
private struct ListedShape: UnkeyedDecodingContainer {
    let recorder: ShapeRecorder
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 1 }
    var currentIndex = 0
    var isAtEnd: Bool { currentIndex > 0 }

    init(recorder: ShapeRecorder) { self.recorder = recorder }

    mutating func decodeNil() throws -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let sample = try Shape.sample(type)
        recorder.shape = .array(sample.shape)
        currentIndex += 1
        return sample.value
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { throw ShapeRecorder.unexpected([]) }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw ShapeRecorder.unexpected([])
    }

    mutating func superDecoder() throws -> any Decoder { throw ShapeRecorder.unexpected([]) }
}

private struct SingleShape: SingleValueDecodingContainer {
    let recorder: ShapeRecorder
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }

    private func note<Value>(_ shape: Shape, _ value: Value) -> Value {
        recorder.shape = shape
        return value
    }

    func decode(_ type: Bool.Type) throws -> Bool { note(.boolean, false) }
    func decode(_ type: String.Type) throws -> String { note(.string(), "") }
    func decode(_ type: Double.Type) throws -> Double { note(.number, 0) }
    func decode(_ type: Float.Type) throws -> Float { note(.number, 0) }
    func decode(_ type: Int.Type) throws -> Int { note(.integer(), 0) }
    func decode(_ type: Int8.Type) throws -> Int8 { note(.integer(), 0) }
    func decode(_ type: Int16.Type) throws -> Int16 { note(.integer(), 0) }
    func decode(_ type: Int32.Type) throws -> Int32 { note(.integer(), 0) }
    func decode(_ type: Int64.Type) throws -> Int64 { note(.integer(), 0) }
    func decode(_ type: UInt.Type) throws -> UInt { note(.integer(minimum: 0), 0) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { note(.integer(minimum: 0), 0) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { note(.integer(minimum: 0), 0) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { note(.integer(minimum: 0), 0) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { note(.integer(minimum: 0), 0) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let sample = try Shape.sample(type)
        recorder.shape = sample.shape
        return sample.value
    }
}
