package import AlbumModel

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
    ///   - isSameAtPath: the path held this photo before, as folder state has it, or it was being placed there.
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

extension DropDecision {
    /// What folder state has of the file from now on; `nil` where the agent adds the photo first.
    package func record(
        _ photo: PhotoKey, _ signature: FileSignature, at path: FolderPath, in state: FolderState
    ) -> FileRecord? {
        let origin: FileRecord.Origin
        switch self {
        case .contribute: return nil
        case .adopt:
            let before = state.files[path]
            let isSame = before?.photo == photo && before?.origin != .removed
            origin = isSame ? before!.origin : .adopted
        case .duplicate: origin = .duplicate
        case .follow(let old): origin = state.files[old]?.origin(movedFrom: old, to: path) ?? .adopted
        case .adoptRemoved: origin = .removed
        }
        return FileRecord(photo: photo, signature: signature, origin: origin)
    }

    /// The path that the file takes the place of.
    package var replaced: FolderPath? { if case .follow(let old) = self { old } else { nil } }
}

/// What a complete photo at a path is, beside what folder state has there.
package enum Arrival: Hashable, Sendable {
    /// The photo that folder state has there; `isRenewed`: in another file than before.
    case known(isRenewed: Bool)
    /// What folder state has there says nothing: the file counts as a new one.
    case anew
    /// Another photo than folder state has there, which waits to be judged.
    case changed
    /// Nothing was known there. It may be where a vanished file went.
    case new

    /// - Parameter isPlaced: An earlier run was about to place these bytes there.
    package init(_ blob: BlobID, _ signature: FileSignature, record: FileRecord?, isPlaced: Bool, isAdopting: Bool) {
        if let record, record.photo.blob == blob {
            self = .known(isRenewed: record.signature.inode != signature.inode)
        } else if record == nil, isPlaced {
            self = .known(isRenewed: false)
        } else if isAdopting || record?.origin == .removed {
            self = .anew
        } else {
            self = record == nil ? .new : .changed
        }
    }
}
