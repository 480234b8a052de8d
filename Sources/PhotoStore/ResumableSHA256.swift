import AlbumModel
import CNettle

/// A SHA-256 whose state can be read and taken up again between two blocks of 64 bytes, as swift-crypto's cannot.
struct ResumableSHA256 {
    private static let blockByteCount: UInt64 = 64

    private var context = sha256_ctx()

    /// Of no bytes yet.
    init() {
        nettle_sha256_init(&context)
    }

    /// As it was after so many bytes, a multiple of 64.
    ///
    /// - Parameter state: what ``state`` was then.
    init(after byteCount: UInt64, state: BlobID) {
        precondition(byteCount % Self.blockByteCount == 0)
        self.init()
        context.count = byteCount / Self.blockByteCount
        withUnsafeMutableBytes(of: &context.state) { words in
            words.copyBytes(from: state.bytes)
            Self.swapBytes(words)
        }
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        nettle_sha256_update(&context, bytes.count, start)
    }

    /// The eight words, each with its most significant byte first. Only after a multiple of 64 bytes.
    var state: BlobID {
        precondition(context.index == 0)
        var words = context.state
        return withUnsafeMutableBytes(of: &words) { words in
            Self.swapBytes(words)
            return BlobID(bytes: words)!
        }
    }

    /// The hash of all bytes; the next ones begin anew.
    mutating func finalize() -> BlobID {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: BlobID.byteCount) { digest in
            nettle_sha256_digest(&context, digest.count, digest.baseAddress!)
            return BlobID(bytes: digest)!
        }
    }

    private static func swapBytes(_ words: UnsafeMutableRawBufferPointer) {
        for index in words.bindMemory(to: UInt32.self).indices {
            let offset = index * MemoryLayout<UInt32>.size
            let word = words.load(fromByteOffset: offset, as: UInt32.self)
            words.storeBytes(of: word.bigEndian, toByteOffset: offset, as: UInt32.self)
        }
    }
}
