import AlbumModel

/// What a look through the whole folder showed: the only thing from which it follows that files are not there.
///
/// A ``FolderWalk`` makes it, and only once every directory was answered for, with all its entries or with an error. Where
/// there was an error is a gap, and nothing is known of what is in it.
package struct FolderListing: Sendable {
    /// Not as folder state has them.
    package fileprivate(set) var unsettled: [FolderPath] = []
    /// Sizes of these, of all that were there.
    package fileprivate(set) var byteCounts: [FolderPath: UInt64] = [:]
    /// What could not be looked at.
    package fileprivate(set) var gaps: [FolderPath: FolderGaps.Reason]
    fileprivate var seen: Set<FolderPath> = []

    fileprivate init(gaps: [FolderPath: FolderGaps.Reason]) {
        self.gaps = gaps
    }

    /// Whether something is at a path, or may be.
    package func mayHold(_ path: FolderPath) -> Bool { seen.contains(path) || FolderGaps.covers(path, gaps) }

    /// Those of these files that are not there.
    package func missing(of files: some Sequence<FolderPath>) -> [FolderPath] { files.filter { !mayHold($0) } }
}

/// A look through the whole folder, as steps: which directory is listed next, and which of its entries are looked at.
package struct FolderWalk: Sendable {
    /// What listing a directory gave: whole, or nothing.
    package enum Listing: Hashable, Sendable {
        /// All entries that the directory has; some perhaps twice.
        case whole([Entry])
        /// An errno; `isAbsent` where it says that there is no such directory.
        case failed(Int32, isAbsent: Bool)
    }

    package struct Entry: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            /// A directory itself, not a link to one.
            case directory
            case noDirectory
            /// Nobody can tell: an errno.
            case unknown(Int32)
        }

        package var name: [UInt8]
        package var kind: Kind

        package init(name: [UInt8], kind: Kind) {
            self.name = name
            self.kind = kind
        }
    }

    /// What a look at an entry showed.
    package enum Sight: Hashable, Sendable {
        /// `isKnown`: as folder state has it.
        case present(isKnown: Bool, byteCount: UInt64)
        case absent
        /// An errno.
        case failed(Int32)
        /// This program's own, and none of the folder's files.
        case own
    }

    private var listing: FolderListing
    private var waiting = [FolderPath.root]
    /// Directories and entries that were handed out and not answered for.
    private var openCount = 0

    /// - Parameter gaps: What cannot be looked at whatever it shows, such as the bare directory of a disk that is away.
    package init(gaps: [FolderPath: FolderGaps.Reason]) {
        listing = FolderListing(gaps: gaps)
    }

    /// The next directory to list, which is then ``listed(_:_:)``; `nil` once all are.
    package mutating func nextDirectory() -> FolderPath? {
        guard let directory = waiting.popLast() else { return nil }
        openCount += 1
        return directory
    }

    /// - Returns: the entries that have to be looked at, each once, which are then ``looked(at:_:)``.
    package mutating func listed(_ directory: FolderPath, _ result: Listing) -> [FolderPath] {
        openCount -= 1
        switch result {
        case .whole(let entries):
            // A damaged file system, and one that changes amid a long listing, may tell a name twice.
            var names: Set<[UInt8]> = []
            let paths = entries.filter { names.insert($0.name).inserted }
                .compactMap { note($0, at: directory.appending($0.name)) }
            openCount += paths.count
            return paths
        case .failed(let number, let isAbsent):
            if PlantedFault.isPlanted(.failedListingIsEmpty) { return [] }
            // A directory that is gone by now has lost its files; one that gives an error has not.
            if !isAbsent || directory == .root { listing.gaps[directory] = .unreadable(number) }
            return []
        }
    }

    private mutating func note(_ entry: Entry, at path: FolderPath) -> FolderPath? {
        // The bare directory of a disk that is away shows nothing of that disk.
        if listing.gaps[path] != nil { return nil }
        switch entry.kind {
        case .directory where JunkRules.reason(directoryName: entry.name) == nil: waiting.append(path)
        case .unknown(let number): listing.gaps[path] = .unreadable(number)
        case .directory, .noDirectory: return path
        }
        return nil
    }

    package mutating func looked(at path: FolderPath, _ sight: Sight) {
        openCount -= 1
        switch sight {
        case .present(let isKnown, let byteCount):
            listing.seen.insert(path)
            if isKnown { break }
            listing.unsettled.append(path)
            listing.byteCounts[path] = byteCount
        case .absent:
            // It went just now, which the look at it will show.
            listing.seen.insert(path)
            listing.unsettled.append(path)
        case .failed(let number): listing.gaps[path] = .unreadable(number)
        case .own: break
        }
    }

    /// What it showed. **Must** be asked for only once everything was answered for.
    package consuming func finish() -> FolderListing {
        precondition(waiting.isEmpty && openCount == 0, "a walk through a part of the folder shows nothing")
        return listing
    }
}
