import DiskIO
import FolderEngine

/// How the folder's directories and mounts are looked at. Tests let it fail.
struct FolderProbe: Sendable {
    /// Lists a directory below the folder, whole or not at all. Blocks.
    var list: @Sendable (_ directory: FolderPath, _ root: String) throws(DirectoryListingError) -> DirectoryListing
    /// The mounts in the folder; `nil` where nobody can tell. Blocks.
    var mounts: @Sendable (_ root: String) -> MountTable?

    static let system = FolderProbe(
        list: { (directory, root) throws(DirectoryListingError) in try directory.listing(in: root) },
        mounts: { root in
            guard let points = MountTable.points(below: root) else { return nil }
            let serials = VolumeSerials()
            let mounts = points.map { ($0, identify($0, root: root, serials)) }
            return MountTable(mounts: Dictionary(uniqueKeysWithValues: mounts))
        })

    private static func identify(_ directory: FolderPath, root: String, _ serials: VolumeSerials) -> MountTable.Mount {
        let path = directory.absolute(in: root)
        guard let fileSystem = try? FileSystemStat(path: path), let stat = try? FileStat(path: path) else {
            return .unknown
        }
        return .identified(
            MountIdentity(of: fileSystem, root: stat) { serials.serial(at: path, device: stat.device) })
    }
}
