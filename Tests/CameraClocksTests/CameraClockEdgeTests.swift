import AlbumModel
import CameraClocks
import Testing

/// Albums that are small, odd or written by a liar.
@Suite("Camera clocks, edges") struct CameraClockEdgeTests {
    /// No photos, no cameras.
    @Test func anEmptyAlbumHasNoCameras() {
        let comparison = ClockComparison(of: [])
        #expect(comparison.cameras.isEmpty)
        #expect(comparison.offsetMinutes == nil)
    }

    /// Too few photos, and nobody to compare with, are told apart.
    @Test func fewAndAloneAreTold() {
        let few = (0..<5).map { ClockSample(camera: Party.key(0), localMilliseconds: Int64($0) * 600_000) }
        let many = (0..<40).map { ClockSample(camera: Party.key(0), localMilliseconds: Int64($0) * 600_000) }
        #expect(
            ClockComparison(of: few).cameras.map(\.verdict)
                == [.unknown(.tooFewPhotos(needed: ClockLimits.momentCountMin + 2))])
        #expect(ClockComparison(of: many).cameras.map(\.verdict) == [.unknown(.alone)])
    }

    /// Neither the order of samples nor that of a dictionary changes a word.
    @Test func orderDoesNotMatter() {
        var party = Party(seed: 9)
        party.cameraCount = 4
        party.wrongCount = 1
        let samples = party.samples().samples
        let first = ClockComparison(of: samples)
        #expect(ClockComparison(of: samples.reversed()) == first)
        let dealt = (0..<7).flatMap { hand in samples.indices.filter { $0 % 7 == hand }.map { samples[$0] } }
        #expect(ClockComparison(of: dealt) == first)
    }

    /// Times that no camera writes are counted as photos and used for nothing; nothing overflows.
    @Test func absurdTimesAreIgnored() {
        let times: [Int64] = [.min, .max, 0, 1, -1, 4_102_444_800_000, -2_208_988_800_000, 7_258_118_400_000]
        let samples = (0..<40).flatMap { index in
            times.map { time in
                ClockSample(
                    camera: Party.key(index % 2), localMilliseconds: time &+ Int64(index) * 61_000,
                    offsetMinutes: index % 3 == 0 ? .min : .max, gpsMilliseconds: index % 5 == 0 ? .max : nil)
            }
        }
        let comparison = ClockComparison(of: samples)
        #expect(comparison.cameras.map(\.photoCount) == [160, 160])
        #expect(comparison.proposals.isEmpty)
        let plain = samples.map { ClockSample(camera: $0.camera, localMilliseconds: $0.localMilliseconds) }
        #expect(ClockComparison(of: plain).proposals.isEmpty)
    }

    /// What says nothing about a camera's clock makes no sample.
    @Test func factsWithoutAClockMakeNoSample() {
        func sample(_ source: CaptureTime.Source, model: String = "Snap") -> ClockSample? {
            let taken = CaptureTime(localMilliseconds: 1000, offsetMinutes: 60, source: source)
            let facts = PhotoFacts(
                readerVersion: 1, kind: .photo, taken: taken, gpsMilliseconds: 7, camera: Camera(model: model))
            var key = Party.key(0)
            (key.make, key.model) = ("", model)
            return ClockSample(camera: key, facts: facts)
        }
        #expect(sample(.exif)?.gpsMilliseconds == 7)
        #expect(sample(.exif)?.offsetMinutes == 60)
        #expect(sample(.exif, model: "") == nil)
        #expect(sample(.fileName) == nil)
        #expect(sample(.modification) == nil)
        #expect(sample(.quickTime) == nil)
    }
}
