import AlbumModel
import DiskIO
import FolderEngine
import Glibc
import PhotoStore

/// Asks the disk whether files are there, under exactly their names. Blocks.
///
/// A file is absent only where a whole listing of its directory, or of the nearest one that is there, shows so, and the
/// disk that it was on is mounted; everything else is unknown. A file system that takes `X.jpg` for `x.jpg` answers for
/// both; only the listing tells which one there is.
struct DiskPresence {
    private let mounts: FolderMounts
    private var names: [FolderPath: Result<Set<[UInt8]>, DirectoryListingError>] = [:]

    init(mounts: FolderMounts) {
        self.mounts = mounts
    }

    private var root: String { mounts.root }

    mutating func answer(_ path: FolderPath) -> FilePresence {
        let answer = look(path)
        // Asked last: a disk that was pulled out while we looked has taken its files along.
        return answer == .absent && mounts.away(over: path) != nil ? .unknown : answer
    }

    mutating func isAbsent(_ path: FolderPath) -> Bool { answer(path) == .absent }

    private mutating func look(_ path: FolderPath) -> FilePresence {
        guard let info = SystemCall.look(path.absolute(in: root)) else {
            return SystemCall.saysAbsent ? confirmAbsence(path) : .unknown
        }
        if info.st_mode & S_IFMT == S_IFDIR { return .absent }
        if isListed(path) == true { return .present }
        // It may have come since the listing was made.
        names[path.parent] = nil
        return isListed(path).map { $0 ? .present : .absent } ?? .unknown
    }

    /// The path of something that a look did not find.
    private mutating func confirmAbsence(_ path: FolderPath) -> FilePresence {
        if isListed(path) == true {
            // It came, or went, in between.
            names[path.parent] = nil
            if SystemCall.look(path.absolute(in: root)) != nil { return .present }
        }
        if let isListed = isListed(path) { return isListed ? .unknown : .absent }
        guard case .failure(let error)? = names[path.parent], error.isAbsent, !path.parent.bytes.isEmpty else {
            return .unknown
        }
        // The directory is gone itself, or something else has its name.
        if let info = SystemCall.look(path.parent.absolute(in: root)) {
            return info.st_mode & S_IFMT == S_IFDIR ? .unknown : .absent
        }
        return SystemCall.saysAbsent ? confirmAbsence(path.parent) : .unknown
    }

    /// Whether a directory's listing has the path; `nil` where there is no listing.
    private mutating func isListed(_ path: FolderPath) -> Bool? {
        let directory = path.parent
        if names[directory] == nil {
            names[directory] = Result { () throws(DirectoryListingError) in
                Set(try mounts.list(directory).entries.map(\.name))
            }
        }
        guard case .success(let listed)? = names[directory] else {
            return PlantedFault.isPlanted(.failedListingIsEmpty) ? false : nil
        }
        return listed.contains(Array(path.name))
    }
}
