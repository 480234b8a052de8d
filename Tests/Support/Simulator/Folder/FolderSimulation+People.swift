import AlbumModel
import FolderEngine

/// What people do with files, in a file manager and in programs.
extension FolderSimulation {
    static let albums = ["A", "B", "Card"].map { FolderPath($0) }
    private static let directories = ["A", "A/sub", "B", "Card", "Card/sub"].map { FolderPath($0) }

    mutating func act() {
        let source = reachable().randomElement(using: &random)
        let target = freshPath()
        guard disk.isReachable(target) else { return }
        switch Int.random(in: 0..<16, using: &random) {
        case 0...3: drop(freshContent(), at: target)
        case 4: if let source { drop(content(source), at: target) }
        case 5: if let source { edit(source, inPlace: true) }
        case 6: if let source { edit(source, inPlace: false) }
        case 7...9: if let source { move(source, to: target) }
        case 10: if let source, let other = reachable().randomElement(using: &random) { move(source, to: other) }
        case 11, 12: if let source { remove(source) }
        case 13: if let source { makeAgain(source) }
        case 14: if let source { removeDirectory(source.parent) }
        default: closeFiles()
        }
    }

    private func reachable() -> [FolderPath] { disk.truth.keys.filter { disk.isReachable($0) }.sorted() }

    private func content(_ path: FolderPath) -> Int { disk.truth[path]!.content }

    mutating func freshContent() -> Int {
        nextContent += 1
        return nextContent
    }

    private mutating func freshPath() -> FolderPath {
        var directory = Self.directories.randomElement(using: &random)!
        if temper.contains(.renaming), isOnce(in: 2) {
            directory = Set(reachable().map(\.parent)).sorted().randomElement(using: &random) ?? directory
        }
        return directory.appending("\(Int.random(in: 1...9, using: &random)).jpg".utf8)
    }

    /// The watcher sees it, unless it is watching elsewhere, loses it, or sees it twice.
    mutating func notice(_ event: FolderEvent, in directory: FolderPath) {
        guard isRunning, watched.contains(directory) else { return enter(directory, event) }
        add(event)
    }

    /// Directories that were made just now are watched once their parent's event is read, and their files are told of.
    private mutating func enter(_ directory: FolderPath, _ event: FolderEvent) {
        guard isRunning else { return }
        var made: Set<FolderPath> = []
        var parent = directory
        while !watched.contains(parent) {
            if parent == .root || parent == FolderDisk.card { return miss(event) }
            made.insert(parent)
            parent = parent.parent
        }
        watched.formUnion(made)
        add(event)
    }

    /// A watcher that lost a directory tells nothing of what happens there.
    private mutating func miss(_ event: FolderEvent) {
        guard case .touched(let path) = event else { return }
        tell("nobody sees \(path)")
        untold.insert(path)
    }

    private mutating func add(_ event: FolderEvent) {
        if case .touched(let path) = event { untold.remove(path) }
        guard !isMended, temper.contains(.lostEvents), isOnce(in: 12) else { return events.append(event) }
        if Bool.random(using: &random) { events += [event, event] } else { tell("lost \(event)") }
    }

    private mutating func put(_ file: SimulatedFile, at path: FolderPath) {
        disk.set(path, file)
        ledger.put(SimulatedGathering.blob(file.content), at: path, step: step)
        notice(.touched(path), in: path.parent)
    }

    private mutating func drop(_ content: Int, at path: FolderPath) {
        let isOpen = Int.random(in: 0..<6, using: &random) == 0
        tell("drop \(content) at \(path)\(isOpen ? ", still being written" : "")")
        put(disk.newFile(content, isOpen: isOpen), at: path)
    }

    private mutating func closeFiles() {
        for (path, file) in disk.truth.sorted(by: { $0.key < $1.key }) where file.isOpen && disk.isReachable(path) {
            var closed = file
            closed.isOpen = false
            put(closed, at: path)
        }
    }

    mutating func edit(_ path: FolderPath, inPlace: Bool) {
        let content = freshContent()
        tell("edit \(path) \(self.content(path)) to \(content)\(inPlace ? " in place" : "")")
        put(disk.newFile(content, inode: inPlace ? disk.truth[path]!.signature.inode : nil), at: path)
    }

    /// The same bytes in another file, as a restore makes.
    private mutating func makeAgain(_ path: FolderPath) {
        tell("make \(path) again")
        put(disk.newFile(content(path)), at: path)
    }

    /// Over what is there. Between two disks it is a copy and a removal.
    mutating func move(_ path: FolderPath, to target: FolderPath) {
        guard path != target, let file = disk.truth[path] else { return }
        tell("move \(path) \(file.content) to \(target)")
        placedInodes.remove(file.signature.inode)
        let isCopy = path.isBelow(FolderDisk.card) != target.isBelow(FolderDisk.card)
        let moved = isCopy ? disk.newFile(file.content, isOpen: file.isOpen) : disk.renamed(file)
        disk.set(path, nil)
        notice(.vanished(path), in: path.parent)
        put(moved, at: target)
    }

    private mutating func remove(_ path: FolderPath) {
        tell("remove \(path) \(content(path))")
        disk.set(path, nil)
        notice(.vanished(path), in: path.parent)
    }

    private mutating func removeDirectory(_ directory: FolderPath) {
        guard directory != FolderDisk.card else { return }
        tell("remove directory \(directory)")
        let inside = reachable().filter { $0.isBelow(directory) }
        for path in inside {
            disk.set(path, nil)
            notice(.vanished(path), in: path.parent)
        }
        disk.removeDirectory(directory)
        notice(.directoryVanished(directory), in: directory.parent)
        watched = watched.filter { $0 != directory && !$0.isBelow(directory) }
    }

    // MARK: What a person decides

    /// Whoever meant all that waits says so. Others wait until it is clear what is gone, or have it undone.
    mutating func decide() {
        guard isRunning, let held = judge.pending.held, judge.isHeldKnown else { return }
        if temper.contains(.undoing), isOnce(in: 2) {
            tell("undo")
            return tasks.append(Task(steps: [.undo]))
        }
        let isMeant = judge.pending.heldLosses.paths.allSatisfy { path in
            judge.state.files[path].map { self.path(of: $0.photo, inAlbumOf: path) == nil } ?? true
        }
        guard isMeant else { return }
        let steps = handle(.confirmed(version: held.version))
        // All of it changed since they saw it: they look once more.
        if steps.contains(where: { if case .directive(.refuse) = $0 { true } else { false } }) { return }
        tell("confirm")
        tasks.append(Task(steps: steps + [.judgeForPerson]))
    }

    /// A card on which no file is as it is known there counts as another one, until a person says that it is to stay.
    mutating func acceptDisks() {
        guard judge.gaps.reasons.values.contains(.otherDisk) else { return }
        tell("accept the card")
        tasks.append(Task(steps: handle(.disksGivenUp(disk.table()))))
    }

    // MARK: What others add

    /// One that is there, whatever it is called by now.
    private mutating func othersAlbum() -> AlbumID? {
        guard temper.contains(.renaming), isOnce(in: 2) else { return nil }
        return gathering.names.keys.sorted().randomElement(using: &random)
    }

    mutating func addOthersPhoto() {
        // Some are what a person has in another album.
        let source = Bool.random(using: &random) ? reachable().randomElement(using: &random) : nil
        let content = source.map { self.content($0) } ?? freshContent()
        let directory = Self.albums.randomElement(using: &random)!
        let photo = PhotoKey(album: othersAlbum() ?? album(directory), blob: SimulatedGathering.blob(content))
        if !Self.isText(content), !gathering.ever.contains(photo),
            !wasPut(photo.blob, where: { album($0) == photo.album })
        {
            tell("others add \(content)")
            nameAlbum(photo.album, after: directory)
            gathering.addOthers(photo)
            // It comes here while the person's own file of it goes.
            if let source, disk.isReachable(source), Bool.random(using: &random) { remove(source) }
            if isRunning, let placing = placement(of: photo) { tasks.append(Task(steps: [.place(placing)])) }
        } else if isRunning, let placing = nextPlacement() {
            tasks.append(Task(steps: [.place(placing)]))
        }
    }
}
