import AlbumModel
import Foundation
import TestSupport
import Testing

@testable import MediaReader

/// Pictures to look at in a browser, by real workers.
@Suite(.enabled(if: Machine.settings.worker != nil, "there is no potluck-media-worker beside the tests"))
struct PreviewTests {
    private let scratch = Scratch()

    /// What is large is shrunk to 2048 pixels in its own proportions; what is small is not enlarged.
    @Test(.slow, .timeLimit(.minutes(3))) func previewsFitTheirSquare() async throws {
        let large = try scratch.file("a.png", Fixture.png(width: 3000, height: 1500))
        let small = try scratch.file("b.png", Fixture.png(width: 40, height: 30))
        let (header, byteCount) = Fixture.blackTIFF(side: 2500)
        let tiff = try scratch.file("c.tif", header, byteCount: byteCount)
        let heic = try scratch.file("d.heic", HEIFPicture.ofSeveralTargets)
        let avif = try scratch.file("e.avif", HEIFPicture.turnedBeforeSize)
        try await withReader { reader async throws in
            #expect(try await reader.preview(of: large).size == PixelSize(width: 2048, height: 1024))
            #expect(try await reader.preview(of: small).size == PixelSize(width: 40, height: 30))
            #expect(try await reader.preview(of: tiff).size == PixelSize(width: 2048, height: 2048))
            #expect(try await reader.preview(of: heic).size == PixelSize(width: 64, height: 64))
            #expect(try await reader.preview(of: avif).size == PixelSize(width: 16, height: 24))
        }
    }

    /// Photos are turned upright, and their previews say nothing of camera, date and place.
    @Test(.timeLimit(.minutes(3))) func previewsAreUprightAndSayNothing() async throws {
        let png = try scratch.file("a.png", Fixture.png(width: 400, height: 300))
        try await withReader { reader async throws in
            let plain = try await reader.preview(of: png).bytes
            let photo = try scratch.file("b.jpg", Fixture.jpeg(plain, exif: Fixture.exif(orientation: 6)))
            let path = "\(scratch.path)/preview"
            try await reader.preview(of: photo, into: path)
            let written = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            let preview = try await reader.preview(of: photo)
            #expect(written == preview.bytes)
            #expect(preview.size == PixelSize(width: 300, height: 400))
            #expect(preview.mediaType == "image/jpeg" && written.starts(with: [0xFF, 0xD8, 0xFF]))
            #expect(!written.contains(subsequence: "Exif") && !written.contains(subsequence: "Kuh"))
            await #expect(throws: MediaError.self) { try await reader.preview(of: photo, into: path) }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(written))
        }
    }

    /// What is no picture, empty, cut off or too large to decode has a reason in words, and nothing is left of it.
    @Test(.timeLimit(.minutes(3))) func hostileFilesGiveReasons() async throws {
        let files = [
            try scratch.file("empty.jpg", []), try scratch.file("page.jpg", Array("<html>hello</html>".utf8)),
            try scratch.file("bomb.png", Fixture.png(width: 40_000, height: 40_000, isBomb: true)),
            try scratch.file("cut.jpg", [0xFF, 0xD8, 0xFF, 0xE0, 0, 16]),
            try scratch.file("cut.heic", Array(HEIFPicture.ofSeveralTargets.prefix(300))),
        ]
        try await withReader { reader async throws in
            for file in files {
                let path = "\(scratch.path)/preview"
                let error = await #expect(throws: MediaError.self, "\(file.name)") {
                    try await reader.preview(of: file, into: path)
                }
                #expect(error?.code == .unreadable && error?.description.hasSuffix(".") == true, "\(file.name)")
                #expect(!FileManager.default.fileExists(atPath: path))
            }
        }
    }

    /// A photo that is cut off shows what is left of it.
    @Test(.timeLimit(.minutes(3))) func whatIsLeftIsShown() async throws {
        let png = try scratch.file("a.png", Fixture.png(width: 900, height: 600))
        try await withReader { reader async throws in
            let whole = try await reader.preview(of: png).bytes
            let cut = try scratch.file("cut.jpg", Array(whole.prefix(whole.count / 2)))
            #expect(try await reader.preview(of: cut).size == PixelSize(width: 900, height: 600))
        }
    }

    /// A machine that has no time for a preview is not the photo's fault; a photo that takes too much of the processor is.
    @Test(.timeLimit(.minutes(3))) func onlyWorkIsThePhotosFault() async throws {
        let (header, byteCount) = Fixture.blackTIFF(side: 50_000)
        let long = try scratch.file("long.tif", header, byteCount: byteCount)
        func code(_ change: (inout MediaReaderLimits) -> Void) async throws -> MediaError.Code? {
            let settings = Machine.settings { settings in
                (settings.exifTool, settings.ffmpeg, settings.ffprobe) = (nil, nil, nil)
                settings.limits.pixelCountMax = .max
                change(&settings.limits)
            }
            return await #expect(throws: MediaError.self) {
                try await withReader(settings) { try await $0.preview(of: long) }
            }?.code
        }
        #expect(try await code { $0.decoderTimeout = .milliseconds(100) } == .impossible)
        #expect(try await code { ($0.processorSeconds, $0.strikeMax) = (1, 1) } == .unreadable)
    }

    /// While a preview that takes forever holds its slot, photos are read, and those who want more previews than may wait
    /// are told so at once; its worker runs only while others leave it time.
    @Test(.timeLimit(.minutes(3))) func previewsHoldUpNobody() async throws {
        let (header, byteCount) = Fixture.blackTIFF(side: 50_000)
        let long = try scratch.file("long.tif", header, byteCount: byteCount)
        let good = try scratch.file("good.png", Fixture.png(width: 50, height: 50))
        let settings = Machine.settings { settings in
            (settings.exifTool, settings.ffmpeg, settings.ffprobe) = (nil, nil, nil)
            settings.workerCount = 1
            settings.limits.pixelCountMax = .max
            settings.limits.previewCountMax = 2
        }
        try await withReader(settings) { reader async throws in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { _ = try? await reader.preview(of: long) }
                #expect(await eventually { reader.processes.contains { $0.processorTime > .milliseconds(50) } })
                #expect(reader.processes.compactMap(\.schedulingPolicy) == ["5"])
                // A short one would have its turn between two steps of the long one.
                group.addTask { _ = try? await reader.preview(of: long) }
                #expect(await eventually { reader.waitingPreviewCount == 2 })
                let error = await #expect(throws: MediaError.self) { try await reader.preview(of: good) }
                #expect(error?.code == .busy)
                #expect(await reader.read(good).thumbnail != nil)
                #expect(reader.processes.compactMap(\.schedulingPolicy).sorted() == ["0", "5"])
                #expect(reader.waitingPreviewCount == 2)
                group.cancelAll()
                for process in reader.processes { process.kill() }
            }
        }
    }
}

/// Previews of what real cameras and phones make.
@Suite(
    .slow, .enabled(if: Machine.settings.worker != nil, "there is no potluck-media-worker beside the tests"),
    .enabled(
        if: Machine.settings.exifTool != nil && Machine.settings.ffmpeg != nil,
        "ExifTool or FFmpeg is not installed"),
    .enabled(
        if: Corpus.rows.count > 0,
        "no test media: set POTLUCK_CORPUS to their folder, or put them in ../shared/corpus"))
struct CorpusPreviewTests {
    /// Of this one the sensor's data and all previews were cut away to make it small.
    private static let withoutPreview: Set<String> = ["raw/IMG_1361.dng"]

    /// JPEG, HEIC, RAW, TIFF, WebP, AVIF, PNG, GIF, JPEG XL and films: each has a preview of its proportions, as large as
    /// it may be where the format holds the whole picture.
    @Test(.timeLimit(.minutes(5))) func allKindsHavePreviews() async throws {
        try await withReader { reader async throws in
            for row in Corpus.rows where !row.isHostile && !Self.withoutPreview.contains(row.file) {
                let name = (row.file as NSString).lastPathComponent
                let file = MediaFile(path: "\(Corpus.path)/\(row.file)", name: name, modified: 0, byteCount: 0)
                let size = try #require(await reader.read(file).facts.size, "\(row.file)")
                let preview = try await reader.preview(of: file)
                let longest = max(preview.size.width, preview.size.height)
                #expect((preview.size.width > preview.size.height) == (size.width > size.height), "\(row.file)")
                if row.file.hasPrefix("raw/") {
                    #expect(longest <= 2048, "\(row.file)")
                } else {
                    #expect(longest == min(2048, max(size.width, size.height)), "\(row.file)")
                }
            }
        }
    }

    /// Hostile files give a preview or a reason, and the reader goes on.
    @Test(.timeLimit(.minutes(5))) func hostileFilesHarmNobody() async throws {
        let folder = "\(Corpus.path)/hostile"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let scratch = Scratch()
        let good = try scratch.file("good.png", Fixture.png(width: 64, height: 64))
        try await withReader { reader async throws in
            for name in names.sorted() {
                let file = MediaFile(path: "\(folder)/\(name)", name: name, modified: 0, byteCount: 0)
                do {
                    _ = try await reader.preview(of: file)
                } catch let error as MediaError {
                    #expect(error.code == .unreadable && error.description.hasSuffix("."), "\(name): \(error)")
                }
            }
            #expect(try await reader.preview(of: good).size == PixelSize(width: 64, height: 64))
        }
    }
}
