import Glibc

/// One directory's entries, as the file system has them.
enum DirectoryListing {
    struct Entry: Hashable, Sendable {
        var name: [UInt8]
        /// A directory itself, not a symbolic link to one.
        var isDirectory: Bool
    }

    /// All entries but `.` and `..`, in no order; `nil`, with `errno` set, where the directory cannot be read. Never
    /// follows a symbolic link. Blocks.
    static func entries(of directory: FolderPath, in root: String) -> [Entry]? {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (directory.bytes.isEmpty ? 0 : O_NOFOLLOW)
        let descriptor = open(directory.absolute(in: root), flags)
        guard descriptor >= 0 else { return nil }
        guard let stream = fdopendir(descriptor) else {
            close(descriptor)
            return nil
        }
        defer { closedir(stream) }
        var entries: [Entry] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name == [46] || name == [46, 46] { continue }
            var isDirectory = Int32(entry.pointee.d_type) == Int32(DT_DIR)
            if Int32(entry.pointee.d_type) == Int32(DT_UNKNOWN) {
                let info = SystemCall.look(directory.appending(name).absolute(in: root))
                isDirectory = info.map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
            }
            entries.append(Entry(name: name, isDirectory: isDirectory))
        }
        return entries
    }
}
