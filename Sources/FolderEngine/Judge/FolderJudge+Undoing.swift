import AlbumModel

/// Why a file is put back where its record says that it was.
package enum BringBackReason: Hashable, Sendable {
    /// Its bytes were not the photo's any more, and a person deleted it.
    case damage
    /// It waits for a person, who says that its loss was not meant.
    case undoing
}

/// What follows where a person says of what the brake holds back that it was meant, or that it was not.
extension FolderJudge {
    /// Whether it is known what waits for a person, if anything does. After a start amid a hold the folder is looked through
    /// first.
    package var isHeldKnown: Bool { pending.held == nil || !pending.heldLosses.isEmpty }

    /// What they saw is judged as meant from now on.
    mutating func confirmed(_ version: UInt64?) -> [FolderDirective] {
        if pending.held == nil || version.map({ pending.confirm($0) }) ?? false { return [] }
        return [.refuse(Self.unseen)]
    }

    private static let unseen =
        "What waits for a decision is not what you saw. Nothing was confirmed: look at what waits now, then decide again."

    /// The files that are to be put back, ordered by path. Those without a record have been seen to otherwise.
    package func undoing() -> [(path: FolderPath, record: FileRecord)] {
        pending.heldLosses.paths.sorted().compactMap { path in state.files[path].map { (path, $0) } }
    }

    /// What could not be put back goes on waiting.
    mutating func undone(
        _ path: FolderPath, _ record: FileRecord, _ outcome: FolderInput.BringingBack, now: MonotonicInstant
    ) {
        switch outcome {
        case .done:
            settled(path, now: now)
            pending.heldLosses.remove(path)
        // Where something else is there still, it is judged like any.
        case .unwanted: if pending.heldLosses.remove(path) { schedule.awaitJudging(now: now) }
        case .unavailable, .failed: break
        }
    }

    /// Nothing waits any more, unless some file could not be put back.
    mutating func endUndoing() -> [FolderDirective] {
        guard pending.held != nil, undoing().isEmpty else { return [] }
        pending.held = nil
        pending.heldLosses.removeAll()
        return Self.commit([FactChange(kind: .folderHeld, key: [], value: nil)]) + [.hold(nil)]
    }
}
