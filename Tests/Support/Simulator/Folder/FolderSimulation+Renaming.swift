import AlbumModel
import FolderEngine

/// Albums and photos that others rename, and directories and files that follow.
extension FolderSimulation {
    /// A directory or file on its way to its album's or photo's name.
    enum Renaming {
        case begin(FolderRenaming.Subject, FolderPath)
        case inTurns(FolderRenaming.Subject, FolderPath, Set<Turn>)
        case tell(FolderRenaming, Set<Turn>)
        case move(FolderRenaming, Set<Turn>)
        /// With what a file is under its new name.
        case synchronize(FolderRenaming, Set<Turn>, FileSignature?)
        case end(FolderRenaming, Set<Turn>, FolderRenaming.Outcome)
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
        case .begin(let subject, let path):
            guard hasTurns([.judging], of: index) else { return nil }
            return [.rename(.inTurns(subject, path, judge.turnsOfRenaming(path)))]
        case .inTurns(let subject, let path, let turns):
            guard hasTurns(turns, of: index) else { return nil }
            guard let renaming = begin(subject, path, turns) else {
                return handle(.notRenamed) + [.pass(turns), .pass([.judging])]
            }
            if isUnlucky() { return [.rename(.end(renaming, turns, .unchanged))] }
            return [.directive(.commit([renaming.intent])), .rename(.tell(renaming, turns))]
        case .tell(let renaming, let turns):
            if case .album(let album) = renaming.subject {
                gathering.move(album, from: renaming.former, to: renaming.target)
            }
            return [.rename(.move(renaming, turns))]
        case .move(let renaming, let turns):
            guard move(renaming) else { return [.rename(.end(renaming, turns, .unchanged))] }
            return [.rename(.synchronize(renaming, turns, signature(of: renaming.target)))]
        case .synchronize(let renaming, let turns, let signature):
            if isUnlucky() { return [.rename(.end(renaming, turns, .unknown))] }
            unsyncedRenaming = nil
            return [.rename(.end(renaming, turns, .done(signature)))]
        case .end(let renaming, let turns, let outcome):
            return answer(.renamed(renaming, outcome)) + [.pass(turns), .pass([.judging])]
        }
    }

    private mutating func begin(
        _ subject: FolderRenaming.Subject, _ path: FolderPath, _ turns: Set<Turn>
    ) -> FolderRenaming? {
        if !isMended, isOnce(in: 8) { surprise() }
        defer { disk.endSurprise() }
        guard complaint == nil, !disk.isAway(path), let inode = inode(of: subject, at: path),
            let names = names(of: subject, beside: path)
        else { return nil }
        let look = FolderRenaming.Look(inode: inode, names: names, type: .jpeg)
        return judge.beginRenaming(subject, path, turns: turns, look, now: now)
    }

    private func names(of subject: FolderRenaming.Subject, beside path: FolderPath) -> DirectoryNames? {
        if case .photo = subject, let known = judge.namesBeside(path, now: now) { return known }
        guard case .whole(let entries) = disk.listing(of: path.parent) else { return nil }
        return DirectoryNames(entries, listed: now)
    }

    /// `nil` where what is there is not what is to be renamed.
    private func inode(of subject: FolderRenaming.Subject, at path: FolderPath) -> UInt64? {
        switch (subject, disk.stat(path)) {
        case (.album, .directory): disk.inode(of: path)
        case (.photo, .file(let file)) where isUnchanged(path, file.signature) && !file.isOpen: file.signature.inode
        default: nil
        }
    }

    private func isUnchanged(_ path: FolderPath, _ signature: FileSignature) -> Bool {
        judge.state.files[path].map { signature.isSameFile(as: $0.signature) } ?? false
    }

    private func inode(at path: FolderPath) -> UInt64? {
        switch disk.stat(path) {
        case .file(let file): file.signature.inode
        case .directory: disk.inode(of: path)
        case .failed: nil
        }
    }

    private func signature(of path: FolderPath) -> FileSignature? {
        if case .file(let file) = disk.stat(path) { file.signature } else { nil }
    }

    /// Whether it was done: nothing is replaced.
    private mutating func move(_ renaming: FolderRenaming) -> Bool {
        let (former, target) = (renaming.former, renaming.target)
        guard complaint == nil, disk.isOwnRoot, disk.failures[former.parent] == nil,
            inode(of: renaming.subject, at: former) == renaming.inode, disk.look(at: target) == .absent
        else { return false }
        tell("rename \(former) to \(target)")
        if case .photo(let photo) = renaming.subject {
            if !isGiven(former, to: photo.blob) { violated("\(former) is renamed, and a person called it so") }
            give(target, to: photo.blob)
        }
        carry(renaming)
        unsyncedRenaming = renaming
        if renaming.isOfFile {
            notice(.vanished(former), in: former.parent)
            notice(.touched(target), in: target.parent)
        } else {
            notice(.directoryVanished(former), in: .root)
            watched = watched.filter { $0 != former && !$0.isBelow(former) }
            for path in disk.truth.keys.sorted() where path.isBelow(target) { notice(.touched(path), in: path.parent) }
        }
        return true
    }

    /// A power cut may take a name back that was not synced.
    mutating func loseRenaming() {
        guard let renaming = unsyncedRenaming.take(), disk.look(at: renaming.former) == .absent,
            inode(at: renaming.target) == renaming.inode, Bool.random(using: &random)
        else { return }
        tell("\(renaming.target) is \(renaming.former) again")
        carry(
            FolderRenaming(
                renaming.subject, former: renaming.target, target: renaming.former, inode: renaming.inode))
    }

    /// All that the run knows of the files goes along.
    private mutating func carry(_ renaming: FolderRenaming) {
        func target(_ path: FolderPath) -> FolderPath { renaming.target(of: path) ?? path }
        if renaming.isOfFile {
            disk.set(renaming.target, disk.truth[renaming.former].map { disk.renamed($0) })
            disk.set(renaming.former, nil)
        } else {
            disk.renameDirectory(renaming.former, to: renaming.target)
        }
        ledger.moveAll { renaming.target(of: $0) }
        untold = Set(untold.map(target))
        takenAway = Dictionary(takenAway.map { (target($0.key), $0.value) }) { $1 }
        powerLost = Dictionary(powerLost.map { (target($0.key), $0.value) }) { $1 }
    }

    /// What stands at both names, durably.
    mutating func sights(
        of renaming: FolderRenaming, _ files: [FolderPath: FileRecord]
    ) -> (former: NameSight, target: NameSight) {
        let targets = files.map { (renaming.target(of: $0.key)!, $0.value) }
        let former = sight(of: renaming.former, isOfFile: renaming.isOfFile, files)
        let target = sight(
            of: renaming.target, isOfFile: renaming.isOfFile, Dictionary(uniqueKeysWithValues: targets))
        unsyncedRenaming = nil
        return (former, target)
    }

    private func sight(
        of path: FolderPath, isOfFile: Bool, _ files: [FolderPath: FileRecord]
    ) -> NameSight {
        NameSight(of: path, isOfFile: isOfFile, on: disk) {
            inode(at: path).map { (inode: $0, isKnown: files.contains { isUnchanged($0.key, $0.value) }) }
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
