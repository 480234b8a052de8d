import AlbumModel
import TestSupport

/// Signed changes of good form and no sense, as many of a kind as hurt most.
enum Nonsense: String, CaseIterable, Sendable {
    // Of one photo.
    case captions, tags, favours, names, facts, adds, dotsOfCaptions, replacements
    // Of albums, devices and the gathering.
    case albumsOfOneName, namesOfOneAlbum, covers, clocks, deviceNames, gatheringNames
    // Of guests, and what is written below a photo.
    case comments, dotsOfComments, guestAdds, guestFavours, guestNames, guestRevocations, guestEpochs, guestDoors
    // What never was.
    case removalsOfNothing, photosOfNobody, unknownKinds

    /// Those that are tried on one gathering, one after the other.
    static let groups: [[Nonsense]] = [
        [.captions, .tags, .favours, .names],
        [.facts, .adds, .dotsOfCaptions, .replacements],
        [.albumsOfOneName, .namesOfOneAlbum, .covers, .clocks],
        [.deviceNames, .gatheringNames, .removalsOfNothing, .photosOfNobody, .unknownKinds],
        [.comments, .dotsOfComments, .guestAdds, .guestFavours],
        [.guestNames, .guestRevocations, .guestEpochs, .guestDoors],
    ]

    /// What an agent of before took 15 s to 67 s for.
    var count: Int {
        switch self {
        case .adds, .guestAdds, .photosOfNobody: 14_535
        case .removalsOfNothing, .dotsOfCaptions, .dotsOfComments: 300
        default: 20_000
        }
    }

    /// - Parameters:
    ///   - target: a photo that somebody shares.
    ///   - album: one of the attacker's.
    ///   - range: what tells the changes of this kind apart.
    func changes(_ range: Range<Int>, of device: InventedDevice, target: PhotoKey, album: AlbumID) -> [Change] {
        switch self {
        // The same for each, and long: encoded once.
        case .dotsOfCaptions: return Array(repeating: Self.captionWithDots(target), count: range.count)
        case .dotsOfComments: return Array(repeating: Self.withdrawalWithDots(target), count: range.count)
        case .removalsOfNothing: return Array(repeating: Self.removalWithDots(target), count: range.count)
        default: return range.map { change($0, of: device, target: target, album: album) }
        }
    }

    private func change(_ number: Int, of device: InventedDevice, target: PhotoKey, album: AlbumID) -> Change {
        let (photoAlbum, blob) = (target.album, target.blob)
        switch self {
        case .captions: return .photoCaptioned(photoAlbum, blob, "Caption \(number)", replaces: [])
        case .tags: return .photoTagged(photoAlbum, blob, "tag \(number)")
        case .favours: return .photoFavoured(photoAlbum, blob)
        case .names: return .photoNamed(photoAlbum, blob, name: "Name \(number).jpg", replaces: [])
        case .facts:
            let facts = PhotoFacts(
                readerVersion: UInt32(1 + number % 7), kind: .photo, camera: Camera(make: "Maker \(number)"))
            return .photoRead(photoAlbum, blob, facts)
        case .adds: return .photoAdded(Self.addition(photoAlbum, blob, name: "Add \(number).jpg"))
        case .replacements:
            let other = PhotoKey(album: album, blob: BlobID(number: number))
            // Every other one back: circles, and one photo that all lead to.
            return number.isMultiple(of: 2) ? .photoReplaced(other, by: target) : .photoReplaced(target, by: other)
        case .albumsOfOneName:
            return .albumNamed(AlbumID(number: number), name: "Dinner", replaces: [])
        case .namesOfOneAlbum: return .albumNamed(album, name: "Name \(number)", replaces: [])
        case .covers: return .coverChosen(album, BlobID(number: number), replaces: [])
        case .clocks:
            let camera = CameraKey(contributor: device.id, make: "Maker", model: "Model", serial: "\(number % 64)")
            return .cameraClockSet(album, camera, seconds: Int64(number), replaces: [])
        case .deviceNames: return .deviceNamed("Device \(number)")
        case .gatheringNames: return .gatheringNamed("Gathering \(number)", replaces: [])
        case .comments, .guestAdds, .guestFavours, .guestNames, .guestRevocations, .guestEpochs, .guestDoors:
            return changeOfGuests(number, target)
        case .photosOfNobody:
            return .photoAdded(Self.addition(album, BlobID(number: number), name: "Nobody \(number).jpg"))
        case .unknownKinds: return .unknown(kind: UInt32(1000 + number % 100), payload: [1, 2, 3, 4])
        case .dotsOfCaptions, .dotsOfComments, .removalsOfNothing: preconditionFailure("they are made elsewhere")
        }
    }

    /// Each by, or of, another guest.
    private func changeOfGuests(_ number: Int, _ target: PhotoKey) -> Change {
        let guest = GuestID(number: number)
        switch self {
        case .comments: return .photoCommented(target.album, target.blob, "Comment \(number)", guest: guest)
        case .guestAdds:
            var addition = Self.addition(target.album, target.blob, name: "Guest \(number).jpg")
            addition.guest = guest
            return .photoAdded(addition)
        case .guestFavours: return .photoFavoured(target.album, target.blob, guest: guest)
        case .guestNames: return .guestNamed(guest, name: "Guest \(number)")
        case .guestRevocations: return .guestRevoked(guest)
        case .guestEpochs: return .guestEpochRaised(UInt64(1 + number))
        case .guestDoors: return .guestDoorMoved(port: UInt16(truncatingIfNeeded: number))
        default: preconditionFailure("not of guests")
        }
    }

    static func addition(
        _ album: AlbumID, _ blob: BlobID, name: String, byteCount: UInt64 = 20_000, mediaType: String = "image/jpeg"
    ) -> PhotoAddition {
        PhotoAddition(
            album: album, blob: blob, byteCount: byteCount, pieceListHash: nil, name: name, mediaType: mediaType,
            modified: 1_600_000_000_000_000_000)
    }

    // MARK: By hand

    /// As many dots as one change may name.
    private static func dots(field: UInt64) -> [UInt8] {
        let replica = randomBytes(ReplicaID.byteCount)
        return (1...CatalogLimits.dotCountMax).reduce(into: []) { bytes, number in
            let dot = Proto.bytes(1, replica) + Proto.number(2, UInt64(number)) + Proto.fixed(3, 7)
            bytes += Proto.bytes(field, dot)
        }
    }

    private static func captionWithDots(_ target: PhotoKey) -> Change {
        let photo = Proto.bytes(1, target.album.bytes) + Proto.bytes(2, target.blob.bytes)
        return .unknown(kind: 8, payload: photo + Proto.bytes(3, Array("Caption".utf8)) + dots(field: 4))
    }

    private static func withdrawalWithDots(_ target: PhotoKey) -> Change {
        let photo = Proto.bytes(1, target.album.bytes) + Proto.bytes(2, target.blob.bytes)
        return .unknown(kind: 17, payload: photo + dots(field: 3))
    }

    private static func removalWithDots(_ target: PhotoKey) -> Change {
        let photo = Proto.bytes(1, target.album.bytes) + Proto.bytes(2, target.blob.bytes)
        return .unknown(kind: 3, payload: photo + dots(field: 3))
    }
}

extension ByteIdentifier {
    /// Another one for each number, which nobody else has.
    init(number: Int) {
        let bytes = BigEndian.bytes(UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
        self.init(bytes: Array([bytes, bytes, bytes, bytes].joined().prefix(Self.byteCount)))!
    }
}
