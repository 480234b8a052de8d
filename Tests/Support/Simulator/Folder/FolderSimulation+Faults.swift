import AlbumModel
import FolderEngine

/// What goes wrong with disks, clocks and mounts.
extension FolderSimulation {
    mutating func strike() {
        let others: Set<FolderOptions.Trouble> = [.renaming, .naming]
        let troubles = FolderOptions.Trouble.allCases.filter { temper.contains($0) && !others.contains($0) }
        guard let trouble = troubles.randomElement(using: &random) else { return }
        if trouble == .card || trouble == .table, !isCardKnown { return }
        switch trouble {
        case .failures:
            if disk.failures.isEmpty || isOnce(in: 2) { return fail() }
            tell("disks read again")
            disk.failures = [:]
        case .disk: disk.isOwnRoot ? (isOnce(in: 3) ? unplugRoot() : ()) : plugRoot()
        case .card: disk.isOwnCard ? (isOnce(in: 3) ? unplugCard() : ()) : plugCard()
        case .clock:
            tell("the clock jumps")
            disk.clock += Int64.random(in: -1_000_000_000_000...1_000_000_000_000, using: &random)
        case .table: disk.isTableUnknown = !disk.isTableUnknown && isOnce(in: 3)
        case .lostEvents:
            tell("the watcher's queue is full")
            if isRunning { events = [.rescanNeeded] }
        case .power: if isOnce(in: 3) { cutPower() }
        case .home: if isOnce(in: 4) { loseJournal() }
        case .damage: if isOnce(in: 3) { loseBytes() }
        case .crashes, .commits, .undoing, .renaming, .naming: break
        }
    }

    private mutating func fail() {
        let directory = [FolderPath.root, FolderPath("A"), FolderPath("A/sub"), FolderPath("B"), FolderDisk.card]
            .randomElement(using: &random)!
        let failure = FolderDisk.Failure.allCases.randomElement(using: &random)!
        tell("\(directory) fails: \(failure)")
        disk.failures[directory] = failure
        // Scans of a folder that fails tell the most.
        if isRunning, isOnce(in: 2) { judge.schedule.rescan(now: now) }
    }

    private mutating func unplugRoot() {
        let other = Bool.random(using: &random) ? foreignVolume(marker: 2, in: "A") : nil
        tell("the disk is unplugged")
        disk.unplugRoot(for: other)
        rootChanged()
    }

    private mutating func plugRoot() {
        tell("the disk is back")
        disk.plugRoot()
        rootChanged()
    }

    private mutating func rootChanged() {
        watched = []
        if isRunning, Int.random(in: 0..<4, using: &random) > 0 { events.append(.rescanNeeded) }
    }

    private mutating func unplugCard() {
        // Nobody pulls it out while its light blinks.
        if isPlacingOnCard { return }
        let other = Int.random(in: 0..<3, using: &random) == 0 ? foreignVolume(marker: nil, in: "Card") : nil
        tell("the card is pulled out")
        disk.unplugCard(for: other)
        cardChanged()
    }

    private var isPlacingOnCard: Bool {
        tasks.contains { task in
            task.steps.contains { step in
                guard case .place(.record(_, let path, _, _)) = step else { return false }
                return path.isBelow(FolderDisk.card)
            }
        }
    }

    private mutating func plugCard() {
        tell("the card is back")
        disk.plugCard()
        cardChanged()
    }

    private mutating func cardChanged() {
        watched = watched.filter { $0 != FolderDisk.card && !$0.isBelow(FolderDisk.card) }
        if isRunning, Int.random(in: 0..<4, using: &random) > 0 { events.append(.mountsChanged) }
    }

    /// Somebody else's, with photos that are none of this folder's.
    private mutating func foreignVolume(marker: Int?, in directory: String) -> SimulatedVolume {
        var volume = SimulatedVolume(
            number: 50, marker: marker, directories: directory == "Card" ? [] : [FolderPath(directory)])
        volume.files[FolderPath(directory + "/foreign.jpg")] = disk.newFile(freshContent() * 11 + 100_000)
        return volume
    }

    /// A disk goes amid the questions that follow.
    mutating func surprise() {
        let isRoot = Bool.random(using: &random)
        guard temper.contains(isRoot ? .disk : .card), disk.isOwnRoot, isRoot || disk.isOwnCard && isCardKnown else {
            return
        }
        disk.surprise(after: Int.random(in: 0...6, using: &random)) { disk in
            isRoot ? disk.unplugRoot(for: nil) : disk.unplugCard(for: nil)
        }
        tell(isRoot ? "the disk goes while files are looked at" : "the card goes while files are looked at")
        if isRoot { rootChanged() } else { cardChanged() }
    }
}
