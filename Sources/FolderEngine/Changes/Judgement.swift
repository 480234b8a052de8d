package import AlbumModel

/// What became of the photos of one group of vanished, changed and new files.
///
/// Decided by where their bytes are now, not by the order in which it happened: files that were swapped, renamed over one
/// another or copied and deleted come out as what a person sees in the end. Without I/O; equal inputs, equal steps.
package struct Judgement: Hashable, Sendable {
    /// A path that does not hold its photo any more.
    package struct Lost: Hashable, Sendable {
        package var path: FolderPath
        package var record: FileRecord

        package init(path: FolderPath, record: FileRecord) {
            self.path = path
            self.record = record
        }
    }

    /// A path that holds a photo which folder state does not have there.
    package struct Found: Hashable, Sendable {
        package var photo: PendingChanges.Found
        /// Of the path's directory; `nil` for one that no album has.
        package var album: AlbumID?

        package init(photo: PendingChanges.Found, album: AlbumID?) {
            self.photo = photo
            self.album = album
        }
    }

    package enum Step: Hashable, Sendable {
        /// The photo's file is at another path of its album.
        case rename(Lost, to: FolderPath)
        /// Another file of the album, which was there before, stands for the photo now.
        case promote(Lost, FolderPath)
        /// The photo's file is in another album's directory.
        case move(Lost, to: FolderPath)
        /// Another photo is where the photo was.
        case replace(Lost)
        case remove(Lost)
        /// The photo has other files, or was removed from its album before.
        case forget(Lost)

        package var lost: Lost {
            switch self {
            case .rename(let lost, _), .promote(let lost, _), .move(let lost, _), .replace(let lost), .remove(let lost),
                .forget(let lost):
                lost
            }
        }

        /// The path at which a record is made.
        package var target: FolderPath? {
            switch self {
            case .rename(_, let path), .move(_, let path): path
            case .replace(let lost): lost.path
            case .promote, .remove, .forget: nil
            }
        }

        /// Whether the photo may leave its album by it.
        package var isLoss: Bool {
            switch self {
            case .replace, .remove: true
            case .rename, .promote, .move, .forget: false
            }
        }

        var isMove: Bool { if case .move = self { true } else { false } }
    }

    /// In the order in which they are to be told: what stays, then what goes; ordered by path within.
    package private(set) var steps: [Step] = []
    /// Found photos that have nothing to do with what was lost.
    package private(set) var unrelated: [FolderPath] = []

    private let found: [FolderPath: Found]
    private var unpaired: [BlobID: [FolderPath]]
    /// Photos of which this group knows where they are in their album.
    private var kept: Set<PhotoKey> = []
    private var moved: Set<PhotoKey> = []
    private var targets: Set<FolderPath> = []

    /// - Parameter remaining: The photo's files in its album that are as they were.
    package init(lost: [Lost], found: [FolderPath: Found], remaining: (PhotoKey) -> [FolderPath]) {
        self.found = found
        unpaired = Dictionary(grouping: found.keys.sorted()) { found[$0]!.photo.id }
        // The file that stands for a photo goes before its copies.
        let ordered = lost.sorted {
            ($0.record.origin == .duplicate ? 1 : 0, $0.path) < ($1.record.origin == .duplicate ? 1 : 0, $1.path)
        }
        var rest: [Lost] = []
        for lost in ordered {
            if !follow(lost, where: { $0.album == lost.record.photo.album }) { rest.append(lost) }
        }
        rest = rest.filter { lost in
            let isElsewhere = kept.contains(lost.record.photo) || !remaining(lost.record.photo).isEmpty
            if PlantedFault.isPlanted(.movesAreRemovals) { return true }
            return isElsewhere || !follow(lost, where: { $0.album != lost.record.photo.album })
        }
        for lost in rest { conclude(lost, remaining: remaining(lost.record.photo)) }
        let replaced = steps.compactMap { step in if case .replace(let lost) = step { lost.path } else { nil } }
        unrelated = found.keys.filter { !targets.contains($0) && !replaced.contains($0) }.sorted()
        steps.sort { ($0.rank, $0.lost.path) < ($1.rank, $1.lost.path) }
    }

    /// Pairs a lost file with the found one that is most like it.
    private mutating func follow(_ lost: Lost, where isFit: (Found) -> Bool) -> Bool {
        guard lost.record.origin != .removed, let paths = unpaired[lost.record.photo.blob] else { return false }
        let fit = paths.filter { isFit(found[$0]!) }
        guard let path = fit.min(by: { likeness(lost, $0) < likeness(lost, $1) }) else { return false }
        unpaired[lost.record.photo.blob] = paths.filter { $0 != path }
        targets.insert(path)
        if found[path]!.album == lost.record.photo.album {
            kept.insert(lost.record.photo)
            steps.append(.rename(lost, to: path))
        } else {
            moved.insert(lost.record.photo)
            steps.append(.move(lost, to: path))
        }
        return true
    }

    /// Smaller is more alike: the same file, the same name, the same place.
    private func likeness(_ lost: Lost, _ path: FolderPath) -> (Int, Int, Int, FolderPath) {
        (
            found[path]!.photo.signature.inode == lost.record.signature.inode ? 0 : 1,
            path.name == lost.path.name ? 0 : 1, path.parent == lost.path.parent ? 0 : 1, path
        )
    }

    private mutating func conclude(_ lost: Lost, remaining: [FolderPath]) {
        let photo = lost.record.photo
        let isRemoved = lost.record.origin == .removed && !PlantedFault.isPlanted(.ownRemovalsTold)
        if isRemoved || kept.contains(photo) || moved.contains(photo) {
            steps.append(.forget(lost))
        } else if let other = remaining.min() {
            steps.append(lost.record.origin == .duplicate ? .forget(lost) : .promote(lost, other))
            kept.insert(photo)
        } else {
            // Further files of the photo only follow.
            kept.insert(photo)
            steps.append(found[lost.path] == nil ? .remove(lost) : .replace(lost))
        }
    }
}

extension Judgement.Step {
    fileprivate var rank: Int {
        switch self {
        case .forget: 0
        case .rename: 1
        case .promote: 2
        case .move: 3
        case .replace: 4
        case .remove: 5
        }
    }
}
