/// What `potluck clock` prints: how the clocks of an album's cameras compare.
public struct ClocksReport: Codable, Hashable, Sendable {
    /// The album's name.
    public var album: String
    /// The `AlbumID` in hexadecimal digits.
    public var albumID: String
    /// By owner, make, model and serial number.
    public var cameras: [Camera]

    public init(album: String, albumID: String, cameras: [Camera]) {
        self.album = album
        self.albumID = albumID
        self.cameras = cameras
    }

    enum CodingKeys: String, CodingKey {
        case album, cameras
        case albumID = "album_id"
    }

    public enum Verdict: String, Codable, Hashable, Sendable, CaseIterable {
        case right
        case wrong
        case unknown
    }

    /// How a clock most likely came to be wrong.
    public enum Fault: String, Codable, Hashable, Sendable, CaseIterable {
        case astray
        case timeZone = "time-zone"
        case halfDay = "half-day"
        case date
    }

    /// Why nothing can be said about a clock.
    public enum Doubt: String, Codable, Hashable, Sendable, CaseIterable {
        /// None of its photos says what its clock showed.
        case noTimes = "no-times"
        case tooFewPhotos = "too-few-photos"
        case alone
        case noSharedMoments = "no-shared-moments"
        case twoFit = "two-fit"
        case changed
        case noReference = "no-reference"
    }

    public struct Camera: Codable, Hashable, Sendable {
        /// The name of the device that contributed its photos.
        @ExplicitNull public var by: String?
        /// The `DeviceID` of that device in hexadecimal digits.
        public var device: String
        @ExplicitNull public var make: String?
        @ExplicitNull public var model: String?
        @ExplicitNull public var serial: String?
        /// How many photos of the album it took.
        public var photos: Int
        /// The seconds that are added to its clock now.
        public var applied: Int64
        public var verdict: Verdict
        /// The seconds that should be added, positive where the clock was slow; `null` where nothing can be said.
        @ExplicitNull public var proposed: Int64?
        @ExplicitNull public var fault: Fault?
        /// What the verdict rests on; `null` where there is none.
        @ExplicitNull public var evidence: Evidence?
        @ExplicitNull public var doubt: Doubt?
        /// Seconds that would have to be added by one reading or another; only there where doubt knows of some.
        public var candidates: [Int64]?
        /// Runs of photos with an error each; only there where the clock was set midway.
        public var periods: [Period]?

        /// A camera of which nothing can be said; set what else is known.
        public init(by: String?, device: String, make: String?, model: String?, serial: String?, photos: Int) {
            self.by = by
            self.device = device
            self.make = make
            self.model = model
            self.serial = serial
            self.photos = photos
            applied = 0
            verdict = .unknown
        }
    }

    public struct Evidence: Codable, Hashable, Sendable {
        /// Moments that this camera and others photographed.
        public var moments: Int
        /// Other cameras that photographed them.
        public var cameras: Int
        /// Photos whose GPS time agrees.
        public var gpsPhotos: Int
        /// Half of what agrees lies within so many seconds.
        public var spread: Double

        public init(moments: Int, cameras: Int, gpsPhotos: Int, spread: Double) {
            self.moments = moments
            self.cameras = cameras
            self.gpsPhotos = gpsPhotos
            self.spread = spread
        }

        enum CodingKeys: String, CodingKey {
            case moments, cameras, spread
            case gpsPhotos = "gps_photos"
        }
    }

    public struct Period: Codable, Hashable, Sendable {
        /// What the camera's clock showed at the first photo.
        public var from: LocalTime
        /// What it showed at the last one.
        public var to: LocalTime
        public var photos: Int
        /// What would have to be added.
        public var seconds: Int64

        public init(from: LocalTime, to: LocalTime, photos: Int, seconds: Int64) {
            self.from = from
            self.to = to
            self.photos = photos
            self.seconds = seconds
        }
    }
}

extension ClocksReport.Camera {
    /// Whether `--apply` would change what is added to its clock.
    public var hasProposal: Bool { proposed.map { $0 != applied } ?? false }
}
