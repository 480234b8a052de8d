import AlbumModel
import Crypto
import WireFormat

/// What was computed of all that is known, for as long as nothing is added: whoever asks again costs nothing.
struct Digests: Sendable {
    private var batchCount = -1
    private var vector: [UInt8] = []
    private var albums: [UInt8]?

    /// What digests were taken of: at another vector they say nothing, nor where other batches are left out.
    mutating func vectorHash(_ log: BatchLog) -> [UInt8] {
        refresh(log)
        if vector.isEmpty { vector = Array(SHA256.hash(data: log.vector.encoded() + log.leftOut.stamp)) }
        return vector
    }

    /// The digest of all albums.
    mutating func root(_ catalog: Catalog, _ log: BatchLog) -> [UInt8] {
        refresh(log)
        if let albums { return albums }
        var hasher = SHA256()
        for digest in Self.albumDigests(catalog) {
            hasher.update(data: digest.album.bytes)
            hasher.update(data: digest.digest)
        }
        let root = Array(hasher.finalize())
        albums = root
        return root
    }

    private mutating func refresh(_ log: BatchLog) {
        if batchCount != log.batchCount { self = Digests(batchCount: log.batchCount) }
    }

    init() {}

    private init(batchCount: Int) { self.batchCount = batchCount }

    static func albumDigests(_ catalog: Catalog) -> [AlbumDigest] {
        catalog.albums.values.sorted { $0.id < $1.id }.map { AlbumDigest(album: $0.id, digest: $0.digest) }
    }
}
