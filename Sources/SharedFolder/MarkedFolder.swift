import FolderEngine

/// The folder where it is mounted: its path, the marker by which it is known, and how its disk is asked.
struct MarkedFolder: Sendable {
    let root: String
    let id: FolderID
    let probe: FolderProbe

    /// `nil` if the folder is there. Blocks, for microseconds.
    func complaint() -> String? { Marker.complaint(root: root, folderID: id) }

    /// The folder's disk, and those in it.
    func mounts(_ known: KnownMounts) -> FolderMounts { FolderMounts(root: root, probe: probe, known: known) }
}
