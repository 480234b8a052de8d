import MediaWorkerProtocol

extension RawMetadata {
    /// What a decoder found by itself: tags, size, and the kind of file as far as its first bytes tell.
    init(_ report: Report) {
        self.init()
        for tag in report.tags { add(tag.value, named: tag.name) }
        if report.width > 0, report.height > 0 {
            add(String(report.width), for: .displayWidth)
            add(String(report.height), for: .displayHeight)
        }
        guard let (type, mimeType) = Self.types[report.container] else {
            add(report.mayHoldMore ? "Unknown file type" : "File is empty", for: .error)
            return
        }
        add(type, for: .fileType)
        add(mimeType, for: .mimeType)
    }

    /// ExifTool's words. Where it is asked itself it knows better: which film, which RAW format.
    private static let types: [Container: (String, String)] = [
        .jpeg: ("JPEG", "image/jpeg"), .png: ("PNG", "image/png"), .webp: ("WEBP", "image/webp"),
        .gif: ("GIF", "image/gif"), .heif: ("HEIC", "image/heic"), .avif: ("AVIF", "image/avif"),
        .jpegXL: ("JXL", "image/jxl"), .tiff: ("TIFF", "image/tiff"), .raw: ("RAW", "image/x-raw"),
        .video: ("MP4", "video/mp4"), .bitmap: ("BMP", "image/bmp"), .sidecar: ("XMP", "application/rdf+xml"),
    ]
}
