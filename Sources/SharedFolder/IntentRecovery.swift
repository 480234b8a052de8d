import AlbumModel
import Crypto
import DiskIO
import FolderEngine
import Glibc
import PhotoStore

/// Settles the intents that a crash left. Blocks; before anything else uses the folder.
enum IntentRecovery {
    private static let bufferByteCount = 1 << 20

    /// The facts to commit; `state` has them already. A file that holds the intended photo is ours. What cannot be looked at
    /// is left for a later start.
    static func settle(_ state: inout FolderState, mounts: FolderMounts) -> [FactChange] {
        let root = mounts.root
        var presence = DiskPresence(mounts)
        var changes: [FactChange] = []
        var directories: Set<FolderPath> = []
        for (path, photo) in state.interrupted.sorted(by: { $0.key < $1.key }) {
            directories.insert(path.parent)
            changes += state.settleInterrupted(path) { finding(path, in: root, photo.blob, &presence) }
        }
        for (path, _) in state.leaving.sorted(by: { $0.key < $1.key }) {
            directories.insert(path.parent)
            do {
                try HidingPlace(of: path, in: root).settle(state.files[path]?.signature)
            } catch {
                // A later look does it.
                continue
            }
            changes += state.settleLeaving(path, presence.answer(path))
        }
        for directory in directories { removePassingFiles(in: directory, mounts) }
        return changes
    }

    private static func finding(
        _ path: FolderPath, in root: String, _ blob: BlobID, _ presence: inout DiskPresence<FolderMounts>
    ) -> FolderState.PlacedFile {
        let file: Descriptor
        do throws(FileError) {
            file = try Descriptor(opening: path.absolute(in: root), .read(followsLink: false))
        } catch {
            if SystemCall.isUnfit(error.errno, path.absolute(in: root)) { return .notOurs }
            return presence.isAbsent(path) ? .notOurs : .unknown
        }
        guard let before = try? FileStat(descriptor: file.number) else { return .unknown }
        guard before.isRegularFile else { return .notOurs }
        guard let found = hash(file), let after = try? FileStat(descriptor: file.number) else { return .unknown }
        if found == blob, after == before { return .ours(FileSignature(after)) }
        if PlantedFault.isPlanted(.recoveryRemovesOthersFile) { try? Disk.remove(path.absolute(in: root)) }
        return .notOurs
    }

    private static func hash(_ file: Descriptor) -> BlobID? {
        var hasher = SHA256()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferByteCount, alignment: 4096)
        defer { buffer.deallocate() }
        var offset: UInt64 = 0
        while true {
            guard let count = try? file.read(at: offset, into: buffer) else { return nil }
            if count == 0 { return BlobID(digest: hasher.finalize()) }
            hasher.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += UInt64(count)
        }
    }

    /// Files that were on their way to their names.
    private static func removePassingFiles(in directory: FolderPath, _ mounts: FolderMounts) {
        // Where it cannot be listed they stay, out of sight.
        guard let listing = try? mounts.list(directory) else { return }
        for entry in listing.entries
        where entry.kind == .file && entry.name.starts(with: BlobStore.placingPrefix.utf8) {
            try? Disk.remove(directory.appending(entry.name).absolute(in: mounts.root))
        }
    }
}
