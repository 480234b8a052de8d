/// The byte order that a TIFF file begins with, and words read by it.
package enum TIFFByteOrder {
    case little
    case big

    package init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0x49, 0x49]) {
            self = .little
        } else if bytes.starts(with: [0x4D, 0x4D]) {
            self = .big
        } else {
            return nil
        }
    }

    /// `nil` where the bytes end before.
    package func word16(_ bytes: [UInt8], at offset: Int) -> Int? {
        word(bytes, at: offset, byteCount: 2).map { Int($0) }
    }

    package func word32(_ bytes: [UInt8], at offset: Int) -> UInt32? {
        word(bytes, at: offset, byteCount: 4)
    }

    private func word(_ bytes: [UInt8], at offset: Int, byteCount: Int) -> UInt32? {
        guard offset >= 0, offset <= bytes.count - byteCount else { return nil }
        let part = bytes[offset..<offset + byteCount]
        switch self {
        case .little: return part.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        case .big: return part.reduce(0) { $0 << 8 | UInt32($1) }
        }
    }
}
