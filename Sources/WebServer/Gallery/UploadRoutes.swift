import AlbumModel
import HTTPTypes
import Hummingbird
import PotluckAPI
import WebGallery

/// Adding photos: tus 1.0 with creation, checksum, termination and expiration, and the question what is here already.
struct UploadRoutes: Sendable {
    let gallery: Gallery
    let agent: any AgentAPI
    private let newAlbums: NewAlbums

    init(gallery: Gallery, agent: any AgentAPI) {
        self.gallery = gallery
        self.agent = agent
        newAlbums = NewAlbums(clock: gallery.clock)
    }

    var all: [WebRoute] { [options, creation, known, standing, writing, termination] }

    private var desk: UploadDesk { gallery.uploads }
    private static let path = APIPath.root + "/uploads/"
    private static let version = Resource.Parameter(
        "Tus-Resumable", .enumeration([UploadBook.version]), in: .header, isRequired: true)

    // MARK: tus

    private var options: WebRoute {
        let limits = UploadLimits()
        return WebRoute(
            Resource(
                .options, "/uploads", may: .anyone, answers: [Answer(204, .none, "In the headers.")],
                "Which parts of tus 1.0 are here.")
        ) { _ in
            Response(
                status: .noContent,
                headers: [
                    .tusResumable: UploadBook.version, .tusVersion: UploadBook.version,
                    .tusExtension: UploadBook.extensions, .tusMaxSize: String(limits.fileByteCountMax),
                    .tusChecksumAlgorithm: UploadChecksum.algorithms,
                ])
        }
    }

    private var creation: WebRoute {
        tus(
            Resource(
                .post, "/uploads", may: .add,
                parameters: [
                    Self.version, .init("Upload-Length", .integer(minimum: 1), in: .header, isRequired: true),
                    .init("Upload-Metadata", in: .header, isRequired: true),
                ], answers: [Answer(201, .none, "Its address is in `Location`.")], "Begins to add a file to an album.")
        ) { request, visitor in
            var creation = UploadBook.Creation(
                length: request.header(.uploadLength), deferLength: request.header(.uploadDeferLength),
                metadata: request.header(.uploadMetadata))
            // Where it cannot be read, the desk says why.
            if let destination = try? UploadMetadata.destination(parsing: creation.metadata ?? "") {
                creation.album = try await album(destination, visitor)
            }
            let (id, upload) = try await desk.create(
                creation, holder: visitor.holder, guest: gallery.entrance.knownGuest(visitor))
            return Response(
                status: .created,
                headers: [
                    .location: Self.path + id.text, .uploadOffset: "0", .uploadExpires: expiry(of: upload),
                ])
        }
    }

    private var standing: WebRoute {
        tus(
            Resource(
                .head, "/uploads/{upload}", may: .add, parameters: [Self.version],
                answers: [Answer(200, .none, "In the headers.")], "How much of a file is here.")
        ) { request, visitor in
            let upload = try await desk.standing(of: try id(request), of: visitor.holder)
            var response = Response(status: .ok, headers: headers(of: upload))
            response.headers[.uploadLength] = String(upload.byteCount)
            return response
        }
    }

    private var writing: WebRoute {
        tus(
            Resource(
                .patch, "/uploads/{upload}", may: .add,
                parameters: [
                    Self.version, .init("Upload-Offset", .integer(minimum: 0), in: .header, isRequired: true),
                    .init("Upload-Checksum", in: .header),
                ], body: .bytes(type: "application/offset+octet-stream"),
                answers: [Answer(204, .none, "What is here now is in the headers.")], "Sends bytes of a file.")
        ) { request, visitor in
            let id = try id(request)
            guard visitor.sees(try desk.upload(id, of: visitor.holder).metadata.album) else { throw Problem.noAlbum }
            let patch = UploadBook.Patch(
                offset: request.header(.uploadOffset), mediaType: request.header(.contentType),
                length: request.header(.contentLength), checksum: request.header(.uploadChecksum))
            let upload = try await desk.write(patch, request.request.body, to: id, of: visitor.holder)
            return Response(status: .noContent, headers: headers(of: upload))
        }
    }

    private var termination: WebRoute {
        tus(
            Resource(
                .delete, "/uploads/{upload}", may: .add, parameters: [Self.version],
                answers: [Answer(204, .none, "It has ended.")], "Ends an upload that is no longer wanted.")
        ) { request, visitor in
            try await desk.terminate(try id(request), of: visitor.holder)
            return Response(status: .noContent)
        }
    }

    /// A route of tus: each request names the version, and so does each answer.
    private func tus(
        _ resource: Resource, _ answer: @escaping @Sendable (WebRequest, Visitor) async throws -> Response
    ) -> WebRoute {
        WebRoute(resource) { request in
            var response: Response
            do {
                guard request.header(.tusResumable) == UploadBook.version else { throw Self.wrongVersion }
                guard let visitor = request.visitor else { throw WebFailure.unknownVisitor }
                response = try await answer(request, visitor)
            } catch {
                response = try Problem(describing: error).response(request.limits)
            }
            response.headers[.tusResumable] = UploadBook.version
            return response
        }
    }

    private static let wrongVersion: Problem = {
        var problem = Problem(.preconditionFailed, "usage", "Uploads are sent by tus \(UploadBook.version).")
        problem.headers[.tusVersion] = UploadBook.version
        return problem
    }()

    private func id(_ request: WebRequest) throws -> UploadID {
        guard let id = UploadID(parsing: request.parameters["upload"] ?? "") else {
            throw Problem(.notFound, "not_found", "This upload has ended; add the file again.")
        }
        return id
    }

    private func headers(of upload: Upload) -> HTTPFields {
        var headers: HTTPFields = [
            .uploadOffset: String(upload.offset), .uploadExpires: expiry(of: upload), .cacheControl: "no-store",
        ]
        switch upload.outcome {
        case .here(let photo):
            headers[.potluckState] = "here"
            headers[.potluckPhoto] = photo
        case .already(let photo):
            headers[.potluckState] = "already"
            headers[.potluckPhoto] = photo
        case .refused(let reason):
            headers[.potluckState] = "refused"
            headers[.potluckReason] = PercentCoding.encoded(reason)
        case nil: break
        }
        return headers
    }

    private func expiry(of upload: Upload) -> String {
        HTTPTimestamp(secondsSince1970: Int64(desk.expiry(of: upload) / 1000)).text
    }

    /// The album of the ID where this visitor sees it, else the one that the name means: it is made with its first photo.
    private func album(_ destination: UploadMetadata.Destination, _ visitor: Visitor) async throws -> AlbumID {
        let seen = Set(try await agent.asSeen(by: visitor).albums().albums.map(\.id))
        if let album = destination.album, visitor.sees(album), seen.contains(album.hex) { return album }
        guard let name = destination.name else { throw Problem.noAlbum }
        guard visitor.mayMakeAlbums else {
            throw Problem(.forbidden, "forbidden", "This link lets you make no album; choose one that is there.")
        }
        let album = await gallery.host.album(named: name)
        if !seen.contains(album.hex) { try newAlbums.admit(album, by: visitor.guest) }
        return album
    }

    // MARK: Known files

    private struct Question: Decodable {
        struct File: Decodable {
            var sha256: String
            var filename: String?
            var lastmodified: Int64?
        }

        var album: String?
        /// Of an album that is made if there is none.
        var albumName: String?
        var files: [File]

        enum CodingKeys: String, CodingKey {
            case album, files
            case albumName = "album_name"
        }
    }

    private struct Known: Codable {
        var here: [String] = []
        var unknown: [String] = []
        /// The ID of the album that the name means, where one was asked for.
        var album: String?
    }

    private static let knownCountMax = 100

    private var known: WebRoute {
        WebRoute(
            Resource(
                .post, "/uploads/known", may: .add, body: .json(Self.shape(of: Question.self)),
                answers: [Answer(200, .json(Self.shape(of: Known.self)), "Those that are here are in the album now.")],
                "Adds files that are here already, and names those that are not.")
        ) { request in
            let question: Question = try await request.json()
            guard question.files.count <= Self.knownCountMax else {
                throw Problem(.badRequest, "usage", "At most \(Self.knownCountMax) files can be asked for at once.")
            }
            guard let visitor = request.visitor else { throw Problem.noAlbum }
            let name = question.albumName.flatMap { AlbumName.usable($0) }
            guard name != nil || question.albumName == nil else {
                throw Problem(.badRequest, "usage", "An album needs a name of at most 1,000 letters.")
            }
            let id = question.album.flatMap { AlbumID(hex: $0) }
            let album = try await album(UploadMetadata.Destination(album: id, name: name), visitor)
            var answer = Known()
            if name != nil { answer.album = album.hex }
            for file in question.files {
                let isHere = try await isHere(file, album, name, visitor)
                if isHere { answer.here.append(file.sha256) } else { answer.unknown.append(file.sha256) }
            }
            return .document(try JSONDocument(answer), request.limits)
        }
    }

    private func isHere(
        _ file: Question.File, _ album: AlbumID, _ newAlbum: String?, _ visitor: Visitor
    ) async throws -> Bool {
        // Whether a file that this visitor may not see is here is nobody's business.
        guard let blob = BlobID(hex: file.sha256), await !gallery.albums(of: blob, seenBy: visitor).isEmpty else {
            return false
        }
        let metadata = UploadMetadata(
            name: FileLabel.cleaned(file.filename ?? ""), album: album,
            lastModified: file.lastmodified.flatMap { $0.magnitude < 253_402_300_800_000 ? $0 : nil }, sha256: blob,
            newAlbum: newAlbum)
        return try await desk.addKnown(blob, metadata, by: gallery.entrance.knownGuest(visitor))
    }

    /// A shape of a type of ours can be learned; tests ask for all of them.
    private static func shape<Value: Decodable>(of type: Value.Type) -> Shape {
        guard let shape = try? Shape.of(type) else { preconditionFailure("\(type) has no shape") }
        return shape
    }
}

private typealias Answer = Resource.Answer

extension HTTPField.Name {
    fileprivate static let tusResumable = HTTPField.Name("Tus-Resumable")!
    fileprivate static let tusVersion = HTTPField.Name("Tus-Version")!
    fileprivate static let tusExtension = HTTPField.Name("Tus-Extension")!
    fileprivate static let tusMaxSize = HTTPField.Name("Tus-Max-Size")!
    fileprivate static let tusChecksumAlgorithm = HTTPField.Name("Tus-Checksum-Algorithm")!
    fileprivate static let uploadOffset = HTTPField.Name("Upload-Offset")!
    fileprivate static let uploadLength = HTTPField.Name("Upload-Length")!
    fileprivate static let uploadDeferLength = HTTPField.Name("Upload-Defer-Length")!
    fileprivate static let uploadMetadata = HTTPField.Name("Upload-Metadata")!
    fileprivate static let uploadChecksum = HTTPField.Name("Upload-Checksum")!
    fileprivate static let uploadExpires = HTTPField.Name("Upload-Expires")!
    fileprivate static let potluckPhoto = HTTPField.Name("Potluck-Photo")!
    fileprivate static let potluckState = HTTPField.Name("Potluck-State")!
    fileprivate static let potluckReason = HTTPField.Name("Potluck-Reason")!
}
