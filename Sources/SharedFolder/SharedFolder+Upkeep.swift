public import AlbumModel
import FolderEngine
public import PhotoStore

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
        await core.withTurns([.photo(blob)]) {
            var freed: [String] = []
            for case .setAside(let path, let record, let intent) in core.queue.handle(.damaged(blob, inode: inode)) {
                let isFreed = await SettingAside(core: core).run(path, record, intent: intent)
                if isFreed { freed.append(path.text) }
            }
            return freed
        }
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
