import AlbumModel
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import OutputFormats
import PotluckAPI
import WebGallery

/// Taking photos home: an archive that is sent while it is made, and that can go on where it was broken off.
struct ArchiveRoutes: Sendable {
    let gallery: Gallery
    let agent: any AgentAPI
    let grids: GridBook

    var all: [WebRoute] {
        [
            WebRoute(resource(.get, .none)) { try await answer($0, try $0.query()) },
            WebRoute(resource(.post, .bytes(type: "application/x-www-form-urlencoded"))) { request in
                let form = try await request.form().map { (name: $0.key, value: $0.value) }
                return try await answer(request, try request.query() + form)
            },
        ]
    }

    private func resource(_ method: Resource.Method, _ body: Resource.Content) -> Resource {
        Resource(
            method, "/albums/{album}/zip", may: .take, .reading,
            parameters: [
                .init("size", .enumeration(ArchiveOrder.Size.allCases.map(\.rawValue))), .init("photos"),
                .init("new_for"), .init("text"), .init("person"), .init("tag"), .init("camera"),
                .init("type", .enumeration(GalleryFilter.Kind.allCases.map(\.rawValue))),
                .init("favourites", .enumeration(["0", "1"])), .init("from", .string(format: "date")),
                .init("to", .string(format: "date")), .init("Range", in: .header), .init("If-Range", in: .header),
            ], body: body,
            answers: [
                Resource.Answer(200, .bytes(type: "application/zip"), "All of it."),
                Resource.Answer(206, .bytes(type: "application/zip"), "The range."),
            ],
            "One archive of photos of an album, or of `all` with a directory each; a form may carry what a query does.")
    }

    private func answer(_ request: WebRequest, _ pairs: [(name: String, value: String)]) async throws -> Response {
        guard let visitor = request.visitor else { throw WebFailure.unknownVisitor }
        let order = try ArchiveOrder(pairs)
        let seen = agent.asSeen(by: visitor)
        // It is free again when the answer has been sent, or is thrown away.
        let place = try gallery.archives.place(for: visitor.holder)
        let albums = try await seen.albums()
        let scope = try scope(request, albums)
        let planner = ArchivePlanner(
            host: gallery.host, agent: seen, originalKind: visitor.originalKind, desk: gallery.archives)
        let plan = try await planner.plan(order, scope)
        let sending = ArchiveSending(plan: plan, host: gallery.host, desk: gallery.archives, limits: request.limits)
        var headers = HTTPFields()
        headers.set(PageHeaders.content)
        headers[.contentType] = "application/zip"
        headers[.contentDisposition] = ContentDisposition.text(
            isAttachment: true, name: FileLabel.cleaned(scope.name) + ".zip")
        headers[.eTag] = sending.entityTag.text
        headers[.acceptRanges] = "bytes"
        headers[.cacheControl] = "private, no-store"
        return try ByteAnswer(byteCount: sending.byteCount, entityTag: sending.entityTag, request).response(headers) {
            [gallery] range, writer in
            try await sending.write(range, to: &writer)
            let end = gallery.archives.deliveries.note(
                range, of: Deliveries.Key(holder: visitor.holder, archive: sending.entityTag))
            if end == sending.byteCount, let browser = order.browser {
                // Where it cannot be kept, the next archive has these once more.
                try? await gallery.archives.home.note(plan.photos, for: browser)
            }
            withExtendedLifetime(place) {}
        }
    }

    /// - Parameter report: The albums that the visitor sees.
    private func scope(_ request: WebRequest, _ report: AlbumsReport) throws -> ArchiveScope {
        guard request.isForAllAlbums else {
            let album = try gallery.album(request)
            guard let shown = report.albums.first(where: { $0.id == album.hex }) else { throw Problem.noAlbum }
            return ArchiveScope(album, name: shown.name)
        }
        let albums = report.albums.compactMap { album in
            AlbumID(hex: album.id).map { (id: $0, name: album.name) }
        }
        return ArchiveScope(albums, name: GridBook.allAlbumsName)
    }
}

/// Sends an archive, or a part of it. In memory are two pieces of a file, and the directory.
struct ArchiveSending: Sendable {
    /// A file is another one now, or has gone: the connection ends, so that nobody takes the archive for whole.
    struct Changed: Error {}

    let plan: ArchivePlan
    let host: any GalleryHost
    let desk: ArchiveDesk
    let limits: WebLimits
    let byteCount: UInt64
    let entityTag: EntityTag
    private static let making = Duration.seconds(20)

    init(plan: ArchivePlan, host: any GalleryHost, desk: ArchiveDesk, limits: WebLimits) {
        self.plan = plan
        self.host = host
        self.desk = desk
        self.limits = limits
        byteCount = ZipStream.byteCount(of: plan.files.map { ZipStream.File(entry: $0.entry, byteCount: $0.byteCount) })
        entityTag = plan.entityTag
    }

    @concurrent
    func write(_ range: Range<UInt64>, to writer: inout any ResponseBodyWriter) async throws {
        var zip = ZipStream(files, from: range.lowerBound)
        var rest = range.upperBound - range.lowerBound
        while rest > 0 {
            switch zip.next() {
            case .finished: return
            case .send(let bytes):
                let part = bytes.prefix(Int(min(rest, UInt64(bytes.count))))
                rest -= UInt64(part.count)
                try await write(part, to: &writer)
            case .content(let index, let start, let needsCRC):
                let file = try await picture(of: plan.files[index])
                var crc: CRC32? = needsCRC ? CRC32() : nil
                if needsCRC { try await sum(file, upTo: start, &crc) }
                let end = min(file.byteCount, start + rest)
                rest -= end - start
                try await PictureBytes(file, start..<end, limits).write(to: &writer, summing: &crc)
                if let crc, end == file.byteCount {
                    desk.checksums.remember(crc.value, of: file.entityTag)
                    zip.finishFile(crc: crc.value)
                }
            }
        }
    }

    private var files: [ZipStream.File] {
        plan.files.map { file in
            let crc: UInt32?
            switch file.content {
            case .picture(_, _, let tag): crc = desk.checksums.value(of: tag)
            case .text: crc = nil
            }
            return ZipStream.File(entry: file.entry, byteCount: file.byteCount, crc: crc)
        }
    }

    @concurrent
    private func write(_ bytes: ArraySlice<UInt8>, to writer: inout any ResponseBodyWriter) async throws {
        var rest = bytes
        while !rest.isEmpty {
            try await writer.write(ByteBuffer(bytes: rest.prefix(limits.writeByteCount)))
            rest = rest.dropFirst(limits.writeByteCount)
        }
    }

    /// Reads what an earlier download sent.
    private func sum(_ file: PictureFile, upTo end: UInt64, _ crc: inout CRC32?) async throws {
        var reader = PictureBytes(file, 0..<end, limits)
        while let piece = try await reader.next() { piece.withUnsafeReadableBytes { crc?.update($0) } }
    }

    private func picture(of file: ArchivePlan.File) async throws -> PictureFile {
        switch file.content {
        case .text(let bytes):
            return PictureFile(
                byteCount: UInt64(bytes.count), mediaType: "text/plain", entityTag: EntityTag(hashing: bytes)
            ) { offset, count in ByteBuffer(bytes: bytes.dropFirst(Int(offset)).prefix(count)) }
        case .picture(let kind, let blob, let tag):
            // A preview may have left the cache since.
            let found = try await host.picture(kind, of: blob, until: .now + Self.making)
            guard let found, found.byteCount == file.byteCount, found.entityTag == tag else { throw Changed() }
            return found
        }
    }
}
