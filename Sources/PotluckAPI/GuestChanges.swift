public import AlbumModel

/// What the doors for browsers have the agent say for guests and for the laptop's owner.
///
/// `album` and `photo` are named as ``AlbumLookup`` and ``PhotoLookup`` read them; `guest` is `nil` for the owner. A
/// `name` is told to the gathering with the first thing that a guest says, and when it is another one. Every call throws a
/// ``PotluckError`` for what a person has to know, and for a guest who was revoked.
public protocol GuestChanges: Sendable {
    func like(album: String, photo: String, guest: GuestID?, name: String?, on: Bool) async throws
    /// - Returns: the comment as it is listed then.
    func comment(
        album: String, photo: String, text: String, guest: GuestID?, name: String?
    ) async throws -> PhotosReport.Comment
    /// Takes a comment away: a guest's own, at whosever door it was written, or for the owner any that was written here.
    ///
    /// - Parameter comment: its ``PhotosReport/Comment/id``.
    func uncomment(album: String, photo: String, comment: String, guest: GuestID?) async throws
    /// Replaces the caption, which counts as the laptop's; an empty one leaves none. A guest replaces none of a photo that
    /// others added: whose words they are is not known.
    ///
    /// - Throws: ``GuestRefusal``, too.
    func caption(album: String, photo: String, text: String, guest: GuestID?, name: String?) async throws
    /// Gives and takes tags, which count as the laptop's. A guest takes none from a photo that others added.
    ///
    /// - Throws: ``GuestRefusal``, too.
    func tag(album: String, photo: String, add: [String], remove: [String], guest: GuestID?, name: String?) async throws
    /// Takes back what this laptop added for a guest, with all that belongs to the photo.
    func withdraw(album: String, photo: String, guest: GuestID) async throws
    /// Ends what a guest may do, at all doors.
    func revoke(guest: GuestID) async throws
    /// Ends all links: those of the next epoch open doors.
    func raiseGuestEpoch() async throws
    func guests() async -> KnownGuests
}

/// What a guest may not do with words that may be those of others.
public enum GuestRefusal: Error, Hashable, Sendable {
    case captionOfOthers
    case tagsOfOthers

    /// What happened, and what to do.
    public var message: String {
        switch self {
        case .captionOfOthers:
            "This photo has a caption already, and others added the photo. Write a comment, or ask the laptop's owner to change it."
        case .tagsOfOthers:
            "Others added this photo, so its tags stay. You can add tags, or ask the laptop's owner to take some away."
        }
    }
}

/// What the gathering knows of guests.
public struct KnownGuests: Hashable, Sendable {
    public var names: [GuestID: String]
    public var revoked: RevokedGuests
    /// What links to open doors have to be of.
    public var epoch: UInt64

    public init(names: [GuestID: String], revoked: RevokedGuests, epoch: UInt64) {
        self.names = names
        self.revoked = revoked
        self.epoch = epoch
    }
}

/// What a guest's name may be.
public enum GuestNameLimits {
    public static let letterCountMax = 60
}
