import AlbumModel
import Crypto
import Glibc
import PhotoStore

/// Settles the intents that a crash left. Blocks; before anything else uses the folder.
enum IntentRecovery {
    private static let bufferByteCount = 1 << 20

    /// The facts to commit; `state` has them already. A file that holds the intended photo is ours.
    static func settle(_ state: inout FolderState, root: String) -> [FactChange] {
        var changes: [FactChange] = []
        var directories: Set<FolderPath> = []
        for (path, photo) in state.intents.sorted(by: { $0.key < $1.key }) {
            changes += state.release(path).changes
            directories.insert(path.parent)
            guard state.files[path] == nil, let signature = signature(of: path, in: root, holding: photo.blob) else {
                continue
            }
            changes += state.record(path, FileRecord(photo: photo, signature: signature, origin: .placed))
        }
        for (path, _) in state.leaving.sorted(by: { $0.key < $1.key }) {
            directories.insert(path.parent)
            // One that is still there is taken away once the folder runs.
            guard SystemCall.look(path.absolute(in: root)) == nil, SystemCall.saysAbsent else { continue }
            changes += state.stay(path) + state.drop(path)
        }
        for directory in directories { removePassingFiles(in: directory, root: root) }
        return changes
    }

    private static func signature(of path: FolderPath, in root: String, holding blob: BlobID) -> FileSignature? {
        let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let descriptor = open(path.absolute(in: root), flags)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let before = try? FileStat(descriptor: descriptor), before.isRegularFile, hash(descriptor) == blob,
            let after = try? FileStat(descriptor: descriptor), after == before
        else { return nil }
        return FileSignature(after)
    }

    private static func hash(_ descriptor: Int32) -> BlobID? {
        var hasher = SHA256()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferByteCount, alignment: 4096)
        defer { buffer.deallocate() }
        while true {
            let count = read(descriptor, buffer.baseAddress!, buffer.count)
            if count < 0 { return nil }
            if count == 0 { return BlobID(digest: hasher.finalize()) }
            hasher.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// Files that were on their way to their names.
    private static func removePassingFiles(in directory: FolderPath, root: String) {
        for entry in DirectoryListing.entries(of: directory, in: root) ?? []
        where !entry.isDirectory && JunkRules.isOwnPassing(entry.name) {
            unlink(directory.appending(entry.name).absolute(in: root))
        }
    }
}
