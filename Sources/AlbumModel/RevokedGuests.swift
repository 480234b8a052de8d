/// The guests who may no longer do anything.
///
/// A revocation is for good, so none makes room for another one. Of more guests than are kept everybody is revoked: guests
/// who were never revoked are sent away then, and none who was comes back. It follows from the set of revocations, in
/// whatever order they arrive.
public struct RevokedGuests: Hashable, Sendable {
    /// Empty once everybody is revoked; at most ``CatalogLimits/revokedGuestCountMax``.
    public private(set) var guests: Set<GuestID>
    /// Whether more guests were revoked than are kept.
    public private(set) var isEverybody = false

    public static let everybody = {
        var revoked = RevokedGuests()
        revoked.revokeEverybody()
        return revoked
    }()

    public init() {
        guests = []
    }

    public func contains(_ guest: GuestID) -> Bool { isEverybody || guests.contains(guest) }

    public mutating func insert(_ guest: GuestID) {
        guard !isEverybody, guests.insert(guest).inserted else { return }
        if guests.count > CatalogLimits.revokedGuestCountMax { revokeEverybody() }
    }

    private mutating func revokeEverybody() {
        isEverybody = true
        guests = []
    }
}

extension RevokedGuests: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: GuestID...) {
        self.init()
        for guest in elements { insert(guest) }
    }
}
