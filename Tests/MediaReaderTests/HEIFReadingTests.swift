import AlbumModel
import Testing

@testable import MediaReader
@testable import MediaWorker

/// HEIF pictures that libheif before 1.17 refuses, or shows wrongly, although they are sound.
@Suite(.enabled(if: Machine.settings.worker != nil, "there is no potluck-media-worker beside the tests"))
struct HEIFReadingTests {
    private let scratch = Scratch()

    /// A photo whose metadata belong to two images is shown and dated, also where that frees next to nothing in its list.
    @Test(.timeLimit(.minutes(3))) func newPhonesPhotosAreShown() async throws {
        let file = try scratch.file("a.heic", HEIFPicture.ofSeveralTargets)
        let reading = try await withReader { await $0.read(file) }
        #expect(reading.facts.problem == "")
        #expect(reading.facts.size == PixelSize(width: 64, height: 64))
        #expect(reading.facts.camera.make == "Kuh" && reading.facts.taken?.source == .exif)
        #expect(reading.thumbnail?.size == PixelSize(width: 64, height: 64))
    }

    /// A picture that is turned before its size is said has the size and the thumbnail that it is displayed with.
    @Test(.timeLimit(.minutes(3))) func turnedPicturesStandUpright() async throws {
        let file = try scratch.file("a.avif", HEIFPicture.turnedBeforeSize)
        let reading = try await withReader { await $0.read(file) }
        #expect(reading.facts.problem == "")
        #expect(reading.facts.size == PixelSize(width: 16, height: 24))
        #expect(reading.thumbnail?.size == PixelSize(width: 16, height: 24))
    }

    /// What libheif alone refuses is not called damaged, and is dated and measured; what ends early is.
    @Test(
        .enabled(if: Machine.settings.exifTool != nil, "ExifTool is not installed"), .timeLimit(.minutes(3)))
    func onlyDamageIsCalledDamage() async throws {
        let whole = try scratch.file("a.heic", HEIFPicture.beyondRepair)
        let cut = try scratch.file("b.heic", HEIFPicture.beyondRepair.dropLast(120))
        try await withReader { reader in
            let reading = await reader.read(whole)
            #expect(reading.facts.size == PixelSize(width: 64, height: 64))
            #expect(reading.facts.taken?.source == .exif)
            #expect(!reading.facts.problem.contains("damaged"))
            // A newer libheif reads it.
            if reading.thumbnail == nil { #expect(reading.facts.problem.contains("the file looks whole")) }
            #expect(await reader.read(cut).facts.problem.contains("damaged or cut short"))
        }
    }

    /// Repairing changes the list of references and the order of properties, and nothing else; in whatever is cut or
    /// altered it reads nothing that is not there.
    @Test func repairingIsExact() throws {
        let references = HEIFPicture.ofSeveralTargets
        let repaired = try #require(HEIFRepair.repaired(references))
        #expect(repaired.count == references.count)
        // The data behind the description.
        #expect(repaired.suffix(141) == references.suffix(141))
        #expect(HEIFRepair.repaired(repaired) == nil)
        #expect(HEIFRepair.repaired(HEIFPicture.beyondRepair) == nil)

        let turned = HEIFPicture.turnedBeforeSize
        let upright = try #require(HEIFRepair.repaired(turned))
        let changes = zip(turned, upright).filter { $0 != $1 }
        #expect(changes.map(\.0) == [2, 0x83, 4, 0x85, 1] && changes.map(\.1) == [1, 2, 0x83, 4, 0x85])
        #expect(HEIFRepair.repaired(upright) == nil)

        for file in [references, turned] {
            for count in file.indices { _ = HEIFRepair.repaired(Array(file.prefix(count))) }
            for index in file.indices {
                for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
                    var other = file
                    other[index] = value
                    _ = HEIFRepair.repaired(other)
                }
            }
        }
    }

    /// A frame of FFmpeg's is taken only where its size shows that it is the whole picture, upright.
    @Test func framesAreJudgedByTheirSize() {
        #expect(FFmpeg.frameSize(of: PixelSize(width: 4032, height: 3024)) == PixelSize(width: 2048, height: 1536))
        #expect(FFmpeg.frameSize(of: PixelSize(width: 640, height: 480)) == PixelSize(width: 640, height: 480))
        let (wide, square) = (PixelSize(width: 4, height: 3), PixelSize(width: 3, height: 3))
        #expect(FFmpeg.tellsTurning(by: nil, of: square) && FFmpeg.tellsTurning(by: "0", of: wide))
        #expect(FFmpeg.tellsTurning(by: "270", of: wide) && !FFmpeg.tellsTurning(by: "90", of: square))
        #expect(!FFmpeg.tellsTurning(by: "180", of: wide) && !FFmpeg.tellsTurning(by: "x", of: wide))
    }
}
