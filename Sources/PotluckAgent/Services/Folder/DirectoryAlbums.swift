import AlbumModel

/// Which album a first-level directory stands for, once a photo was taken from it: an album that is renamed keeps its
/// directory until that is renamed too.
struct DirectoryAlbums: Sendable {
    /// What lies directly in the folder. No directory has a separator in its name.
    private static let root = "/"

    private var albums: [String: AlbumID] = [:]

    /// - Parameter facts: of ``FactKind/directory``.
    init(facts: [(key: [UInt8], value: [UInt8])] = []) {
        for (key, value) in facts { albums[String(decoding: key, as: UTF8.self)] = AlbumID(bytes: value) }
    }

    /// The name of the album that a directory makes; empty stands for the folder itself.
    static func albumName(_ directory: String) -> String { directory.isEmpty ? AlbumName.unsorted : directory }

    func album(of directory: String) -> AlbumID? {
        // Earlier versions had one key for the folder and for the directory of that name.
        albums[Self.key(directory)] ?? (directory.isEmpty ? albums[Self.key(AlbumName.unsorted)] : nil)
    }

    /// - Returns: the facts to commit before ``remember(_:_:)``; none where nothing is new.
    func facts(remembering album: AlbumID, of directory: String) -> [FactChange] {
        self.album(of: directory) == album ? [] : [Self.fact(Self.key(directory), album)]
    }

    /// A directory stands for this album from now on.
    mutating func remember(_ directory: String, _ album: AlbumID) {
        if self.album(of: directory) != album { albums[Self.key(directory)] = album }
    }

    /// An album has another directory from now on. All facts, also where an earlier attempt to commit them failed.
    mutating func rename(_ former: String, to directory: String, _ album: AlbumID) -> [FactChange] {
        let kept = self.album(of: "")
        var changes = [set(Self.key(former), nil), set(Self.key(directory), album)]
        // What lies directly in the folder stays in the album that it is in.
        if let kept { changes.append(set(Self.root, kept)) }
        return changes
    }

    private mutating func set(_ key: String, _ album: AlbumID?) -> FactChange {
        albums[key] = album
        return Self.fact(key, album)
    }

    private static func fact(_ key: String, _ album: AlbumID?) -> FactChange {
        FactChange(kind: .directory, key: Array(key.utf8), value: album?.bytes)
    }

    private static func key(_ directory: String) -> String { directory.isEmpty ? root : AlbumName.key(directory) }
}
