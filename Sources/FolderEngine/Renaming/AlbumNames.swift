package import AlbumModel

/// An album's name, and the one under which it is listed.
public struct AlbumNames: Hashable, Sendable {
    /// As people named it, whatever names others have.
    public var own: String
    /// As it is listed: no two albums have the same.
    public var listed: String

    public init(own: String, listed: String) {
        (self.own, self.listed) = (own, listed)
    }

    /// Whether a directory has the album's name, or one that is made of it. Such a one stays: a name on disk does not
    /// change because of another album's.
    package func fits(_ directory: FolderPath, of album: AlbumID) -> Bool {
        let (key, folded) = (AlbumName.key(directory.text), DiskName.folded(directory.text))
        return [own, listed].contains { name in
            AlbumName.key(name) == key
                || DiskName.directoryCandidates(name, album: album).contains { DiskName.folded($0) == folded }
        }
    }

    /// The first name for the album's directory that no entry of the folder has; `nil` where all are taken.
    package func freeDirectory(of album: AlbumID, beside names: DirectoryNames) -> FolderPath? {
        DiskName.directoryCandidates(listed, album: album).first { !names.isTaken($0) }.map { FolderPath($0) }
    }
}
