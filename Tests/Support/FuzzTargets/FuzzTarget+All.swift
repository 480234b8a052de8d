import AlbumModel
import MediaWorkerProtocol
import PeerTransport
import WebGallery
import WireFormat

@testable import MediaWorker

extension FuzzTarget {
    /// Each has a name of its own.
    public static let all = [
        messages, frames, batches, addresses, summaries, rulings, phrases, records, multicasts, reports, containers,
        exif, xmp, facts, heif, png, pictures, packs, manifests, requests, forms, uploads, checksums, tus, tokens,
        cookies, tickets, ranges, dates, tags, conditions, origins,
    ]

    // MARK: Of peers

    /// What was read can be written. Whether that is read again is not asked: a fixed number of zero, which no hash gives,
    /// is left out in writing, and its element is too short then.
    static let messages = FuzzTarget("messages", byteCountMax: 4096, seeds: PinnedSeeds.messages) { bytes in
        guard let message = try? Message(decoding: bytes) else { return false }
        return !message.encoded().isEmpty || message == .unknown
    }

    /// However the bytes of a connection arrive, they are the same frames, and these can be written and read again.
    static let frames = FuzzTarget(
        "frames", byteCountMax: 4096,
        seeds: [
            [2, 0, 0, 3, 1, 2, 3], [1, 0, 0, 1, 1, 2, 0, 0, 0],
            [3, 0, 0, 10, 0, 0, 0, 7, 0, 1, 0, 0, 1, 2, 2, 0, 0, 0],
        ]
    ) { bytes throws(OracleFailure) in
        let stream = FrameStream(bytes, partByteCount: max(bytes.count, 1))
        for partByteCount in [1, 3] where FrameStream(bytes, partByteCount: partByteCount) != stream {
            throw OracleFailure(description: "frames: \(bytes) means something else in parts of \(partByteCount)")
        }
        let written = stream.encoded
        let again = FrameStream(written, partByteCount: max(written.count, 1))
        guard again.frames == stream.frames, again.breach == nil else {
            throw OracleFailure(description: "frames: of \(bytes) other frames are written")
        }
        return stream.breach == nil
    }

    /// Changes of every kind among them, and facts.
    static let batches = FuzzTarget(
        "batches", byteCountMax: 4096, seeds: PinnedSeeds.named("batch-"), decode: { try Batch(decoding: $0) },
        encode: { $0.encoded() })

    static let addresses = FuzzTarget(
        "addresses", byteCountMax: 1024, seeds: PinnedSeeds.named("address-statement"),
        decode: { try AddressStatement(decoding: $0) }, encode: { $0.encoded() })

    static let summaries = FuzzTarget(
        "summaries", byteCountMax: 4096, seeds: PinnedSeeds.named("presence-summary"),
        decode: { try PresenceSummary(decoding: $0) }, encode: { $0.encoded() })

    /// Of a kind of a later version only the signed bytes are kept: it cannot be written.
    static let rulings = FuzzTarget(
        "rulings", byteCountMax: 4096, seeds: PinnedSeeds.named("ruling-"),
        decode: { bytes in
            let ruling = try Ruling(decoding: bytes)
            return ruling.kind == .unknown ? nil : ruling
        }, encode: { $0.encoded() })

    /// As people type and scan them.
    static let phrases = FuzzTarget(
        "phrases", byteCountMax: 256,
        seeds: ["potluck://join/lusab-babad-safom-bahaf-livuk", "LUSAB babad safombahaflivuk"].map { Array($0.utf8) },
        decode: { try InvitePhrase(parsing: String(decoding: $0, as: UTF8.self)) }, encode: { Array($0.text.utf8) })

    // MARK: Of photos, and of the worker that reads them

    static let reports = FuzzTarget(
        "reports", byteCountMax: 4096, seeds: MediaSeeds.reports, decode: { Report(bytes: $0) }, encode: { $0.bytes })

    static let containers = FuzzTarget(
        "containers", byteCountMax: Container.startByteCount, seeds: MediaSeeds.starts
    ) { Container(start: $0) != .unknown }

    static let exif = FuzzTarget("exif", byteCountMax: 4096, seeds: MediaSeeds.exif) { bytes in
        ExifReader(bytes).map { !$0.tags.isEmpty } ?? false
    }

    static let xmp = FuzzTarget("xmp", byteCountMax: 4096, seeds: MediaSeeds.xmp) { !XMPReader($0).tags.isEmpty }

    // MARK: Of browsers

    static let uploads = FuzzTarget(
        "uploads", byteCountMax: 5000,
        seeds: [
            "filename YS5qcGc=,album MDQwNDA0MDQwNDA0MDQwNDA0MDQwNDA0MDQwNDA0MDQ=",
            "name YS5qcGc=,album_name QmVhY2g=,album MDQwNDA0MDQwNDA0MDQwNDA0MDQwNDA0MDQwNDA0MDQ=,lastmodified LTU=",
        ].map { Array($0.utf8) }
    ) { (try? UploadMetadata(parsing: String(decoding: $0, as: UTF8.self))) != nil }

    static let checksums = FuzzTarget(
        "checksums", byteCountMax: 256,
        seeds: ["sha1 qUqP5cyxm6YcTAhz05Hph5gvu9M=", "sha256 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="].map {
            Array($0.utf8)
        }
    ) { UploadChecksum(parsing: String(decoding: $0, as: UTF8.self)) != nil }

    static let tokens = FuzzTarget(
        "tokens", byteCountMax: 64, seeds: [Array("AAECAwQFBgcICQoLDA0ODw".utf8)],
        decode: { SecretToken(parsing: String(decoding: $0, as: UTF8.self)) }, encode: { Array($0.text.utf8) })

    /// What is sent lies within the file.
    static let ranges = FuzzTarget(
        "ranges", byteCountMax: 256, seeds: ["bytes=0-99", "bytes=5-", "bytes=-1", "bytes=999-"].map { Array($0.utf8) }
    ) { bytes throws(OracleFailure) in
        let field = String(decoding: bytes, as: UTF8.self)
        var isUnderstood = false
        for byteCount in [0, 1, 1000, UInt64.max] {
            let choice = ByteRange.choice(range: field, byteCount: byteCount)
            if choice != .whole { isUnderstood = true }
            guard case .part(let range) = choice else { continue }
            guard range.count > 0, range.offset < byteCount, range.count <= byteCount - range.offset else {
                throw OracleFailure(description: "ranges: \(field) is \(range) of \(byteCount) bytes")
            }
        }
        return isUnderstood
    }

    static let dates = FuzzTarget(
        "dates", byteCountMax: 128,
        seeds: ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"].map {
            Array($0.utf8)
        },
        decode: { HTTPTimestamp(parsing: String(decoding: $0, as: UTF8.self)) }, encode: { Array($0.text.utf8) })
}
