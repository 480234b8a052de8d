import AlbumModel
import FolderEngine

/// Albums that others rename, and directories that follow.
extension FolderSimulation {
    /// A directory on its way to its album's name.
    enum Renaming {
        case begin(AlbumID, FolderPath)
        case inTurns(AlbumID, FolderPath, Set<Turn>)
        case tell(DirectoryRenaming, Set<Turn>)
        case move(DirectoryRenaming, Set<Turn>)
        case synchronize(DirectoryRenaming, Set<Turn>)
        case end(DirectoryRenaming, Set<Turn>, DirectoryRenaming.Outcome)
    }

    // MARK: Names

    /// The album that a directory stands for, whether it is there or would be made.
    func album(_ directory: FolderPath) -> AlbumID {
        let remembered = gathering.directories[directory]
        return gathering.album(directory, known: judge.state.album(of: directory, remembered: remembered))
    }

    func key(_ path: FolderPath, _ content: Int) -> PhotoKey {
        PhotoKey(album: album(path.albumDirectory), blob: SimulatedGathering.blob(content))
    }

    /// Those that are there.
    func albumID(_ directory: FolderPath) -> AlbumID? {
        let album = album(directory)
        return gathering.ever.contains { $0.album == album } ? album : nil
    }

    /// A new album is called as its first directory.
    mutating func nameAlbum(_ album: AlbumID, after directory: FolderPath) {
        if gathering.nameAlbum(album, after: directory) { tellNames() }
    }

    mutating func tellNames() {
        guard isRunning, temper.contains(.renaming) else { return }
        // What follows is handed out as work.
        _ = handle(.named(gathering.names.mapValues { AlbumNames(own: $0, listed: $0) }))
    }

    /// Some get a name that an album had before, and that no directory has: what is put into one is that album's then.
    mutating func renameAlbum() {
        guard let album = gathering.names.keys.sorted().randomElement(using: &random) else { return }
        let former = Self.albums.filter { directory in
            !gathering.names.values.contains(directory.text) && !disk.truth.keys.contains { $0.isBelow(directory) }
        }.map(\.text)
        let fresh = "Trip \(step)"
        let name = isOnce(in: 3) ? former.randomElement(using: &random) ?? fresh : fresh
        tell("others rename \(gathering.names[album]!) to \(name)")
        gathering.rename(album, to: name)
        tellNames()
    }

    // MARK: Directories

    mutating func rename(_ renaming: Renaming, of index: Int) -> [Step]? {
        disk.knownMounts = judge.mounts
        switch renaming {
        case .begin(let album, let directory):
            guard hasTurns([.judging], of: index) else { return nil }
            return [.rename(.inTurns(album, directory, judge.turnsOfRenaming(directory)))]
        case .inTurns(let album, let directory, let turns):
            guard hasTurns(turns, of: index) else { return nil }
            guard let renaming = begin(album, directory, turns) else {
                return handle(.notRenamed) + [.pass(turns), .pass([.judging])]
            }
            if isUnlucky() { return [.rename(.end(renaming, turns, .unchanged))] }
            return [.directive(.commit([renaming.intent])), .rename(.tell(renaming, turns))]
        case .tell(let renaming, let turns):
            gathering.move(renaming.album, from: renaming.former, to: renaming.directory)
            return [.rename(.move(renaming, turns))]
        case .move(let renaming, let turns):
            let isMoved = move(renaming)
            return [.rename(isMoved ? .synchronize(renaming, turns) : .end(renaming, turns, .unchanged))]
        case .synchronize(let renaming, let turns):
            if isUnlucky() { return [.rename(.end(renaming, turns, .unknown))] }
            unsyncedRenaming = nil
            return [.rename(.end(renaming, turns, .done))]
        case .end(let renaming, let turns, let outcome):
            return answer(.renamed(renaming, outcome)) + [.pass(turns), .pass([.judging])]
        }
    }

    private mutating func begin(_ album: AlbumID, _ directory: FolderPath, _ turns: Set<Turn>) -> DirectoryRenaming? {
        if !isMended, isOnce(in: 8) { surprise() }
        defer { disk.endSurprise() }
        guard complaint == nil, !disk.isAway(directory), disk.look(at: directory) == .directory,
            case .whole(let entries) = disk.listing(of: .root)
        else { return nil }
        return judge.beginRenaming(
            album, directory, turns: turns, inode: disk.inode(of: directory), beside: entries, now: now)
    }

    /// Whether it was done: nothing is replaced.
    private mutating func move(_ renaming: DirectoryRenaming) -> Bool {
        let (former, directory) = (renaming.former, renaming.directory)
        guard complaint == nil, disk.isOwnRoot, disk.failures[.root] == nil, disk.look(at: former) == .directory,
            disk.inode(of: former) == renaming.inode, disk.look(at: directory) == .absent
        else { return false }
        tell("rename directory \(former) to \(directory)")
        renameDirectory(by: renaming)
        unsyncedRenaming = renaming
        notice(.directoryVanished(former), in: .root)
        watched = watched.filter { $0 != former && !$0.isBelow(former) }
        for path in disk.truth.keys.sorted() where path.isBelow(directory) { notice(.touched(path), in: path.parent) }
        return true
    }

    /// A power cut may take a name back that was not synced.
    mutating func loseRenaming() {
        guard let renaming = unsyncedRenaming.take(), disk.look(at: renaming.former) == .absent,
            disk.look(at: renaming.directory) == .directory, Bool.random(using: &random)
        else { return }
        tell("directory \(renaming.directory) is \(renaming.former) again")
        renameDirectory(
            by: DirectoryRenaming(
                album: renaming.album, former: renaming.directory, directory: renaming.former, inode: renaming.inode))
    }

    /// All that the run knows of the directory's files goes along.
    private mutating func renameDirectory(by renaming: DirectoryRenaming) {
        func target(_ path: FolderPath) -> FolderPath { renaming.target(of: path) ?? path }
        disk.renameDirectory(renaming.former, to: renaming.directory)
        ledger.moveAll { renaming.target(of: $0) }
        untold = Set(untold.map(target))
        takenAway = Dictionary(takenAway.map { (target($0.key), $0.value) }) { $1 }
        powerLost = Dictionary(powerLost.map { (target($0.key), $0.value) }) { $1 }
    }

    /// What stands at both names, durably.
    mutating func sights(
        of renaming: DirectoryRenaming, _ files: [FolderPath: FileRecord]
    ) -> (former: DirectorySight, directory: DirectorySight) {
        let targets = files.map { (renaming.target(of: $0.key)!, $0.value) }
        let former = sight(ofDirectory: renaming.former, files)
        let directory = sight(ofDirectory: renaming.directory, Dictionary(uniqueKeysWithValues: targets))
        unsyncedRenaming = nil
        return (former, directory)
    }

    private func sight(ofDirectory directory: FolderPath, _ files: [FolderPath: FileRecord]) -> DirectorySight {
        DirectorySight(of: directory, on: disk) {
            (inode: disk.inode(of: directory), holdsFile: files.contains { isUnchanged($0.key, $0.value) })
        }
    }

    // MARK: What must be true

    /// Once everything rests, an album has a directory of its name, unless another album's files are there as well, or it is
    /// a card.
    mutating func checkNames() {
        guard temper.contains(.renaming) else { return }
        let photos = photos
        for (album, name) in gathering.names.sorted(by: { $0.key < $1.key }) {
            let paths = photos.filter { $0.value.album == album }.keys
            let directories = Set(paths.map(\.albumDirectory)).subtracting([.root])
            let isShared = photos.contains { path, photo in
                photo.album != album && directories.contains(path.albumDirectory)
            }
            if directories.isEmpty || directories.contains(FolderDisk.card) || isShared { continue }
            let isNamed = directories.contains { $0.text == name || $0.text.hasPrefix(name + " (") }
            if !isNamed { violated("an album that is called \(name) is in \(directories.sorted())") }
        }
    }
}
