/// Where everything below stands.
public enum APIPath {
    public static let root = "/api/v1"
}

/// The agent's API, version 1.
public enum AgentRoutes {
    public static let all: [Route] = listings + changes + guests + others

    /// Those that the server answers in ways of their own.
    private static let others = [
        Route(.get, "/events", for: EventsRequest.self, may: .see, answering: .events, "What happens, as it happens."),
        Route(.post, "/down", for: DownRequest.self, may: .govern, answering: .down, "Ends the agent."),
        Route(
            .get, "/openapi.json", for: DescriptionRequest.self, may: .anyone, answering: .description,
            "This description."),
    ]

    private static let listings = [
        Route(.get, "/albums", for: AlbumsRequest.self, may: .see, "Lists the albums."),
        Route(
            .get, "/albums/{album}/photos", "/photos", for: PhotoQuery.self, may: .see,
            "Lists photos of one album, or of all that fit."),
        Route(.get, "/tags", for: TagsRequest.self, may: .see, "Lists tags, the most used first."),
        Route(.get, "/cover", for: CoverRequest.self, may: .see, "Names an album's chosen cover."),
        Route(.get, "/clocks", for: ClocksRequest.self, may: .manage, "Compares the clocks of an album's cameras."),
        Route(.get, "/peers", for: PeersRequest.self, may: .watch, "Lists the other laptops."),
        Route(
            .get, "/hosts", for: HostsRequest.self, may: .watch, "Lists the laptops whose people decide who takes part."
        ),
        Route(.get, "/status", for: StatusRequest.self, may: .watch, "Reports what is missing and what is wrong."),
        Route(.get, "/held", for: HeldRequest.self, may: .watch, "Lists files that wait for a decision."),
        Route(.get, "/invite", for: InviteRequest.self, may: .manage, "Gives the invite phrase."),
        Route(.get, "/trash", for: TrashRequest.self, may: .manage, "Lists this laptop's trash."),
        Route(.get, "/hidden", for: HiddenRequest.self, may: .manage, "Lists photos that are hidden here."),
        Route(
            .get, "/left-out", for: LeftOutRequest.self, may: .manage,
            "Lists what laptops added after they were put out."),
        Route(.get, "/originals", for: OriginalsRequest.self, may: .manage, "Lists which originals are pulled."),
        Route(.get, "/transfers", for: TransfersRequest.self, may: .watch, "Gives pause and limits of transfers."),
        Route(.get, "/leave-check", for: LeaveCheckRequest.self, may: .watch, "Reports whether this laptop may leave."),
        Route(.get, "/pack-plan", for: PackPlanRequest.self, may: .govern, "Lists what a pack is to hold."),
    ]

    private static let changes = [
        Route(.post, "/add", forLong: AddRequest.self, may: .govern, "Adds files of this laptop to an album."),
        Route(.post, "/unpack", forLong: UnpackRequest.self, may: .govern, "Takes in the pack in a directory."),
        Route(.post, "/verify", forLong: VerifyOrder.self, may: .manage, "Reads and compares all that is kept here."),
        Route(.post, "/edit", for: PhotoEdit.self, may: .manage, "Gives words to photos, or takes them away."),
        Route(.post, "/cover", for: SetCoverRequest.self, may: .manage, "Chooses an album's cover."),
        Route(.post, "/clocks", for: ClockEdit.self, may: .manage, "Sets the clocks of cameras right."),
        Route(.post, "/originals", for: SetOriginalsRequest.self, may: .manage, "Chooses which originals are pulled."),
        Route(.post, "/fetch", for: FetchRequest.self, may: .manage, "Fetches originals that are left out."),
        Route(.post, "/transfers", for: TransferEdit.self, may: .manage, "Pauses and limits transfers, or ends that."),
        Route(.post, "/remove", for: RemovalOrder.self, may: .manage, "Removes photos, or brings them back."),
        Route(.post, "/move", for: MoveOrder.self, may: .manage, "Moves or copies photos to another album."),
        Route(.post, "/rename", for: RenameRequest.self, may: .manage, "Gives an album another name."),
        Route(.post, "/device", for: DeviceNameRequest.self, may: .manage, "Gives this laptop another name."),
        Route(.post, "/hosts", for: AddHostRequest.self, may: .govern, "Makes another laptop a host."),
        Route(
            .post, "/phrase", for: NewPhraseRequest.self, may: .govern, mayRestartAgent: true,
            "Changes the invite phrase."),
        Route(
            .post, "/put-out/plan", for: PutOutPlanRequest.self, may: .govern,
            "Says what it means to put laptops out."),
        Route(
            .post, "/put-out", for: PutOutRequest.self, may: .govern, mayRestartAgent: true,
            "Puts laptops out, and changes the invite phrase."),
        Route(
            .post, "/let-in", for: LetInRequest.self, may: .govern, mayRestartAgent: true,
            "Lets laptops in that were put out or came too late."),
        Route(
            .post, "/join", for: JoinAgainRequest.self, may: .govern, mayRestartAgent: true,
            "Takes the gathering's new invite phrase."),
        Route(.post, "/trash", for: TrashOrder.self, may: .manage, "Deletes photos from the trash."),
        Route(.post, "/decide", for: DecideRequest.self, may: .watch, "Confirms or undoes what waits."),
    ]

    /// Guests choose their names, so these stand in bodies: in a path, “link” would be taken for another route.
    private static let guests = [
        Route(.get, "/guests", for: GuestsRequest.self, may: .watch, "Lists guests, and the link that lets them in."),
        Route(.post, "/guests/link", for: GuestDoorOrder.self, may: .manage, "Opens this laptop's door for guests."),
        Route(.delete, "/guests/link", for: GuestDoorEnd.self, may: .manage, "Closes this laptop's door for guests."),
        Route(
            .post, "/guests/approve", for: ApproveRequest.self, may: .watch, "Lets photos of guests show on the wall."),
        Route(.post, "/guests/revoke", for: RevokeRequest.self, may: .manage, "Ends what a guest may."),
        Route(.post, "/owner-link", for: OwnerLinkRequest.self, may: .govern, "Makes a link for the owner's browser."),
        Route(
            .post, "/owner-link/state", for: OwnerLinkStateRequest.self, may: .govern,
            "Says whether the owner's browser has come."),
        Route(.get, "/phones", for: PhonesRequest.self, may: .manage, "Lists the phones that have an owner's pass."),
        Route(.delete, "/phones/{phone}", for: PhoneEnd.self, may: .manage, "Ends the owner's pass of a phone."),
    ]

    private static let byRequest = Dictionary(uniqueKeysWithValues: all.map { ($0.requestType, $0) })

    /// The route that carries requests of a type.
    public static func route<Request: APIRequest>(for type: Request.Type) -> Route {
        guard let route = byRequest[ObjectIdentifier(type)] else { preconditionFailure("\(type) has no route") }
        return route
    }
}

/// Follows what happens; the server answers it itself, so it has no answer of its own.
public struct EventsRequest: APIRequest {
    public init() {}

    /// What one event carries.
    public func answer(by agent: any AgentAPI) async throws -> EventRecord {
        for await event in agent.events() { return event }
        throw CancellationError()
    }
}

/// Asks for the API's own description.
public struct DescriptionRequest: APIRequest {
    public init() {}

    public func answer(by agent: any AgentAPI) async throws -> Done { Done() }
}
