import AlbumModel
import Testing

@testable import MediaReader

/// Which of several dates is the time of capture, and what its offset is.
@Suite struct FactsTimeTests {
    private func taken(
        _ raw: RawMetadata, kind: MediaKind = .photo, name: String = "IMG_0001.jpg", modified: Int64 = 0
    ) -> CaptureTime? {
        CaptureTimes.find(in: raw, kind: kind, name: name, modified: modified)
    }

    private let moment = FactsDateTests.summer

    /// EXIF beats everything, with its own fraction and offset.
    @Test func theOriginalDateIsFirst() {
        let raw: RawMetadata = [
            .dateTimeOriginal: "2024:07:01 12:30:05", .subSecondsOriginal: "054", .offsetOriginal: "+02:00",
            .dateTimeDigitized: "2020:01:01 00:00:01", .xmpDateTimeOriginal: "2021:01:01 00:00:01",
        ]
        let expected = CaptureTime(localMilliseconds: moment + 54, offsetMinutes: 120, source: .exif)
        #expect(taken(raw, name: "IMG_20200101_101112.jpg", modified: 1) == expected)
    }

    /// An offset of another date, or of the same date elsewhere, is not the original's; neither is what GPS implies.
    @Test func offsetsOfOtherDatesDoNotCount() {
        let raw: RawMetadata = [
            .dateTimeOriginal: "2024:07:01 12:30:05", .offsetDigitized: "+02:00",
            .xmpDateTimeOriginal: "2024:07:01 12:30:05+02:00", .gpsDate: "2024:07:01", .gpsTime: "10:30:05",
        ]
        #expect(taken(raw) == CaptureTime(localMilliseconds: moment, offsetMinutes: nil, source: .exif))
        #expect(CaptureTimes.gpsMilliseconds(in: raw) == moment - 7_200_000)
    }

    /// A date that is none is passed over, its fraction and offset with it.
    @Test func invalidDatesArePassedOver() {
        let raw: RawMetadata = [
            .dateTimeOriginal: "0000:00:00 00:00:00", .subSecondsOriginal: "99", .offsetOriginal: "+05:00",
            .dateTimeDigitized: "2024:07:01 12:30:05", .subSecondsDigitized: "5 ", .offsetDigitized: "Z",
        ]
        #expect(taken(raw) == CaptureTime(localMilliseconds: moment + 500, offsetMinutes: 0, source: .exif))
    }

    @Test func anImpossibleOffsetIsNone() {
        let raw: RawMetadata = [.dateTimeOriginal: "2024:07:01 12:30:05", .offsetOriginal: "+99:99"]
        #expect(taken(raw)?.offsetMinutes == nil)
    }

    /// XMP has fraction and offset in the date itself.
    @Test func xmpIsSecond() {
        let raw: RawMetadata = [
            .xmpCreateDate: "2020:01:01 00:00:01", .xmpDateCreated: "2024:07:01 12:30:05.085-05:00",
            .subSecondsOriginal: "99",
        ]
        #expect(taken(raw) == CaptureTime(localMilliseconds: moment + 85, offsetMinutes: -300, source: .xmp))
    }

    /// A film's date with an offset beats that in UTC; that in UTC says so.
    @Test func filmsAreDatedByTheirPlaceThenByUTC() {
        var raw: RawMetadata = [
            .quickTimeCreateDate: "2024:07:01 10:30:07", .keysCreationDate: "2024:07:01 12:30:05+02:00",
        ]
        let local = CaptureTime(localMilliseconds: moment, offsetMinutes: 120, source: .quickTime)
        #expect(taken(raw, kind: .video) == local)
        raw = [.quickTimeCreateDate: "2024:07:01 12:30:05"]
        #expect(taken(raw, kind: .video)?.offsetMinutes == 0)
        raw = [.quickTimeCreateDate: "0000:00:00 00:00:00", .trackCreateDate: "2024:07:01 12:30:05"]
        #expect(taken(raw, kind: .video)?.localMilliseconds == moment)
        raw = [.quickTimeCreateDate: "2024:07:01 12:30:05", .userDateTimeOriginal: "2024:07:01 12:30:05"]
        let camera = CaptureTime(localMilliseconds: moment, offsetMinutes: nil, source: .quickTime)
        #expect(taken(raw, kind: .video) == camera)
    }

    /// Then the name, then the file's own date, which is an instant in UTC; then nothing.
    @Test func namesAndModificationComeLast() {
        let none = RawMetadata()
        let named = CaptureTime(localMilliseconds: FactsNameTests.moment, offsetMinutes: nil, source: .fileName)
        #expect(taken(none, name: "IMG_20230102_101112.jpg", modified: 5) == named)
        let utc = CaptureTime(localMilliseconds: FactsNameTests.moment + 1, offsetMinutes: 0, source: .fileName)
        #expect(taken(none, name: "PXL_20230102_101112001.jpg", modified: 5) == utc)
        let file = CaptureTime(localMilliseconds: moment, offsetMinutes: 0, source: .modification)
        #expect(taken(none, modified: moment * 1_000_000 + 999_999) == file)
        #expect(taken(none) == nil)
        #expect(taken(none, modified: .min) == nil)
        #expect(taken(none, modified: .max)?.source == .modification)
    }

    /// A receiver's date and time, whole or as rationals; without a date, or before there were receivers, nothing.
    @Test func gpsTimesAreRead() {
        func gps(_ date: String?, _ time: String) -> Int64? {
            var raw: RawMetadata = [.gpsTime: time]
            if let date { raw.add(date, for: .gpsDate) }
            return CaptureTimes.gpsMilliseconds(in: raw)
        }
        #expect(gps("2024:07:01", "12:30:05.99") == moment + 990)
        #expect(gps("2024:07:01", "12 30 5.5") == moment + 500)
        #expect(gps("2024:07:01 00:00:00", "12:30:05") == moment)
        #expect(gps(nil, "12:30:05") == nil)
        #expect(gps("0000:00:00", "12:30:05") == nil)
        #expect(gps("1980:01:06", "00:00:00") == nil)
        #expect(gps("2024:07:01", "undef") == nil)
        #expect(CaptureTimes.gpsMilliseconds(in: [.xmpGPSDateTime: "2024:07:01 12:30:05Z"]) == moment)
    }
}
