import AlbumModel
import FolderEngine

/// The agent around the folder, and what others add: albums in memory, durable at once.
struct SimulatedGathering: Sendable {
    private(set) var own: Set<PhotoKey> = []
    private(set) var others: Set<PhotoKey> = []
    private(set) var hidden: Set<PhotoKey> = []
    private(set) var ever: Set<PhotoKey> = []
    /// What albums are called.
    private(set) var names: [AlbumID: String] = [:]
    /// What photos are called.
    private var photoNames: [PhotoKey: String] = [:]
    /// Which albums directories stand for, as the agent remembers it.
    private(set) var directories: [FolderPath: AlbumID] = [:]
    /// What somebody wrote about a photo: it has to go along.
    var captions: [PhotoKey: String] = [:]

    /// What a person sees in the albums.
    var visible: Set<PhotoKey> { own.union(others.subtracting(hidden)) }

    /// - Parameter known: The one that is remembered, or of which files are known there.
    func album(_ directory: FolderPath, known: AlbumID?) -> AlbumID {
        if let known { return known }
        let name = Self.name(directory)
        if let named = names.filter({ $0.value == name }).keys.min() { return named }
        return (1...).lazy.map { AlbumName.identifier(name, ordinal: $0) }.first { names[$0] == nil }!
    }

    private static func name(_ directory: FolderPath) -> String {
        directory.bytes.isEmpty ? AlbumName.unsorted : directory.text
    }

    /// Whether it is new.
    mutating func nameAlbum(_ album: AlbumID, after directory: FolderPath) -> Bool {
        if names[album] != nil { return false }
        names[album] = Self.name(directory)
        return true
    }

    mutating func rename(_ album: AlbumID, to name: String) { names[album] = name }

    mutating func rename(_ photo: PhotoKey, to name: String) { photoNames[photo] = name }

    func name(of photo: PhotoKey) -> String { photoNames[photo] ?? Self.othersName(of: photo) }

    /// As whoever added it called it. Many have one name, whatever its case.
    static func othersName(of photo: PhotoKey) -> String {
        photo.blob.bytes[7] % 2 == 0 ? "placed.jpg" : "Placed.JPG"
    }

    /// Whether it took the place of another one of its name, as some did.
    static func isSuccessor(_ photo: PhotoKey) -> Bool { photo.blob.bytes[7] % 3 == 0 }

    mutating func remember(_ directory: FolderPath, _ album: AlbumID) { directories[directory] = album }

    mutating func move(_ album: AlbumID, from former: FolderPath, to directory: FolderPath) {
        directories[former] = nil
        directories[directory] = album
    }

    static func blob(_ content: Int) -> BlobID {
        BlobID(bytes: BigEndian.bytes(UInt64(content)) + [UInt8](repeating: 7, count: BlobID.byteCount - 8))!
    }

    /// Names the bytes, as ``SimulatedFile/content`` does.
    static func content(_ blob: BlobID) -> Int { Int(BigEndian.word(blob.bytes.prefix(8))) }

    func standing(_ key: PhotoKey) -> PhotoStanding {
        if own.contains(key) { return .present }
        if others.contains(key) { return hidden.contains(key) ? .hidden : .present }
        return ever.contains(key) ? .removed : .unknown
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

    /// - Parameter name: Of a photo that nobody has named.
    mutating func contribute(_ key: PhotoKey, named name: String) {
        if photoNames[key] == nil { photoNames[key] = ever.contains(key) ? Self.othersName(of: key) : name }
        own.insert(key)
        ever.insert(key)
        hidden.remove(key)
    }

    mutating func show(_ key: PhotoKey) { hidden.remove(key) }

    /// - Parameter target: The album to which a photo moves.
    mutating func apply(_ edit: FolderEdit, to target: AlbumID?) {
        switch edit {
        case .renamed(let album, let blob, let name, _):
            // Only a photo of one's own is renamed for everyone.
            let key = PhotoKey(album: album, blob: blob)
            if own.contains(key) { photoNames[key] = name }
        case .removed(let album, let blob, _): take(PhotoKey(album: album, blob: blob))
        case .moved(let album, let blob, let drop):
            replace(PhotoKey(album: album, blob: blob), by: PhotoKey(album: target!, blob: drop.blob.id), drop.name)
        case .replaced(let album, let old, let drop):
            replace(PhotoKey(album: album, blob: old), by: PhotoKey(album: album, blob: drop.blob.id), drop.name)
        }
    }

    private mutating func replace(_ old: PhotoKey, by new: PhotoKey, _ name: String) {
        contribute(new, named: name)
        captions[new] = captions[old] ?? captions[new]
        take(old)
    }

    private mutating func take(_ key: PhotoKey) {
        own.remove(key)
        if others.contains(key) { hidden.insert(key) }
    }
}
