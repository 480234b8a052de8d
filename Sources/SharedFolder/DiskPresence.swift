import Glibc
import PhotoStore

/// Asks the disk whether files are there, under exactly their names. Blocks.
///
/// A file system that takes `X.jpg` for `x.jpg` answers for both; only the listing tells which one there is.
struct DiskPresence {
    let root: String
    private var names: [FolderPath: Set<[UInt8]>] = [:]

    init(root: String) {
        self.root = root
    }

    /// Whether there is no file at the path; a directory is none. False where nobody knows.
    mutating func isAbsent(_ path: FolderPath) -> Bool {
        guard let info = SystemCall.look(path.absolute(in: root)) else { return SystemCall.saysAbsent }
        if info.st_mode & S_IFMT == S_IFDIR { return true }
        if names[path.parent] == nil {
            guard let entries = DirectoryListing.entries(of: path.parent, in: root) else { return false }
            names[path.parent] = Set(entries.map(\.name))
        }
        return !names[path.parent]!.contains(Array(path.name))
    }

    /// What is there; `nil` for nothing, and for what cannot be told.
    static func signature(_ path: FolderPath, root: String) -> FileSignature? {
        SystemCall.look(path.absolute(in: root)).map { FileSignature(FileStat($0)) }
    }
}
