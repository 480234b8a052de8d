import AlbumModel

extension FolderState {
    /// The same fact with the value that folder state has now; unchanged where it is none of folder state's.
    func newest(_ change: FactChange) -> FactChange {
        let path = FolderPath(bytes: change.key)
        var newest = change
        switch change.kind {
        case .folderFile: newest.value = files[path]?.bytes
        case .folderGone: newest.value = PhotoKey(bytes: change.key).flatMap { gone[$0]?.bytes }
        case .folderIntent: newest.value = (intents[path] ?? interrupted[path])?.bytes
        case .folderLeaving: newest.value = leavingValue(path)
        case .folderRenaming: newest.value = renaming?.former == path ? renaming?.intent.value : nil
        case .folderFresh: newest.value = fresh.value(path)
        default: break
        }
        return newest
    }

    /// All that the journal is to have of a path, and of the photo that this fact says is there.
    func facts(beside change: FactChange) -> [FactChange] {
        let kinds: [FactKind] = [.folderFile, .folderIntent, .folderLeaving, .folderFresh]
        guard kinds.contains(change.kind) else { return [] }
        var facts = kinds.map { FactChange(kind: $0, key: change.key, value: nil) }
        if change.kind == .folderFile, let photo = change.value.flatMap({ FileRecord(bytes: $0)?.photo }) {
            facts.append(FactChange(kind: .folderGone, key: photo.bytes, value: nil))
        }
        return facts.map(newest)
    }
}
