import AlbumModel
import DiskIO
import MediaWorkerProtocol

/// The reading of one file, step by step. Between two steps others have their turn.
struct FileReading: Sendable {
    let file: MediaFile
    /// The square that the picture is to fit, in pixels.
    let side: UInt16
    let settings: MediaReaderSettings
    let pool: WorkerPool
    /// When the file's first step comes; the others are always due soon.
    let urgency: WorkerPool.Urgency

    struct Outcome {
        var facts: PhotoFacts
        var picture: Report.Picture?
    }

    /// Why a step failed, in words that go on after "cannot be read: ".
    struct Unreadable: Error {
        var words: String
    }

    /// Throws where it is not the file's fault: ``WorkerFailure/impossible(_:)``, ``WorkerFailure/stopped``, cancellation.
    func read() async throws -> Outcome {
        let look = try await look()
        let raw = try await metadata(look)
        var facts = MetadataReading.facts(
            from: raw, name: file.name, modified: file.modified, readerVersion: MediaReader.version)
        var report = look.report
        if report.picture == nil {
            switch try await otherPicture(look.report.container, facts, raw) {
            case .success(let picture?): report = picture
            case .success(nil): break
            case .failure(let failure): if report.problem.isEmpty { report.problem = failure.words }
            }
        }
        facts.problem = problem(report, facts, raw)
        return Outcome(facts: facts, picture: report.picture)
    }

    /// What is amiss, as a sentence.
    private func problem(_ report: Report, _ facts: PhotoFacts, _ raw: RawMetadata) -> String {
        if report.picture != nil {
            return report.problem.isEmpty ? facts.problem : report.problem.asSentence
        }
        guard facts.kind != .sidecar, !report.problem.isEmpty else { return facts.problem }
        if report.container.isOfLibheif, settings.exifTool != nil {
            return Self.problemOfHEIF(report.problem, isWhole: Self.isWhole(facts, raw))
        }
        return report.container == .unknown && !facts.problem.isEmpty
            ? facts.problem : "It cannot be read: \(report.problem).".cleaned
    }

    private static func problemOfHEIF(_ words: String, isWhole: Bool) -> String {
        guard isWhole else { return "It cannot be read: it is damaged or cut short; \(words).".cleaned }
        return "Its picture cannot be made, though the file looks whole: \(words). The original is shared as it is."
            .cleaned
    }

    /// Whether ExifTool followed the file's structure to its end.
    private static func isWhole(_ facts: PhotoFacts, _ raw: RawMetadata) -> Bool {
        facts.size != nil && raw[.error] == nil && raw.all(.warning).allSatisfy { $0.hasPrefix("[minor]") }
    }

    // MARK: Steps

    private struct Look {
        var report: Report
        var raw: RawMetadata
    }

    private func look() async throws -> Look {
        let job = Job(kind: .look, side: side)
        let step: Result<Look, Unreadable> = try await attempt(urgency) { slot, opened throws(WorkerFailure) in
            let report = try slot.decode(job, opened)
            var raw = RawMetadata(report)
            if !report.mayHoldMore {
                MovingPartReader.add(to: &raw, descriptor: opened.number, byteCount: opened.byteCount)
            }
            return Look(report: report, raw: raw)
        }
        switch step {
        case .success(let look): return look
        case .failure(let failure):
            // What breaks the decoder may still be dated.
            var report = Report()
            report.problem = failure.words
            report.mayHoldMore = true
            return Look(report: report, raw: RawMetadata())
        }
    }

    private func metadata(_ look: Look) async throws -> RawMetadata {
        var raw = look.raw
        if look.report.mayHoldMore, settings.exifTool != nil {
            let step: Result<RawMetadata, Unreadable> = try await attempt(.soon) { slot, opened throws(WorkerFailure) in
                guard var found = try slot.metadata(opened) else { return look.raw }
                found.fill(from: look.raw)
                MovingPartReader.add(to: &found, descriptor: opened.number, byteCount: opened.byteCount)
                return found
            }
            raw = (try? step.get()) ?? raw
        }
        if let ffprobe = settings.ffprobe, FFprobe.isNeeded(raw) {
            let byteCountMax = settings.limits.answerByteCountMax
            let tool = ToolCall.ffmpeg(
                ffprobe, FFprobe.oneShot(path: WorkerCommand.handedFile), written: byteCountMax, settings.limits)
            let step: Result<[UInt8], Unreadable> = try await attempt(.soon) { slot, opened throws(WorkerFailure) in
                try slot.run(tool, on: opened).contents(byteCountMax: byteCountMax)
            }
            // A film that FFmpeg does not know has no more to say.
            if let answer = try? step.get() { raw.fill(from: FFprobe.metadata(answer: answer)) }
        }
        return raw
    }

    /// A picture of what the decoder does not read itself; `nil` where there is none to be had here.
    private func otherPicture(
        _ container: Container, _ facts: PhotoFacts, _ raw: RawMetadata
    ) async throws -> Result<Report?, Unreadable> {
        switch (facts.kind, container) {
        case (.sidecar, _): .success(nil)
        case (.raw, _): try await preview(raw, container)
        case (.video, _):
            try await frame(at: FFmpeg.posterTime(durationMilliseconds: facts.durationMilliseconds))
        case (_, .tiff): try await ownPicture().map { $0 }
        // The libjxl of Debian 12 cannot read every file bit by bit, as libvips feeds it; FFmpeg feeds it whole.
        case (_, .jpegXL), (_, .bitmap): try await frame(at: 0)
        case (_, .heif), (_, .avif): try await wholeFrame(facts, raw)
        default: .failure(Unreadable(words: "nothing here decodes files of its kind"))
        }
    }

    /// A RAW file's own JPEG: the largest that it holds, else the camera's thumbnail, else the reduced picture that comes
    /// first in most of those that are TIFF.
    private func preview(_ raw: RawMetadata, _ container: Container) async throws -> Result<Report?, Unreadable> {
        guard let exifTool = settings.exifTool else { return .success(nil) }
        let orientation = raw[.orientation].flatMap { UInt8($0) }.map { min($0, 8) } ?? 0
        let job = Job(kind: .picture, side: side, orientation: orientation)
        for tags in [["-JpgFromRaw", "-PreviewImage", "-OtherImage"], ["-ThumbnailImage"]] {
            let tool = ToolCall.exifTool(
                exifTool, ["-b"] + tags, written: settings.limits.extractedByteCountMax, settings.limits)
            let step: Result<Report?, Unreadable> = try await attempt(.soon) { slot, opened throws(WorkerFailure) in
                let extracted = try slot.run(tool, on: opened)
                return extracted.byteCount == 0 ? nil : try slot.decode(job, extracted)
            }
            if let report = try? step.get(), report.picture != nil { return .success(report) }
        }
        if container == .tiff, case .success(let report) = try await ownPicture(), report.picture != nil {
            return .success(report)
        }
        return .failure(Unreadable(words: "it holds no preview that can be shown"))
    }

    /// What libvips makes of the file itself.
    private func ownPicture() async throws -> Result<Report, Unreadable> {
        let job = Job(kind: .picture, side: side)
        return try await attempt(.soon) { slot, opened throws(WorkerFailure) in try slot.decode(job, opened) }
    }

    /// A frame of a film, or of a still picture, that FFmpeg decodes.
    private func frame(at seconds: Double) async throws -> Result<Report?, Unreadable> {
        guard let ffmpeg = settings.ffmpeg else { return .success(nil) }
        let job = Job(kind: .picture, side: side)
        let tool = ToolCall.ffmpeg(
            ffmpeg, FFmpeg.frame(of: WorkerCommand.handedFile, at: seconds),
            written: settings.limits.extractedByteCountMax, settings.limits)
        return try await attempt(.soon) { slot, opened throws(WorkerFailure) in
            let frame = try slot.run(tool, on: opened)
            guard frame.byteCount > 0 else { throw .refused("it has no frame that can be shown") }
            return try slot.decode(job, frame)
        }
    }

    /// A HEIF picture as FFmpeg shows it. Some releases show one tile of many, or do not turn it: only what has the
    /// picture's size and stands upright is taken.
    private func wholeFrame(_ facts: PhotoFacts, _ raw: RawMetadata) async throws -> Result<Report?, Unreadable> {
        let none = Result<Report?, Unreadable>.failure(Unreadable(words: "nothing here decodes it"))
        guard let size = facts.size, FFmpeg.tellsTurning(by: raw[.rotation], of: size),
            case .success(let report?) = try await frame(at: 0)
        else { return none }
        let expected = FFmpeg.frameSize(of: size)
        let isWhole = report.width.isNear(expected.width) && report.height.isNear(expected.height)
        return isWhole ? .success(report) : none
    }

    // MARK: Strikes

    /// Tries a step, and again on a fresh worker, behind others, while the file ends workers or exceeds a limit; the last
    /// strike's words are why it is given up.
    private func attempt<Value: Sendable>(
        _ urgency: WorkerPool.Urgency,
        _ step: @escaping @Sendable (Slot, Descriptor) throws(WorkerFailure) -> Value
    ) async throws -> Result<Value, Unreadable> {
        let path = file.path
        var words = "", urgency = urgency
        for _ in 0..<settings.limits.strikeMax {
            do {
                return .success(try await pool.perform(urgency) { slot in try step(slot, Descriptor.file(path)) })
            } catch let failure as WorkerFailure {
                switch failure {
                case .strike(let strike): words = strike
                case .refused(let refusal): return .failure(Unreadable(words: refusal))
                case .impossible, .stopped: throw failure
                }
            }
            urgency = .ordinary
        }
        return .failure(Unreadable(words: words))
    }
}

extension Container {
    fileprivate var isOfLibheif: Bool { self == .heif || self == .avif }
}

extension UInt32 {
    /// But for rounding.
    fileprivate func isNear(_ other: UInt32) -> Bool { (self > other ? self - other : other - self) <= 2 }
}

extension String {
    /// With a capital and a full stop.
    fileprivate var asSentence: String { (prefix(1).uppercased() + dropFirst() + ".").cleaned }
}
