import AlbumModel
import FoundationEssentials
import SwiftProtobuf

/// Facts as one flat message: a photo of a gathering of 100,000 is to cost little more than it says.
extension PhotoFacts {
    func part(_ album: AlbumID, _ blob: BlobID) -> Potluck_PhotoReadPart {
        var part = Potluck_PhotoReadPart()
        part.album = .init(album.bytes)
        part.blob = .init(blob.bytes)
        part.readerVersion = readerVersion
        part.kind = kind.rawValue
        if let size { (part.width, part.height) = (size.width, size.height) }
        part.write(taken)
        if let gpsMilliseconds { part.gps = gpsMilliseconds }
        part.write(camera)
        part.write(place)
        if let durationMilliseconds { part.duration = durationMilliseconds }
        part.contentIdentifier = contentIdentifier
        part.burstIdentifier = burstIdentifier
        if let movingPart {
            part.movingPartStart = movingPart.lowerBound
            part.movingPartByteCount = movingPart.upperBound - movingPart.lowerBound
        }
        part.write(thumbnail)
        part.problem = problem
        return part
    }

    /// - Throws: where a number stands for something that this version does not know: such facts are no facts here.
    init(part: Potluck_PhotoReadPart) throws(WireError) {
        guard let kind = MediaKind(rawValue: part.kind) else { throw .outOfRange(field: "kind") }
        self.init(
            readerVersion: part.readerVersion, kind: kind,
            size: part.width == 0 && part.height == 0 ? nil : PixelSize(width: part.width, height: part.height),
            taken: try part.capture(), gpsMilliseconds: part.hasGps ? part.gps : nil, camera: part.camera,
            place: part.hasPlace ? part.place.value : nil,
            durationMilliseconds: part.hasDuration ? part.duration : nil,
            contentIdentifier: part.contentIdentifier, burstIdentifier: part.burstIdentifier,
            movingPart: try part.movingPart(), thumbnail: try part.picture(), problem: part.problem)
    }
}

extension Potluck_PhotoReadPart {
    fileprivate mutating func write(_ capture: CaptureTime?) {
        guard let capture else { return }
        taken = capture.localMilliseconds
        takenSource = capture.source.rawValue
        if let offset = capture.offsetMinutes { takenOffset = offset }
    }

    fileprivate func capture() throws(WireError) -> CaptureTime? {
        guard takenSource != 0 else { return nil }
        guard let source = CaptureTime.Source(rawValue: takenSource) else { throw .outOfRange(field: "source") }
        return CaptureTime(
            localMilliseconds: taken, offsetMinutes: hasTakenOffset ? takenOffset : nil, source: source)
    }

    fileprivate mutating func write(_ camera: Camera) {
        make = camera.make
        model = camera.model
        serial = camera.serial
        // Telephones call their lenses by their own name, and more.
        if !camera.model.isEmpty, camera.lens.utf8.starts(with: camera.model.utf8) {
            lensAfterModel = String(Substring(camera.lens.utf8.dropFirst(camera.model.utf8.count)))
        } else {
            lens = camera.lens
        }
    }

    fileprivate var camera: Camera {
        Camera(make: make, model: model, lens: hasLensAfterModel ? model + lensAfterModel : lens, serial: serial)
    }

    fileprivate mutating func write(_ value: Place?) {
        guard let value else { return }
        place.latitude = value.latitudeMicrodegrees
        place.longitude = value.longitudeMicrodegrees
        if let altitude = value.altitudeCentimetres { place.altitude = altitude }
    }

    fileprivate func movingPart() throws(WireError) -> Range<UInt64>? {
        guard movingPartByteCount > 0 else { return nil }
        let (end, overflow) = movingPartStart.addingReportingOverflow(movingPartByteCount)
        guard !overflow else { throw .outOfRange(field: "moving part") }
        return movingPartStart..<end
    }

    fileprivate mutating func write(_ picture: Thumbnail?) {
        guard let picture else { return }
        thumbnail = .init(picture.blob.bytes)
        thumbnailByteCount = picture.byteCount
        thumbnailWidth = picture.size.width
        thumbnailHeight = picture.size.height
        // The fold refuses all others.
        thumbnailType = UInt32((FactsLimits.thumbnailMediaTypes.firstIndex(of: picture.mediaType) ?? -1) + 1)
    }

    fileprivate func picture() throws(WireError) -> Thumbnail? {
        guard !thumbnail.isEmpty else { return nil }
        let types = FactsLimits.thumbnailMediaTypes
        guard (1...UInt32(types.count)).contains(thumbnailType) else { throw .outOfRange(field: "thumbnail type") }
        return Thumbnail(
            blob: try .decoding(thumbnail, "thumbnail"), byteCount: thumbnailByteCount,
            size: PixelSize(width: thumbnailWidth, height: thumbnailHeight),
            mediaType: types[Int(thumbnailType) - 1])
    }
}

extension Potluck_PlacePart {
    fileprivate var value: Place {
        Place(
            latitudeMicrodegrees: latitude, longitudeMicrodegrees: longitude,
            altitudeCentimetres: hasAltitude ? altitude : nil)
    }
}
