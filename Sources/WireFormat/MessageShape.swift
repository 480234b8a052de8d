/// The form of a protobuf message, as far as it decides how much memory its bytes become.
///
/// Two bytes can make an element, which in memory takes a hundred: so bytes are held against their form before they are
/// decoded. Each element has the least length that any sender's has, and each list the most elements that it may have.
/// What is decoded takes some eight times its bytes then.
struct MessageShape: Sendable {
    enum Field: Sendable {
        /// A message that is there once, if at all.
        case one(MessageShape)
        /// Messages, at most so many in one list, each of at least so many bytes.
        case many(MessageShape, countMax: Int, byteCountMin: Int)
        /// Byte strings of one length.
        case strings(countMax: Int, byteCount: Int)
    }

    /// By their numbers. Fields that are not here have no messages in them, or stay bytes.
    fileprivate let fields: [Field?]

    init(_ fields: [Int: Field] = [:]) {
        self.fields = (0...(fields.keys.max() ?? 0)).map { fields[$0] }
    }

    /// - Throws: where bytes of this form would take more memory than they are worth, or are no protobuf at all.
    func check(_ bytes: [UInt8]) throws(WireError) {
        // A closure of the standard library's cannot say what it throws.
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(WireError) in
                var scanner = ShapeScanner(bytes: bytes)
                try scanner.check(self, end: bytes.count)
            }
        }
        try result.get()
    }
}

/// One pass over a message's bytes, without memory but for counts.
private struct ShapeScanner {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    private var elementCount = 0

    init(bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    mutating func check(_ shape: MessageShape, end: Int) throws(WireError) {
        var counts = [Int](repeating: 0, count: shape.fields.count)
        while position < end {
            let tag = try number(end: end)
            switch tag & 7 {
            case 0: _ = try number(end: end)
            case 1: position += 8
            // Marks of a group, of which nobody sends any: what is in it is looked at as if it stood outside.
            case 3, 4: break
            case 5: position += 4
            case 2:
                let byteCount = try number(end: end)
                guard byteCount <= UInt64(end - position) else { throw .notProtobuf }
                let contentEnd = position + Int(byteCount)
                let field = Int(truncatingIfNeeded: tag >> 3)
                if field < counts.count, let form = shape.fields[field] {
                    counts[field] += 1
                    try check(form, count: counts[field], end: contentEnd)
                }
                position = contentEnd
            default: throw .notProtobuf
            }
        }
        guard position == end else { throw .notProtobuf }
    }

    private mutating func check(_ field: MessageShape.Field, count: Int, end: Int) throws(WireError) {
        elementCount += 1
        guard elementCount <= WireLimits.elementCountMax else { throw .tooLong }
        let byteCount = end - position
        switch field {
        case .one(let shape):
            // Decoding puts a second one's lists behind the first one's.
            guard count == 1 else { throw .tooLong }
            if shape.fields.count > 1 { try check(shape, end: end) }
        case .many(let shape, let countMax, let byteCountMin):
            guard count <= countMax else { throw .tooLong }
            guard byteCount >= byteCountMin else { throw .wrongByteCount(field: "element") }
            if shape.fields.count > 1 { try check(shape, end: end) }
        case .strings(let countMax, let right):
            guard count <= countMax else { throw .tooLong }
            guard byteCount == right else { throw .wrongByteCount(field: "element") }
        }
    }

    /// A number of up to ten bytes, seven bits each, the least significant first.
    private mutating func number(end: Int) throws(WireError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < end, shift < 70 {
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 127) << shift
            if byte < 128 { return value }
            shift += 7
        }
        throw .notProtobuf
    }
}
