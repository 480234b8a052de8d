import AlbumModel
import FoundationEssentials
import SwiftProtobuf

/// Changes about guests, and the comments that they and owners write.
extension Change {
    func guestsPart() -> Potluck_ChangePart {
        switch self {
        case .photoCommented(let album, let blob, let text, let guest):
            var part = Potluck_PhotoCommentedPart()
            part.album = .init(album.bytes)
            part.blob = .init(blob.bytes)
            part.text = text
            if let guest { part.guest = .init(guest.bytes) }
            return .init(kind: ChangeKind.photoCommented, part)
        case .photoUncommented(let album, let blob, let comments):
            var part = Potluck_PhotoUncommentedPart()
            part.album = .init(album.bytes)
            part.blob = .init(blob.bytes)
            part.comments = comments.map(\.part)
            return .init(kind: ChangeKind.photoUncommented, part)
        case .guestNamed(let guest, let name):
            var part = Potluck_GuestNamedPart()
            part.guest = .init(guest.bytes)
            part.name = name
            return .init(kind: ChangeKind.guestNamed, part)
        case .guestRevoked(let guest):
            var part = Potluck_GuestRevokedPart()
            part.guest = .init(guest.bytes)
            return .init(kind: ChangeKind.guestRevoked, part)
        case .guestEpochRaised(let epoch):
            var part = Potluck_GuestEpochRaisedPart()
            part.epoch = epoch
            return .init(kind: ChangeKind.guestEpochRaised, part)
        case .guestDoorMoved(let port):
            var part = Potluck_GuestDoorMovedPart()
            part.port = UInt32(port)
            return .init(kind: ChangeKind.guestDoorMoved, part)
        case .albumNamed, .photoAdded, .photoRemoved, .photoNamed, .deviceNamed, .gatheringNamed, .photoRead,
            .photoCaptioned, .photoTagged, .photoUntagged, .photoFavoured, .photoUnfavoured, .coverChosen,
            .cameraClockSet, .photoReplaced, .unknown:
            preconditionFailure("not about guests")
        }
    }

    /// `nil` for a kind that is none of these.
    static func knownOfGuests(_ kind: UInt32, _ payload: [UInt8]) throws(WireError) -> Change? {
        switch kind {
        case ChangeKind.photoCommented:
            let part = try Potluck_PhotoCommentedPart(decoding: payload)
            return .photoCommented(
                try .decoding(part.album, "album"), try .decoding(part.blob, "blob"), part.text,
                guest: try .decoding(guest: part.guest))
        case ChangeKind.photoUncommented:
            let part = try Potluck_PhotoUncommentedPart(decoding: payload)
            return .photoUncommented(
                try .decoding(part.album, "album"), try .decoding(part.blob, "blob"),
                comments: try Dot.decoding(part.comments))
        case ChangeKind.guestNamed:
            let part = try Potluck_GuestNamedPart(decoding: payload)
            return .guestNamed(try .decoding(part.guest, "guest"), name: part.name)
        case ChangeKind.guestRevoked:
            return .guestRevoked(
                try .decoding(try Potluck_GuestRevokedPart(decoding: payload).guest, "guest"))
        case ChangeKind.guestEpochRaised:
            return .guestEpochRaised(try Potluck_GuestEpochRaisedPart(decoding: payload).epoch)
        case ChangeKind.guestDoorMoved:
            let part = try Potluck_GuestDoorMovedPart(decoding: payload)
            guard let port = UInt16(exactly: part.port) else { throw .outOfRange(field: "port") }
            return .guestDoorMoved(port: port)
        default: return nil
        }
    }
}

extension GuestID? {
    /// No bytes are no guest.
    static func decoding(guest bytes: Data) throws(WireError) -> GuestID? {
        bytes.isEmpty ? nil : try .decoding(bytes, "guest")
    }
}
