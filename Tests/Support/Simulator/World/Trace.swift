/// A fingerprint of everything that happens in a run, in its order; equal for equal runs. No cryptography: nobody
/// attacks it, and every byte that travels goes through it.
struct Trace {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func add(_ word: UInt64) {
        let product = (state ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
        state = product.high ^ product.low &+ 0xE703_7ED1_A0B4_28DB
    }

    mutating func add(_ bytes: [UInt8]) {
        add(UInt64(bytes.count))
        bytes.withUnsafeBytes { raw in
            var offset = 0
            while offset + 8 <= raw.count {
                add(raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                offset += 8
            }
            for byte in raw[offset...] { add(UInt64(byte)) }
        }
    }

    mutating func add(_ text: String) { add(Array(text.utf8)) }

    /// 16 hexadecimal digits.
    var text: String {
        let digits = String(state, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
