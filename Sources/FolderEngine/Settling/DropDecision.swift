import AlbumModel

/// What a complete file that is not known yet means.
package enum DropDecision: Hashable, Sendable {
    /// Add the photo to the album.
    case contribute
    /// The photo is in the album and the file stands for it: no new add.
    case adopt
    /// Another file of the album holds the same photo.
    case duplicate
    /// Another file of the album held it until it was renamed to this one.
    case follow(FolderPath)
    /// Somebody removed the photo from the album; a scan does not bring it back.
    case adoptRemoved

    /// - Parameters:
    ///   - isSameAtPath: the path held this photo before, as folder state has it.
    ///   - others: the photo's other files in the album that are there.
    ///   - vanished: those that are not there any more.
    ///   - wasGone: a person deleted the photo's last file earlier.
    package static func decide(
        standing: PhotoStanding, isLive: Bool, isSameAtPath: Bool, others: [FolderPath], vanished: [FolderPath],
        wasGone: Bool
    ) -> DropDecision {
        switch standing {
        case .unknown: return .contribute
        case .removed: return isLive ? .contribute : .adoptRemoved
        // Whoever puts it there again wants to see it: nothing that concerns others.
        case .hidden: return others.isEmpty ? .adopt : .duplicate
        case .present:
            if isSameAtPath || wasGone { return .adopt }
            if !others.isEmpty, !PlantedFault.isPlanted(.copiesAddedAgain) { return .duplicate }
            if let old = vanished.min() { return .follow(old) }
            // Two people who drop one photo are two contributors; what a scan finds may be what was placed long ago.
            return isLive ? .contribute : .adopt
        }
    }
}
