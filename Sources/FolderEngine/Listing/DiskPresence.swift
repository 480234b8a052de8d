import AlbumModel

/// Whether a file is there under exactly its name.
package enum FilePresence: Hashable, Sendable {
    case present
    /// There is no file of this name; a directory is none.
    case absent
    /// Nobody can tell: nothing follows from it.
    case unknown
}

/// A disk as far as ``DiskPresence`` asks it.
package protocol PresenceDisk {
    /// What a path is, without following a link.
    func look(at path: FolderPath) -> PathLook
    func listing(of directory: FolderPath) -> FolderWalk.Listing
    /// Whether a path is on a disk that was mounted in the folder and is not.
    func isAway(_ path: FolderPath) -> Bool
}

/// What one look at a path says.
package enum PathLook: Hashable, Sendable {
    case directory
    case noDirectory
    /// There is nothing.
    case absent
    /// Nobody could look.
    case unknown
}

/// Asks a disk whether files are there, under exactly their names.
///
/// A file is absent only where a whole listing of its directory, or of the nearest one that is there, shows so, and the
/// disk that it was on is mounted; everything else is unknown. A file system that takes `X.jpg` for `x.jpg` answers for
/// both; only the listing tells which one there is.
package struct DiskPresence<Disk: PresenceDisk> {
    /// Whole, or not at all.
    private enum Names {
        case whole(Set<[UInt8]>)
        case failed(isAbsent: Bool)
    }

    private let disk: Disk
    private var names: [FolderPath: Names] = [:]

    package init(_ disk: Disk) {
        self.disk = disk
    }

    package mutating func answer(_ path: FolderPath) -> FilePresence {
        let answer = look(at: path)
        // Asked last: a disk that was pulled out while we looked has taken its files along.
        return answer == .absent && disk.isAway(path) ? .unknown : answer
    }

    package mutating func isAbsent(_ path: FolderPath) -> Bool { answer(path) == .absent }

    private mutating func look(at path: FolderPath) -> FilePresence {
        switch disk.look(at: path) {
        case .absent: return confirmAbsence(of: path)
        case .unknown: return .unknown
        case .directory: return .absent
        case .noDirectory:
            if isListed(path) == true { return .present }
            // It may have come since the listing was made.
            names[path.parent] = nil
            return isListed(path).map { $0 ? .present : .absent } ?? .unknown
        }
    }

    /// Of something that a look did not find.
    private mutating func confirmAbsence(of path: FolderPath) -> FilePresence {
        if isListed(path) == true {
            // It came, or went, in between.
            names[path.parent] = nil
            switch disk.look(at: path) {
            case .directory, .noDirectory: return .present
            case .absent, .unknown: break
            }
        }
        if let isListed = isListed(path) { return isListed ? .unknown : .absent }
        guard case .failed(isAbsent: true)? = names[path.parent], path.parent != .root else { return .unknown }
        return switch disk.look(at: path.parent) {
        case .directory, .unknown: .unknown
        // Something else has the directory's name.
        case .noDirectory: .absent
        // The directory is gone itself.
        case .absent: confirmAbsence(of: path.parent)
        }
    }

    /// Whether a directory's listing has the path; `nil` where there is no listing.
    private mutating func isListed(_ path: FolderPath) -> Bool? {
        let directory = path.parent
        if names[directory] == nil {
            names[directory] =
                switch disk.listing(of: directory) {
                case .whole(let entries): .whole(Set(entries.map(\.name)))
                case .failed(_, let isAbsent): .failed(isAbsent: isAbsent)
                }
        }
        guard case .whole(let listed)? = names[directory] else {
            return PlantedFault.isPlanted(.failedListingIsEmpty) ? false : nil
        }
        return listed.contains(Array(path.name))
    }
}
