public import AlbumModel
import FoundationEssentials

/// What a browser tells of a file before it sends it: tus's `Upload-Metadata`.
public struct UploadMetadata: Codable, Hashable, Sendable {
    /// Bytes of the whole field: names of 255 bytes, twice in base64, and room.
    static let fieldByteCountMax = 4096
    static let pairCountMax = 16

    /// A label, never a path.
    public var name: String
    public var album: AlbumID
    /// When the file was last changed, in milliseconds since 1970; `nil` where the browser does not tell.
    public var lastModified: Int64?
    /// What the bytes are meant to be.
    public var sha256: BlobID?

    public init(name: String, album: AlbumID, lastModified: Int64? = nil, sha256: BlobID? = nil) {
        self.name = name
        self.album = album
        self.lastModified = lastModified
        self.sha256 = sha256
    }

    /// Why a field is of no use.
    public enum Failure: Error, Hashable, Sendable {
        case tooLong
        /// No list of keys with base64, or a key twice.
        case malformed
        case withoutAlbum
        /// A value that is not what its key says.
        case wrongValue(String)
    }

    /// Reads the field's value; keys that are not known are ignored.
    public init(parsing field: String) throws(Failure) {
        let values = try Self.values(field)
        guard let album = values["album"] else { throw .withoutAlbum }
        guard let id = AlbumID(hex: album) else { throw .wrongValue("album") }
        self.album = id
        name = FileLabel.cleaned(values["filename"] ?? values["name"] ?? "")
        lastModified = nil
        if let text = values["lastmodified"], !text.isEmpty {
            // Some browsers' files are from before 1970; beyond the year 9999 it is no date.
            guard let milliseconds = Int64(text), milliseconds.magnitude < 253_402_300_800_000 else {
                throw .wrongValue("lastmodified")
            }
            lastModified = milliseconds
        }
        sha256 = nil
        if let text = values["sha256"], !text.isEmpty {
            guard let id = BlobID(hex: text) else { throw .wrongValue("sha256") }
            sha256 = id
        }
    }

    private static func values(_ field: String) throws(Failure) -> [String: String] {
        guard field.utf8.count <= fieldByteCountMax else { throw .tooLong }
        var values: [String: String] = [:]
        for pair in field.split(separator: ",", omittingEmptySubsequences: false) where !pair.trimmingBlanks.isEmpty {
            let halves = pair.trimmingBlanks.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            let key = String(halves[0])
            guard key.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else { throw .malformed }
            var value = ""
            if halves.count == 2, !halves[1].trimmingBlanks.isEmpty {
                guard let data = Data(base64Encoded: String(halves[1].trimmingBlanks)),
                    let text = String(validating: data, as: UTF8.self)
                else { throw .malformed }
                value = text
            }
            guard values.updateValue(value, forKey: key) == nil, values.count <= pairCountMax else { throw .malformed }
        }
        return values
    }

    private enum CodingKeys: String, CodingKey {
        case name, album, sha256
        case lastModified = "last_modified"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func broken(_ key: CodingKeys) -> DecodingError {
            .dataCorruptedError(forKey: key, in: container, debugDescription: "not an ID")
        }
        name = try container.decode(String.self, forKey: .name)
        guard let album = AlbumID(hex: try container.decode(String.self, forKey: .album)) else { throw broken(.album) }
        self.album = album
        lastModified = try container.decodeIfPresent(Int64.self, forKey: .lastModified)
        sha256 = nil
        if let text = try container.decodeIfPresent(String.self, forKey: .sha256) {
            guard let id = BlobID(hex: text) else { throw broken(.sha256) }
            sha256 = id
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(album.hex, forKey: .album)
        try container.encodeIfPresent(lastModified, forKey: .lastModified)
        try container.encodeIfPresent(sha256?.hex, forKey: .sha256)
    }
}
