import AlbumModel
import HTTPTypes
import Hummingbird
import PotluckAPI
import WebGallery

/// What people say about photos, and taking back what one added.
struct TalkRoutes: Sendable {
    let gallery: Gallery
    let agent: any AgentAPI
    private let desk: TalkDesk

    init(gallery: Gallery, agent: any AgentAPI) {
        self.gallery = gallery
        self.agent = agent
        desk = TalkDesk(clock: gallery.clock, work: gallery.uploads.work)
    }

    var all: [WebRoute] {
        [
            favourite(.put, true, "Marks a photo as a favourite."),
            favourite(.delete, false, "Takes such a mark away."), caption, tags, comment, uncomment, removal,
        ]
    }

    /// Bytes of a comment: some 300 words.
    private static let commentByteCountMax = 2000
    /// Tags that one change adds or takes away.
    private static let tagCountMax = 32
    private static let done = [Resource.Answer(204)]

    private func guest(_ request: WebRequest) -> KnownGuest? { gallery.entrance.knownGuest(request.visitor) }

    private static func tooLong(_ message: String) -> Problem { Problem(.contentTooLarge, "too_long", message) }

    // MARK: Likes and words

    private func favourite(_ method: Resource.Method, _ isOn: Bool, _ summary: String) -> WebRoute {
        WebRoute(
            Resource(
                method, "/albums/{album}/photos/{photo}/favourite", may: .talk, answers: Self.done, summary)
        ) { request in
            let (photo, guest) = (try await gallery.photoKey(request), guest(request))
            try desk.take(.like, by: guest?.id)
            let host = gallery.host
            try await desk.toggle(photo, isOn, by: guest?.id) { try await host.like(photo, isOn, by: guest) }
            return Response(status: .noContent)
        }
    }

    private struct Words: Codable {
        var text: String
    }

    private var caption: WebRoute {
        WebRoute(
            Resource(
                .put, "/albums/{album}/photos/{photo}/caption", may: .talk, body: .json(Self.shape(of: Words.self)),
                answers: Self.done,
                "Replaces a photo's caption, a guest only on own photos or where there is none; an empty one leaves none."
            )
        ) { request in
            let photo = try await gallery.photoKey(request)
            let words: Words = try await request.json()
            guard words.text.utf8.count <= CatalogLimits.captionByteCountMax else {
                throw Self.tooLong("This caption is too long; \(CatalogLimits.captionByteCountMax) letters fit.")
            }
            let guest = guest(request)
            try desk.take(.write, by: guest?.id)
            try await gallery.host.caption(photo, words.text, by: guest)
            return Response(status: .noContent)
        }
    }

    private struct Tags: Codable {
        var add: [String]?
        var remove: [String]?
    }

    private var tags: WebRoute {
        WebRoute(
            Resource(
                .put, "/albums/{album}/photos/{photo}/tags", may: .talk, body: .json(Self.shape(of: Tags.self)),
                answers: Self.done, "Adds tags to a photo, and takes others away, a guest only from own photos.")
        ) { request in
            let photo = try await gallery.photoKey(request)
            let tags: Tags = try await request.json()
            let (added, removed) = (tags.add ?? [], tags.remove ?? [])
            guard added.count <= Self.tagCountMax, removed.count <= Self.tagCountMax else {
                throw Self.tooLong("These are too many tags; \(Self.tagCountMax) go at once.")
            }
            for tag in added + removed where TagName.tidy(tag).isEmpty {
                throw Problem(.badRequest, "usage", "“\(tag)” is no tag; give it letters.")
            }
            for tag in added + removed where TagName.tidy(tag).utf8.count > CatalogLimits.tagByteCountMax {
                throw Self.tooLong("A tag has at most \(CatalogLimits.tagByteCountMax) letters.")
            }
            let guest = guest(request)
            guard !added.isEmpty || !removed.isEmpty else { return Response(status: .noContent) }
            try desk.take(.write, by: guest?.id)
            try await gallery.host.tag(photo, adding: added, removing: removed, by: guest)
            return Response(status: .noContent)
        }
    }

    // MARK: Comments

    /// A comment, as pages show it.
    private struct Comment: Codable {
        var id: String
        var by: String
        var text: String
        var at: Instant
        var mine: Bool
    }

    private var comment: WebRoute {
        WebRoute(
            Resource(
                .post, "/albums/{album}/photos/{photo}/comments", may: .talk,
                body: .json(Self.shape(of: Words.self)),
                answers: [Resource.Answer(201, .json(Self.shape(of: Comment.self)), "The comment.")],
                "Writes something under a photo.")
        ) { request in
            let photo = try await gallery.photoKey(request)
            let words: Words = try await request.json()
            guard words.text.contains(where: { !$0.isWhitespace }) else {
                throw Problem(.badRequest, "usage", "There is nothing in this comment; write some words.")
            }
            guard words.text.utf8.count <= Self.commentByteCountMax else {
                throw Self.tooLong("This comment is too long; \(Self.commentByteCountMax) letters fit.")
            }
            let guest = guest(request)
            try desk.take(.comment, by: guest?.id)
            let report = try await gallery.host.comment(photo, words.text, by: guest)
            let comment = Comment(id: report.id, by: report.by, text: report.text, at: report.at, mine: true)
            return .document(try JSONDocument(comment), status: .created, request.limits)
        }
    }

    private var uncomment: WebRoute {
        WebRoute(
            Resource(
                .delete, "/albums/{album}/photos/{photo}/comments/{comment}", may: .talk, answers: Self.done,
                "Takes an own comment away.")
        ) { request in
            let photo = try await gallery.photoKey(request)
            let comment = try request.parameter("comment")
            let guest = guest(request)
            try desk.take(.write, by: guest?.id)
            try await gallery.host.uncomment(photo, comment, by: guest)
            return Response(status: .noContent)
        }
    }

    // MARK: Taking back

    private var removal: WebRoute {
        WebRoute(
            Resource(
                .delete, "/albums/{album}/photos/{photo}", may: .add, answers: Self.done,
                "Takes back an own photo within twelve hours; for the owner, removes one.")
        ) { request in
            let photo = try await gallery.photoKey(request)
            if let guest = guest(request) {
                try await takeBack(photo, by: guest)
            } else {
                try await remove(photo, request)
            }
            return Response(status: .noContent)
        }
    }

    private func takeBack(_ photo: PhotoKey, by guest: KnownGuest) async throws {
        let additions = gallery.uploads.additions
        switch additions.answer(photo, by: guest.id) {
        case .isUnknown:
            throw Problem(.forbidden, "not_yours", "You can take back what you added here yourself; ask the owner.")
        case .isTooLate:
            throw Problem(
                .forbidden, "too_late", "You added this more than twelve hours ago; ask the laptop's owner.")
        case .mayTakeBack: break
        }
        try desk.take(.withdraw, by: guest.id)
        try await gallery.host.withdraw(photo, by: guest.id)
        gallery.entrance.withdrawn(photo, by: guest.id)
        try await additions.forget(photo, by: guest.id)
    }

    private func remove(_ photo: PhotoKey, _ request: WebRequest) async throws {
        guard let visitor = request.visitor, visitor.rights.contains(.manage) else { throw WebFailure.forbidden }
        _ = try await agent.asSeen(by: visitor).remove(
            RemovalOrder(.remove, album: photo.album.hex, photos: [photo.blob.hex]))
    }

    /// A shape of a type of ours can be learned; tests ask for all of them.
    private static func shape<Value: Decodable>(of type: Value.Type) -> Shape {
        guard let shape = try? Shape.of(type) else { preconditionFailure("\(type) has no shape") }
        return shape
    }
}
