import AlbumModel
import HTTPTypes
import Hummingbird
import NIOCore
import PotluckAPI
import Synchronization
import WebGallery

/// Who is there, coming in, going on at another laptop.
struct SessionRoutes: Sendable {
    let gallery: Gallery

    private var entrance: Entrance { gallery.entrance }

    var all: [WebRoute] { [alive, join, signIn, signOut, me, link, laptops, ticket] }

    /// A request that lets somebody in has a token, a name and little more.
    static let bodyByteCountMax = 16 << 10

    // MARK: Nobody yet

    private struct Alive: Codable {
        var gathering: String
        var laptop: String
        var device: String
        /// Whether the door for guests is open.
        var guests: Bool
    }

    private var alive: WebRoute {
        WebRoute(
            Resource(
                .get, "/alive", may: .anyone, .forEverybody, answers: Self.answers(Alive.self, "Here."),
                "Tells pages of other laptops that this one is here.")
        ) { request in
            let setting = await gallery.host.setting()
            var response = try Response.json(
                Alive(
                    gathering: setting.gathering, laptop: setting.laptop, device: gallery.host.device,
                    guests: entrance.state.withLock { $0.guestPort != nil }), to: request)
            response.headers[.accessControlAllowOrigin] = "*"
            return response
        }
    }

    private struct Credentials: Codable {
        /// Of the guests' link, or a guest's own.
        var token: String?
        var name: String?
        /// Of another laptop.
        var ticket: String?
    }

    struct Guest: Codable, Hashable {
        var id: String
        var name: String
        var link: String?
    }

    private struct Entered: Codable {
        var bearer: String
        var guest: Guest?
        /// By which the guest comes back.
        var link: String?
    }

    private var join: WebRoute {
        WebRoute(
            Resource(
                .post, "/guests", may: .anyone, .carryingCredential,
                body: .json((try? Shape.of(Credentials.self)) ?? .object([])),
                answers: Self.answers(
                    Entered.self, status: 201, "Let in; the cookie or the bearer says who asks from now on."),
                "Lets a guest in by the link's token and a name, by the guest's own token, or by another laptop's ticket."
            )
        ) { request in
            let credentials: Credentials = try await request.json(byteCountMax: Self.bodyByteCountMax)
            let arrival =
                if let ticket = credentials.ticket {
                    try await entrance.join(ticket: ticket, from: request.address)
                } else {
                    try await entrance.join(
                        token: credentials.token ?? "", name: credentials.name, from: request.address)
                }
            return try entered(arrival, request)
        }
    }

    private struct Code: Codable {
        var code: String
    }

    private var signIn: WebRoute {
        WebRoute(
            Resource(
                .post, "/session", may: .anyone, .carryingCredential,
                body: .json((try? Shape.of(Code.self)) ?? .object([])),
                answers: Self.answers(Entered.self, status: 201, "Let in."),
                "Lets the owner's browser in by a one-time code.")
        ) { request in
            let code: Code = try await request.json(byteCountMax: Self.bodyByteCountMax)
            guard let door = entrance.name(of: request.door) else { throw WebFailure.unknownVisitor }
            return try entered(try await entrance.redeem(code.code, at: door), request)
        }
    }

    private func entered(_ arrival: Entrance.Arrival, _ request: WebRequest) throws -> Response {
        let link = arrival.guest.map { entrance.personalLink(of: $0.id, at: request.origin) }
        var response = try Response.json(
            Entered(
                bearer: arrival.bearer.text, guest: arrival.guest.map { Guest(id: $0.id.hex, name: $0.name) },
                link: link), status: .created, to: request)
        response.headers[.setCookie] = entrance.cookie.setting(arrival.bearer)
        gallery.tell(.guests)
        return response
    }

    private var signOut: WebRoute {
        WebRoute(
            Resource(.delete, "/session", may: .see, answers: [.init(204, .none, "Signed out.")], "Signs out.")
        ) { request in
            try await entrance.leave(request.request.head)
            return Response(status: .noContent, headers: [.setCookie: entrance.cookie.removal])
        }
    }

    // MARK: Somebody

    private struct Me: Codable {
        enum Kind: String, Codable, CaseIterable { case guest, owner }
        enum Ability: String, Codable, CaseIterable { case see, add, talk, take, make, owner, manage }

        var kind: Kind
        @ExplicitNull var guest: Guest?
        var may: [Ability]
        var laptop: String
        var gathering: String
        var fileBytesMax: UInt64

        enum CodingKeys: String, CodingKey {
            case kind, guest, may, laptop, gathering
            case fileBytesMax = "file_bytes_max"
        }
    }

    private var me: WebRoute {
        WebRoute(
            Resource(.get, "/me", may: .see, answers: Self.answers(Me.self, "You."), "Tells a page who looks at it.")
        ) { request in
            guard let visitor = request.visitor else { throw WebFailure.unknownVisitor }
            let setting = await gallery.host.setting()
            let guest = entrance.knownGuest(visitor)
            let may: [Me.Ability] = [
                visitor.rights.contains(.see) ? .see : nil, visitor.rights.contains(.add) ? .add : nil,
                visitor.rights.contains(.talk) ? .talk : nil, visitor.rights.contains(.take) ? .take : nil,
                visitor.mayMakeAlbums ? .make : nil, visitor.rights.contains(.watch) ? .owner : nil,
                visitor.rights.contains(.manage) ? .manage : nil,
            ].compactMap(\.self)
            return try .json(
                Me(
                    kind: guest == nil ? .owner : .guest,
                    guest: ExplicitNull(
                        wrappedValue: guest.map {
                            Guest(
                                id: $0.id.hex, name: $0.name,
                                link: entrance.personalLink(of: $0.id, at: request.origin))
                        }), may: may, laptop: setting.laptop, gathering: setting.gathering,
                    fileBytesMax: UploadLimits().fileByteCountMax), to: request)
        }
    }

    private struct LinkAnswer: Codable {
        /// `null` while the door is closed.
        @ExplicitNull var link: String?
    }

    private var link: WebRoute {
        WebRoute(
            Resource(
                .get, "/link", may: .see, answers: Self.answers(LinkAnswer.self, "As the wall shows it."),
                "Gives the link by which guests come in.")
        ) { request in
            let link = await entrance.linkAddresses()?.first
            return try .json(LinkAnswer(link: ExplicitNull(wrappedValue: link)), to: request)
        }
    }

    private struct Laptops: Codable {
        struct Laptop: Codable {
            var device: String
            var name: String
            /// The first of `origins`.
            var origin: String
            /// Where it may be reached, the best first.
            var origins: [String]
            var here: Bool

            init?(device: String, name: String, origins: [String], here: Bool) {
                guard let origin = origins.first else { return nil }
                (self.device, self.name, self.origin, self.origins, self.here) = (device, name, origin, origins, here)
            }
        }

        var laptops: [Laptop]
    }

    private var laptops: WebRoute {
        WebRoute(
            Resource(
                .get, "/laptops", may: .see, answers: Self.answers(Laptops.self, "This one first."),
                "Lists the laptops whose doors for guests are open.")
        ) { request in
            let own = Laptops.Laptop(
                device: gallery.host.device, name: await gallery.host.setting().laptop,
                origins: [request.origin], here: true)
            let others = await gallery.host.laptops().filter { $0.device != gallery.host.device }.map {
                Laptops.Laptop(device: $0.device, name: $0.name, origins: $0.origins, here: false)
            }
            return try .json(Laptops(laptops: ([own] + others).compactMap(\.self)), to: request)
        }
    }

    private struct TicketAnswer: Codable {
        var ticket: String
    }

    private var ticket: WebRoute {
        WebRoute(
            Resource(
                .get, "/ticket", may: .see, answers: Self.answers(TicketAnswer.self, "For another laptop."),
                "Gives a guest a ticket for another laptop.")
        ) { request in
            guard let visitor = request.visitor, let ticket = try await entrance.ticket(of: visitor) else {
                throw Problem(.notFound, "not_found", "Only guests have tickets.")
            }
            return try .json(TicketAnswer(ticket: ticket), to: request)
        }
    }

    private static func answers<Value: Codable>(
        _ type: Value.Type, status: Int = 200, _ meaning: String
    ) -> [Resource.Answer] {
        [.init(status, .json((try? Shape.of(type)) ?? .object([])), meaning)]
    }
}

extension WebRequest {
    /// Of whoever asks.
    var address: String { channel.remoteAddress?.ipAddress ?? "" }
}
