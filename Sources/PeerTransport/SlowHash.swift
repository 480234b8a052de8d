import Crypto
import CryptoExtras

/// What makes guessing dear: about 100 ms and 32 MiB each time.
enum SlowHash {
    /// RFC 7914, with N = 2^15, r = 8 and p = 1. Blocks.
    ///
    /// - Throws: when there is no memory for it.
    static func scrypt(_ input: [UInt8], salt: [UInt8], byteCount: Int) throws -> [UInt8] {
        let key = try KDF.Scrypt.deriveKey(
            from: input, salt: salt, outputByteCount: byteCount, rounds: 1 << 15, blockSize: 8, parallelism: 1)
        return key.withUnsafeBytes { Array($0) }
    }
}
