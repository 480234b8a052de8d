import DiskIO
import Glibc
import PhotoStore
import PotluckAPI
import SharedFolder

/// Where a pack may not be.
enum PackPlace {
    /// In a shared folder, the agent would take every file of a pack for a photo that somebody dropped; in a home, nobody
    /// has any business.
    ///
    /// - Parameter directory: an absolute path; what is there of it already is looked at with its links followed.
    static func refuseOwn(_ directory: String) throws(PotluckError) {
        var path = directory
        while !path.isEmpty, try !exists(path) { path = parent(of: path) }
        if path.isEmpty { path = "/" }
        guard let resolved = realpath(path, nil) else { throw unknown(path, errno) }
        path = String(cString: resolved)
        free(resolved)
        while true {
            if try exists("\(path)/\(SharedFolder.markerName)") {
                throw PotluckError(
                    .usage,
                    "\(directory) is in the shared folder, where each file of a pack would be taken for a photo. Name a directory elsewhere."
                )
            }
            if try exists("\(path)/\(Journal.fileName)") {
                throw PotluckError(
                    .usage, "\(directory) is in a home of Potluck. Name a directory elsewhere, for example on a stick.")
            }
            guard path != "/", !path.isEmpty else { return }
            path = parent(of: path)
        }
    }

    private static func exists(_ path: String) throws(PotluckError) -> Bool {
        switch PathPresence(of: path, followsLink: true) {
        case .present: return true
        case .absent: return false
        case .unknown(let errno): throw unknown(path, errno)
        }
    }

    /// A folder that cannot be seen to be one would take the pack for photos.
    private static func unknown(_ path: String, _ errno: Int32) -> PotluckError {
        PotluckError(
            .failed,
            "\(path) cannot be looked at now (\(String(cString: strerror(errno)))), so nothing was packed. See that its disk is there and sound, or name a directory elsewhere."
        )
    }

    private static func parent(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }
}
