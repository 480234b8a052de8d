import AlbumModel

/// The files that are just being taken away. That such a file vanishes is mostly this program's own doing: nobody is asked
/// whether it is gone before it is known what became of it.
struct LeavingUnderWay: Sendable {
    private var paths: Set<FolderPath> = []
    /// Those that vanished meanwhile, and whether an event told so of each.
    private var vanished: [FolderPath: Bool] = [:]

    mutating func begin(_ files: some Sequence<FolderPath>) { paths.formUnion(files) }

    /// Keeps the vanishing of a file that is under way for its end; false for any other.
    mutating func keep(vanished path: FolderPath, isTold: Bool) -> Bool {
        guard paths.contains(path) else { return false }
        vanished[path] = vanished[path] == true || isTold
        return true
    }

    /// - Returns: those of them that vanished meanwhile, and whether an event told so of each.
    mutating func end(_ files: some Sequence<FolderPath>) -> [FolderPath: Bool] {
        var kept: [FolderPath: Bool] = [:]
        for path in files where paths.remove(path) != nil { kept[path] = vanished.removeValue(forKey: path) }
        return kept
    }
}
