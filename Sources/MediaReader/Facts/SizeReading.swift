import AlbumModel

/// Width and height as displayed.
enum SizeReading {
    private static let side = 1.0...Double(1 << 30)

    static func find(in raw: RawMetadata, kind: MediaKind) -> PixelSize? {
        switch kind {
        case .sidecar: nil
        case .video: film(raw)
        case .photo, .motion, .raw: picture(raw, isRaw: kind == .raw)
        }
    }

    private static func picture(_ raw: RawMetadata, isRaw: Bool) -> PixelSize? {
        if !isRaw, let size = size(raw, .displayWidth, .displayHeight) { return size }
        guard let stored = composite(raw) ?? size(raw, .storedWidth, .storedHeight) else { return nil }
        switch raw[.fileType] {
        case "HEIC", "HEIF", "AVIF", "HEICS", "HEIFS":
            // Turned by the container's irot alone; EXIF's orientation beside it says the same once more. Where several
            // pictures say how they are turned the main one comes first, and tone-mapped copies behind it.
            return stored.turned(if: raw[.rotation].map { $0 == "90" || $0 == "270" } ?? false)
        case "GIF":
            return stored
        default:
            let orientation = raw[.orientation] ?? raw[.xmpOrientation]
            return stored.turned(if: orientation.map { ["5", "6", "7", "8"].contains($0) } ?? false)
        }
    }

    private static func film(_ raw: RawMetadata) -> PixelSize? {
        if let stored = size(raw, .sourceWidth, .sourceHeight) ?? composite(raw) {
            return stored.turned(if: isQuarter(raw.number(.filmRotation)))
        }
        return size(raw, .probedWidth, .probedHeight)?.turned(if: isQuarter(raw.number(.probedRotation)))
    }

    /// Whether so many degrees are an odd number of quarters, in whichever direction.
    private static func isQuarter(_ degrees: Double?) -> Bool {
        guard let degrees, abs(degrees) <= 360 else { return false }
        return (45..<135).contains(abs(degrees.truncatingRemainder(dividingBy: 180)))
    }

    private static func composite(_ raw: RawMetadata) -> PixelSize? {
        let sides = (raw[.imageSize] ?? "").split(separator: " ").map(RawMetadata.number)
        return sides.count == 2 ? size(sides[0], sides[1]) : nil
    }

    private static func size(_ raw: RawMetadata, _ width: MetadataKey, _ height: MetadataKey) -> PixelSize? {
        size(raw.number(width), raw.number(height))
    }

    private static func size(_ width: Double?, _ height: Double?) -> PixelSize? {
        guard let width, let height, side.contains(width), side.contains(height) else { return nil }
        return PixelSize(width: UInt32(width), height: UInt32(height))
    }
}

extension PixelSize {
    fileprivate func turned(if isTurned: Bool) -> PixelSize {
        isTurned ? PixelSize(width: height, height: width) : self
    }
}
