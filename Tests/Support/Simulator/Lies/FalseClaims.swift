import AlbumModel
import SyncEngine

/// A contributor whose signed word about a file is wrong.
enum FalseClaims {
    /// Names the content of which a liar's lists are.
    static let content: UInt64 = 0xBAD

    /// Another list of the right length, or another size.
    static func distort(_ file: PhotoFile, _ blob: SimulatedBlob, _ random: inout SeededRandom) -> PhotoFile {
        var file = file
        if let list = blob.forgedList(content), random.chance(0.7) {
            file.pieceList = list
        } else {
            let other = SimulatedBlob(content: content, byteCount: blob.byteCount + 1 + random.next() % 3_000_000)
            file.byteCount = other.byteCount
            file.pieceList = other.list
        }
        return file
    }
}
