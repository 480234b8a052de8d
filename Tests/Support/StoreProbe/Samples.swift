public import AlbumModel
import CNettle
import Crypto
public import PhotoStore

/// What the operations work with: the same in every run and every process.
public enum Samples {
    private static let blockByteCount = 4096

    /// Bytes that look random; no two pieces of them are alike. One drawn block again and again, numbered, so that an
    /// unoptimised build draws little.
    public static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
        let block = block(min(count, blockByteCount), seed: seed)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + block.count)
        while bytes.count < count {
            let number = bytes.isEmpty ? [] : BigEndian.bytes(UInt64(bytes.count))
            bytes += number
            bytes += block.dropFirst(number.count)
        }
        return Array(bytes.prefix(count))
    }

    /// At least as many bytes, drawn eight at a time.
    private static func block(_ count: Int, seed: UInt64) -> [UInt8] {
        let wordByteCount = MemoryLayout<UInt64>.size
        let capacity = (count + wordByteCount - 1) / wordByteCount * wordByteCount
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        return [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initializedCount in
            var offset = 0
            while offset < capacity {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                // Its high bits are the better ones.
                let word = state ^ state >> 29
                UnsafeMutableRawBufferPointer(buffer).storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
                offset += wordByteCount
            }
            initializedCount = capacity
        }
    }

    public static func blobID(_ bytes: [UInt8]) -> BlobID { BlobID(digest: SHA256.hash(data: bytes)) }

    /// The pieces of a blob, as a peer would send them; at least one.
    public static func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
        let size = Int(Pieces.byteCount)
        return stride(from: 0, to: max(1, bytes.count), by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
    }

    /// The chained list of the blob that has these pieces.
    public static func chainedList(_ pieces: [[UInt8]]) -> PieceList {
        var hasher = sha256_ctx()
        nettle_sha256_init(&hasher)
        var states: [BlobID] = []
        for piece in pieces.dropLast() {
            nettle_sha256_update(&hasher, piece.count, piece)
            let words = withUnsafeBytes(of: hasher.state) { Array($0.bindMemory(to: UInt32.self)) }
            states.append(BlobID(bytes: words.flatMap { BigEndian.bytes($0) })!)
        }
        return PieceList(hashes: states + [blobID(Array(pieces.joined()))])
    }

    /// The list of hashes of these pieces, as earlier versions made it.
    public static func listOfPieceHashes(_ pieces: [[UInt8]]) -> PieceList {
        PieceList(hashes: pieces.map { blobID($0) })
    }

    /// A batch of which only its name is right. Where it names a blob, as an own add does, that begins its content.
    public static func batch(_ number: Int, naming blob: BlobID? = nil, byteCount: Int = 400) -> JournalBatch {
        let content = (blob.map { [1] + $0.bytes } ?? [0]) + bytes(byteCount, seed: UInt64(number) + 1000)
        return JournalBatch(
            id: batchID(content), replica: ReplicaID(bytes: bytes(16, seed: 7))!, firstSequence: UInt64(number),
            lastSequence: UInt64(number), batch: SignedBatch(content: content, signature: bytes(64, seed: 8)),
            received: 1_700_000_000_000_000 + UInt64(number))
    }

    public static func batchID(_ content: [UInt8]) -> BatchID { BatchID(bytes: blobID(content).bytes)! }

    /// The blob that a batch of ``batch(_:naming:byteCount:)`` names.
    public static func blob(namedBy content: [UInt8]) -> BlobID? {
        content.first == 1 ? BlobID(bytes: content[1...].prefix(BlobID.byteCount)) : nil
    }
}
