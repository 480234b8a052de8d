/// The doors for browsers, as the owner keeps them.
public protocol DoorKeeping: Sendable {
    /// Opens this laptop's door for guests, and makes the link if there is none; what the order leaves out stays as it was.
    func openGuestDoor(_ order: GuestDoorOrder) async throws -> GuestLinkReport
    /// - Parameter everywhere: Whether the doors of all laptops close, and all guests are signed out.
    func closeGuestDoor(everywhere: Bool) async throws
    func guests() async throws -> GuestsReport
    /// Ends a guest's sessions everywhere, and renews the link.
    ///
    /// - Parameter guest: An ID or its beginning, of four digits at least, or a name; one guest alone may fit it.
    func revoke(guest: String) async throws -> GuestsReport
    /// Lets photos of guests show on the wall.
    func approve(album: String, photos: [String]) async throws -> GuestsReport
    /// A link that signs the owner's browser in, once.
    func ownerLink() async throws -> OwnerLinkReport
    /// Whether nobody has come in by a link's code, and somebody still may.
    func ownerLinkWaits(code: String) async -> Bool
    /// A link that signs the owner's phone in at the guests' door, for twelve hours.
    func ownerPass() async throws -> OwnerLinkReport
    /// The phones that are signed in as the owner's.
    func phones() async throws -> PhonesReport
    /// Signs one of them out: its pages and downloads end, too.
    ///
    /// - Parameter phone: An ID, or the beginning of one that no other phone's ID has.
    func endPhone(_ phone: String) async throws -> PhonesReport
}

public struct GuestDoorOrder: APIRequest {
    /// Names or IDs; `nil` leaves it as it is, an empty list means all.
    public var albums: [String]?
    public var lookOnly: Bool?
    public var approve: Bool?
    /// Whether guests learn nothing of where photos were taken; `nil` leaves it as it is.
    public var hidesPlaces: Bool?
    /// When the link ends; `nil` leaves it as it is.
    public var until: Instant?
    /// Whether the link ends never, whatever it said before.
    public var forever: Bool?
    /// Whether a new link takes the place of the one there is; guests who are in stay in.
    public var renew: Bool?

    public init(
        albums: [String]? = nil, lookOnly: Bool? = nil, approve: Bool? = nil, hidesPlaces: Bool? = nil,
        until: Instant? = nil, forever: Bool? = nil, renew: Bool? = nil
    ) {
        self.albums = albums
        self.lookOnly = lookOnly
        self.approve = approve
        self.hidesPlaces = hidesPlaces
        self.until = until
        self.forever = forever
        self.renew = renew
    }

    public func answer(by agent: any AgentAPI) async throws -> GuestLinkReport {
        try await agent.doors.openGuestDoor(self)
    }

    private enum CodingKeys: String, CodingKey {
        case albums, approve, until, forever, renew
        case lookOnly = "look_only"
        case hidesPlaces = "hide_places"
    }
}

public struct GuestDoorEnd: APIRequest {
    public var everywhere: Bool?

    public init(everywhere: Bool? = nil) { self.everywhere = everywhere }

    public func answer(by agent: any AgentAPI) async throws -> Done {
        try await agent.doors.closeGuestDoor(everywhere: everywhere ?? false)
        return Done()
    }
}

public struct GuestsRequest: APIRequest {
    public init() {}

    public func answer(by agent: any AgentAPI) async throws -> GuestsReport { try await agent.doors.guests() }
}

public struct RevokeRequest: APIRequest {
    /// An ID or its beginning, of four digits at least, or a name; one guest alone may fit it.
    public var guest: String

    public init(guest: String) { self.guest = guest }

    public func answer(by agent: any AgentAPI) async throws -> GuestsReport {
        try await agent.doors.revoke(guest: guest)
    }
}

public struct ApproveRequest: APIRequest {
    /// An ID or a name.
    public var album: String
    /// IDs.
    public var photos: [String]

    public init(album: String, photos: [String]) {
        self.album = album
        self.photos = photos
    }

    public func answer(by agent: any AgentAPI) async throws -> GuestsReport {
        try await agent.doors.approve(album: album, photos: photos)
    }
}

public struct OwnerLinkRequest: APIRequest {
    /// Whether it is for the owner's phone, at the guests' door.
    public var phone: Bool?

    public init(phone: Bool? = nil) { self.phone = phone }

    public func answer(by agent: any AgentAPI) async throws -> OwnerLinkReport {
        phone ?? false ? try await agent.doors.ownerPass() : try await agent.doors.ownerLink()
    }
}

/// Asks whether the owner's browser has come.
public struct OwnerLinkStateRequest: APIRequest {
    /// Of a link: what follows its `#`.
    public var code: String

    public init(code: String) { self.code = code }

    public func answer(by agent: any AgentAPI) async throws -> OwnerLinkState {
        OwnerLinkState(waits: await agent.doors.ownerLinkWaits(code: code))
    }
}

public struct PhonesRequest: APIRequest {
    public init() {}

    public func answer(by agent: any AgentAPI) async throws -> PhonesReport { try await agent.doors.phones() }
}

public struct PhoneEnd: APIRequest {
    /// An ID, or the beginning of one that no other phone's ID has.
    public var phone: String

    public init(phone: String) { self.phone = phone }

    public func answer(by agent: any AgentAPI) async throws -> PhonesReport {
        try await agent.doors.endPhone(phone)
    }
}
