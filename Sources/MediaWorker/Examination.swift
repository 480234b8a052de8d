import MediaWorkerProtocol

/// One job: what a file is and shows.
struct Examination: ~Copyable {
    private let file: HandedFile
    private let limits: DecoderLimits
    private var report = Report()

    init(_ file: consuming HandedFile, limits: DecoderLimits) {
        self.file = file
        self.limits = limits
    }

    consuming func perform(_ job: Job) -> Report {
        report.container = Container(start: file.read(at: 0, count: Container.startByteCount))
        switch job.kind {
        case .look: look(side: job.side)
        case .picture: decode(job, takesTags: false)
        }
        return report
    }

    private mutating func look(side: UInt16) {
        switch report.container {
        case .jpeg, .png, .webp, .gif, .heif, .avif, .jpegXL:
            decode(Job(kind: .look, side: side), takesTags: true)
        case .tiff:
            // Which RAW format it is, and where its preview lies, others know better; these are for want of them.
            takeExif(file.read(at: 0, count: limits.blockByteCountMax))
            report.mayHoldMore = true
        case .sidecar: takeXMP(file.read(at: 0, count: limits.blockByteCountMax))
        case .raw, .video, .bitmap: report.mayHoldMore = true
        case .unknown: report.mayHoldMore = file.byteCount > 0
        }
    }

    private mutating func decode(_ job: Job, takesTags: Bool) {
        let decoder = Decoder(descriptor: file.descriptor)
        if let header = decoder.header() {
            use(decoder, header, job, takesTags: takesTags)
        } else if report.container == .heif, file.byteCount <= limits.copyByteCountMax,
            let copy = HEIFRepair.repaired(file.read(at: 0, count: file.byteCount)),
            case let repaired = Decoder(copy: copy), let header = repaired.header()
        {
            use(repaired, header, job, takesTags: takesTags)
        } else {
            report.problem = Decoder.message
            report.mayHoldMore = true
        }
    }

    private mutating func use(_ decoder: borrowing Decoder, _ header: Decoder.Header, _ job: Job, takesTags: Bool) {
        let isTurned = header.orientation >= 5
        report.width = isTurned ? header.height : header.width
        report.height = isTurned ? header.width : header.height
        if takesTags { takeTags(header) }
        guard UInt64(header.width) * UInt64(header.height) <= limits.pixelCountMax else {
            report.problem =
                "its \(header.width) × \(header.height) pixels are more than the \(limits.pixelCountMax / 1_000_000) "
                + "million that are decoded here"
            return
        }
        guard let fitted = decoder.fitted(side: job.side, orientation: job.orientation),
            fitted.picture.bytes.count <= WorkerLimits.pictureByteCountMax
        else {
            report.problem = Decoder.message
            return
        }
        report.picture = fitted.picture
        if fitted.isDamaged { report.problem = "it is damaged or cut short; its picture shows what is left" }
    }

    // MARK: Tags

    private mutating func takeTags(_ header: Decoder.Header) {
        if let exif = header.exif { takeExif(exif) }
        if let xmp = header.xmp { takeXMP(xmp) }
        if hasTrailer() || header.hasDatedText { report.mayHoldMore = true }
        // libvips hands out no metadata of these, or not of all.
        if [.gif, .jpegXL].contains(report.container) { report.mayHoldMore = true }
    }

    private mutating func takeExif(_ block: [UInt8]) {
        guard let exif = ExifReader(Array(block.prefix(limits.blockByteCountMax))) else {
            report.mayHoldMore = true
            return
        }
        report.tags += exif.tags
        if exif.mayHoldMore { report.mayHoldMore = true }
    }

    private mutating func takeXMP(_ block: [UInt8]) { report.tags += XMPReader(block).tags }

    /// Samsung's cameras keep a Motion Photo's video, and its description, behind the end of the JPEG.
    private func hasTrailer() -> Bool {
        report.container == .jpeg && file.read(at: file.byteCount - 4, count: 4).elementsEqual("SEFT".utf8)
    }
}
