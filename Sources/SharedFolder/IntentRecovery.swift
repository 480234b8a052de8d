import AlbumModel
import Crypto
import DiskIO
import FolderEngine
import Glibc
import PhotoStore

/// Asks the disk about the intents that a crash left, and settles them. Blocks; before anything else uses the folder.
enum IntentRecovery {
    private static let bufferByteCount = 1 << 20

    /// The facts to commit; `start` has them already. A file that holds the intended photo is ours.
    static func settle(_ start: inout FolderStart, in folder: MarkedFolder) -> [FactChange] {
        let (placings, leavings, directories) = (start.placings, start.leavings, start.directories)
        let renaming = start.renaming
        // Of a folder that is not there nothing can be asked; a later start does.
        if directories.isEmpty && renaming == nil || folder.complaint() != nil { return [] }
        let mounts = folder.mounts(start.mounts.unquestioned)
        var presence = DiskPresence(mounts)
        var findings = FolderStart.Findings()
        findings.renamed = renaming.map { mounts.sights(of: $0.renaming, files: $0.files) }
        for (path, blob) in placings.sorted(by: { $0.key < $1.key }) {
            findings.placed[path] = finding(path, in: mounts.root, blob, &presence)
        }
        for (path, expected) in leavings.sorted(by: { $0.key < $1.key }) {
            do {
                try HidingPlace(of: path, in: mounts.root).settle(expected)
            } catch {
                // A later look does it.
                continue
            }
            findings.leaving[path] = presence.answer(path)
        }
        for directory in directories.sorted() { removePassingFiles(in: directory, mounts) }
        findings.away = mounts.away()
        findings.complaint = folder.complaint()
        return start.settle(findings)
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
