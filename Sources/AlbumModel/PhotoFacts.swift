/// What a reader found in a photo's bytes: anyone who holds the original could derive it again.
public struct PhotoFacts: Hashable, Sendable {
    /// Grows when the reader comes to find more, or better: facts of the highest version are shown.
    public var readerVersion: UInt32
    public var kind: MediaKind
    /// Pixels as displayed, that is turned the right way; `nil` where they could not be read.
    public var size: PixelSize?
    public var taken: CaptureTime?
    /// UTC as a GPS receiver gave it, milliseconds since 1970, most often cut to the second. A receiver that lost the
    /// sky may repeat an earlier reading, never a later one.
    public var gpsMilliseconds: Int64?
    public var camera: Camera
    public var place: Place?
    /// Of a video, or of the moving part of a Motion Photo.
    public var durationMilliseconds: UInt64?
    /// Apple's ContentIdentifier: the two halves of a Live Photo share it. Empty where there is none.
    public var contentIdentifier: String
    /// What the photos of one burst share. Empty where there is none.
    public var burstIdentifier: String
    /// Where a Motion Photo's video begins in the file, and how long it is, in bytes.
    public var movingPart: Range<UInt64>?
    public var thumbnail: Thumbnail?
    /// Why something could not be read, as a sentence for people; empty where nothing is amiss.
    public var problem: String

    public init(
        readerVersion: UInt32, kind: MediaKind, size: PixelSize? = nil, taken: CaptureTime? = nil,
        gpsMilliseconds: Int64? = nil, camera: Camera = Camera(), place: Place? = nil,
        durationMilliseconds: UInt64? = nil, contentIdentifier: String = "", burstIdentifier: String = "",
        movingPart: Range<UInt64>? = nil, thumbnail: Thumbnail? = nil, problem: String = ""
    ) {
        self.readerVersion = readerVersion
        self.kind = kind
        self.size = size
        self.taken = taken
        self.gpsMilliseconds = gpsMilliseconds
        self.camera = camera
        self.place = place
        self.durationMilliseconds = durationMilliseconds
        self.contentIdentifier = contentIdentifier
        self.burstIdentifier = burstIdentifier
        self.movingPart = movingPart
        self.thumbnail = thumbnail
        self.problem = problem
    }
}

/// What sort of thing a file is by its content. That a photo is one half of a Live Photo shows only beside its other
/// half: ``Moment`` finds it.
public enum MediaKind: UInt32, Hashable, Sendable {
    case photo = 1
    case video = 2
    /// A photo with a short video embedded.
    case motion = 3
    case raw = 4
    /// Neither: a sidecar, which describes the photo of its name.
    case sidecar = 5
}

public struct PixelSize: Hashable, Sendable {
    public var width: UInt32
    public var height: UInt32

    public init(width: UInt32, height: UInt32) {
        self.width = width
        self.height = height
    }
}

/// The moment of capture as the camera's clock showed it where the photo was taken.
public struct CaptureTime: Hashable, Sendable {
    /// Where it was read, the best first.
    public enum Source: UInt32, Hashable, Sendable {
        case exif = 1
        case xmp = 2
        case quickTime = 3
        /// A file name of a pattern that phones and messengers use.
        case fileName = 4
        /// The file's modification time.
        case modification = 5
    }

    /// Milliseconds from 1970-01-01T00:00:00 to what the clock showed, in no time zone.
    public var localMilliseconds: Int64
    /// Minutes east of UTC where the file states them; never guessed.
    public var offsetMinutes: Int32?
    public var source: Source

    public init(localMilliseconds: Int64, offsetMinutes: Int32?, source: Source) {
        self.localMilliseconds = localMilliseconds
        self.offsetMinutes = offsetMinutes
        self.source = source
    }
}

/// What took a photo; empty where the file does not say.
public struct Camera: Hashable, Sendable {
    public var make: String
    public var model: String
    public var lens: String
    /// The body's number, by which two cameras of one model are told apart.
    public var serial: String

    public init(make: String = "", model: String = "", lens: String = "", serial: String = "") {
        self.make = make
        self.model = model
        self.lens = lens
        self.serial = serial
    }
}

/// Where a photo was taken.
public struct Place: Hashable, Sendable {
    /// Degrees in millionths, north positive: -90,000,000 to 90,000,000.
    public var latitudeMicrodegrees: Int32
    /// Degrees in millionths, east positive: -180,000,000 to 180,000,000.
    public var longitudeMicrodegrees: Int32
    /// Above sea level, in centimetres.
    public var altitudeCentimetres: Int32?

    public init(latitudeMicrodegrees: Int32, longitudeMicrodegrees: Int32, altitudeCentimetres: Int32?) {
        self.latitudeMicrodegrees = latitudeMicrodegrees
        self.longitudeMicrodegrees = longitudeMicrodegrees
        self.altitudeCentimetres = altitudeCentimetres
    }
}

/// A small picture of a photo, which fits 480 × 480 pixels: a blob of its own.
public struct Thumbnail: Hashable, Sendable {
    public var blob: BlobID
    /// At most one piece.
    public var byteCount: UInt32
    public var size: PixelSize
    /// `image/jpeg` or `image/webp`.
    public var mediaType: String

    public init(blob: BlobID, byteCount: UInt32, size: PixelSize, mediaType: String) {
        self.blob = blob
        self.byteCount = byteCount
        self.size = size
        self.mediaType = mediaType
    }
}

/// A camera in one person's hands: the same model on two laptops is two cameras.
public struct CameraKey: Hashable, Comparable, Sendable {
    public var contributor: DeviceID
    public var make: String
    public var model: String
    public var serial: String

    public init(contributor: DeviceID, make: String, model: String, serial: String) {
        self.contributor = contributor
        self.make = make
        self.model = model
        self.serial = serial
    }

    public static func < (left: CameraKey, right: CameraKey) -> Bool {
        (left.contributor, left.make, left.model, left.serial)
            < (right.contributor, right.make, right.model, right.serial)
    }
}
