package import AlbumModel

/// Tells an accident from what a person means, by how much is lost at once, and by whether somebody saw it go.
package struct Brake: Sendable {
    /// What of the group bears on it.
    package struct Group: Sendable {
        /// Photos that would leave their album.
        package var losses: [Judgement.Step]
        /// How many files each album had.
        package var fileCounts: [AlbumID: Int]
        /// Albums' files that were made anew with equal bytes at about the same time, of all albums.
        package var renewedCounts: [AlbumID: Int]
        /// A scan found bytes that had been removed or replaced earlier.
        package var holdsOlder: Bool
        /// Some directory lost all that it had.
        package var losesDirectory: Bool
        /// Some file went without an event that told of it.
        package var hasUnexplained: Bool

        package init(
            losses: [Judgement.Step], fileCounts: [AlbumID: Int], renewedCounts: [AlbumID: Int], holdsOlder: Bool,
            losesDirectory: Bool, hasUnexplained: Bool
        ) {
            self.losses = losses
            self.fileCounts = fileCounts
            self.renewedCounts = renewedCounts
            self.holdsOlder = holdsOlder
            self.losesDirectory = losesDirectory
            self.hasUnexplained = hasUnexplained
        }
    }

    private let judging: Judging

    package init(judging: Judging) {
        self.judging = judging
    }

    /// Why the group waits for a person; `nil` if it does not.
    package func reason(_ group: Group) -> HeldGroup.Reason? {
        if group.losses.isEmpty || PlantedFault.isPlanted(.brakeMissing) { return nil }
        if group.holdsOlder || isTooMany(group.renewedCounts, of: group.fileCounts) { return .restoredFolder }
        let counts = Dictionary(grouping: group.losses) { $0.lost.record.photo.album }.mapValues(\.count)
        if isTooMany(counts, of: group.fileCounts) { return Self.likelyReason(group.losses) }
        return group.losesDirectory ? .directoryGone : group.hasUnexplained ? .unexplained : nil
    }

    package static func likelyReason(_ losses: [Judgement.Step]) -> HeldGroup.Reason {
        rewrittenCount(losses) * 2 > losses.count ? .manyRewritten : .manyVanished
    }

    package static func rewrittenCount(_ losses: [Judgement.Step]) -> Int {
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
