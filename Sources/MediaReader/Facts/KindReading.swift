import AlbumModel

/// What sort of file it is by its content, as ExifTool names it.
enum KindReading {
    /// ExifTool's names of RAW formats (its file types of MIME types `image/x-…`).
    private static let raw: Set<String> = [
        "3FR", "ARQ", "ARW", "CR2", "CR3", "CRW", "DCR", "DNG", "ERF", "FFF", "GPR", "IIQ", "K25", "KDC", "MEF", "MOS",
        "MRW", "NEF", "NRW", "ORF", "ORI", "PEF", "RAF", "RAW", "RW2", "RWL", "SR2", "SRF", "SRW", "X3F",
    ]
    /// A sensor's colour filter array, and the same interpolated (DNG 1.7, PhotometricInterpretation).
    private static let sensorPhotometrics: Set<String> = ["32803", "34892"]

    static func find(in raw: RawMetadata, name: String) -> MediaKind {
        let type = raw[.fileType] ?? ""
        if isSidecar(type, name: name) { return .sidecar }
        if isRaw(type, raw) { return .raw }
        if raw[.mimeType]?.hasPrefix("video/") == true { return .video }
        return raw[.movingPartByteCount] == nil ? .photo : .motion
    }

    /// Many RAW formats are TIFF, and only their names or what is inside tell: names are not believed.
    private static func isRaw(_ type: String, _ raw: RawMetadata) -> Bool {
        if self.raw.contains(type) { return true }
        guard type == "TIFF" else { return false }
        let photometrics = raw.all(.photometricInterpretation) + raw.all(.subPhotometricInterpretation)
        return raw[.dngVersion] != nil || photometrics.contains(where: sensorPhotometrics.contains)
    }

    /// Apple's are property lists like any other, so that here the name has a say.
    private static func isSidecar(_ type: String, name: String) -> Bool {
        switch type {
        case "XMP", "AAE": true
        case "PLIST", "XML": name.lowercased().hasSuffix(".aae")
        default: false
        }
    }
}
