import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import OutputFormats
import PotluckAPI
import WebGallery

/// Answers one request for bytes that do not change: conditions, ranges, and what a browser may do with them.
struct PictureAnswering {
    enum Saving {
        case inline
        case attachment
    }

    private let file: PictureFile
    private let request: WebRequest

    init(_ file: PictureFile, _ request: WebRequest) {
        self.file = file
        self.request = request
    }

    /// - Parameter saving: `nil` where the address itself is a good enough name.
    /// - Throws: ``Problem`` with 412 or 416.
    func response(caching: String, saving: Saving? = nil) throws -> Response {
        let type = Self.shownType(file.mediaType)
        var headers = HTTPFields()
        headers.set(PageHeaders.content)
        headers[.contentType] = type ?? "application/octet-stream"
        headers[.eTag] = file.entityTag.text
        headers[.cacheControl] = caching
        headers[.acceptRanges] = "bytes"
        if saving != nil || type == nil {
            headers[.contentDisposition] = ContentDisposition.text(
                isAttachment: saving == .attachment || type == nil, name: file.name)
        }
        switch conditions.decision(isReading: true, entityTag: file.entityTag) {
        case .notModified: return Response(status: .notModified, headers: headers)
        case .failed: throw Problem(.preconditionFailed, "changed", "The file is another one than you have.")
        case .perform: break
        }
        return try ByteAnswer(byteCount: file.byteCount, entityTag: file.entityTag, request).response(headers) {
            [file, limits = request.limits] range, writer in
            try await PictureBytes(file, range, limits).write(to: &writer)
        }
    }

    private var conditions: ConditionalRequest {
        ConditionalRequest(
            ifMatch: request.header(.ifMatch), ifNoneMatch: request.header(.ifNoneMatch),
            ifModifiedSince: request.header(.ifModifiedSince), ifUnmodifiedSince: request.header(.ifUnmodifiedSince))
    }

    /// The type of what a browser shows without running any of it; `nil` for everything else, which it is to save.
    private static func shownType(_ type: String) -> String? {
        let essence = type.lowercased()
        guard essence.hasPrefix("image/") || essence.hasPrefix("video/"), !essence.hasPrefix("image/svg"),
            essence.utf8.count <= 64,
            essence.utf8.allSatisfy({ unit in
                switch unit {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                default: "/.+-".utf8.contains(unit)
                }
            })
        else { return nil }
        return essence
    }
}

/// Chooses the part of something large that a request gets, and answers with it.
struct ByteAnswer {
    typealias Write = @concurrent @Sendable (_ range: Range<UInt64>, inout any ResponseBodyWriter) async throws -> Void

    private let byteCount: UInt64
    private let entityTag: EntityTag
    private let request: WebRequest

    init(byteCount: UInt64, entityTag: EntityTag, _ request: WebRequest) {
        self.byteCount = byteCount
        self.entityTag = entityTag
        self.request = request
    }

    /// Ranges are for GET alone (RFC 9110, section 14.2).
    private var choice: ByteRange.Choice {
        guard request.request.method == .get else { return .whole }
        return ByteRange.choice(
            range: request.header(.range), ifRange: request.header(.ifRange), byteCount: byteCount,
            entityTag: entityTag)
    }

    /// - Parameter write: Writes so many bytes, and does not finish.
    /// - Throws: ``Problem`` with 416.
    func response(_ headers: HTTPFields, _ write: @escaping Write) throws -> Response {
        var headers = headers
        switch choice {
        case .whole: return response(.ok, headers, 0..<byteCount, write)
        case .part(let range):
            headers[.contentRange] = range.contentRange(of: byteCount)
            return response(.partialContent, headers, range.offset..<range.offset + range.count, write)
        case .unsatisfiable:
            var problem = Problem(.rangeNotSatisfiable, "usage", "The file has no such part.")
            problem.headers[.contentRange] = ByteRange.unsatisfied(of: byteCount)
            throw problem
        }
    }

    private func response(
        _ status: HTTPResponse.Status, _ headers: HTTPFields, _ range: Range<UInt64>, _ write: @escaping Write
    ) -> Response {
        Response(
            status: status, headers: headers,
            body: ResponseBody(contentLength: Int(range.upperBound - range.lowerBound)) { writer in
                try await write(range, &writer)
                try await writer.finish(nil)
            })
    }
}

/// A part of a picture, piece by piece: the next one is read while one is on its way. Two pieces are in memory.
struct PictureBytes {
    static let pieceByteCountMax = 512 << 10

    /// The file is shorter than it was said to be: the connection ends, so that nobody takes it for whole.
    struct TooShort: Error {}

    private let file: PictureFile
    private var range: Range<UInt64>
    /// The first piece is short, so that something shows soon.
    private var pieceByteCount: Int

    init(_ file: PictureFile, _ range: Range<UInt64>, _ limits: WebLimits) {
        self.file = file
        self.range = range
        pieceByteCount = min(limits.writeByteCount, Self.pieceByteCountMax)
    }

    /// Returns once all is handed over; throws where the reader goes away, which ends the reading.
    @concurrent
    func write(to writer: inout any ResponseBodyWriter) async throws {
        var unneeded: CRC32?
        try await write(to: &writer, summing: &unneeded)
    }

    /// - Parameter crc: Goes on over what is written.
    @concurrent
    func write(to writer: inout any ResponseBodyWriter, summing crc: inout CRC32?) async throws {
        var reader = self
        var piece = try await reader.next()
        while let bytes = piece {
            bytes.withUnsafeReadableBytes { crc?.update($0) }
            reader.pieceByteCount = min(2 * reader.pieceByteCount, Self.pieceByteCountMax)
            guard !reader.range.isEmpty else { return try await writer.write(bytes) }
            let ahead = reader
            async let following = ahead.read()
            try await writer.write(bytes)
            piece = try await following
            reader.skip(piece)
        }
    }

    /// `nil` at the end.
    mutating func next() async throws -> ByteBuffer? {
        let piece = try await read()
        skip(piece)
        return piece
    }

    private mutating func skip(_ piece: ByteBuffer?) {
        let count = UInt64(piece?.readableBytes ?? 0)
        range = range.lowerBound + count..<range.upperBound
    }

    @concurrent
    private func read() async throws -> ByteBuffer? {
        try Task.checkCancellation()
        guard !range.isEmpty else { return nil }
        let count = Int(min(UInt64(pieceByteCount), range.upperBound - range.lowerBound))
        let bytes = try await file.read(range.lowerBound, count)
        guard bytes.readableBytes > 0, bytes.readableBytes <= count else { throw TooShort() }
        return bytes
    }
}

/// How a browser is to call what it saves, by RFC 6266.
enum ContentDisposition {
    /// - Parameter name: In full; old programs get it without letters beyond ASCII.
    static func text(isAttachment: Bool, name: String?) -> String {
        let kind = isAttachment ? "attachment" : "inline"
        guard let name, !name.isEmpty else { return kind }
        let plain = String(
            String.UnicodeScalarView(
                name.unicodeScalars.map { scalar in
                    (0x20..<0x7F).contains(scalar.value) && !"\"\\%/".unicodeScalars.contains(scalar) ? scalar : "_"
                }))
        return "\(kind); filename=\"\(plain)\"; filename*=UTF-8''\(PercentCoding.encoded(name))"
    }
}
