import CSandbox
import Glibc
import MediaReader
import MediaWorkerProtocol
import PhotoPack
import WireFormat

@testable import MediaWorker

/// What stands in files that others made.
extension FuzzTarget {
    /// What is repaired stays as long as it is: nothing moves in it.
    static let heif = FuzzTarget("heif", byteCountMax: 1024, seeds: MediaSeeds.heif) { bytes throws(OracleFailure) in
        guard let repaired = HEIFRepair.repaired(bytes) else { return false }
        guard repaired.count == bytes.count, repaired != bytes else {
            throw OracleFailure(description: "heif: \(bytes) is repaired as \(repaired)")
        }
        _ = HEIFRepair.repaired(repaired)
        return true
    }

    /// Those that say more of themselves than libvips hands out.
    static let png = FuzzTarget("png", byteCountMax: 1024, seeds: MediaSeeds.png) { bytes in
        guard let file = HandedFile(owning: memoryFile(bytes)) else { return false }
        return PNGChunks.holdMore(in: file)
    }

    /// A descriptor of a file that holds these bytes; the caller's to close.
    private static func memoryFile(_ bytes: [UInt8]) -> Int32 {
        let descriptor = csandbox_memory_file("potluck-fuzz")
        bytes.withUnsafeBytes { _ = write(descriptor, $0.baseAddress, $0.count) }
        return descriptor
    }

    /// JPEGs of a worker. None is taken with anything behind its end.
    static let pictures = FuzzTarget(
        "pictures", byteCountMax: 4096, seeds: MediaSeeds.pictures
    ) { bytes throws(OracleFailure) in
        func isPlain(_ bytes: [UInt8]) -> Bool {
            PictureCheck.isPlain(Report.Picture(width: 4, height: 3, bytes: bytes), side: 480)
        }
        guard isPlain(bytes) else { return false }
        guard !isPlain(bytes + [0xFF, 0xD9]) else {
            throw OracleFailure(description: "pictures: \(bytes) is taken with a second end")
        }
        return true
    }

    /// ExifTool's answers, and what is made of them.
    static let facts = FuzzTarget("facts", byteCountMax: 4096, seeds: MediaSeeds.answers) { bytes in
        let raw = ExifTool.metadata(answer: bytes)
        _ = MetadataReading.facts(from: raw, name: "IMG_20240504_102030.JPG", modified: 0, readerVersion: 1)
        return !raw.isEmpty
    }

    /// The changes in a pack.
    static let packs = FuzzTarget(
        "packs", byteCountMax: 4096, seeds: PinnedSeeds.packs,
        decode: { bytes -> [BatchPage]? in
            let content = BatchFile.read(bytes)
            return content.isDamaged || content.pages.isEmpty ? nil : content.pages
        }, encode: { pages in BatchFile.mark + pages.flatMap { BatchFile.record($0) } })

    /// Whose pack it is.
    static let manifests = FuzzTarget(
        "manifests", byteCountMax: 1024,
        seeds: [
            """
            {"batches":3,"files":2,"gathering":"Summer","packed_at":"2026-08-17T12:00:00Z","packed_by":"Grandma",\
            "potluck_pack":1,"tag":"0001020304050607","whole":true}
            """
        ].map { Array($0.utf8) },
        decode: { try PackManifest(reading: $0, in: "/media/stick") }, encode: { (try? $0.bytes) ?? [] })
}
