package import AlbumModel

/// Which file of the folder holds which photo: the journal's facts, in memory.
///
/// Each change returns the facts to commit. Memory runs ahead of the journal; what a crash loses of it, the next scan
/// finds again and adopts.
package struct FolderState: Sendable {
    package private(set) var files: [FolderPath: FileRecord] = [:]
    package private(set) var gone: [PhotoKey: FolderPath] = [:]
    /// Photos that are being placed, each with its reserved path.
    package private(set) var intents: [FolderPath: PhotoKey] = [:]
    /// Placings that an earlier run began, and that are not settled yet.
    package private(set) var interrupted: [FolderPath: PhotoKey] = [:]
    /// Files that this program is about to take out of the folder.
    package private(set) var leaving: [FolderPath: PhotoKey] = [:]
    /// Those of them that are damaged and go to the quarantine: what a crash leaves of these stays.
    package private(set) var settingAside: Set<FolderPath> = []
    /// Those of them whose photos are wanted again: where one of these files is gone, this program took it.
    private var returning: Set<FolderPath> = []
    /// The directory or file that this program is about to give another name, or that an earlier run was.
    package private(set) var renaming: FolderRenaming?
    package var fresh: FreshFiles
    private var pathsByBlob: [BlobID: Set<FolderPath>] = [:]
    private var pathsByInode: [UInt64: Set<FolderPath>] = [:]
    private var directoriesByAlbum: [AlbumID: [FolderPath: Int]] = [:]
    private var albumsByDirectory: [FolderPath: [AlbumID: Int]] = [:]
    /// How many files and intents have a path, compared as a person would.
    private var foldedPaths: [String: Int] = [:]
    /// Paths with an intent at which something happened.
    private var noticedIntents: Set<FolderPath> = []

    package init(
        files: [(key: [UInt8], value: [UInt8])], gone: [(key: [UInt8], value: [UInt8])],
        intents: [(key: [UInt8], value: [UInt8])], leaving: [(key: [UInt8], value: [UInt8])] = [],
        renamings: [(key: [UInt8], value: [UInt8])] = [], fresh: FreshFiles
    ) {
        self.fresh = fresh
        for fact in files {
            if let record = FileRecord(bytes: fact.value) { insert(FolderPath(bytes: fact.key), record) }
        }
        for fact in gone {
            if let photo = PhotoKey(bytes: fact.key) { self.gone[photo] = FolderPath(bytes: fact.value) }
        }
        for fact in intents {
            if let photo = PhotoKey(bytes: fact.value) { interrupted[FolderPath(bytes: fact.key)] = photo }
        }
        renaming = renamings.first.flatMap { FolderRenaming(fact: $0) }
        for fact in leaving {
            let path = FolderPath(bytes: fact.key)
            if let photo = PhotoKey(bytes: fact.value) {
                self.leaving[path] = photo
            } else if let photo = PhotoKey(bytes: fact.value.dropLast()) {
                self.leaving[path] = photo
                switch fact.value.last {
                case Self.asideMark: settingAside.insert(path)
                case Self.returningMark: returning.insert(path)
                default: self.leaving[path] = nil
                }
            }
        }
    }

    /// Whether a file is as it was when it was last looked at.
    package func isKnown(_ path: FolderPath, _ signature: FileSignature) -> Bool {
        files[path]?.signature == signature
    }

    /// The file that is known at a path, or those that are below it.
    package func files(at path: FolderPath) -> [FolderPath: FileRecord] {
        if let record = files[path] { return [path: record] }
        return files.filter { $0.key.isBelow(path) }
    }

    package func paths(of photo: PhotoKey) -> Set<FolderPath> {
        pathsByBlob[photo.blob]?.filter { files[$0]!.photo.album == photo.album } ?? []
    }

    /// Files of any album that hold these bytes.
    package func paths(of blob: BlobID) -> Set<FolderPath> { pathsByBlob[blob] ?? [] }

    /// How many files an album has, wherever.
    package func fileCount(of album: AlbumID) -> Int { directoriesByAlbum[album]?.values.reduce(0, +) ?? 0 }

    /// A known path in the same album directory whose file looks to be this one under another name.
    package func sameFile(as signature: FileSignature, beside path: FolderPath) -> FolderPath? {
        pathsByInode[signature.inode]?.filter {
            $0 != path && $0.albumDirectory == path.albumDirectory && files[$0]!.signature.isSameFile(as: signature)
        }.min()
    }

    /// The directory that holds most files of an album; the folder itself does not count.
    package func directory(of album: AlbumID) -> FolderPath? {
        directoriesByAlbum[album]?.filter { !$0.key.bytes.isEmpty }
            .max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    /// The first-level directories that hold files of an album.
    package func directories(of album: AlbumID) -> Set<FolderPath> { Set((directoriesByAlbum[album] ?? [:]).keys) }

    /// The albums of which files are in a first-level directory, or are about to be, with how many.
    package func albums(in directory: FolderPath) -> [AlbumID: Int] {
        var albums = albumsByDirectory[directory] ?? [:]
        for (path, photo) in [intents, interrupted].joined() where path.albumDirectory == directory {
            albums[photo.album, default: 0] += 1
        }
        return albums
    }

    /// The album that a first-level directory stands for: the one that is remembered, unless only others have files there or
    /// are about to; else the one that has most of them. For the folder itself only what is remembered counts.
    package func album(of directory: FolderPath, remembered: AlbumID?) -> AlbumID? {
        if directory == .root { return remembered }
        if let remembered, !isForeign(directory, to: remembered) { return remembered }
        return albums(in: directory).max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    /// Whether files of other albums, and none of this one, are in a directory, or are about to be.
    package func isForeign(_ directory: FolderPath, to album: AlbumID) -> Bool {
        // Mostly, and then it does not matter what is about to be there: that is looked through for each photo.
        if albumsByDirectory[directory]?[album] != nil { return false }
        let albums = albums(in: directory)
        return !albums.isEmpty && albums[album] == nil
    }

    /// Whether a photo has its file in a first-level directory, or is about to; the folder itself is always used.
    package func isUsed(_ directory: FolderPath) -> Bool { directory == .root || !albums(in: directory).isEmpty }

    // MARK: Finds

    /// The file at `path` holds this photo. Another one that was known there has lost this file, and nobody says why: where
    /// its album still has it, it may be placed again.
    package mutating func record(_ path: FolderPath, _ record: FileRecord) -> [FactChange] {
        var changes = interrupted[path] == nil ? [] : settleInterrupted(path) { .notOurs }
        if leaving[path] != record.photo { changes += stay(path) }
        remove(path)
        insert(path, record)
        changes.append(FactChange(kind: .folderFile, key: path.bytes, value: record.bytes))
        // What this program places is durable before it is recorded.
        if record.origin != .placed { changes.append(fresh.note(path)) }
        if gone.removeValue(forKey: record.photo) != nil {
            changes.append(FactChange(kind: .folderGone, key: record.photo.bytes, value: nil))
        }
        return changes
    }

    /// The path's record goes, whatever it was, and says nothing about its photo. There is nothing to take away any more.
    package mutating func drop(_ path: FolderPath) -> [FactChange] {
        let stayed = stay(path)
        return remove(path) == nil ? stayed : stayed + [FactChange(kind: .folderFile, key: path.bytes, value: nil)]
    }

    /// A photo's path after a judged group.
    package struct Settlement: Sendable {
        /// What does not hold its photo any more; `isGone`: a person does not want it placed again.
        package var left: [(path: FolderPath, photo: PhotoKey, isGone: Bool)] = []
        package var held: [(path: FolderPath, record: FileRecord)] = []

        package init(
            left: [(path: FolderPath, photo: PhotoKey, isGone: Bool)] = [],
            held: [(path: FolderPath, record: FileRecord)] = []
        ) {
            self.left = left
            self.held = held
        }
    }

    /// Follows a judged group, at once: files may have changed places. Paths of which something else became known
    /// meanwhile stay as they are; a photo that cannot be recorded there for that reason may be placed again, and so may one
    /// whose file was to go by now in any case, should it be wanted once more.
    package mutating func settle(_ settlement: Settlement) -> [FactChange] {
        var changes: [FactChange] = []
        let leaving = settlement.left.filter { files[$0.path]?.photo == $0.photo && isLeaving($0.path) }
        let unwanted = Set(leaving.map(\.photo))
        for (path, photo, _) in settlement.left where files[path]?.photo == photo {
            changes += drop(path)
        }
        for (path, record) in settlement.held where files[path].map({ $0.photo == record.photo }) ?? true {
            changes += self.record(path, record)
        }
        let held = Set(settlement.held.map(\.record.photo))
        for (path, photo, isGone) in settlement.left
        where isGone && !unwanted.contains(photo) && !held.contains(photo) && paths(of: photo).isEmpty {
            gone[photo] = path
            changes.append(FactChange(kind: .folderGone, key: photo.bytes, value: path.bytes))
        }
        return changes
    }

    /// A photo that a person deleted, or that was to go, may be placed again.
    ///
    /// A file that was to go may be gone already: the intent of it ends once somebody looked. Of one that is set aside, which
    /// says nothing about its photo, nothing changes.
    package mutating func letBack(_ photo: PhotoKey) -> [FactChange] {
        var changes: [FactChange] = []
        if gone.removeValue(forKey: photo) != nil {
            changes.append(FactChange(kind: .folderGone, key: photo.bytes, value: nil))
        }
        for path in leaving.filter({ $0.value == photo && !settingAside.contains($0.key) }).keys.sorted() {
            guard files[path]?.photo == photo else {
                changes += stay(path)
                continue
            }
            guard returning.insert(path).inserted else { continue }
            changes.append(intentToLeave(path))
        }
        return changes
    }

    // MARK: Taking away

    /// Whether an intent is about the file that is known at a path: it is to go, or was. One can outlive its record, where a
    /// crash came in between.
    func hasIntentToLeave(_ path: FolderPath) -> Bool { leaving[path].map { $0 == files[path]?.photo } ?? false }

    /// Whether the file that is known at a path is to go.
    package func isLeaving(_ path: FolderPath) -> Bool { hasIntentToLeave(path) && !returning.contains(path) }

    /// Whether the file that is known at a path was to go, and its photo is wanted again: nobody knows yet whether it is
    /// gone.
    package func isReturning(_ path: FolderPath) -> Bool { hasIntentToLeave(path) && returning.contains(path) }

    /// Behind the photo in the fact of a file that is set aside.
    private static let asideMark: UInt8 = 1
    /// The same, of one that is wanted again.
    private static let returningMark: UInt8 = 2

    package mutating func leave(_ path: FolderPath, _ photo: PhotoKey) -> [FactChange] {
        leaving[path] = photo
        settingAside.remove(path)
        returning.remove(path)
        return [FactChange(kind: .folderLeaving, key: path.bytes, value: photo.bytes)]
    }

    package mutating func setAside(_ path: FolderPath, _ photo: PhotoKey) -> [FactChange] {
        leaving[path] = photo
        settingAside.insert(path)
        returning.remove(path)
        return [FactChange(kind: .folderLeaving, key: path.bytes, value: photo.bytes + [Self.asideMark])]
    }

    /// Ends the intent to take a file away; its record is another matter.
    package mutating func stay(_ path: FolderPath) -> [FactChange] {
        settingAside.remove(path)
        returning.remove(path)
        guard leaving.removeValue(forKey: path) != nil else { return [] }
        return [FactChange(kind: .folderLeaving, key: path.bytes, value: nil)]
    }

    /// The fact by which a file is to go.
    func intentToLeave(_ path: FolderPath) -> FactChange {
        FactChange(kind: .folderLeaving, key: path.bytes, value: leavingValue(path))
    }

    func leavingValue(_ path: FolderPath) -> [UInt8]? {
        guard let photo = leaving[path] else { return nil }
        if settingAside.contains(path) { return photo.bytes + [Self.asideMark] }
        return photo.bytes + (returning.contains(path) ? [Self.returningMark] : [])
    }

    // MARK: Placing

    package enum Reservation: Hashable, Sendable {
        case reserved([FactChange])
        /// Another photo has the name.
        case taken
        /// The photo has a file in its album, or had one that a person deleted.
        case unwanted
        /// The directory is just getting another name, or is another album's by now.
        case directoryUnfit
    }

    /// Reserves `path` for a photo that is about to be placed there.
    package mutating func reserve(_ path: FolderPath, for photo: PhotoKey) -> Reservation {
        let isGone = gone[photo] != nil && !PlantedFault.isPlanted(.deletedPlacedAgain)
        guard paths(of: photo).isEmpty, !isGone else { return .unwanted }
        if let renaming, renaming.concerns(path) { return renaming.isOfFile ? .taken : .directoryUnfit }
        if isForeign(path.albumDirectory, to: photo.album) { return .directoryUnfit }
        guard isFree(path) else { return .taken }
        foldedPaths[DiskName.folded(path.text)] = 1
        intents[path] = photo
        return .reserved([FactChange(kind: .folderIntent, key: path.bytes, value: photo.bytes)])
    }

    /// Whether no file is known at a path, or about to be placed there, in whatever case.
    func isFree(_ path: FolderPath) -> Bool {
        foldedPaths[DiskName.folded(path.text)] == nil && interrupted[path] == nil
    }

    /// Reserves the path of a photo's own record, to put its file there again.
    package mutating func reserveAgain(_ path: FolderPath, for photo: PhotoKey) -> [FactChange] {
        interrupted[path] = nil
        if intents.updateValue(photo, forKey: path) == nil { foldedPaths[DiskName.folded(path.text), default: 0] += 1 }
        return [FactChange(kind: .folderIntent, key: path.bytes, value: photo.bytes)]
    }

    /// Ends a reservation. `wasNoticed`: something happened at the path meanwhile, so it is worth a look.
    package mutating func release(_ path: FolderPath) -> (changes: [FactChange], wasNoticed: Bool) {
        guard intents.removeValue(forKey: path) != nil else { return ([], false) }
        uncount(path)
        let change = FactChange(kind: .folderIntent, key: path.bytes, value: nil)
        return ([change], noticedIntents.remove(path) != nil)
    }

    /// Whether what happened at a path is, or may be, our own placing; the path is then looked at once that is done.
    package mutating func isEcho(_ path: FolderPath) -> Bool {
        guard intents[path] != nil, !PlantedFault.isPlanted(.ownPlacingsNoticed) else { return false }
        noticedIntents.insert(path)
        return true
    }
}

// MARK: Other names

extension FolderState {
    /// Whether a path is in a directory that is just getting another name, or is such a file, or is at that name.
    package func isBeingRenamed(_ path: FolderPath) -> Bool { renaming?.concerns(path) ?? false }

    mutating func begin(_ renaming: FolderRenaming) { self.renaming = renaming }

    /// Ends a renaming, all at once: where a directory has its new name, so have its files. What became known there meanwhile
    /// is known better. Without an outcome it stays open.
    mutating func settle(_ renaming: FolderRenaming, _ outcome: FolderRenaming.Outcome) -> [FactChange] {
        if outcome == .unknown { return [] }
        self.renaming = nil
        let ended = FactChange(kind: .folderRenaming, key: renaming.former.bytes, value: nil)
        guard case .done(let signature) = outcome else { return [ended] }
        let moved = moveRecords(by: renaming, signature) + (renaming.isOfFile ? [] : moveGone(by: renaming))
        return moved + moveIntentsToLeave(by: renaming) + [ended]
    }

    /// - Parameter signature: Of the file under its new name: a renaming changes the ctime of what it renames.
    private mutating func moveRecords(by renaming: FolderRenaming, _ signature: FileSignature?) -> [FactChange] {
        var changes: [FactChange] = []
        for (path, known) in files(at: renaming.former).sorted(by: { $0.key < $1.key }) {
            guard let target = renaming.target(of: path) else { continue }
            var record = known
            // Whoever wrote to it meanwhile is noticed as ever.
            if let signature, signature.isSameFile(as: known.signature) { record.signature = signature }
            remove(path)
            changes.append(FactChange(kind: .folderFile, key: path.bytes, value: nil))
            changes += fresh.move(path, to: target)
            if files[target] != nil { continue }
            insert(target, record)
            changes.append(FactChange(kind: .folderFile, key: target.bytes, value: record.bytes))
        }
        return changes
    }

    private mutating func moveGone(by renaming: FolderRenaming) -> [FactChange] {
        var changes: [FactChange] = []
        for (photo, path) in gone.sorted(by: { $0.key < $1.key }) {
            guard let target = renaming.target(of: path) else { continue }
            gone[photo] = target
            changes.append(FactChange(kind: .folderGone, key: photo.bytes, value: target.bytes))
        }
        return changes
    }

    /// Photos may have left their album while a directory or file got its name: their files are to go under that. The intent of one
    /// that is damaged ends: whoever looks for damage finds it once more.
    private mutating func moveIntentsToLeave(by renaming: FolderRenaming) -> [FactChange] {
        var changes: [FactChange] = []
        for (former, target, photo) in renaming.moved(leaving) {
            let (isDamaged, isWantedAgain) = (settingAside.contains(former), returning.contains(former))
            changes += stay(former)
            guard !isDamaged, files[target]?.photo == photo else { continue }
            leaving[target] = photo
            if isWantedAgain { returning.insert(target) }
            changes.append(intentToLeave(target))
        }
        return changes
    }
}

// MARK: After a crash

extension FolderState {
    /// What is at a path where a photo was about to be placed.
    package enum PlacedFile: Hashable, Sendable {
        /// The photo's file, which this program placed.
        case ours(FileSignature)
        /// Nothing, or another file.
        case notOurs
        /// Nobody can tell.
        case unknown
    }

    /// Settles a placing that a crash interrupted. What cannot be looked at stays open: a find there, or a later start,
    /// settles it.
    ///
    /// - Parameter look: Not asked where it is known what is there.
    package mutating func settleInterrupted(_ path: FolderPath, look: () -> PlacedFile) -> [FactChange] {
        guard let photo = interrupted[path] else { return [] }
        // What was recorded there meanwhile is known better. Another photo's record is older: its end is not durable.
        let found = files[path]?.photo == photo ? .notOurs : look()
        if found == .unknown { return [] }
        interrupted[path] = nil
        let ended = [FactChange(kind: .folderIntent, key: path.bytes, value: nil)]
        guard case .ours(let signature) = found else { return ended }
        return ended + record(path, FileRecord(photo: photo, signature: signature, origin: .placed))
    }

    /// Settles a taking away that a crash interrupted. A file that is still there, or on a disk that is away, is taken away
    /// once the folder runs.
    package mutating func settleLeaving(_ path: FolderPath, _ presence: FilePresence) -> [FactChange] {
        guard hasIntentToLeave(path) else { return stay(path) }
        switch presence {
        case .absent: return drop(path)
        // A damaged one is found once more by whoever looks for damage.
        case .present where settingAside.contains(path) || isReturning(path): return stay(path)
        case .present, .unknown: return []
        }
    }
}

extension FolderState {
    private mutating func insert(_ path: FolderPath, _ record: FileRecord) {
        files[path] = record
        pathsByBlob[record.photo.blob, default: []].insert(path)
        pathsByInode[record.signature.inode, default: []].insert(path)
        directoriesByAlbum[record.photo.album, default: [:]][path.albumDirectory, default: 0] += 1
        albumsByDirectory[path.albumDirectory, default: [:]][record.photo.album, default: 0] += 1
        foldedPaths[DiskName.folded(path.text), default: 0] += 1
    }

    @discardableResult
    private mutating func remove(_ path: FolderPath) -> FileRecord? {
        guard let record = files.removeValue(forKey: path) else { return nil }
        pathsByBlob[record.photo.blob]?.remove(path)
        if pathsByBlob[record.photo.blob]?.isEmpty == true { pathsByBlob[record.photo.blob] = nil }
        pathsByInode[record.signature.inode]?.remove(path)
        if pathsByInode[record.signature.inode]?.isEmpty == true { pathsByInode[record.signature.inode] = nil }
        let (album, directory) = (record.photo.album, path.albumDirectory)
        let count = directoriesByAlbum[album]?[directory] ?? 0
        directoriesByAlbum[album]?[directory] = count > 1 ? count - 1 : nil
        albumsByDirectory[directory]?[album] = count > 1 ? count - 1 : nil
        if albumsByDirectory[directory]?.isEmpty == true { albumsByDirectory[directory] = nil }
        uncount(path)
        return record
    }

    private mutating func uncount(_ path: FolderPath) {
        let folded = DiskName.folded(path.text)
        let count = foldedPaths[folded] ?? 0
        foldedPaths[folded] = count > 1 ? count - 1 : nil
    }
}
