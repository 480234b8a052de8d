import AlbumModel
import MediaWorkerProtocol
import WebGallery
import WireFormat

@testable import MediaWorker

extension FuzzTarget {
    /// Each has a name of its own.
    public static let all = [messages, batches, addresses, summaries, reports, containers, exif, xmp, uploads, tokens]

    // MARK: Of peers

    /// What was read can be written. Whether that is read again is not asked: a fixed number of zero, which no hash gives,
    /// is left out in writing, and its element is too short then.
    static let messages = FuzzTarget("messages", byteCountMax: 4096, seeds: PinnedSeeds.messages) { bytes in
        guard let message = try? Message(decoding: bytes) else { return false }
        return !message.encoded().isEmpty || message == .unknown
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

    static let tokens = FuzzTarget(
        "tokens", byteCountMax: 64, seeds: [Array("AAECAwQFBgcICQoLDA0ODw".utf8)],
        decode: { SecretToken(parsing: String(decoding: $0, as: UTF8.self)) }, encode: { Array($0.text.utf8) })
}
