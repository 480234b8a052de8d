import AlbumModel
import CSandbox
import DiskIO
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import MediaReader

/// Films made playable for all browsers, by FFmpeg in the sandbox.
@Suite(
    .slow, .enabled(if: Machine.settings.worker != nil, "there is no potluck-media-worker beside the tests"),
    .enabled(
        if: Machine.settings.ffmpeg != nil && Machine.settings.ffprobe != nil && Machine.settings.exifTool != nil,
        "FFmpeg or ExifTool is not installed"),
    .enabled(if: csandbox_landlock_version() > 0, "this kernel has no Landlock"))
struct PlayableFilmTests {
    private let scratch = Scratch()

    private var output: String { "\(scratch.path)/playable.mp4" }
    private var outputIsThere: Bool { FileManager.default.fileExists(atPath: output) }

    private func film(_ name: String, _ words: [String]) throws -> MediaFile {
        let path = "\(scratch.path)/\(name)"
        try Tool.run(#require(Machine.settings.ffmpeg), ["-v", "error", "-nostdin"] + words + [path])
        let byteCount = try FileManager.default.attributesOfItem(atPath: path)[.size] as? UInt64
        return MediaFile(path: path, name: name, modified: 0, byteCount: try #require(byteCount))
    }

    private static func source(_ size: String, seconds: Int = 1, sound: Bool = true) -> [String] {
        ["-f", "lavfi", "-i", "testsrc2=size=\(size):rate=25:duration=\(seconds)"]
            + (sound ? ["-f", "lavfi", "-i", "sine=frequency=440:duration=\(seconds)"] : [])
    }

    /// What FFmpeg's prober says of the streams, and of the whole.
    private func probed(_ path: String) throws -> [[String: String]] {
        let words = ["-v", "error", "-show_streams", "-of", "flat", path]
        let answer = try Tool.run(#require(Machine.settings.ffprobe), words)
        let streams = FFprobe.entries(answer: answer).streams
        return streams.sorted { $0.key < $1.key }.map(\.value)
    }

    private func make(
        _ film: MediaFile, _ settings: MediaReaderSettings = Machine.settings,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws {
        try await withReader(settings) { try await $0.playable(of: film, into: output, progress: progress) }
    }

    /// A film lying on its side, of a codec that browsers do not play, with a place in it, stands upright as H.264 and
    /// AAC, its description before its data, and says no place.
    @Test(.timeLimit(.minutes(3))) func filmsBecomePlayable() async throws {
        let lying = try film("a.mov", Self.source("320x240") + ["-c:v", "mpeg4", "-c:a", "pcm_s16le"])
        let turned = try film(
            "b.mov",
            ["-i", lying.path, "-c", "copy", "-metadata:s:v", "rotate=90", "-metadata", "location=+52.5000+013.2500/"])
        let seen = Recorder<Double>()
        try await make(turned) { seen.add($0) }
        let streams = try probed(output)
        #expect(streams.map { $0["codec_name"] } == ["h264", "aac"])
        #expect(streams[0]["width"] == "240" && streams[0]["height"] == "320")
        #expect(streams[0]["pix_fmt"] == "yuv420p" && streams[0]["profile"] == "High")
        #expect(streams[0]["rotation"] == nil)
        let file = try Descriptor(opening: output, .readOwn)
        #expect(FilmCheck.isPlain(file))
        #expect(!file.contents(byteCountMax: 1 << 24).contains(subsequence: "+52.5"))
        #expect(seen.values.last == 1 && seen.values == seen.values.sorted())
    }

    /// At most 1080 lines of 1920, whichever way the film is held, with an even number of both; small ones stay small.
    @Test(
        .timeLimit(.minutes(2)),
        arguments: [
            ("2560x1440", "1920x1080"), ("1440x2560", "1080x1920"), ("101x75", "100x74"), ("3840x1200", "1920x600"),
        ])
    func filmsFitTheScreen(_ size: String, _ expected: String) async throws {
        try await make(try film("a.mkv", Self.source(size, sound: false) + ["-frames:v", "3", "-c:v", "ffv1"]))
        let streams = try probed(output)
        #expect(streams.count == 1)
        #expect("\(streams[0]["width"] ?? "")x\(streams[0]["height"] ?? "")" == expected)
    }

    /// A film of high dynamic range is toned down: it says that it has the colours of ordinary screens, and its grey has
    /// another code, neither near black nor near white.
    @Test(.timeLimit(.minutes(3)), arguments: ["smpte2084", "arib-std-b67"])
    func highDynamicRangeIsTonedDown(_ transfer: String) async throws {
        let colours = "colorprim=bt2020:transfer=\(transfer):colormatrix=bt2020nc"
        let bright = try film(
            "a.mov",
            [
                "-f", "lavfi", "-i", "color=c=0x808080:size=320x180:rate=10:duration=1", "-vf", "format=yuv420p10le",
                "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:\(colours)", "-tag:v",
                "hvc1",
            ])
        #expect(try probed(bright.path)[0]["color_transfer"] == transfer)
        try await make(bright)
        let stream = try probed(output)[0]
        #expect(stream["pix_fmt"] == "yuv420p" && stream["color_transfer"] == "bt709")
        #expect(stream["color_space"] == "bt709" && stream["color_primaries"] == "bt709")
        func luma(_ path: String) throws -> UInt8 {
            let words = ["-v", "error", "-i", path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "gray", "-"]
            let ffmpeg = try #require(Machine.settings.ffmpeg)
            return try #require(Tool.run(ffmpeg, words).first)
        }
        let (before, after) = (try luma(bright.path), try luma(output))
        #expect(after != before, "\(transfer): \(before) became \(after)")
        #expect((100...245).contains(after), "\(transfer): \(before) became \(after)")
    }

    /// What is no film, has only sound, ends in the midst of its description, or is gone gives a reason, and leaves
    /// nothing.
    @Test(.timeLimit(.minutes(3))) func whatIsNoFilmHasAReason() async throws {
        let whole = try film("a.mov", Self.source("320x240") + ["-c:v", "mpeg4"])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: whole.path)))
        let files = [
            try scratch.file("empty.mp4", []), try scratch.file("page.mp4", Array("<html>hello</html>".utf8)),
            try scratch.file("cut.mov", Array(bytes.prefix(bytes.count / 2))),
            try film("sound.m4a", ["-f", "lavfi", "-i", "sine=duration=1", "-c:a", "aac"]),
            MediaFile(path: "\(scratch.path)/gone.mp4", name: "gone.mp4", modified: 0, byteCount: 9),
        ]
        try await withReader { reader async throws in
            for file in files {
                let error = await #expect(throws: MediaError.self, "\(file.name)") {
                    try await reader.playable(of: file, into: output) { _ in }
                }
                #expect(error?.code == (file.name == "gone.mp4" ? .impossible : .unreadable), "\(file.name): \(error!)")
                #expect(!outputIsThere, "\(file.name)")
            }
            // One that ends early but says before what is in it is played as far as it goes.
            let fast = try film("fast.mov", ["-i", whole.path, "-c", "copy", "-movflags", "+faststart"])
            let start = [UInt8](try Data(contentsOf: URL(fileURLWithPath: fast.path)))
            let cut = try scratch.file("early.mov", Array(start.prefix(start.count * 3 / 4)))
            try await reader.playable(of: cut, into: output) { _ in }
            #expect(try probed(output).count == 2)
        }
    }

    /// What stands at the path already stays.
    @Test(.timeLimit(.minutes(3))) func nothingIsOverwritten() async throws {
        let whole = try film("a.mov", Self.source("64x48") + ["-c:v", "mpeg4"])
        let there = try scratch.file("playable.mp4", [1, 2, 3])
        await #expect(throws: MediaError.self) { try await make(whole) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: there.path)) == Data([1, 2, 3]))
    }

    /// What becomes longer than is allowed, or takes longer, is given up.
    @Test(.timeLimit(.minutes(3))) func bytesAndTimeAreBounded() async throws {
        let noise = try film(
            "a.mkv",
            [
                "-f", "lavfi", "-i", "nullsrc=size=640x480:rate=25:duration=4,geq=random(1)*255:128:128", "-c:v",
                "mpeg4",
                "-q:v", "2",
            ])
        let small = Machine.settings { $0.limits.playableByteCountMax = 300_000 }
        // So many bytes are planned that the film would fit; noise does not keep to a plan.
        await #expect(throws: MediaError.self) { try await make(noise, small) }
        #expect(!outputIsThere)
        let short = Machine.settings { settings in
            (settings.limits.playableTimeout, settings.limits.playableTimeoutFactor) = (.milliseconds(50), 0)
        }
        let error = await #expect(throws: MediaError.self) { try await make(noise, short) }
        #expect(error?.description == "It cannot be read: it takes longer than is allowed.")
        #expect(!outputIsThere)
    }

    /// Whoever wants it no longer gets the processor back at once: the process is gone, and so is the file.
    @Test(.timeLimit(.minutes(3))) func cancellingEndsIt() async throws {
        let long = try film("a.mov", Self.source("1280x720", seconds: 20) + ["-c:v", "mpeg4"])
        try await withReader { reader async throws in
            let seen = Recorder<Double>()
            let result = await withTaskGroup(of: Result<Void, any Error>.self) { group in
                group.addTask { [output] in
                    do {
                        return .success(try await reader.playable(of: long, into: output) { seen.add($0) })
                    } catch {
                        return .failure(error)
                    }
                }
                #expect(await eventually { !seen.values.isEmpty })
                #expect(reader.filmProcess?.schedulingPolicy == "5")
                group.cancelAll()
                return await group.next()
            }
            #expect(throws: CancellationError.self) { try #require(result).get() }
            #expect(!outputIsThere && reader.filmProcess == nil)
        }
    }

    /// The reader's end ends it, too.
    @Test(.timeLimit(.minutes(3))) func theReadersEndEndsIt() async throws {
        let long = try film("a.mov", Self.source("1280x720", seconds: 20) + ["-c:v", "mpeg4"])
        let error = await withTaskGroup(of: (any Error)?.self) { group in
            let seen = Recorder<Double>()
            try? await withReader { reader async throws in
                group.addTask { [output] in
                    do {
                        try await reader.playable(of: long, into: output) { seen.add($0) }
                        return nil
                    } catch {
                        return error
                    }
                }
                #expect(await eventually { !seen.values.isEmpty })
            }
            return await group.next() ?? nil
        }
        #expect((error as? MediaError)?.code == .stopped)
        #expect(!outputIsThere)
    }

    /// Short films are coded as finely as the eye can tell; long ones less, so that they fit; endless ones are refused.
    @Test func lengthDecidesFineness() throws {
        let limits = MediaReaderLimits()
        func plan(_ seconds: Double?) -> FilmPlan? { FilmPlan(seconds: seconds, threadCount: 2, limits) }
        #expect(plan(10)?.lines == 1080 && plan(10)?.videoBitRate == 8_000_000)
        #expect(plan(10)?.timeout == .seconds(120 + 300) && plan(10)?.processorSeconds == 840)
        #expect(plan(nil) == plan(600))
        #expect(plan(1800)?.lines == 720 && plan(6000)?.lines == 480)
        #expect(plan(3 * 3600) == nil && plan(.greatestFiniteMagnitude) == nil)
        for seconds in stride(from: 1.0, to: 6900, by: 100) {
            let plan = try #require(plan(seconds))
            let bits = Double(plan.videoBitRate + FilmPlan.audioBitRate) * seconds + 2 * Double(plan.videoBitRate)
            #expect(bits / 8 < Double(limits.playableByteCountMax), "\(seconds)")
        }
    }

    /// Progress grows, whatever lines it comes in, and nonsense is nothing.
    @Test func progressIsRead() {
        var progress = FilmProgress(seconds: 10)
        #expect(progress.advance(Array("frame=1\nout_time_us=10".utf8)) == nil)
        #expect(progress.advance(Array("00000\nspeed=1x\nout_ti".utf8)) == 0.1)
        #expect(progress.advance(Array("me_us=500000\n".utf8)) == nil)
        #expect(progress.advance(Array("out_time_us=N/A\nout_time_us=-9\nout_time_us=nan\n".utf8)) == nil)
        #expect(progress.advance([UInt8](repeating: 65, count: 1 << 15)) == nil)
        #expect(progress.advance(Array("\nout_time_us=99000000\n".utf8)) == 1)
        var unknown = FilmProgress(seconds: nil)
        #expect(unknown.advance(Array("out_time_us=1000000\n".utf8)) == nil)
    }

    /// Only films of FFmpeg's plain make are taken.
    @Test func otherStructuresAreRefused() throws {
        func isPlain(_ bytes: [UInt8]) throws -> Bool {
            let path = try scratch.file("check-\(UUID())", bytes).path
            return FilmCheck.isPlain(try Descriptor(opening: path, .readOwn))
        }
        let movie = box("mvhd", []) + box("trak", [])
        let plain = box("ftyp", [1]) + box("moov", movie) + box("free", []) + box("mdat", [1, 2])
        #expect(try isPlain(plain))
        #expect(try !isPlain(plain + box("uuid", [1])) && !isPlain(plain + [1]) && !isPlain(plain.dropLast()))
        #expect(try !isPlain(box("ftyp", [1]) + box("mdat", [1, 2]) + box("moov", movie)))
        #expect(try !isPlain(box("ftyp", [1]) + box("moov", box("mvhd", [])) + box("mdat", [1])))
        let tagged = movie + box("udta", [UInt8](repeating: 65, count: 100))
        #expect(try !isPlain(box("ftyp", [1]) + box("moov", tagged) + box("mdat", [1])))
        #expect(try !isPlain(box("ftyp", [1]) + box("moov", movie + box("meta", [])) + box("mdat", [1])))
        #expect(try !isPlain([]))
    }
}

/// Films of real phones, and hostile ones.
@Suite(
    .slow, .enabled(if: Machine.settings.worker != nil, "there is no potluck-media-worker beside the tests"),
    .enabled(
        if: Machine.settings.ffmpeg != nil && Machine.settings.ffprobe != nil && Machine.settings.exifTool != nil,
        "FFmpeg or ExifTool is not installed"),
    .enabled(if: csandbox_landlock_version() > 0, "this kernel has no Landlock"),
    .enabled(
        if: Corpus.rows.count > 0,
        "no test media: set POTLUCK_CORPUS to their folder, or put them in ../shared/corpus"))
struct CorpusFilmTests {
    private let scratch = Scratch()

    /// Films of phones become playable, with the proportions that they are displayed with; hostile ones do, or give a
    /// reason and leave nothing.
    @Test(.timeLimit(.minutes(5))) func filmsArePreparedOrRefused() async throws {
        let folders = ["video", "live", "hostile"]
        let names = try folders.flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: "\(Corpus.path)/\(folder)").map { "\(folder)/\($0)" }
        }
        let films = names.filter { ["mov", "mp4"].contains(($0.lowercased() as NSString).pathExtension) }.sorted()
        try #require(films.count > 6)
        try await withReader { reader async throws in
            for film in films {
                let file = MediaFile(
                    path: "\(Corpus.path)/\(film)", name: (film as NSString).lastPathComponent, modified: 0,
                    byteCount: 0)
                let output = "\(scratch.path)/playable.mp4"
                do {
                    try await reader.playable(of: file, into: output) { _ in }
                } catch let error as MediaError {
                    #expect(film.hasPrefix("hostile/") && error.code == .unreadable, "\(film): \(error)")
                    #expect(!FileManager.default.fileExists(atPath: output), "\(film)")
                    continue
                }
                let made = await reader.read(MediaFile(path: output, name: "a.mp4", modified: 0, byteCount: 0)).facts
                let size = try #require(made.size, "\(film)")
                let original = try #require(await reader.read(file).facts.size)
                #expect(made.problem == "" && made.kind == .video && made.place == nil, "\(film)")
                #expect((size.width > size.height) == (original.width > original.height), "\(film)")
                #expect(max(size.width, size.height) <= 1920 && min(size.width, size.height) <= 1080, "\(film)")
                try FileManager.default.removeItem(atPath: output)
            }
        }
    }
}

/// Keeps what a callback was told.
final class Recorder<Value: Sendable>: Sendable {
    private let state = Mutex<[Value]>([])

    var values: [Value] { state.withLock { $0 } }

    func add(_ value: Value) { state.withLock { $0.append(value) } }
}
