import AlbumModel
import Foundation
import MediaWorkerProtocol
import Testing

@testable import MediaReader

/// Whole readings, by real workers, of files made on the spot.
@Suite(.enabled(if: Machine.settings.worker != nil, "there is no potluck-media-worker beside the tests"))
struct MediaReaderTests {
    private let scratch = Scratch()

    /// A picture is measured, and shrunk to the square of thumbnails in its own proportions.
    @Test(.timeLimit(.minutes(3))) func picturesGetThumbnails() async throws {
        let file = try scratch.file("a.png", Fixture.png(width: 960, height: 480))
        let reading = try await withReader { await $0.read(file) }
        #expect(reading.isFinal)
        #expect(reading.facts.problem == "")
        #expect(reading.facts.kind == .photo)
        #expect(reading.facts.size == PixelSize(width: 960, height: 480))
        #expect(reading.thumbnail?.size == PixelSize(width: 480, height: 240))
        #expect(reading.thumbnail?.mediaType == "image/jpeg")
    }

    /// EXIF says which way is up, when and where it was; the picture is turned, and says nothing of all that.
    @Test(.timeLimit(.minutes(3))) func photosAreTurnedDatedAndTheirPicturesSayNothing() async throws {
        let png = try scratch.file("a.png", Fixture.png(width: 400, height: 300))
        try await withReader { reader in
            let plain = try await reader.picture(of: png, fitting: 400).bytes
            let photo = try scratch.file("b.jpg", Fixture.jpeg(plain, exif: Fixture.exif(orientation: 6)))
            let reading = await reader.read(photo)
            #expect(reading.facts.size == PixelSize(width: 300, height: 400))
            #expect(reading.facts.camera.make == "Kuh")
            #expect(reading.facts.taken?.source == .exif)
            #expect(reading.facts.place?.latitudeMicrodegrees == 52_500_000)
            let thumbnail = try #require(reading.thumbnail)
            #expect(thumbnail.size == PixelSize(width: 300, height: 400))
            #expect(!thumbnail.bytes.contains(subsequence: "Exif") && !thumbnail.bytes.contains(subsequence: "Kuh"))
        }
    }

    /// A picture of any size can be had, but never one larger than the original.
    @Test(.timeLimit(.minutes(3))) func picturesAreNeverEnlarged() async throws {
        let file = try scratch.file("a.png", Fixture.png(width: 600, height: 900))
        try await withReader { reader in
            let large = try await reader.picture(of: file, fitting: 2048)
            #expect(large.size == PixelSize(width: 600, height: 900))
            let small = try await reader.picture(of: file, fitting: 90)
            #expect(small.size == PixelSize(width: 60, height: 90))
        }
    }

    /// A TIFF's picture takes a second step, for it might have been a RAW file.
    @Test(.timeLimit(.minutes(3))) func tiffsAreShown() async throws {
        let (header, byteCount) = Fixture.blackTIFF(side: 700)
        let file = try scratch.file("a.tif", header, byteCount: byteCount)
        let reading = try await withReader { await $0.read(file) }
        #expect(reading.facts.size == PixelSize(width: 700, height: 700))
        #expect(reading.thumbnail?.size == PixelSize(width: 480, height: 480))
    }

    /// What is no picture, empty, or said to be larger than anything that is decoded, has a reason in words, at once.
    @Test(.timeLimit(.minutes(3))) func whatCannotBeShownHasAReason() async throws {
        let files = [
            try scratch.file("empty.jpg", []), try scratch.file("page.jpg", Array("<html>hello</html>".utf8)),
            try scratch.file("bomb.png", Fixture.png(width: 40_000, height: 40_000, isBomb: true)),
            try scratch.file("cut.jpg", [0xFF, 0xD8, 0xFF, 0xE0, 0, 16]),
        ]
        try await withReader { reader in
            for file in files {
                let reading = await reader.read(file)
                #expect(reading.isFinal && reading.thumbnail == nil, "\(file.name)")
                #expect(reading.facts.problem.hasSuffix("."), "\(file.name): \(reading.facts.problem)")
                await #expect(throws: MediaError.self) { try await reader.picture(of: file, fitting: 480) }
            }
            let bomb = await reader.read(files[2])
            #expect(bomb.facts.problem.contains("40000 × 40000"))
            #expect(bomb.facts.size == PixelSize(width: 40_000, height: 40_000))
        }
    }

    /// A file that is gone is no file that is broken: what comes back is not to be kept.
    @Test(.timeLimit(.minutes(3))) func whatIsNotTheFilesFaultIsNotFinal() async throws {
        let gone = MediaFile(
            path: "\(scratch.path)/gone.jpg", name: "IMG_20240701_123005.jpg", modified: 0, byteCount: 9)
        let file = try scratch.file("a.png", Fixture.png(width: 9, height: 9))
        try await withReader { reader in
            let reading = await reader.read(gone)
            #expect(!reading.isFinal)
            // What the name says can be told all the same.
            #expect(reading.facts.taken?.source == .fileName)
        }
        let bare = MediaReaderSettings(worker: nil, exifTool: nil, ffmpeg: nil, ffprobe: nil, workerCount: 1)
        try await withReader(bare) { reader in
            #expect(reader.lacks.filter { $0.contains("potluck-media-worker") || $0.contains("missing") }.count == 3)
            #expect(await !reader.read(file).isFinal)
        }
    }
}

extension [UInt8] {
    func contains(subsequence text: String) -> Bool {
        let text = Array(text.utf8)
        return indices.contains { self[$0...].starts(with: text) }
    }
}
