package import AlbumModel

/// An album's directory that this program gives the name that the album has by now: the intent, which is durable before.
///
/// Until it is settled nothing is placed, judged or taken away under either name.
package struct DirectoryRenaming: Hashable, Sendable {
    /// What became of it.
    package enum Outcome: Hashable, Sendable {
        /// The directory has its new name, durably.
        case done
        /// It has the former one, for sure.
        case unchanged
        case unknown
    }

    package let album: AlbumID
    /// First-level directories.
    package let former: FolderPath
    package let directory: FolderPath
    /// Of the directory, by which it is known again.
    package let inode: UInt64

    package init(album: AlbumID, former: FolderPath, directory: FolderPath, inode: UInt64) {
        (self.album, self.former, self.directory, self.inode) = (album, former, directory, inode)
    }

    /// Where what was at a path is then; `nil` for what is elsewhere.
    package func target(of path: FolderPath) -> FolderPath? {
        path.isBelow(former) ? FolderPath(bytes: directory.bytes + path.bytes.dropFirst(former.bytes.count)) : nil
    }

    package func concerns(_ path: FolderPath) -> Bool {
        [former, directory].contains { path == $0 || path.isBelow($0) }
    }

    /// By what stands at both names. A directory whose inode is another one with each mount is known by its files.
    package func outcome(former: DirectorySight, directory: DirectorySight) -> Outcome {
        if former.inode == inode { return .unchanged }
        if directory.inode == inode { return .done }
        switch (former, directory) {
        case (.unknown, _), (_, .unknown): return .unknown
        case (.absent, .directory(inode: _, holdsFile: true)), (.other, .directory(inode: _, holdsFile: true)):
            return .done
        default: return .unchanged
        }
    }
}

/// What stands at the name of a directory.
package enum DirectorySight: Hashable, Sendable {
    /// `holdsFile`: one that is as it is known of the album's directory.
    case directory(inode: UInt64, holdsFile: Bool)
    case other
    case absent
    /// Nobody can tell.
    case unknown

    var inode: UInt64? { if case .directory(let inode, holdsFile: _) = self { inode } else { nil } }

    /// - Parameter identify: The inode, and whether it holds a file that is as it is known; `nil` where nobody can tell.
    package init(
        of directory: FolderPath, on disk: some PresenceDisk, identify: () -> (inode: UInt64, holdsFile: Bool)?
    ) {
        switch disk.look(at: directory) {
        case .directory: self = identify().map { .directory(inode: $0.inode, holdsFile: $0.holdsFile) } ?? .unknown
        case .noDirectory: self = .other
        case .unknown: self = .unknown
        case .absent:
            // Only a whole listing shows that something is not there.
            guard case .whole(let entries) = disk.listing(of: directory.parent),
                !entries.contains(where: { $0.name == Array(directory.name) })
            else {
                self = .unknown
                return
            }
            self = .absent
        }
        // Asked last: a disk that went away while we looked has taken it along.
        if disk.isAway(directory) { self = .unknown }
    }
}

extension DirectoryRenaming {
    private static let version: UInt8 = 1

    /// The intent, as a fact.
    package var intent: FactChange {
        FactChange(
            kind: .folderRenaming, key: former.bytes,
            value: [Self.version] + album.bytes + BigEndian.bytes(inode) + directory.bytes)
    }

    /// `nil` for what a later version wrote.
    init?(fact: (key: [UInt8], value: [UInt8])) {
        let head = 1 + AlbumID.byteCount
        guard fact.value.count > head + 8, fact.value[0] == Self.version,
            let album = AlbumID(bytes: fact.value[1..<head])
        else { return nil }
        self.init(
            album: album, former: FolderPath(bytes: fact.key),
            directory: FolderPath(bytes: Array(fact.value[(head + 8)...])),
            inode: BigEndian.word(fact.value[head..<head + 8]))
    }
}

extension FactKind {
    /// Key: a directory that is about to get another name. Value: the ``DirectoryRenaming``.
    package static let folderRenaming = FactKind(rawValue: "folder.renaming")
}
