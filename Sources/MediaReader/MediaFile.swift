public import AlbumModel

/// A file to read.
public struct MediaFile: Sendable {
    /// Where its bytes are.
    public var path: String
    /// What the person called it: some names tell a date.
    public var name: String
    /// When it was changed last, in nanoseconds since 1970, UTC; 0 where nobody knows.
    public var modified: Int64
    public var byteCount: UInt64

    public init(path: String, name: String, modified: Int64, byteCount: UInt64) {
        self.path = path
        self.name = name
        self.modified = modified
        self.byteCount = byteCount
    }
}

/// A picture of a photo: upright, sRGB, without metadata.
public struct Picture: Sendable {
    public var bytes: [UInt8]
    public var size: PixelSize
    /// `image/jpeg`.
    public var mediaType: String

    public init(bytes: [UInt8], size: PixelSize, mediaType: String) {
        self.bytes = bytes
        self.size = size
        self.mediaType = mediaType
    }
}

/// What was found in a file.
public struct MediaReading: Sendable {
    /// Without a thumbnail.
    public var facts: PhotoFacts
    /// Fits 480 × 480 pixels; `nil` where there is nothing to show.
    public var thumbnail: Picture?
    /// Whether this is what this reader, on this machine, can find. If not, because it was stopped, its task cancelled or
    /// no worker could be started, the file is to be read again another time and this is not to be kept.
    public var isFinal: Bool

    public init(facts: PhotoFacts, thumbnail: Picture?, isFinal: Bool = true) {
        self.facts = facts
        self.thumbnail = thumbnail
        self.isFinal = isFinal
    }
}

/// Why there is no picture or copy: a sentence for people.
public struct MediaError: Error, Hashable, CustomStringConvertible {
    public enum Code: Sendable {
        /// The file; the same each time.
        case unreadable
        /// This machine lacks a program, or could not start it.
        case impossible
        /// The reader has ended.
        case stopped
        /// Too many wait already: later it may be possible.
        case busy
    }

    public var code: Code
    public var description: String

    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
