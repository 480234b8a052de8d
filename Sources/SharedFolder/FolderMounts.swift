import AlbumModel
import DiskIO
import FolderEngine
import PhotoStore

/// The directories of the folder that are, or were when they were last seen, mounts of their own: a memory card, say.
///
/// One that is not mounted now, or where another file system is, is away. It has not been emptied: whatever the bare
/// directory shows, its files stay as folder state has them.
struct FolderMounts: Sendable {
    let root: String
    private let probe: FolderProbe
    private(set) var known: [FolderPath: MountIdentity] = [:]

    /// - Parameter facts: of ``FactKind/folderMount``.
    init(root: String, probe: FolderProbe = .system, facts: [(key: [UInt8], value: [UInt8])] = []) {
        self.root = root
        self.probe = probe
        for fact in facts { known[FolderPath(bytes: fact.key)] = MountIdentity(bytes: fact.value) }
    }

    /// Which mounts there are right now; `nil` where nobody can tell. Blocks.
    func table() -> MountTable? { probe.mounts(root) }

    /// Lists a directory of the folder. Blocks.
    func list(_ directory: FolderPath) throws(DirectoryListingError) -> DirectoryListing {
        try probe.list(directory, root)
    }

    /// The known mount that a path is in, or is, and that is not there now. Blocks; without known mounts it asks nobody.
    func away(over path: FolderPath) -> FolderPath? {
        away { path == $0 || path.isBelow($0) }.min()
    }

    /// The known mounts that are not there now. Blocks.
    func away() -> Set<FolderPath> { away { _ in true } }

    private func away(where isConcerned: (FolderPath) -> Bool) -> Set<FolderPath> {
        let concerned = known.filter { isConcerned($0.key) }
        if concerned.isEmpty || PlantedFault.isPlanted(.missingMountIgnored) { return [] }
        // Where nobody can tell, none of them counts as there.
        let mounts = table()?.mounts ?? [:]
        return Set(concerned.filter { mounts[$0.key] != .identified($0.value) }.keys)
    }

    mutating func remember(_ directory: FolderPath, _ identity: MountIdentity) -> [FactChange] {
        guard known.updateValue(identity, forKey: directory) != identity else { return [] }
        return [FactChange(kind: .folderMount, key: directory.bytes, value: identity.bytes)]
    }

    mutating func forget(_ directory: FolderPath) -> [FactChange] {
        guard known.removeValue(forKey: directory) != nil else { return [] }
        return [FactChange(kind: .folderMount, key: directory.bytes, value: nil)]
    }
}

extension FactKind {
    /// Key: a directory that is a mount of its own. Value: its ``MountIdentity``.
    static let folderMount = FactKind(rawValue: "folder.mount")
}
