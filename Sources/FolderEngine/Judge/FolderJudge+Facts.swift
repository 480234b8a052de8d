package import AlbumModel

extension FolderJudge {
    /// The same facts with the values that are known now.
    ///
    /// Tasks make facts durable in another order than they were decided in. **Must** be asked right before each commit, of
    /// which one follows the other: so the last one about a fact has what was decided last. What was decided of a path at
    /// one time is not parted by that: with one fact that another decision has overtaken come all of its path. Else a crash
    /// could leave a record whose file this program was to take away, without the intent that says so.
    package func newest(_ changes: [FactChange]) -> [FactChange] {
        changes.flatMap { change in
            var newest = state.newest(change)
            switch change.kind {
            case .folderHeld: newest.value = pending.held.map { BigEndian.bytes($0.id) }
            case .folderMount: newest.value = mounts.identities[FolderPath(bytes: change.key)]?.bytes
            default: break
            }
            return [newest] + (newest == change ? [] : state.facts(beside: change))
        }
    }
}
