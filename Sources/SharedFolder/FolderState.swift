import AlbumModel
import PhotoStore

/// Which file of the folder holds which photo: the journal's facts, in memory.
///
/// Each change returns the facts to commit. Memory runs ahead of the journal; what a crash loses of it, the next scan
/// finds again and adopts.
struct FolderState: Sendable {
    private(set) var files: [FolderPath: FileRecord] = [:]
    private(set) var gone: [PhotoKey: FolderPath] = [:]
    private(set) var intents: [FolderPath: PhotoKey] = [:]
    private var pathsByPhoto: [PhotoKey: Set<FolderPath>] = [:]
    private var pathsByInode: [UInt64: Set<FolderPath>] = [:]
    private var directoriesByAlbum: [AlbumID: [FolderPath: Int]] = [:]
    /// How many files and intents have a path, compared as a person would.
    private var foldedPaths: [String: Int] = [:]
    /// Paths with an intent at which something happened.
    private var noticedIntents: Set<FolderPath> = []

    init() {}

    init(
        files: [(key: [UInt8], value: [UInt8])], gone: [(key: [UInt8], value: [UInt8])],
        intents: [(key: [UInt8], value: [UInt8])]
    ) {
        for fact in files {
            if let record = FileRecord(bytes: fact.value) { insert(FolderPath(bytes: fact.key), record) }
        }
        for fact in gone {
            if let photo = PhotoKey(bytes: fact.key) { self.gone[photo] = FolderPath(bytes: fact.value) }
        }
        for fact in intents {
            if let photo = PhotoKey(bytes: fact.value) { self.intents[FolderPath(bytes: fact.key)] = photo }
        }
    }

    /// Whether a file is as it was when it was last looked at.
    func isKnown(_ path: FolderPath, _ signature: FileSignature) -> Bool {
        files[path]?.signature == signature
    }

    func paths(of photo: PhotoKey) -> Set<FolderPath> { pathsByPhoto[photo] ?? [] }

    /// A known path in the same album directory whose file looks to be this one under another name.
    func sameFile(as signature: FileSignature, beside path: FolderPath) -> FolderPath? {
        pathsByInode[signature.inode]?.filter {
            $0 != path && $0.albumDirectory == path.albumDirectory && files[$0]!.signature.isSameFile(as: signature)
        }.min()
    }

    /// The directory that holds most files of an album; the folder itself does not count.
    func directory(of album: AlbumID) -> FolderPath? {
        directoriesByAlbum[album]?.filter { !$0.key.bytes.isEmpty }
            .max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    /// Whether files of other albums, and none of this one, are in a directory.
    func isForeign(_ directory: FolderPath, to album: AlbumID) -> Bool {
        directoriesByAlbum[album]?[directory] == nil && directoriesByAlbum.values.contains { $0[directory] != nil }
    }

    // MARK: Finds

    /// The file at `path` holds this photo.
    mutating func record(_ path: FolderPath, _ record: FileRecord) -> [FactChange] {
        var changes: [FactChange] = []
        if let old = files[path], old.photo != record.photo { changes += forget(path).changes }
        remove(path)
        insert(path, record)
        changes.append(FactChange(kind: .folderFile, key: path.bytes, value: record.bytes))
        if gone.removeValue(forKey: record.photo) != nil {
            changes.append(FactChange(kind: .folderGone, key: record.photo.bytes, value: nil))
        }
        return changes
    }

    /// There is no file at `path` any more, or it holds something else. `old` is the photo that it held, `gone` the same
    /// where it was its last file.
    mutating func forget(_ path: FolderPath) -> (changes: [FactChange], old: PhotoKey?, gone: PhotoKey?) {
        guard let record = remove(path) else { return ([], nil, nil) }
        var changes = [FactChange(kind: .folderFile, key: path.bytes, value: nil)]
        guard paths(of: record.photo).isEmpty else { return (changes, record.photo, nil) }
        gone[record.photo] = path
        changes.append(FactChange(kind: .folderGone, key: record.photo.bytes, value: path.bytes))
        return (changes, record.photo, record.photo)
    }

    /// Forgets the file at `path` without taking its photo for deleted: it may be placed again.
    mutating func disown(_ path: FolderPath) -> [FactChange] {
        remove(path) == nil ? [] : [FactChange(kind: .folderFile, key: path.bytes, value: nil)]
    }

    /// The file at `old` is at `path` now.
    mutating func move(_ old: FolderPath, to path: FolderPath, _ signature: FileSignature) -> [FactChange] {
        guard var record = remove(old) else { return [] }
        record.signature = signature
        return [FactChange(kind: .folderFile, key: old.bytes, value: nil)] + self.record(path, record)
    }

    // MARK: Placing

    enum Reservation: Hashable, Sendable {
        case reserved([FactChange])
        /// Another photo has the name.
        case taken
        /// The photo has a file in its album, or had one that a person deleted.
        case unwanted
    }

    /// Reserves `path` for a photo that is about to be placed there.
    mutating func reserve(_ path: FolderPath, for photo: PhotoKey) -> Reservation {
        guard paths(of: photo).isEmpty, gone[photo] == nil else { return .unwanted }
        let folded = DiskName.folded(path.text)
        guard foldedPaths[folded] == nil else { return .taken }
        foldedPaths[folded] = 1
        intents[path] = photo
        return .reserved([FactChange(kind: .folderIntent, key: path.bytes, value: photo.bytes)])
    }

    /// Ends a reservation. `wasNoticed`: something happened at the path meanwhile, so it is worth a look.
    mutating func release(_ path: FolderPath) -> (changes: [FactChange], wasNoticed: Bool) {
        guard intents.removeValue(forKey: path) != nil else { return ([], false) }
        uncount(path)
        let change = FactChange(kind: .folderIntent, key: path.bytes, value: nil)
        return ([change], noticedIntents.remove(path) != nil)
    }

    /// Whether what happened at a path is, or may be, our own placing; the path is then looked at once that is done.
    mutating func isEcho(_ path: FolderPath) -> Bool {
        guard intents[path] != nil else { return false }
        noticedIntents.insert(path)
        return true
    }
}

extension FolderState {
    private mutating func insert(_ path: FolderPath, _ record: FileRecord) {
        files[path] = record
        pathsByPhoto[record.photo, default: []].insert(path)
        pathsByInode[record.signature.inode, default: []].insert(path)
        directoriesByAlbum[record.photo.album, default: [:]][path.albumDirectory, default: 0] += 1
        foldedPaths[DiskName.folded(path.text), default: 0] += 1
    }

    @discardableResult
    private mutating func remove(_ path: FolderPath) -> FileRecord? {
        guard let record = files.removeValue(forKey: path) else { return nil }
        pathsByPhoto[record.photo]?.remove(path)
        if pathsByPhoto[record.photo]?.isEmpty == true { pathsByPhoto[record.photo] = nil }
        pathsByInode[record.signature.inode]?.remove(path)
        if pathsByInode[record.signature.inode]?.isEmpty == true { pathsByInode[record.signature.inode] = nil }
        let album = record.photo.album
        let count = directoriesByAlbum[album]?[path.albumDirectory] ?? 0
        directoriesByAlbum[album]?[path.albumDirectory] = count > 1 ? count - 1 : nil
        uncount(path)
        return record
    }

    private mutating func uncount(_ path: FolderPath) {
        let folded = DiskName.folded(path.text)
        let count = foldedPaths[folded] ?? 0
        foldedPaths[folded] = count > 1 ? count - 1 : nil
    }
}
