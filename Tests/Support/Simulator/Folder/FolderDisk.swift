import AlbumModel
import FolderEngine

/// The folder's disk and a card in it, as the operating system shows them: names, inodes, times, mounts and errors.
final class FolderDisk {
    enum Failure: Hashable, CaseIterable {
        /// The directory cannot be listed, at its beginning or after some names; what it holds can be looked at.
        case listing
        /// It can be listed, and a look at what it holds gives EIO.
        case looks
        /// A look at what it holds says that there is nothing.
        case falseAbsence
        /// Listing it says that there is no such directory.
        case stale

        var number: Int32 {
            switch self {
            case .listing, .looks: 5  // EIO
            case .falseAbsence: 2  // ENOENT
            case .stale: 116  // ESTALE
            }
        }
    }

    static let card = FolderPath("Card")

    private(set) var root = SimulatedVolume(number: 1, marker: 1)
    private var rootAway: SimulatedVolume?
    /// What is mounted at ``card``; `nil` while nothing is.
    private(set) var mounted: SimulatedVolume?
    private var cardAway: SimulatedVolume?
    var failures: [FolderPath: Failure] = [:]
    /// Nobody can tell what is mounted.
    var isTableUnknown = false
    /// Happens amid the questions that follow, after so many of them.
    private var surprise: (questionsLeft: Int, change: (FolderDisk) -> Void)?
    /// Which mounts the folder knows; what is on one that is away is not gone.
    var knownMounts = KnownMounts()
    private var lastInode: UInt64 = 100
    private var directoryInodes: [FolderPath: UInt64] = [:]
    /// In nanoseconds; people set it, forwards and backwards.
    var clock: Int64 = 1_700_000_000_000_000_000

    init() {
        root.directories = [Self.card]
        mounted = SimulatedVolume(number: 7, marker: nil)
    }

    // MARK: What people have, mounted or not

    /// All files of the folder's own disk and card, wherever these are.
    var truth: [FolderPath: SimulatedFile] {
        (rootAway ?? root).files.merging((isOwnCard ? mounted : cardAway)?.files ?? [:]) { $1 }
    }

    var isOwnRoot: Bool { rootAway == nil }
    var isOwnCard: Bool { cardAway == nil && mounted != nil }

    /// Whether a person can reach what is their own there.
    func isReachable(_ path: FolderPath) -> Bool {
        isOwnRoot && (!Self.isOnCard(path) || isOwnCard)
    }

    private static func isOnCard(_ path: FolderPath) -> Bool { path.isBelow(card) }

    func newFile(_ content: Int, inode: UInt64? = nil, isOpen: Bool = false) -> SimulatedFile {
        lastInode += 1
        clock += 1_000_000
        // Some photos have one size.
        let byteCount = UInt64(1000 + content / 3)
        let signature = FileSignature(
            inode: inode ?? lastInode, byteCount: byteCount, modified: clock, changed: clock)
        return SimulatedFile(content: content, signature: signature, isOpen: isOpen)
    }

    /// Renaming changes the ctime.
    func renamed(_ file: SimulatedFile) -> SimulatedFile {
        var file = file
        clock += 1_000_000
        file.signature.changed = clock
        return file
    }

    /// Takes all that is written on what is there: as much as a sync of these disks does.
    func synchronize() {
        for (path, file) in truth where isReachable(path) {
            var durable = file
            durable.isDurable = true
            set(path, durable)
        }
    }

    /// `nil` removes. Makes the directory as well.
    func set(_ path: FolderPath, _ file: SimulatedFile?) {
        change(at: path) { volume in
            volume.files[path] = file
            var directory = path.parent
            while file != nil, directory != .root, directory != Self.card {
                volume.directories.insert(directory)
                directory = directory.parent
            }
        }
    }

    func makeDirectory(_ path: FolderPath) {
        if path != Self.card { change(at: path) { $0.directories.insert(path) } }
    }

    /// Of a directory that is there.
    func inode(of directory: FolderPath) -> UInt64 {
        if let known = directoryInodes[directory] { return known }
        lastInode += 1
        directoryInodes[directory] = lastInode
        return lastInode
    }

    /// The files in it stay as they are.
    func renameDirectory(_ former: FolderPath, to directory: FolderPath) {
        func target(_ path: FolderPath) -> FolderPath {
            guard path.isWithin(former) else { return path }
            return FolderPath(bytes: directory.bytes + path.bytes.dropFirst(former.bytes.count))
        }
        directoryInodes[directory] = directoryInodes.removeValue(forKey: former)
        change(at: former) { volume in
            volume.files = Dictionary(uniqueKeysWithValues: volume.files.map { (target($0.key), $0.value) })
            volume.directories = Set(volume.directories.map { target($0) })
        }
    }

    func removeDirectory(_ path: FolderPath) {
        directoryInodes[path] = nil
        change(at: path) { $0.directories = $0.directories.filter { $0 != path && !$0.isBelow(path) } }
    }

    private func change(at path: FolderPath, _ body: (inout SimulatedVolume) -> Void) {
        if Self.isOnCard(path), mounted != nil { body(&mounted!) } else { body(&root) }
    }

    // MARK: Disks come and go

    /// - Parameter other: What is seen instead; an empty directory for `nil`.
    func unplugRoot(for other: SimulatedVolume?) {
        if rootAway == nil { rootAway = root }
        root = other ?? SimulatedVolume(number: 3, marker: nil)
    }

    func plugRoot() {
        root = rootAway ?? root
        rootAway = nil
    }

    /// - Parameter other: What is mounted instead, if anything is.
    func unplugCard(for other: SimulatedVolume?) {
        if cardAway == nil { cardAway = mounted }
        mounted = other
    }

    func plugCard() {
        mounted = cardAway ?? mounted
        cardAway = nil
    }

    func surprise(after count: Int, _ change: @escaping (FolderDisk) -> Void) { surprise = (count, change) }
    func endSurprise() { surprise = nil }
}

// MARK: What a program sees

extension FolderDisk: PresenceDisk {
    var hasMarker: Bool { root.marker == 1 }

    func table() -> MountTable? {
        isTableUnknown ? nil : MountTable(mounts: isCardVisible ? [Self.card: .identified(mounted!.identity)] : [:])
    }

    /// The card is mounted on the folder's disk: without that, it is out of sight.
    private var isCardVisible: Bool { mounted != nil && isOwnRoot }

    func look(at path: FolderPath) -> PathLook {
        switch stat(path) {
        case .file: .noDirectory
        case .directory: .directory
        case .failed(let number): number == Failure.falseAbsence.number ? .absent : .unknown
        }
    }

    func isAway(_ path: FolderPath) -> Bool {
        !knownMounts.away(knownMounts.mounts(over: path), in: table()).isEmpty
    }

    func listing(of directory: FolderPath) -> FolderWalk.Listing {
        ask()
        guard isDirectory(directory) else { return .failed(2, isAbsent: true) }
        switch failures[directory] {
        case .listing?: return .failed(Failure.listing.number, isAbsent: false)
        case .stale?: return .failed(Failure.stale.number, isAbsent: true)
        case .looks?, .falseAbsence?, nil: break
        }
        let volume = volume(inside: directory)
        var entries: [FolderPath: FolderWalk.Entry.Kind] = [:]
        for path in volume.files.keys where path.parent == directory { entries[path] = .noDirectory }
        for path in volume.directories where path.parent == directory && path != directory {
            entries[path] = .directory
        }
        return .whole(entries.sorted { $0.key < $1.key }.map { .init(name: Array($0.key.name), kind: $0.value) })
    }

    enum Stat {
        case file(SimulatedFile)
        case directory
        /// An errno.
        case failed(Int32)
    }

    func stat(_ path: FolderPath) -> Stat {
        ask()
        switch failures[path.parent] {
        case .looks?: return .failed(Failure.looks.number)
        case .falseAbsence?: return .failed(Failure.falseAbsence.number)
        case .listing?, .stale?, nil: break
        }
        if let file = volume(inside: path.parent).files[path] { return .file(file) }
        return isDirectory(path) ? .directory : .failed(2)
    }

    private func isDirectory(_ path: FolderPath) -> Bool {
        path == .root || volume(inside: path.parent).directories.contains(path)
    }

    /// The volume that shows what is in a directory.
    private func volume(inside directory: FolderPath) -> SimulatedVolume {
        let isOnCard = directory == Self.card || Self.isOnCard(directory)
        return isOnCard && isCardVisible ? mounted! : root
    }

    private func ask() {
        guard let (count, change) = surprise else { return }
        surprise = count > 0 ? (count - 1, change) : nil
        if count == 0 { change(self) }
    }
}
