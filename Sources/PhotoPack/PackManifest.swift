import DiskIO
import FoundationEssentials

/// Whose pack it is: what a person is told of it. Nothing in it is believed but that; changes are signed, blobs are
/// named by their hashes.
public struct PackManifest: Codable, Hashable, Sendable {
    public static let currentVersion = 1

    public var version: Int
    /// The gathering's name; `nil` where the packing laptop did not know it yet.
    public var gathering: String?
    /// What the gathering's devices find each other by, in hexadecimal digits.
    public var tag: String
    /// The name of the device that packed last.
    public var packedBy: String
    /// When it did, RFC 3339.
    public var packedAt: String
    /// Distinct batches in all files of batches.
    public var batches: Int
    /// Files in `blobs/`.
    public var files: Int
    /// The last packing came to its end.
    public var isWhole: Bool

    public init(gathering: String?, tag: String, packedBy: String, packedAt: String) {
        version = Self.currentVersion
        self.gathering = gathering
        self.tag = tag
        self.packedBy = packedBy
        self.packedAt = packedAt
        batches = 0
        files = 0
        isWhole = false
    }

    enum CodingKeys: String, CodingKey {
        case gathering, tag, batches, files
        case version = "potluck_pack"
        case packedBy = "packed_by"
        case packedAt = "packed_at"
        case isWhole = "whole"
    }

    /// - Returns: `nil` where there is none that can be read.
    /// - Throws: where anything but a plain file stands there, or where nobody can look.
    static func read(in root: OpenDirectory) throws -> PackManifest? {
        guard let file = try root.file(PackLayout.manifest), file.byteCount <= UInt64(PackLimits.manifestByteCountMax)
        else { return nil }
        return try PackManifest(reading: file.bytes(atMost: PackLimits.manifestByteCountMax), in: root.path)
    }

    /// - Parameter directory: the pack's, for what a person is told.
    /// - Returns: `nil` for what is no manifest.
    /// - Throws: where a later version wrote it.
    package init?(reading bytes: [UInt8], in directory: String) throws(PackError) {
        struct Version: Decodable {
            var potluck_pack: Int
        }
        // Of a later version only the number need be understood.
        guard let version = try? JSONDecoder().decode(Version.self, from: Data(bytes)), version.potluck_pack > 0 else {
            return nil
        }
        guard version.potluck_pack <= Self.currentVersion else {
            throw PackError(
                .newer,
                "\(directory) was packed by a later version of Potluck. Update Potluck on this laptop, and try again.")
        }
        guard let manifest = try? JSONDecoder().decode(PackManifest.self, from: Data(bytes)),
            (0...PackLimits.countMax).contains(manifest.batches), (0...PackLimits.countMax).contains(manifest.files)
        else { return nil }
        self = manifest
    }

    package var bytes: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
        }
    }
}
