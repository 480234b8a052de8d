public import AlbumModel

/// One photo as a comparison of clocks sees it.
public struct ClockSample: Hashable, Sendable {
    public var camera: CameraKey
    /// What the camera's clock showed, milliseconds since 1970-01-01T00:00:00 in no time zone, as the file states it:
    /// without any correction that people chose before.
    public var localMilliseconds: Int64
    /// Minutes east of UTC where the file states them.
    public var offsetMinutes: Int32?
    /// UTC by GPS, milliseconds since 1970.
    public var gpsMilliseconds: Int64?
    public var place: Place?
    /// Whether it is a still picture: a video's stamp may be that of its end.
    public var isStill: Bool

    public init(
        camera: CameraKey, localMilliseconds: Int64, offsetMinutes: Int32? = nil, gpsMilliseconds: Int64? = nil,
        place: Place? = nil, isStill: Bool = true
    ) {
        self.camera = camera
        self.localMilliseconds = localMilliseconds
        self.offsetMinutes = offsetMinutes
        self.gpsMilliseconds = gpsMilliseconds
        self.place = place
        self.isStill = isStill
    }

    /// The sample that a photo's facts give.
    ///
    /// `nil` where they say nothing about a camera's clock: no camera is named, or the time was not written by one (a
    /// file name or a modification time is whoever copied the file last).
    public init?(camera: CameraKey, facts: PhotoFacts) {
        guard let taken = facts.taken, taken.source == .exif || taken.source == .xmp else { return nil }
        guard !camera.make.isEmpty || !camera.model.isEmpty else { return nil }
        self.init(
            camera: camera, localMilliseconds: taken.localMilliseconds, offsetMinutes: taken.offsetMinutes,
            gpsMilliseconds: facts.gpsMilliseconds, place: facts.place,
            isStill: facts.kind == .photo || facts.kind == .motion || facts.kind == .raw)
    }
}
