import AlbumModel
import HTTPTypes
import Hummingbird
import PotluckAPI
import WebGallery

/// Pictures and films of the photos that a visitor sees.
struct PictureRoutes: Sendable {
    let gallery: Gallery

    var all: [WebRoute] { [thumbnail, preview, original, video] }

    // MARK: Routes

    private var thumbnail: WebRoute {
        WebRoute(
            Self.resource(
                "/photos/{photo}/thumbnail", may: .see, type: "image/jpeg", [.init("v")],
                "The small picture of a photo; with `v`, the beginning of its ID, for good.")
        ) { request in
            let file = try await picture(.thumbnail, for: request)
            let isNamed = try request.query("v").map { $0 == file.entityTag.shortName } ?? false
            return try PictureAnswering(file, request).response(
                caching: isNamed ? "private, max-age=31536000, immutable" : Self.asking)
        }
    }

    private var preview: WebRoute {
        WebRoute(
            Self.resource(
                "/photos/{photo}/preview", may: .see, type: "image/jpeg", [.init("wait", .enumeration(["0", "1"]))],
                "A picture of a photo for screens; with `wait`, for pages that cannot ask again.")
        ) { request in
            let patience = try Self.flag("wait", of: request) ? Self.patience : .zero
            let file = try await picture(.preview, for: request, patience: patience)
            return try PictureAnswering(file, request).response(caching: Self.asking)
        }
    }

    private var original: WebRoute {
        WebRoute(
            Self.resource(
                "/photos/{photo}/original", may: .take, type: "*/*", [.init("download", .enumeration(["0", "1"]))],
                "The file as it was added, or for guests from whom places are kept a copy without; with `download`, to be saved."
            )
        ) { request in
            let isDownload = try Self.flag("download", of: request)
            let file = try await original(request)
            return try PictureAnswering(file, request).response(
                caching: Self.asking, saving: isDownload ? .attachment : .inline)
        }
    }

    private var video: WebRoute {
        WebRoute(
            Self.resource(
                "/photos/{photo}/video", may: .see, type: "video/*", [.init("h264", .enumeration(["0", "1"]))],
                "A film as it was added, or with `h264` as every browser plays it.")
        ) { request in
            let isPlayable = try Self.flag("h264", of: request)
            let file =
                isPlayable
                ? try await picture(.playable, for: request)
                : try await original(request)
            // Originals of photos are for those who may take them.
            guard file.mediaType.lowercased().hasPrefix("video/") else { throw Self.noVideo }
            return try PictureAnswering(file, request).response(caching: Self.asking)
        }
    }

    /// Browsers keep it, and ask each time whether they may still show it.
    private static let asking = "private, no-cache"
    private static let noVideo = Problem(.notFound, "no_video", "This is no film.")

    private static func resource(
        _ pattern: PathPattern, may right: Right, type: String, _ parameters: [Resource.Parameter], _ summary: String
    ) -> Resource {
        Resource(
            .get, pattern, may: right,
            parameters: parameters + [
                .init("Range", in: .header), .init("If-Range", in: .header), .init("If-None-Match", in: .header),
            ],
            answers: [
                .init(200, .bytes(type: type), "All of it."), .init(206, .bytes(type: type), "The range."),
                .init(304, .none, "The browser has it already."),
            ], summary)
    }

    private static func flag(_ name: String, of request: WebRequest) throws -> Bool {
        switch try request.query(name) {
        case nil, "0": false
        case "1": true
        case _?: throw Problem.wrongQuery(name)
        }
    }

    // MARK: Pictures

    /// The file that a photo is for whoever asks. A browser that saves a file shows what it is answered instead, so that a
    /// copy that is made meanwhile is waited for.
    private func original(_ request: WebRequest) async throws -> PictureFile {
        guard let visitor = request.visitor else { throw WebFailure.unknownVisitor }
        let kind = visitor.originalKind
        return try await picture(kind, for: request, patience: kind.isDerived ? Self.patience : .zero)
    }

    /// How long a plain page waits for a picture that is being made or fetched, and how often it is looked at.
    private static let patience = Duration.seconds(10)
    private static let lookInterval = Duration.milliseconds(200)

    /// The picture of the photo that an address names.
    ///
    /// - Parameter patience: How long what is on its way is waited for.
    /// - Throws: ``Problem`` with 503 for what is on its way, with 404 for what there is not, with 429 for too many that
    ///   have to be made.
    private func picture(
        _ kind: PictureKind, for request: WebRequest, patience: Duration = .zero
    ) async throws -> PictureFile {
        guard let visitor = request.visitor, let photo = BlobID(hex: request.parameters["photo"] ?? "") else {
            throw Problem.noPhoto
        }
        if kind.isDerived { try gallery.reads.take(.picture, by: visitor.guest) }
        let end = ContinuousClock.now + patience
        var answer = try await gallery.host.picture(kind, of: photo, in: visitor.albums)
        while case .later = answer, ContinuousClock.now < end {
            try await Task.sleep(for: Self.lookInterval)
            answer = try await gallery.host.picture(kind, of: photo, in: visitor.albums)
        }
        switch answer {
        case .here(let file): return file
        case .later(let seconds, let progress):
            var problem = Problem(
                .serviceUnavailable, kind.isDerived ? "preparing" : "fetching", kind.waiting,
                retryAfter: max(1, seconds))
            problem.progress = progress.map { min(1, max(0, $0)) }
            throw problem
        case .none(let reason): throw Problem(.notFound, kind.absence, reason)
        case .unseen: throw Problem.noPhoto
        }
    }
}

extension PictureKind {
    /// Whether it is made of an original here.
    var isDerived: Bool {
        switch self {
        case .preview, .placeless, .playable: true
        case .thumbnail, .original: false
        }
    }

    fileprivate var absence: String {
        switch self {
        case .thumbnail: "no_thumbnail"
        case .preview: "no_preview"
        case .original, .placeless: "no_original"
        case .playable: "no_video"
        }
    }

    fileprivate var waiting: String {
        switch self {
        case .thumbnail, .original: "It is being fetched from another laptop; it shows as soon as it is here."
        case .preview: "The picture is being prepared; it shows in a moment."
        case .placeless: "The file is being prepared without its place; try again in a moment."
        case .playable: "The film is being prepared for this browser; it plays as soon as that is done."
        }
    }
}

extension EntityTag {
    /// The first 16 characters of the base64url of what it names, as pages have them for thumbnails.
    fileprivate var shortName: String {
        BlobID(hex: opaque).map { String(Base64URL.text($0.bytes).prefix(16)) } ?? String(opaque.prefix(16))
    }
}
