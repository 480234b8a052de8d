import Glibc
import PhotoStore
import SharedFolder

/// Where a pack may not be.
enum PackPlace {
    /// In a shared folder, the agent would take every file of a pack for a photo that somebody dropped; in a home, nobody
    /// has any business.
    ///
    /// - Parameter directory: an absolute path; what is there of it already is looked at with its links followed.
    static func refuseOwn(_ directory: String) throws(PotluckError) {
        var path = directory
        while !path.isEmpty, access(path, F_OK) != 0 { path = parent(of: path) }
        guard let resolved = realpath(path, nil) else { return }
        path = String(cString: resolved)
        free(resolved)
        while true {
            if access("\(path)/\(SharedFolder.markerName)", F_OK) == 0 {
                throw PotluckError(
                    .usage,
                    "\(directory) is in the shared folder, where each file of a pack would be taken for a photo. Name a directory elsewhere."
                )
            }
            if access("\(path)/\(Journal.fileName)", F_OK) == 0 {
                throw PotluckError(
                    .usage, "\(directory) is in a home of Potluck. Name a directory elsewhere, for example on a stick.")
            }
            guard path != "/", !path.isEmpty else { return }
            path = parent(of: path)
        }
    }

    private static func parent(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }
}
