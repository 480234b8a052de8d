/// The directories that lose all their files by a group's steps.
///
/// What moved elsewhere is not lost, and a single photo that a person deletes from its directory is no accident; one that
/// goes together with its directory may be.
struct LostDirectories: Sendable {
    private let removed: Set<FolderPath>
    /// How many files each has lost.
    private var counts: [FolderPath: Int] = [:]

    init(_ steps: [Judgement.Step], removed: Set<FolderPath>, state: FolderState) {
        self.removed = removed
        if removed.isEmpty { return }
        let candidates = Set(removed.flatMap { Self.directories(of: $0) })
        let lost = Set(
            steps.compactMap { step in
                switch step {
                case .remove, .forget, .promote: step.lost.path
                case .rename, .move, .replace: nil
                }
            })
        var kept: Set<FolderPath> = []
        for (path, record) in state.files where record.origin != .removed {
            let concerned = Self.directories(of: path).filter { candidates.contains($0) }
            if lost.contains(path) {
                for directory in concerned { counts[directory, default: 0] += 1 }
            } else {
                kept.formUnion(concerned)
            }
        }
        for directory in kept { counts[directory] = nil }
    }

    /// Those of which it matters whether they are there themselves.
    var questionable: Set<FolderPath> { Set(counts.filter { $0.value == 1 && !$0.key.bytes.isEmpty }.keys) }

    /// The removed files in them.
    ///
    /// - Parameter gone: Of the ``questionable`` ones those that are not there.
    func paths(gone: Set<FolderPath>) -> Set<FolderPath> {
        let lost = Set(counts.filter { $0.value > 1 }.keys).union(gone)
        return removed.filter { path in Self.directories(of: path).contains { lost.contains($0) } }
    }

    /// All that the file is in; of the folder itself what lies directly in it.
    private static func directories(of path: FolderPath) -> [FolderPath] {
        var directories = [path.parent]
        while let last = directories.last, !last.bytes.isEmpty, !last.parent.bytes.isEmpty {
            directories.append(last.parent)
        }
        return directories
    }
}
