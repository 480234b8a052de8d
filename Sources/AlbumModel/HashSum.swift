import Crypto

/// The hashes of a set's elements, added up word by word: an element joins or leaves without a look at the others.
struct HashSum: Sendable {
    // Four words rather than a vector, which would have to lie at multiples of 32 bytes.
    private var first: UInt64 = 0
    private var second: UInt64 = 0
    private var third: UInt64 = 0
    private var fourth: UInt64 = 0

    mutating func insert(_ hash: SHA256Digest) {
        let words = Self.words(hash)
        first &+= words.0
        second &+= words.1
        third &+= words.2
        fourth &+= words.3
    }

    mutating func remove(_ hash: SHA256Digest) {
        let words = Self.words(hash)
        first &-= words.0
        second &-= words.1
        third &-= words.2
        fourth &-= words.3
    }

    var bytes: [UInt8] { [first, second, third, fourth].flatMap { BigEndian.bytes($0) } }

    private static func words(_ hash: SHA256Digest) -> (UInt64, UInt64, UInt64, UInt64) {
        hash.withUnsafeBytes {
            (
                $0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
                $0.loadUnaligned(fromByteOffset: 16, as: UInt64.self),
                $0.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
            )
        }
    }
}
