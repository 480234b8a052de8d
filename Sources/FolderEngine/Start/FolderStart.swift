package import AlbumModel

/// What the journal knows of a folder as the agent starts, and what is to be asked of the disk about work that the last run
/// left half done.
///
/// A placing becomes a known file or ends, a taking away ends or goes on once the folder runs. What nobody can look at stays
/// open, for a find at its path or a later start.
package struct FolderStart: Sendable {
    /// What the disk shows.
    package struct Findings: Sendable {
        /// Answers to ``FolderStart/placings``.
        package var placed: [FolderPath: FolderState.PlacedFile] = [:]
        /// Answers to ``FolderStart/leavings``.
        package var leaving: [FolderPath: FilePresence] = [:]
        /// What stands at both names of ``FolderStart/renaming``.
        package var renamed: (former: NameSight, target: NameSight)?
        /// What is wrong with the marker. **Must** be asked for last: a disk that went away while files were looked at took
        /// its marker along.
        package var complaint: String?
        /// The known mounts that are not there; likewise.
        package var away: Set<FolderPath> = []

        package init() {}

        fileprivate func isAway(_ path: FolderPath) -> Bool { away.contains { path.isWithin($0) } }
    }

    package private(set) var state: FolderState
    package let mounts: KnownMounts
    package let adoption: Adoption
    /// Of the group that waited for a person.
    package let heldID: UInt64?

    /// - Parameter facts: The journal's facts of a kind.
    package init<Failure: Error>(
        boot: BootID, facts: (FactKind) throws(Failure) -> [(key: [UInt8], value: [UInt8])]
    ) throws(Failure) {
        state = FolderState(
            files: try facts(.folderFile), gone: try facts(.folderGone), intents: try facts(.folderIntent),
            leaving: try facts(.folderLeaving), renamings: try facts(.folderRenaming),
            fresh: FreshFiles(facts: try facts(.folderFresh), boot: boot))
        mounts = KnownMounts(facts: try facts(.folderMount))
        adoption = try facts(Adoption.fact).isEmpty ? .over : .held
        heldID = try facts(.folderHeld).first.map { BigEndian.word($0.value) }
    }

    /// Placings that a crash interrupted, each with its photo: does the file at the path hold it? Where folder state has
    /// that photo there, nothing needs to be asked.
    package var placings: [FolderPath: BlobID] {
        state.interrupted.filter { state.files[$0.key]?.photo != $0.value }.mapValues(\.blob)
    }

    /// Files that were about to go: are they there? Each with the signature of the only file that may be removed where it is
    /// out of sight already; `nil` where none may.
    package var leavings: [FolderPath: FileSignature?] {
        Dictionary(
            uniqueKeysWithValues: state.leaving.keys.map { path in
                let goes = state.isLeaving(path) && !state.settingAside.contains(path)
                return (path, goes ? state.files[path]?.signature : nil)
            })
    }

    /// The directory that was about to get another name, and its files, or such a file: what stands at both names? A new one is
    /// to be made durable first.
    package var renaming: (renaming: FolderRenaming, files: [FolderPath: FileRecord])? {
        state.renaming.map { ($0, state.files(at: $0.former)) }
    }

    /// The directories in which files may be left that were on their way to their names.
    package var directories: Set<FolderPath> {
        Set(state.interrupted.keys.map(\.parent)).union(state.leaving.keys.map(\.parent))
    }

    /// Settles what was asked about.
    ///
    /// - Returns: the facts to commit; ``state`` has them already. Of a folder that is not there nothing is settled.
    package mutating func settle(_ findings: Findings) -> [FactChange] {
        if findings.complaint != nil { return [] }
        var changes: [FactChange] = []
        if let renaming = state.renaming, let (former, target) = findings.renamed {
            changes += state.settle(renaming, renaming.outcome(former: former, target: target))
        }
        for path in state.interrupted.keys.sorted() {
            let isAway = findings.isAway(path)
            changes += state.settleInterrupted(path) { isAway ? .unknown : findings.placed[path] ?? .unknown }
        }
        // Under which name a file is that was being renamed may not be known yet.
        for path in state.leaving.keys.sorted() where !state.isBeingRenamed(path) {
            guard let presence = findings.leaving[path] else { continue }
            changes += state.settleLeaving(path, findings.isAway(path) ? .unknown : presence)
        }
        return changes
    }
}
