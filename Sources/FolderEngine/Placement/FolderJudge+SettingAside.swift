import AlbumModel

/// What becomes of a photo's files whose bytes the disk has lost.
///
/// A file that went while it is known would be a person's removal, one that is there while it is not known a new photo.
extension FolderJudge {
    /// The files that are the very one which is damaged are to go to the quarantine, each once its intent is durable.
    mutating func damaged(_ blob: BlobID, inode: UInt64) -> [FolderDirective] {
        state.paths(of: blob).sorted().compactMap { path in
            guard let record = state.files[path], record.signature.inode == inode, state.leaving[path] == nil else {
                return nil
            }
            return .setAside(path, record, intent: state.setAside(path, record.photo))
        }
    }

    mutating func setAside(
        _ path: FolderPath, _ record: FileRecord, _ outcome: FolderInput.SettingAside, now: MonotonicInstant
    ) -> [FolderDirective] {
        // Else the intent is over, or is one to take the file away by now.
        guard state.settingAside.contains(path), state.files[path]?.photo == record.photo else { return [] }
        switch outcome {
        case .stayed: return Self.commit(state.stay(path))
        case .moved:
            looks.takeAway(path)
            let changes = state.drop(path)
            settled(path, now: now)
            return Self.commit(changes)
        // The next start settles it.
        case .unknown: return []
        }
    }
}
