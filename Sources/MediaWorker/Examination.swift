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
        if report.container == .jpegXL {
            // The libjxl of Debian 12 ends the process that feeds it some files bit by bit, as libvips does.
            report.problem = "libvips is not asked for JPEG XL"
            report.mayHoldMore = true
            return
        }
        let untouched = report
        if !decode(Decoder(descriptor: file.descriptor), job, takesTags: takesTags) {
            report.problem = Decoder.message(of: report.container)
            report.mayHoldMore = true
        }
        guard report.picture == nil, [.heif, .avif].contains(report.container),
            file.byteCount <= limits.copyByteCountMax,
            let copy = HEIFRepair.repaired(file.read(at: 0, count: file.byteCount))
        else { return }
        let refused = report
        report = untouched
        if !decode(Decoder(copy: copy), job, takesTags: takesTags) { report = refused }
    }

    /// Whether there was a header to read.
    private mutating func decode(_ decoder: consuming Decoder, _ job: Job, takesTags: Bool) -> Bool {
        let pixelCountMax = limits.pixelCountMax
        let read = decoder.read(side: job.side, orientation: job.orientation) { $0.pixelCount <= pixelCountMax }
        guard let (header, fitted) = read else { return false }
        let isTurned = header.orientation >= 5
        report.width = isTurned ? header.height : header.width
        report.height = isTurned ? header.width : header.height
        if takesTags { takeTags(header) }
        if header.pixelCount > pixelCountMax {
            report.problem =
                "its \(header.width) × \(header.height) pixels are more than the \(pixelCountMax / 1_000_000) million "
                + "that are decoded here"
        } else if let fitted, fitted.picture.bytes.count <= WorkerLimits.pictureByteCountMax {
            report.picture = fitted.picture
            if fitted.isDamaged { report.problem = "it is damaged or cut short; its picture shows what is left" }
        } else {
            report.problem = Decoder.message(of: report.container)
        }
        return true
    }

    // MARK: Tags

    private mutating func takeTags(_ header: Decoder.Header) {
        if let exif = header.exif { takeExif(exif) }
        if let xmp = header.xmp { takeXMP(xmp) }
        if hasTrailer() || report.container == .png && PNGChunks.holdMore(in: file) { report.mayHoldMore = true }
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

extension Decoder.Header {
    fileprivate var pixelCount: UInt64 { UInt64(width) * UInt64(height) }
}
