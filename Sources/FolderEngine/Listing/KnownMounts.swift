package import AlbumModel

/// The directories of the folder that are, or were when they were last seen, mounts of their own: a memory card, say.
///
/// One that is not mounted now, or where another file system is, is away. It has not been emptied: whatever the bare
/// directory shows, its files stay as folder state has them.
package struct KnownMounts: Sendable {
    /// What a comparison with the mounts that there are showed.
    package struct Survey: Hashable, Sendable {
        package fileprivate(set) var gaps: [FolderPath: FolderGaps.Reason] = [:]
        /// To be committed.
        package fileprivate(set) var changes: [FactChange] = []
    }

    package private(set) var identities: [FolderPath: MountIdentity] = [:]
    /// Those without a distinct identity that are what is known: their files showed it, or a person said so, and no mount
    /// has changed since.
    private var proven: Set<FolderPath> = []

    /// - Parameter facts: of ``FactKind/folderMount``.
    package init(facts: [(key: [UInt8], value: [UInt8])] = []) {
        for fact in facts { identities[FolderPath(bytes: fact.key)] = MountIdentity(bytes: fact.value) }
    }

    /// The known mounts that a path is in, or is.
    package func mounts(over path: FolderPath) -> Set<FolderPath> {
        Set(identities.keys.filter { path.isWithin($0) })
    }

    /// Those of these known mounts that are not there.
    ///
    /// - Parameter table: `nil` where nobody can tell what is mounted: none of them counts as there then.
    package func away(_ directories: Set<FolderPath>, in table: MountTable?) -> Set<FolderPath> {
        directories.filter { directory in
            identities[directory].map { !isThere(directory, $0, table?.mounts[directory]) } ?? false
        }
    }

    private func isThere(_ directory: FolderPath, _ identity: MountIdentity, _ mount: MountTable.Mount?) -> Bool {
        mount == .identified(identity) && (identity.isDistinct || proven.contains(directory))
    }

    /// These as a start takes them, which settles what a crash left half done before the first scan: one without a distinct
    /// identity counts as there. Else that would never be settled; and files are known by bytes or signature there.
    package var unquestioned: KnownMounts {
        var mounts = self
        mounts.proven = Set(identities.keys)
        return mounts
    }

    /// Some mount in the folder may have changed: what has no distinct identity may be another disk now.
    package mutating func mountsChanged() { proven = [] }

    /// The directories of which it depends on their files whether they are what is known.
    ///
    /// Of file systems that have another identity than the one that is known there, none that is known, or none that is
    /// distinct, unless that was asked since mounts last changed.
    package func questionable(_ table: MountTable?) -> Set<FolderPath> {
        var mounts = self
        return Set(mounts.survey(table, recognised: []).gaps.filter { $0.value == .otherDisk }.keys)
    }

    /// Compares the mounts that there are with those that were, at the start of a scan.
    ///
    /// - Parameter recognised: Of the ``questionable(_:)`` directories those that hold most files as they are known there, or
    ///   where none is known.
    package mutating func survey(_ table: MountTable?, recognised: Set<FolderPath>) -> Survey {
        var survey = Survey()
        guard let table else {
            for directory in identities.keys { survey.gaps[directory] = .away }
            proven = []
            return survey
        }
        var free = table.mounts.filter { identities[$0.key] == nil }
        for (directory, identity) in identities.sorted(by: { $0.key < $1.key }) {
            let mount = table.mounts[directory]
            if isThere(directory, identity, mount) { continue }
            proven.remove(directory)
            switch mount {
            case .identified(let other) where recognised.contains(directory):
                survey.changes += remember(directory, other)
            case .identified: survey.gaps[directory] = .otherDisk
            case .unknown: survey.gaps[directory] = .away
            case nil:
                // With its parent directory it may have got another name.
                if let target = Self.moved(identity, free) {
                    free[target] = nil
                    survey.changes += forget(directory) + remember(target, identity)
                } else {
                    survey.gaps[directory] = .away
                }
            }
        }
        for (directory, mount) in free.sorted(by: { $0.key < $1.key }) {
            switch mount {
            case .identified(let identity) where recognised.contains(directory):
                survey.changes += remember(directory, identity)
            // Files that are known to be there are under it.
            case .identified: survey.gaps[directory] = .otherDisk
            case .unknown: survey.gaps[directory] = .unanswered
            }
        }
        return survey
    }

    private static func moved(_ identity: MountIdentity, _ free: [FolderPath: MountTable.Mount]) -> FolderPath? {
        if !identity.isDistinct { return nil }
        return free.filter { $0.value == .identified(identity) }.keys.min()
    }

    /// From now on these directories are what is mounted there now. Where nobody can tell, nothing is given up.
    package mutating func giveUp(_ disks: [FolderPath], for table: MountTable?) -> [FactChange] {
        guard let table else { return [] }
        return disks.flatMap { directory in
            switch table.mounts[directory] {
            case .identified(let identity): remember(directory, identity)
            case .unknown: [FactChange]()
            case nil: forget(directory)
            }
        }
    }

    private mutating func remember(_ directory: FolderPath, _ identity: MountIdentity) -> [FactChange] {
        if !identity.isDistinct { proven.insert(directory) }
        guard identities.updateValue(identity, forKey: directory) != identity else { return [] }
        return [FactChange(kind: .folderMount, key: directory.bytes, value: identity.bytes)]
    }

    private mutating func forget(_ directory: FolderPath) -> [FactChange] {
        proven.remove(directory)
        guard identities.removeValue(forKey: directory) != nil else { return [] }
        return [FactChange(kind: .folderMount, key: directory.bytes, value: nil)]
    }
}

extension FactKind {
    /// Key: a directory that is a mount of its own. Value: its ``MountIdentity``.
    package static let folderMount = FactKind(rawValue: "folder.mount")
}
