public import AlbumModel
import Glibc
public import PhotoStore
import Synchronization

extension SharedFolder {
    /// Moves files of a photo out of the folder whose bytes the disk has lost, so that the photo can be placed again.
    ///
    /// A file of the folder may be the very file that the store had, under another name. Where `inode` is that file's,
    /// and neither its size nor its time has changed since it was last looked at, no person wrote to it: it is damaged as
    /// well. It goes to the store's quarantine where that is on the same disk, and stays where it is otherwise. A file
    /// that somebody edited stays in any case.
    ///
    /// - Returns: the paths that were freed, below the folder.
    public func setAsideDamaged(_ blob: BlobID, inode: UInt64) async -> [String] {
        let core = self.core
        let files = core.state.withLock { $0.files.filter { $0.value.photo.blob == blob } }
        var freed: [String] = []
        for (path, record) in files.sorted(by: { $0.key < $1.key }) where record.signature.inode == inode {
            // The journal first: a file that goes while it is known would be a person's removal.
            let changes = core.state.withLock { $0.drop(path) }
            await core.commit(changes)
            // It fails at the agent's end, for a file that cannot be moved, and for one that is a person's edit.
            let isMoved = try? await core.pool.perform { Self.move(path, record, into: core) }
            if isMoved == true {
                freed.append(path.text)
            } else {
                await core.commit(core.state.withLock { $0.record(path, record) })
            }
        }
        return freed
    }

    private static func move(_ path: FolderPath, _ record: FileRecord, into core: FolderCore) -> Bool {
        guard let info = SystemCall.look(path.absolute(in: core.root)),
            FileSignature(FileStat(info)).isSameFile(as: record.signature),
            let target = try? core.blobs.quarantinePath(for: record.photo.blob.hex)
        else { return false }
        return rename(path.absolute(in: core.root), target) == 0
    }

    /// What makes a journal forget its folder, where there is none of its own: after a restore. What a person deleted from
    /// the folder (`folder.gone`) stays deleted.
    public static func forgettingFolder(_ journal: Journal) throws(StoreError) -> [FactChange] {
        var changes: [FactChange] = []
        for kind in try journal.factKinds() where kind.rawValue.hasPrefix("folder.") && kind != .folderGone {
            changes += try journal.facts(kind).map { FactChange(kind: kind, key: $0.key, value: nil) }
        }
        return changes
    }

    /// Whether a journal knows a folder of its own.
    public static func isNamed(in journal: Journal) throws(StoreError) -> Bool {
        try journal.fact(Marker.fact, []) != nil
    }
}

extension SharedFolder {
    /// Why the folder at `root` cannot be compared with a journal; `nil` if it is the journal's own. Blocks.
    public static func complaint(root: String, journal: Journal) -> String? {
        do {
            guard let id = try journal.fact(Marker.fact, []).flatMap({ FolderID(bytes: $0) }) else { return nil }
            return Marker.complaint(root: root, folderID: id)
        } catch {
            return "Which folder this home uses cannot be read: \(error)."
        }
    }
}
