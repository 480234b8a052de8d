import AlbumModel
import DiskIO
import FolderEngine

/// The folder's disk and those that are, or were, mounted in it, with how they are asked.
struct FolderMounts: Sendable {
    let root: String
    let probe: FolderProbe
    let known: KnownMounts

    init(root: String, probe: FolderProbe = .system, known: KnownMounts = KnownMounts()) {
        self.root = root
        self.probe = probe
        self.known = known
    }

    /// Which mounts there are right now; `nil` where nobody can tell. Blocks.
    func table() -> MountTable? { probe.mounts(root) }

    /// Lists a directory of the folder. Blocks.
    func list(_ directory: FolderPath) throws(DirectoryListingError) -> DirectoryListing {
        try probe.list(directory, root)
    }

    /// The known mount that a path is in, or is, and that is not there now. Blocks; without known mounts it asks nobody.
    func away(over path: FolderPath) -> FolderPath? { away(known.mounts(over: path)).min() }

    /// The known mounts that are not there now. Blocks.
    func away() -> Set<FolderPath> { away(Set(known.identities.keys)) }

    private func away(_ concerned: Set<FolderPath>) -> Set<FolderPath> {
        if concerned.isEmpty || PlantedFault.isPlanted(.missingMountIgnored) { return [] }
        return known.away(concerned, in: table())
    }
}
