/// Guests, and what is written below photos.
extension Catalog {
    mutating func applyGuests(_ change: Change, _ origin: Origin, _ difference: inout CatalogDifference) {
        switch change {
        case .photoCommented(let album, let blob, let text, let guest):
            let comment = PhotoComment(
                dot: origin.dot, clock: origin.clock, person: Person(origin.author, guest: guest), text: text)
            updateWords(album, blob, origin, &difference) { $0.comments.insert(comment) }
        case .photoUncommented(let album, let blob, let comments):
            updateWords(album, blob, origin, &difference) { $0.comments.withdraw(origin.resolved(comments)) }
        case .guestNamed(let guest, let name):
            guests.name(guest, name, at: origin.time)
            difference.guests.insert(guest)
        case .guestRevoked(let guest):
            guests.revoke(guest)
            difference.guests.insert(guest)
        case .guestEpochRaised(let epoch):
            if guests.raiseEpoch(epoch) { difference.guestEpochRaised = true }
        case .guestDoorMoved(let port):
            guests.moveDoor(of: origin.author, to: port, at: origin.time)
            difference.guestDoors.insert(origin.author)
        case .albumNamed, .photoAdded, .photoRemoved, .photoNamed, .deviceNamed, .gatheringNamed, .photoRead,
            .photoCaptioned, .photoTagged, .photoUntagged, .photoFavoured, .photoUnfavoured, .coverChosen,
            .cameraClockSet, .photoReplaced, .unknown:
            break
        }
    }
}

extension Catalog.Origin {
    fileprivate var time: ChangeTime { ChangeTime(clock: clock, dot: dot) }
}

// MARK: - Questions

extension Catalog {
    /// The name that a guest gave last; `nil` until it is known.
    public func guestName(_ guest: GuestID) -> String? { guests.name(of: guest) }

    /// All of them, at most ``CatalogLimits/namedGuestCountMax``: those given last.
    public var guestNames: [GuestID: String] { guests.allNames }

    /// Whether the guest may no longer do anything, at any door.
    public func isRevoked(_ guest: GuestID) -> Bool { guests.revoked.contains(guest) }

    public var revokedGuests: RevokedGuests { guests.revoked }

    /// What links to open doors have to be of; 0 until somebody raises it.
    public var guestEpoch: UInt64 { guests.epoch }

    /// At which TCP port a device lets guests in; `nil` while it lets none in, as far as is known.
    public func guestDoor(of device: DeviceID) -> UInt16? { guests.door(of: device) }
}
