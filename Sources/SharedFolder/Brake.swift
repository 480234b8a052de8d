import AlbumModel

/// Tells an accident from what a person means, by how much is lost at once, and by whether somebody saw it go.
struct Brake: Sendable {
    /// What of the group bears on it.
    struct Group: Sendable {
        /// Photos that would leave their album.
        var losses: [Judgement.Step]
        /// How many files each album had.
        var fileCounts: [AlbumID: Int]
        /// Albums' files that were made anew with equal bytes at about the same time, of all albums.
        var renewedCounts: [AlbumID: Int]
        /// A scan found bytes that had been removed or replaced earlier.
        var holdsOlder: Bool
        /// Some directory lost all that it had.
        var losesDirectory = false
        /// Some file went without an event that told of it.
        var hasUnexplained = false
    }

    let judging: Judging

    /// Why the group waits for a person; `nil` if it does not.
    func reason(_ group: Group) -> HeldGroup.Reason? {
        if group.losses.isEmpty || PlantedFault.isPlanted(.brakeMissing) { return nil }
        if group.holdsOlder || isTooMany(group.renewedCounts, of: group.fileCounts) { return .restoredFolder }
        let counts = Dictionary(grouping: group.losses) { $0.lost.record.photo.album }.mapValues(\.count)
        if isTooMany(counts, of: group.fileCounts) { return Self.likelyReason(group.losses) }
        return group.losesDirectory ? .directoryGone : group.hasUnexplained ? .unexplained : nil
    }

    static func likelyReason(_ losses: [Judgement.Step]) -> HeldGroup.Reason {
        rewrittenCount(losses) * 2 > losses.count ? .manyRewritten : .manyVanished
    }

    static func rewrittenCount(_ losses: [Judgement.Step]) -> Int {
        losses.count { if case .replace = $0 { true } else { false } }
    }

    private func isTooMany(_ counts: [AlbumID: Int], of fileCounts: [AlbumID: Int]) -> Bool {
        if counts.values.reduce(0, +) > judging.lossCountMax { return true }
        return counts.contains { album, count in
            let all = fileCounts[album] ?? 0
            return all > judging.smallAlbumCount && count * 2 >= all
        }
    }
}

extension HeldGroup {
    /// The group of these losses, which are not empty.
    init(id: UInt64, reason: Reason, losses: [Judgement.Step], fileCounts: [AlbumID: Int]) {
        let rewritten = Brake.rewrittenCount(losses)
        let all = Set(losses.map(\.lost.record.photo.album)).reduce(0) { $0 + (fileCounts[$1] ?? 0) }
        self.init(
            id: id, reason: reason, vanished: losses.count - rewritten, rewritten: rewritten, of: all,
            paths: losses.map(\.lost.path).sorted().prefix(Self.pathCountMax).map(\.text), sentence: "")
        sentence =
            "\(seen) Nothing was removed or replaced in the gathering. If it was meant, say `potluck confirm`; "
            + "`potluck undo` puts the photos' files back."
    }

    private var seen: String {
        let parts = [
            vanished > 0 ? "\(vanished) \(vanished == 1 ? "is" : "are") gone" : nil,
            rewritten > 0 ? "\(rewritten) \(rewritten == 1 ? "holds" : "hold") another photo now" : nil,
        ]
        let counts = "of \(of) \(of == 1 ? "file" : "files") \(parts.compactMap(\.self).joined(separator: " and "))"
        switch reason {
        case .manyVanished, .manyRewritten: return "In the folder, \(counts)."
        case .restoredFolder: return "The folder looks like an older copy of itself: \(counts)."
        case .directoryGone: return "In the folder, \(counts): all photos of a directory."
        case .unexplained:
            return "In the folder, \(counts); that happened while the agent did not run, or where it cannot watch."
        }
    }
}
