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
    /// How the album is called if it has to be made once the file is here; `nil` for one that has to be there.
    public var newAlbum: String?

    public init(
        name: String, album: AlbumID, lastModified: Int64? = nil, sha256: BlobID? = nil, newAlbum: String? = nil
    ) {
        self.name = name
        self.album = album
        self.lastModified = lastModified
        self.sha256 = sha256
        self.newAlbum = newAlbum
    }

    /// Where a file is to go; at least one of both is there.
    public struct Destination: Hashable, Sendable {
        public var album: AlbumID?
        /// Of an album that may be made, as ``AlbumName/usable(_:)`` has it.
        public var name: String?

        public init(album: AlbumID?, name: String?) {
            self.album = album
            self.name = name
        }
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

    /// Reads where the field's file is to go.
    public static func destination(parsing field: String) throws(Failure) -> Destination {
        try destination(values(field))
    }

    private static func destination(_ values: [String: String]) throws(Failure) -> Destination {
        var destination = Destination(album: nil, name: nil)
        if let text = values["album"] {
            guard let id = AlbumID(hex: text) else { throw .wrongValue("album") }
            destination.album = id
        }
        if let text = values["album_name"] {
            guard let name = AlbumName.usable(text) else { throw .wrongValue("album_name") }
            destination.name = name
        }
        guard destination.album != nil || destination.name != nil else { throw .withoutAlbum }
        return destination
    }

    /// Reads the field's value; keys that are not known are ignored.
    ///
    /// - Parameter chosen: The album that its destination was found to mean; `nil` for the one whose ID it has.
    public init(parsing field: String, into chosen: AlbumID? = nil) throws(Failure) {
        let values = try Self.values(field)
        let destination = try Self.destination(values)
        guard let album = chosen ?? destination.album else { throw .withoutAlbum }
        self.album = album
        newAlbum = destination.name
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
        case newAlbum = "new_album"
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
        newAlbum = try container.decodeIfPresent(String.self, forKey: .newAlbum)
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
        try container.encodeIfPresent(newAlbum, forKey: .newAlbum)
    }
}
