package import AlbumModel

/// An album's directory, or a placed file, that this program gives the name that its album or photo has by now: the intent,
/// which is durable before.
///
/// Until it is settled nothing is placed, judged or taken away under either name.
package struct FolderRenaming: Hashable, Sendable {
    /// Whose name is followed.
    package enum Subject: Hashable, Comparable, Sendable {
        /// By its first-level directory.
        case album(AlbumID)
        /// By the file that was placed.
        case photo(PhotoKey)

        package var album: AlbumID {
            switch self {
            case .album(let album): album
            case .photo(let photo): photo.album
            }
        }

        /// The album's directory, of what stands at `path`.
        package func directory(of path: FolderPath) -> FolderPath {
            switch self {
            case .album: path
            case .photo: path.albumDirectory
            }
        }

        var isOfFile: Bool { if case .photo = self { true } else { false } }

        /// Whether one of these paths is what stands at `path`, or lies in it.
        ///
        /// A file has nothing in it. Thousands may be renamed one after the other, so all paths are gone through for a
        /// directory only.
        func concernsAny<Value>(of paths: [FolderPath: Value], at path: FolderPath) -> Bool {
            isOfFile ? paths[path] != nil : paths.keys.contains { $0.isWithin(path) }
        }

        func concernsAny(of paths: Set<FolderPath>, at path: FolderPath) -> Bool {
            isOfFile ? paths.contains(path) : paths.contains { $0.isWithin(path) }
        }
    }

    /// What became of it.
    package enum Outcome: Hashable, Sendable {
        /// There is the new name, durably. Of a file, as it was seen under that.
        case done(FileSignature?)
        /// There is the former one, for sure.
        case unchanged
        case unknown
    }

    package let subject: Subject
    package let former: FolderPath
    /// In the same directory.
    package let target: FolderPath
    /// By which the directory or file is known again.
    package let inode: UInt64

    package init(_ subject: Subject, former: FolderPath, target: FolderPath, inode: UInt64) {
        (self.subject, self.former, self.target, self.inode) = (subject, former, target, inode)
    }

    /// What stands at a name before it is changed.
    package struct Look: Sendable {
        package var inode: UInt64
        /// Of the directory that it is in.
        package var names: DirectoryNames
        /// Of a file, by its photo's bytes.
        package var type: MediaType?

        package init(inode: UInt64, names: DirectoryNames, type: MediaType?) {
            (self.inode, self.names, self.type) = (inode, names, type)
        }
    }

    package var isOfFile: Bool { subject.isOfFile }

    /// Where what was at a path is then; `nil` for what is elsewhere.
    package func target(of path: FolderPath) -> FolderPath? {
        guard path.isWithin(former) else { return nil }
        return FolderPath(bytes: target.bytes + path.bytes.dropFirst(former.bytes.count))
    }

    /// Those of these paths that get another name, ordered, with their new ones. All are gone through for a directory only.
    func moved<Value>(_ paths: [FolderPath: Value]) -> [(former: FolderPath, target: FolderPath, value: Value)] {
        if isOfFile { return paths[former].map { [(former: former, target: target, value: $0)] } ?? [] }
        return paths.compactMap { path, value in
            target(of: path).map { (former: path, target: $0, value: value) }
        }.sorted { $0.former < $1.former }
    }

    package func concerns(_ path: FolderPath) -> Bool {
        path.isWithin(former) || path.isWithin(target)
    }

    /// By what stands at both names. Where an inode is another one with each mount, a directory is known by its files, a
    /// file by its size and time.
    package func outcome(former: NameSight, target: NameSight) -> Outcome {
        if former.inode == inode { return .unchanged }
        if target.inode == inode { return .done(nil) }
        switch (former, target) {
        case (.unknown, _), (_, .unknown): return .unknown
        case (.absent, .present(inode: _, isKnown: true)), (.other, .present(inode: _, isKnown: true)):
            return .done(nil)
        default: return .unchanged
        }
    }
}

/// What stands at the name of a directory, or of a file.
package enum NameSight: Hashable, Sendable {
    /// `isKnown`: a directory that holds a file which is as it is known of the renamed one, or such a file.
    case present(inode: UInt64, isKnown: Bool)
    case other
    case absent
    /// Nobody can tell.
    case unknown

    var inode: UInt64? { if case .present(let inode, isKnown: _) = self { inode } else { nil } }

    /// - Parameters:
    ///   - isOfFile: whether a file is looked for, and not a directory.
    ///   - identify: The inode, and whether it is known; `nil` where nobody can tell.
    package init(
        of path: FolderPath, isOfFile: Bool, on disk: some PresenceDisk,
        identify: () -> (inode: UInt64, isKnown: Bool)?
    ) {
        var presence = DiskPresence(disk)
        let seen = isOfFile ? presence.answer(path) : Self.presence(ofDirectory: path, on: disk)
        switch seen {
        case .present?: self = identify().map { .present(inode: $0.inode, isKnown: $0.isKnown) } ?? .unknown
        case .absent?: self = .absent
        case .unknown?: self = .unknown
        case nil: self = .other
        }
        // Asked last: a disk that went away while we looked has taken it along.
        if disk.isAway(path) { self = .unknown }
    }

    /// `nil` where something else has the name.
    private static func presence(ofDirectory path: FolderPath, on disk: some PresenceDisk) -> FilePresence? {
        switch disk.look(at: path) {
        case .directory: return .present
        case .noDirectory: return nil
        case .unknown: return .unknown
        case .absent:
            // Only a whole listing shows that something is not there.
            guard case .whole(let entries) = disk.listing(of: path.parent) else { return .unknown }
            return entries.contains { $0.name == Array(path.name) } ? .unknown : .absent
        }
    }
}

extension FolderRenaming {
    /// Of the intent of a directory, and of a file.
    private static let (albumVersion, photoVersion) = (UInt8(1), UInt8(2))

    /// The intent, as a fact.
    package var intent: FactChange {
        let subject: [UInt8] =
            switch subject {
            case .album(let album): [Self.albumVersion] + album.bytes
            case .photo(let photo): [Self.photoVersion] + photo.bytes
            }
        return FactChange(
            kind: .folderRenaming, key: former.bytes, value: subject + BigEndian.bytes(inode) + target.bytes)
    }

    /// `nil` for what a later version wrote.
    init?(fact: (key: [UInt8], value: [UInt8])) {
        let byteCount = AlbumID.byteCount + (fact.value.first == Self.photoVersion ? BlobID.byteCount : 0)
        let (name, rest) = (fact.value.dropFirst().prefix(byteCount), fact.value.dropFirst(1 + byteCount))
        guard rest.count > 8 else { return nil }
        let subject: Subject? =
            switch fact.value.first {
            case Self.albumVersion: AlbumID(bytes: name).map { .album($0) }
            case Self.photoVersion: PhotoKey(bytes: name).map { .photo($0) }
            default: nil
            }
        guard let subject else { return nil }
        self.init(
            subject, former: FolderPath(bytes: fact.key), target: FolderPath(bytes: Array(rest.dropFirst(8))),
            inode: BigEndian.word(rest.prefix(8)))
    }
}

extension FactKind {
    /// Key: a directory or file that is about to get another name. Value: the ``FolderRenaming``.
    package static let folderRenaming = FactKind(rawValue: "folder.renaming")
}
