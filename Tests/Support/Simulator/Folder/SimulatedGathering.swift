import AlbumModel
import FolderEngine

/// The agent around the folder, and what others add: albums in memory, durable at once.
struct SimulatedGathering: Sendable {
    private(set) var own: Set<PhotoKey> = []
    private(set) var others: Set<PhotoKey> = []
    private(set) var hidden: Set<PhotoKey> = []
    private(set) var ever: Set<PhotoKey> = []
    /// What somebody wrote about a photo: it has to go along.
    var captions: [PhotoKey: String] = [:]

    /// What a person sees in the albums.
    var visible: Set<PhotoKey> { own.union(others.subtracting(hidden)) }

    static func album(_ directory: FolderPath) -> AlbumID {
        AlbumName.identifier(directory.bytes.isEmpty ? AlbumName.unsorted : directory.text)
    }

    static func key(_ path: FolderPath, _ content: Int) -> PhotoKey {
        PhotoKey(album: album(path.albumDirectory), blob: blob(content))
    }

    static func blob(_ content: Int) -> BlobID {
        BlobID(bytes: BigEndian.bytes(UInt64(content)) + [UInt8](repeating: 7, count: BlobID.byteCount - 8))!
    }

    /// Names the bytes, as ``SimulatedFile/content`` does.
    static func content(_ blob: BlobID) -> Int { Int(BigEndian.word(blob.bytes.prefix(8))) }

    func standing(_ blob: BlobID, in directory: FolderPath) -> PhotoStanding {
        let key = PhotoKey(album: Self.album(directory), blob: blob)
        if own.contains(key) { return .present }
        if others.contains(key) { return hidden.contains(key) ? .hidden : .present }
        return ever.contains(key) ? .removed : .unknown
    }

    func albumID(_ directory: FolderPath) -> AlbumID? {
        let album = Self.album(directory)
        return ever.contains { $0.album == album } ? album : nil
    }

    mutating func addOthers(_ key: PhotoKey) {
        others.insert(key)
        ever.insert(key)
    }

    /// Somebody else removes it.
    mutating func withdraw(_ key: PhotoKey) {
        own.remove(key)
        others.remove(key)
    }

    mutating func contribute(_ key: PhotoKey) {
        own.insert(key)
        ever.insert(key)
        hidden.remove(key)
    }

    mutating func show(_ key: PhotoKey) { hidden.remove(key) }

    /// Answers which photos were added by it.
    mutating func apply(_ edit: FolderEdit) -> PhotoKey? {
        switch edit {
        case .renamed: return nil
        case .removed(let album, let blob, _):
            take(PhotoKey(album: album, blob: blob))
            return nil
        case .moved(let album, let blob, let drop):
            return replace(
                PhotoKey(album: album, blob: blob),
                by: PhotoKey(album: Self.album(FolderPath(drop.directory)), blob: drop.blob.id))
        case .replaced(let album, let old, let drop):
            return replace(PhotoKey(album: album, blob: old), by: PhotoKey(album: album, blob: drop.blob.id))
        }
    }

    private mutating func replace(_ old: PhotoKey, by new: PhotoKey) -> PhotoKey {
        contribute(new)
        captions[new] = captions[old] ?? captions[new]
        take(old)
        return new
    }

    private mutating func take(_ key: PhotoKey) {
        own.remove(key)
        if others.contains(key) { hidden.insert(key) }
    }
}
