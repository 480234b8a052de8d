import AlbumModel
import Crypto

/// A photo's content, of which only the size and the hashes matter.
struct SimulatedBlob: Hashable, Sendable {
    let id: BlobID
    let byteCount: UInt64
    let list: PieceList?

    /// Equal numbers and sizes are equal bytes.
    init(content: UInt64, byteCount: UInt64) {
        let name = BigEndian.bytes(content) + BigEndian.bytes(byteCount)
        id = BlobID(digest: SHA256.hash(data: Array("blob".utf8) + name))
        self.byteCount = byteCount
        list = Self.list(of: name, byteCount: byteCount)?.chained(of: id)
    }

    /// Bytes of which a test says only what they are called.
    init(_ id: BlobID, byteCount: UInt64, _ list: PieceList?) {
        self.id = id
        self.byteCount = byteCount
        self.list = list
    }

    private static func list(of name: [UInt8], byteCount: UInt64) -> PieceList? {
        let count = Pieces.count(blobByteCount: byteCount)
        guard count > 1 else { return nil }
        return PieceList(
            hashes: (0..<count).map { BlobID(digest: SHA256.hash(data: name + BigEndian.bytes(UInt64($0)))) })
    }

    /// A list that some other content of this size has: what a liar signs. Of some blobs it is one of piece hashes, and all
    /// pieces of that content fit it; of the others a chained one, which no last piece fits.
    func forgedList(_ content: UInt64) -> PieceList? {
        let list = Self.list(of: id.bytes + BigEndian.bytes(content), byteCount: byteCount)
        return id.prefix % 4 < 2 ? list : list?.chained(of: id)
    }

    /// Whether a contributor's claim about the blob is true.
    func fits(byteCount: UInt64, pieceListHash: BlobID?) -> Bool {
        byteCount == self.byteCount && pieceListHash == list?.listHash
    }
}

extension PieceList {
    /// The same pieces in a chained list of a blob.
    fileprivate func chained(of blob: BlobID) -> PieceList { PieceList(hashes: hashes.dropLast() + [blob]) }
}

/// What the bytes of a piece on the wire are worth.
enum PieceBytes: Hashable, Sendable {
    case right
    /// They fit no list.
    case wrong
    /// They fit the list with this hash, but for the last piece of a chained one, and are not the blob's.
    case forged(list: BlobID)
}
