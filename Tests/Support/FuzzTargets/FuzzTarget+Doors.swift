import FoundationEssentials
import PotluckAPI
import WebGallery
import WebServer

/// What comes through the doors for browsers, and to the agent's API.
extension FuzzTarget {
    static let requests = FuzzTarget(
        "requests", byteCountMax: 1024, seeds: APIRequestText.seeds, decode: { try APIRequestText.read($0) },
        encode: { APIRequestText.written($0) })

    /// Queries and forms, and what a query filters by.
    static let forms = FuzzTarget(
        "forms", byteCountMax: 1024,
        seeds: ["text=sea+%26+sun&type=raw&from=2026-08-14", "page=2&favourites=1", "photo=b1&photo=%C3%A9"].map {
            Array($0.utf8)
        },
        decode: { bytes -> [(name: String, value: String)]? in
            let pairs = try WebRequest.pairs(String(decoding: bytes, as: UTF8.self))
            _ = try? GalleryFilter(pairs)
            return pairs
        },
        encode: { pairs in
            let items = pairs.map { "\(PercentCoding.encoded($0.name))=\(PercentCoding.encoded($0.value))" }
            return Array(items.joined(separator: "&").utf8)
        })

    // MARK: Header fields

    /// The fields of tus by which an upload begins, and its bytes come.
    static let tus = FuzzTarget(
        "tus", byteCountMax: 1024,
        seeds: [
            """
            upload-length: 100
            upload-metadata: filename YS5qcGc=,album MDQwNDA0MDQwNDA0MDQwNDA0MDQwNDA0MDQwNDA0MDQ=
            upload-offset: 0
            content-type: application/offset+octet-stream; charset=utf-8
            content-length: 100
            upload-checksum: sha1 qUqP5cyxm6YcTAhz05Hph5gvu9M=
            """
        ].map { Array($0.utf8) }
    ) { bytes throws(OracleFailure) in
        let fields = FieldLines(bytes)
        let creation = UploadBook.Creation(
            length: fields["upload-length"], deferLength: fields["upload-defer-length"],
            metadata: fields["upload-metadata"])
        let patch = UploadBook.Patch(
            offset: fields["upload-offset"], mediaType: fields["content-type"], length: fields["content-length"],
            checksum: fields["upload-checksum"])
        let id = UploadID(parsing: "AAECAwQFBgcICQoLDA0ODw")!
        var book = UploadBook()
        let upload: Upload
        let order: UploadBook.WriteOrder
        do throws(UploadRefusal) {
            upload = try book.create(creation, id: id, holder: .owner, room: .max, now: 0)
            order = try book.beginWriting(patch, to: id, holder: .owner, now: 0)
        } catch {
            return false
        }
        let isWithinLimits = (1...book.limits.fileByteCountMax).contains(upload.byteCount)
        let end = book.endWriting(id, byteCount: upload.byteCount, isIntact: true, now: 0)
        guard isWithinLimits, order.offset == 0, order.byteCountMax == upload.byteCount, end == .complete else {
            throw OracleFailure(description: "tus: of \(bytes) an upload is \(upload), and \(order) is written")
        }
        return true
    }

    /// Versions and ranges that are asked for. A change is made or refused, and what a GET is refused for it is, too.
    static let conditions = FuzzTarget(
        "conditions", byteCountMax: 512,
        seeds: [
            "if-none-match: W/\"a,b\", \"c\"", "if-match: \"x\", *",
            "if-modified-since: Sun, 06 Nov 1994 08:49:37 GMT", "if-unmodified-since: Sat, 05 Nov 1994 08:49:37 GMT",
            "range: bytes=0-9\nif-range: \"a,b\"", "range: bytes=-9\nif-range: Sun, 06 Nov 1994 08:49:37 GMT",
        ].map { Array($0.utf8) }
    ) { bytes throws(OracleFailure) in
        let fields = FieldLines(bytes)
        let request = ConditionalRequest(
            ifMatch: fields["if-match"], ifNoneMatch: fields["if-none-match"],
            ifModifiedSince: fields["if-modified-since"], ifUnmodifiedSince: fields["if-unmodified-since"])
        let tag = EntityTag(opaque: "a,b")
        let date = HTTPTimestamp(secondsSince1970: 784_111_777)
        let reading = request.decision(isReading: true, entityTag: tag, lastModified: date)
        let changing = request.decision(isReading: false, entityTag: tag, lastModified: date)
        guard changing != .notModified, reading == .notModified || reading == changing else {
            throw OracleFailure(description: "conditions: \(bytes) is \(reading) for a GET, \(changing) for a change")
        }
        let choice = ByteRange.choice(
            range: fields["range"], ifRange: fields["if-range"], byteCount: 1000, entityTag: tag, lastModified: date)
        return reading != .perform || choice != .whole
    }

    static let tags = FuzzTarget(
        "tags", byteCountMax: 128, seeds: ["\"a-b_c\"", "W/\"\"", "\"a,é\""].map { Array($0.utf8) },
        decode: { EntityTag(parsing: String(decoding: $0, as: UTF8.self)) }, encode: { Array($0.text.utf8) })

    /// `Host` and `Origin`. Only this site's own pages change anything.
    static let origins = FuzzTarget(
        "origins", byteCountMax: 256,
        seeds: [
            "host: 10.0.0.5:4712\norigin: http://10.0.0.5:4712", "host: [FE80::1]:4712\norigin: HTTP://[fe80::1]:4712",
        ].map { Array($0.utf8) }
    ) { bytes throws(OracleFailure) in
        let fields = FieldLines(bytes)
        let (host, origin) = (fields["host"], fields["origin"])
        let authorities = ["10.0.0.5:4712", "[fe80::1]:4712"]
        let decision = OriginCheck(authorities: authorities).decision(
            host: host, origin: origin, effect: .changing, carriesCredential: false)
        let isOwn = authorities.contains { host?.lowercased() == $0 && origin?.lowercased() == "http://\($0)" }
        guard isOwn == (decision == .allowed) else {
            throw OracleFailure(description: "origins: \(bytes) is \(decision)")
        }
        return isOwn
    }

    // MARK: Guests

    private static let cookie = SessionCookie(home: "laptop1")

    static let cookies = FuzzTarget(
        "cookies", byteCountMax: 512,
        seeds: [
            "potluck-laptop1=AAECAwQFBgcICQoLDA0ODw; other=1", "a=b;\tpotluck-laptop1 = AAECAwQFBgcICQoLDA0ODw",
        ].map { Array($0.utf8) },
        decode: { bytes in
            cookie.value(in: String(decoding: bytes, as: UTF8.self)).flatMap { SecretToken(parsing: $0) }
        }, encode: { Array(cookie.setting($0).utf8) })

    /// What guests bring along from another laptop, whose signature is looked at afterwards. Only short ones are tried:
    /// escapes can make one six times as long when it is written.
    static let tickets = FuzzTarget(
        "tickets", byteCountMax: 512,
        seeds: [
            """
            {"epoch":1,"guest":"000102030405060708090a0b0c0d0e0f","issued":0,"laptop":"07","name":"Lena","random":"A",\
            "restrictions":{"albums":["04"],"expires":5,"hide_places":false,"look_only":true}}
            """
        ].map { Array("\(Base64URL.text($0.utf8)).\(Base64URL.text([1, 2, 3]))".utf8) },
        decode: { Ticket.reading(String(decoding: $0, as: UTF8.self)) },
        encode: { read in
            let payload = (try? ReportJSON.data(read.ticket)) ?? Data()
            return Array("\(Base64URL.text(payload)).\(Base64URL.text(read.signature))".utf8)
        })
}
