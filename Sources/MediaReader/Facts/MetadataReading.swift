public import AlbumModel

/// Makes facts of what tools and libraries read in a file.
///
/// Pure: the same metadata, name and date give the same facts, whatever stands in them. Nothing a file says can make it
/// trap, and every text in the facts is fit to be shown.
public struct MetadataReading {
    /// - Parameters:
    ///   - raw: what was read; empty where nothing could be.
    ///   - name: the file's name with extension, as the person gave it.
    ///   - modified: the file's modification time in nanoseconds since 1970, UTC; 0 where it is not known.
    ///   - readerVersion: ``PhotoFacts/readerVersion``.
    /// - Returns: facts without thumbnail. What the metadata could not be read for stands in ``PhotoFacts/problem``.
    public static func facts(
        from raw: RawMetadata, name: String, modified: Int64, readerVersion: UInt32
    ) -> PhotoFacts {
        let kind = KindReading.find(in: raw, name: name)
        let size = SizeReading.find(in: raw, kind: kind)
        return PhotoFacts(
            readerVersion: readerVersion, kind: kind, size: size,
            taken: CaptureTimes.find(in: raw, kind: kind, name: name, modified: modified),
            gpsMilliseconds: CaptureTimes.gpsMilliseconds(in: raw), camera: camera(raw),
            place: PlaceReading.find(in: raw), durationMilliseconds: duration(raw, kind: kind),
            contentIdentifier: text(raw, [.keysContentIdentifier, .makerContentIdentifier, .mediaGroup]),
            burstIdentifier: text(raw, [.burst, .xmpBurst, .xmpCameraBurst]), movingPart: movingPart(raw),
            problem: problem(raw, kind: kind, hasSize: size != nil))
    }

    /// The numbers under which AVCHD's films name their makers, as ExifTool's H264.pm lists them.
    private static let makersOfAVCHD = ["259": "Panasonic", "264": "Sony", "4113": "Canon", "4356": "JVC"]

    private static func camera(_ raw: RawMetadata) -> Camera {
        Camera(
            make: text(raw, [.make, .keysMake, .itemMake, .userMake, .xmlMake]).nonEmpty
                ?? raw[.h264Make].flatMap { makersOfAVCHD[$0.trimmed] } ?? text(raw, [.xmpMake]),
            model: text(raw, [.model, .keysModel, .itemModel, .userModel, .xmlModel, .h264Model, .xmpModel]),
            lens: text(raw, [.lensModel, .makerLensModel, .xmpLensModel]),
            serial: serial(raw))
    }

    /// Cameras that count nothing there fill it with zeros.
    private static func serial(_ raw: RawMetadata) -> String {
        let keys: [MetadataKey] = [
            .serialNumber, .cameraSerialNumber, .makerSerialNumber, .makerInternalSerialNumber, .xmlSerialNumber,
            .xmpSerialNumber,
        ]
        return keys.lazy.compactMap { raw[$0]?.cleaned }.first { $0.contains { $0 != "0" } } ?? ""
    }

    /// The first of these that says something.
    private static func text(_ raw: RawMetadata, _ keys: [MetadataKey]) -> String {
        keys.lazy.compactMap { raw[$0]?.cleaned }.first { !$0.isEmpty } ?? ""
    }

    /// Of a film, of a photo's moving part, or of a GIF that moves; RAW files of some makers call their one frame a
    /// second long.
    static func duration(_ raw: RawMetadata, kind: MediaKind) -> UInt64? {
        let keys: [MetadataKey] =
            switch kind {
            case .video:
                [
                    .quickTimeDuration, .matroskaDuration, .compositeDuration, .transportStreamDuration, .asfDuration,
                    .probedDuration,
                ]
            case .motion: [.movingPartDuration]
            case .photo: [.gifDuration]
            case .raw, .sidecar: []
            }
        // Thirty years, which leaves room for what a clock that jumped makes of a recording.
        let seconds = keys.lazy.compactMap { raw.number($0) }.first { $0 > 0 && $0 < 1e9 }
        return seconds.map { UInt64(($0 * 1000).rounded()) }
    }

    private static func movingPart(_ raw: RawMetadata) -> Range<UInt64>? {
        guard let start = raw.count(.movingPartStart), let byteCount = raw.count(.movingPartByteCount), byteCount > 0
        else { return nil }
        let (end, isTooFar) = start.addingReportingOverflow(byteCount)
        return isTooFar ? nil : start..<end
    }

    private static func problem(_ raw: RawMetadata, kind: MediaKind, hasSize: Bool) -> String {
        // Whatever else is amiss, it can be shown.
        if kind == .sidecar || hasSize { return "" }
        switch raw[.error] {
        case "File is empty": return "The file is empty."
        case "Unknown file type": return "It is of no kind that is known here."
        case "File format error", "Corrupted file": return "It is damaged, or not what it begins like."
        case .some(let words): return "Its metadata cannot be read: \(words)".cleaned
        case nil: break
        }
        guard let type = raw[.mimeType] else { return "Its metadata could not be read." }
        guard type.hasPrefix("image/") || type.hasPrefix("video/") else {
            return "It is neither a photo nor a video, but \(type).".cleaned
        }
        return "Its width and height cannot be read: it is damaged or incomplete."
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
