import Crypto
import FoundationEssentials

/// What the bytes of one PATCH have to hash to: tus's `Upload-Checksum`.
public struct UploadChecksum: Hashable, Sendable {
    public enum Algorithm: String, Hashable, Sendable, CaseIterable {
        case sha1, sha256

        fileprivate var byteCount: Int { self == .sha1 ? Insecure.SHA1.byteCount : SHA256.byteCount }
    }

    /// The value of `Tus-Checksum-Algorithm`.
    public static let algorithms = Algorithm.allCases.map(\.rawValue).joined(separator: ",")

    public let algorithm: Algorithm
    fileprivate let digest: [UInt8]

    /// Reads `sha256 47DEQpj8…`; `nil` for another algorithm and for what is no digest of it.
    public init?(parsing field: String) {
        let halves = field.trimmingBlanks.split(separator: " ", omittingEmptySubsequences: true)
        guard halves.count == 2, let algorithm = Algorithm(rawValue: halves[0].lowercased()),
            let digest = Data(base64Encoded: String(halves[1])), digest.count == algorithm.byteCount
        else { return nil }
        self.algorithm = algorithm
        self.digest = Array(digest)
    }

    /// Hashes bytes as they arrive.
    public struct Check: Sendable {
        private enum Hash: Sendable {
            case sha1(Insecure.SHA1)
            case sha256(SHA256)
        }

        private let expected: [UInt8]
        private var hash: Hash

        public init(_ checksum: UploadChecksum) {
            expected = checksum.digest
            hash = checksum.algorithm == .sha1 ? .sha1(Insecure.SHA1()) : .sha256(SHA256())
        }

        public mutating func update(_ bytes: UnsafeRawBufferPointer) {
            switch hash {
            case .sha1(var state):
                state.update(bufferPointer: bytes)
                hash = .sha1(state)
            case .sha256(var state):
                state.update(bufferPointer: bytes)
                hash = .sha256(state)
            }
        }

        /// Whether the bytes so far are those that were meant.
        public var matches: Bool {
            switch hash {
            case .sha1(let state): Array(state.finalize()) == expected
            case .sha256(let state): Array(state.finalize()) == expected
            }
        }
    }
}
