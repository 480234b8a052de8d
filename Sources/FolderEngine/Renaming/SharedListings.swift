import AlbumModel

/// Listings of directories in which one file after the other is renamed: one is enough for many of them.
///
/// A name that somebody else takes or gives up meanwhile ends a listing, as far as the watcher tells; so does time, for what
/// it does not tell. **Must** not be asked where some directory is not watched. A renaming replaces nothing in any case: what
/// could go wrong is that two names differ by their case only.
struct SharedListings: Sendable {
    /// Directories at once: photos are renamed album by album.
    static let countMax = 16
    private let lifetime: Duration
    private var listings: [FolderPath: DirectoryNames] = [:]

    var count: Int { listings.count }

    init(lifetime: Duration) { self.lifetime = lifetime }

    /// `nil` where the directory is to be listed.
    func names(in directory: FolderPath, now: MonotonicInstant) -> DirectoryNames? {
        listings[directory].flatMap { isOver($0, now: now) ? nil : $0 }
    }

    mutating func keep(_ names: DirectoryNames, of directory: FolderPath, now: MonotonicInstant) {
        if listings[directory] == nil, listings.count >= Self.countMax {
            listings = listings.filter { !isOver($0.value, now: now) }
            if listings.count >= Self.countMax { listings = [:] }
        }
        listings[directory] = names
    }

    private func isOver(_ names: DirectoryNames, now: MonotonicInstant) -> Bool { names.listed + lifetime <= now }

    /// What is done with a file is known.
    mutating func follow(_ renaming: FolderRenaming) {
        listings[renaming.former.parent]?.rename(renaming.former.name, to: renaming.target.name)
    }

    /// Something new is at a path.
    mutating func noticed(new path: FolderPath) { listings[path.parent] = nil }

    /// - Parameter isOurs: Whether this program took the name, and ``follow(_:)`` comes.
    mutating func noticed(vanished path: FolderPath, isOurs: Bool) {
        if !isOurs, listings[path.parent]?.contains(path.name) == true { listings[path.parent] = nil }
    }

    /// Also when renamings are put off: at the next attempt all would be over, and they may be large.
    mutating func forgetAll() { listings = [:] }
}
