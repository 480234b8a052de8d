/// What facts may say. Facts outside these are without effect, on every device alike.
public enum FactsLimits {
    /// Bytes of each text in UTF-8: camera, identifiers, problem.
    public static let textByteCountMax = 256
    /// Pixels of a side: JPEG XL, the widest of the formats that are read, has room for 2^30.
    public static let side: ClosedRange<UInt32> = 1...1 << 30
    /// Local milliseconds of the years 1000 to 9899: a camera's clock, wrong by a hundred years at most, leads to no
    /// year of other than four digits.
    public static let localMilliseconds: ClosedRange<Int64> = -30_610_224_000_000...250_246_627_199_999
    /// RFC 3339 has no offset of a day or more.
    public static let offsetMinutes: ClosedRange<Int32> = -1439...1439
    public static let latitudeMicrodegrees: ClosedRange<Int32> = -90_000_000...90_000_000
    public static let longitudeMicrodegrees: ClosedRange<Int32> = -180_000_000...180_000_000
    /// From below the deepest sea to the edge of space.
    public static let altitudeCentimetres: ClosedRange<Int32> = -1_200_000...10_000_000
    /// About 35 years.
    public static let durationMillisecondsMax: UInt64 = 1 << 40
    /// One piece, so that a thumbnail needs no piece list.
    public static let thumbnailByteCount: ClosedRange<UInt32> = 1...1 << 20
    public static let thumbnailSide: ClosedRange<UInt32> = 1...4096
    /// Batches hold their places in this list: it only grows at its end.
    public static let thumbnailMediaTypes = ["image/jpeg", "image/webp"]

    static func isValid(_ facts: PhotoFacts) -> Bool { facts.readerVersion > 0 && facts == facts.clipped() }

    static func isValidText(_ text: String) -> Bool { text.utf8.count <= textByteCountMax }
}

extension PhotoFacts {
    /// The same without what no facts may say: texts are cut, numbers that are out of range left out.
    public func clipped() -> PhotoFacts {
        var facts = self
        facts.size = size.flatMap { $0.isWithin(FactsLimits.side) ? $0 : nil }
        facts.taken = taken?.clipped()
        facts.gpsMilliseconds = gpsMilliseconds.flatMap { FactsLimits.localMilliseconds.contains($0) ? $0 : nil }
        facts.camera = camera.clipped()
        facts.place = place?.clipped()
        facts.durationMilliseconds = durationMilliseconds.flatMap {
            $0 <= FactsLimits.durationMillisecondsMax ? $0 : nil
        }
        facts.contentIdentifier = contentIdentifier.clipped()
        facts.burstIdentifier = burstIdentifier.clipped()
        facts.movingPart = movingPart.flatMap {
            !$0.isEmpty && $0.upperBound <= CatalogLimits.blobByteCountMax ? $0 : nil
        }
        facts.thumbnail = thumbnail.flatMap { $0.isValid ? $0 : nil }
        facts.problem = problem.clipped()
        return facts
    }
}

extension PixelSize {
    fileprivate func isWithin(_ side: ClosedRange<UInt32>) -> Bool { side.contains(width) && side.contains(height) }
}

extension CaptureTime {
    fileprivate func clipped() -> CaptureTime? {
        guard FactsLimits.localMilliseconds.contains(localMilliseconds) else { return nil }
        let offset = offsetMinutes.flatMap { FactsLimits.offsetMinutes.contains($0) ? $0 : nil }
        return CaptureTime(localMilliseconds: localMilliseconds, offsetMinutes: offset, source: source)
    }
}

extension Camera {
    fileprivate func clipped() -> Camera {
        Camera(make: make.clipped(), model: model.clipped(), lens: lens.clipped(), serial: serial.clipped())
    }
}

extension Place {
    fileprivate func clipped() -> Place? {
        guard FactsLimits.latitudeMicrodegrees.contains(latitudeMicrodegrees),
            FactsLimits.longitudeMicrodegrees.contains(longitudeMicrodegrees)
        else { return nil }
        var place = self
        place.altitudeCentimetres = altitudeCentimetres.flatMap {
            FactsLimits.altitudeCentimetres.contains($0) ? $0 : nil
        }
        return place
    }
}

extension Thumbnail {
    fileprivate var isValid: Bool {
        FactsLimits.thumbnailByteCount.contains(byteCount) && size.isWithin(FactsLimits.thumbnailSide)
            && FactsLimits.thumbnailMediaTypes.contains(mediaType)
    }
}

extension String {
    /// Whole characters, as many as fit.
    fileprivate func clipped() -> String {
        guard !FactsLimits.isValidText(self) else { return self }
        var rest = FactsLimits.textByteCountMax
        return String(
            prefix { character in
                rest -= character.utf8.count
                return rest >= 0
            })
    }
}
