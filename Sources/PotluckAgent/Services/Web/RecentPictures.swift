import AlbumModel
import NIOCore
import Synchronization

/// The bytes of small pictures that pages asked for of late: everybody in a place looks at the same ones.
///
/// In two generations: what is asked for while it is in the older one comes into the younger one, and once that is full
/// the older one is dropped. Any thread.
final class RecentPictures: Sendable {
    /// Of one generation.
    static let byteCountMax = 8 << 20

    private struct State {
        var young: [BlobID: ByteBuffer] = [:]
        var old: [BlobID: ByteBuffer] = [:]
        var youngByteCount = 0

        mutating func keep(_ bytes: ByteBuffer, of id: BlobID) {
            guard bytes.readableBytes <= byteCountMax, young.updateValue(bytes, forKey: id) == nil else { return }
            youngByteCount += bytes.readableBytes
            guard youngByteCount > byteCountMax else { return }
            old = young
            young = [:]
            youngByteCount = 0
        }
    }

    private let state = Mutex(State())

    func bytes(of id: BlobID) -> ByteBuffer? {
        state.withLock { state in
            if let bytes = state.young[id] { return bytes }
            guard let bytes = state.old.removeValue(forKey: id) else { return nil }
            state.keep(bytes, of: id)
            return bytes
        }
    }

    func keep(_ bytes: ByteBuffer, of id: BlobID) { state.withLock { $0.keep(bytes, of: id) } }

    /// How much memory they take.
    var byteCount: Int {
        state.withLock { state in
            [state.young, state.old].reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.readableBytes } }
        }
    }
}
