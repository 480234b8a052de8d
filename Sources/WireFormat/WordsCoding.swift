import AlbumModel
import FoundationEssentials
import SwiftProtobuf

/// Changes about what is known and said of photos that are there.
extension Change {
    func wordsPart() -> Potluck_ChangePart {
        switch self {
        case .photoRead(let album, let blob, let facts):
            return .init(kind: ChangeKind.photoRead, facts.part(album, blob))
        case .photoCaptioned(let album, let blob, let caption, let replaces):
            var part = Potluck_PhotoCaptionedPart()
            part.album = .init(album.bytes)
            part.blob = .init(blob.bytes)
            part.caption = caption
            part.replaces = replaces.map(\.part)
            return .init(kind: ChangeKind.photoCaptioned, part)
        case .photoTagged(let album, let blob, let tag):
            var part = Potluck_PhotoTaggedPart()
            part.album = .init(album.bytes)
            part.blob = .init(blob.bytes)
            part.tag = tag
            return .init(kind: ChangeKind.photoTagged, part)
        case .photoUntagged(let album, let blob, let tag, let adds):
            var part = Potluck_PhotoUntaggedPart()
            part.album = .init(album.bytes)
            part.blob = .init(blob.bytes)
            part.tag = tag
            part.adds = adds.map(\.part)
            return .init(kind: ChangeKind.photoUntagged, part)
        case .photoFavoured(let album, let blob, let guest):
            var part = Potluck_PhotoFavouredPart()
            part.album = .init(album.bytes)
            part.blob = .init(blob.bytes)
            if let guest { part.guest = .init(guest.bytes) }
            return .init(kind: ChangeKind.photoFavoured, part)
        case .photoUnfavoured(let album, let blob, let adds, let guest):
            var part = Potluck_PhotoUnfavouredPart()
            part.album = .init(album.bytes)
            part.blob = .init(blob.bytes)
            part.adds = adds.map(\.part)
            if let guest { part.guest = .init(guest.bytes) }
            return .init(kind: ChangeKind.photoUnfavoured, part)
        case .coverChosen(let album, let blob, let replaces):
            var part = Potluck_CoverChosenPart()
            part.album = .init(album.bytes)
            if let blob { part.blob = .init(blob.bytes) }
            part.replaces = replaces.map(\.part)
            return .init(kind: ChangeKind.coverChosen, part)
        case .cameraClockSet(let album, let camera, let seconds, let replaces):
            var part = Potluck_CameraClockSetPart()
            part.album = .init(album.bytes)
            part.contributor = .init(camera.contributor.bytes)
            part.make = camera.make
            part.model = camera.model
            part.serial = camera.serial
            part.seconds = seconds
            part.replaces = replaces.map(\.part)
            return .init(kind: ChangeKind.cameraClockSet, part)
        case .photoReplaced(let former, let photo):
            var part = Potluck_PhotoReplacedPart()
            part.formerAlbum = .init(former.album.bytes)
            part.formerBlob = .init(former.blob.bytes)
            part.album = .init(photo.album.bytes)
            part.blob = .init(photo.blob.bytes)
            return .init(kind: ChangeKind.photoReplaced, part)
        case .albumNamed, .photoAdded, .photoRemoved, .photoNamed, .deviceNamed, .gatheringNamed, .photoCommented,
            .photoUncommented, .guestNamed, .guestRevoked, .guestEpochRaised, .guestDoorMoved, .unknown:
            preconditionFailure("not one of these")
        }
    }

    /// `nil` for a kind that is none of these.
    static func knownWords(_ kind: UInt32, _ payload: [UInt8]) throws(WireError) -> Change? {
        switch kind {
        case ChangeKind.photoRead:
            let part = try Potluck_PhotoReadPart(decoding: payload)
            return .photoRead(
                try .decoding(part.album, "album"), try .decoding(part.blob, "blob"), try PhotoFacts(part: part))
        case ChangeKind.photoCaptioned:
            let part = try Potluck_PhotoCaptionedPart(decoding: payload)
            return .photoCaptioned(
                try .decoding(part.album, "album"), try .decoding(part.blob, "blob"), part.caption,
                replaces: try Dot.decoding(part.replaces))
        case ChangeKind.photoTagged:
            let part = try Potluck_PhotoTaggedPart(decoding: payload)
            return .photoTagged(try .decoding(part.album, "album"), try .decoding(part.blob, "blob"), part.tag)
        case ChangeKind.photoUntagged:
            let part = try Potluck_PhotoUntaggedPart(decoding: payload)
            return .photoUntagged(
                try .decoding(part.album, "album"), try .decoding(part.blob, "blob"), part.tag,
                adds: try Dot.decoding(part.adds))
        case ChangeKind.photoFavoured:
            let part = try Potluck_PhotoFavouredPart(decoding: payload)
            return .photoFavoured(
                try .decoding(part.album, "album"), try .decoding(part.blob, "blob"),
                guest: try .decoding(guest: part.guest))
        case ChangeKind.photoUnfavoured:
            let part = try Potluck_PhotoUnfavouredPart(decoding: payload)
            return .photoUnfavoured(
                try .decoding(part.album, "album"), try .decoding(part.blob, "blob"),
                adds: try Dot.decoding(part.adds), guest: try .decoding(guest: part.guest))
        case ChangeKind.coverChosen:
            let part = try Potluck_CoverChosenPart(decoding: payload)
            return .coverChosen(
                try .decoding(part.album, "album"),
                part.blob.isEmpty ? nil : try .decoding(part.blob, "blob"), replaces: try Dot.decoding(part.replaces))
        case ChangeKind.cameraClockSet:
            let part = try Potluck_CameraClockSetPart(decoding: payload)
            let camera = CameraKey(
                contributor: try .decoding(part.contributor, "contributor"), make: part.make, model: part.model,
                serial: part.serial)
            return .cameraClockSet(
                try .decoding(part.album, "album"), camera, seconds: part.seconds,
                replaces: try Dot.decoding(part.replaces))
        case ChangeKind.photoReplaced:
            let part = try Potluck_PhotoReplacedPart(decoding: payload)
            let former = PhotoKey(
                album: try .decoding(part.formerAlbum, "album"), blob: try .decoding(part.formerBlob, "blob"))
            return .photoReplaced(
                former,
                by: PhotoKey(album: try .decoding(part.album, "album"), blob: try .decoding(part.blob, "blob")))
        default: return nil
        }
    }
}
