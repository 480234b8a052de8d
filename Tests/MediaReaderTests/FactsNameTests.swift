import Testing

@testable import MediaReader

/// Dates in file names, as phones, messengers and computers write them.
@Suite struct FactsNameTests {
    /// 2023-01-02T10:11:12, and the beginning of that day.
    static let moment: Int64 = 1_672_654_272_000
    static let day: Int64 = 1_672_617_600_000

    @Test(arguments: [
        "IMG_20230102_101112.jpg", "IMG20230102101112.jpg", "VID_20230102_101112.mp4", "MVIMG_20230102_101112.jpg",
        "PANO_20230102_101112.vr.jpg", "IMG_20230102_101112_HDR.jpg", "IMG_20230102_101112_BURST001_COVER.jpg",
        "20230102_101112.jpg", "20230102_101112(0).jpg", "20230102_101112~2.jpg", "20230102_101112_001.jpg",
        "Screenshot_20230102-101112.png", "Screenshot_20230102_101112_Maps.jpg",
        "Screenshot_2023-01-02-10-11-12-123_com.example.app.png", "Screenshot 2023-01-02 at 10.11.12.png",
        "Screen Shot 2023-01-02 at 10.11.12 AM.png", "Screen Shot 2023-01-02 at 10.11.12\u{202F}AM.png",
        "Bildschirmfoto 2023-01-02 um 10.11.12.png", "Capture d’écran 2023-01-02 à 10.11.12.png",
        "Screenshot from 2023-01-02 10-11-12.png", "Screenshot 2023-01-02 101112.png",
        "ScreenRecording_01-02-2023 10-11-12_1.MP4", "WhatsApp Image 2023-01-02 at 10.11.12.jpeg",
        "WhatsApp Image 2023-01-02 at 10.11.12 (1).jpeg", "WhatsApp Video 2023-01-02 at 10.11.12.mp4",
        "signal-2023-01-02-101112.jpg", "signal-2023-01-02-101112_002.jpeg", "signal-2023-01-02-10-11-12-345.jpg",
        "photo_2023-01-02_10-11-12.jpg", "photo_1@02-01-2023_10-11-12.jpg", "video_2023-01-02_10-11-12.mp4",
        "2023-01-02 10.11.12.jpg", "2023-01-02 10.11.12-1.jpg", "2023-01-02T10-11-12.png", "20230102T101112.jpg",
        "WIN_20230102_10_11_12_Pro.jpg", "WP_20230102_10_11_12_Pro.jpg", "DJI_20230102101112_0001_D.JPG",
        "VID_20230102_101112_00_001.insv", "InShot_20230102_101112.jpg", "copy of img_20230102_101112.JPG",
    ])
    func localTimesAreFound(_ name: String) throws {
        let date = try #require(NameDate(name))
        #expect(date.milliseconds == Self.moment)
        #expect(date.offsetMinutes == nil)
    }

    /// Names in UTC, and the milliseconds that they have behind the second.
    static let namesInUTC: [(String, Int64)] = [
        ("PXL_20230102_101112345.jpg", 345), ("PXL_20230102_101112345.MP.jpg", 345),
        ("PXL_20230102_101112345~2.jpg", 345), ("20230102_101112345_iOS.heic", 345),
        ("FB_IMG_1672654272123.jpg", 123), ("mmexport1672654272123.jpg", 123), ("IMG_1672654272123.jpg", 123),
        ("RPReplay_Final1672654272.MP4", 0),
    ]

    @Test(arguments: namesInUTC)
    func namesInUTCAreFound(_ name: String, _ milliseconds: Int64) throws {
        let date = try #require(NameDate(name))
        #expect(date.milliseconds == Self.moment + milliseconds)
        #expect(date.offsetMinutes == 0)
    }

    /// The afternoon of an American Mac, its midnight and noon: milliseconds since the day began.
    static let halvesOfTheDay: [(String, Int64)] = [
        ("Screen Shot 2023-01-02 at 10.11.12 PM.png", 79_872_000),
        ("Screenshot 2023-01-02 at 10.11.12\u{202F}PM.png", 79_872_000),
        ("Screenshot 2023-01-02 at 12.00.00 AM.png", 0), ("Screenshot 2023-01-02 at 12.00.00 PM.png", 43_200_000),
        ("IMG_20230102_101112345.jpg", 36_672_345),
    ]

    @Test(arguments: halvesOfTheDay)
    func halvesOfTheDayAndFractionsCount(_ name: String, _ milliseconds: Int64) {
        #expect(NameDate(name)?.milliseconds == Self.day + milliseconds)
    }

    /// WhatsApp and Windows Phone say the day alone.
    @Test(arguments: [
        "IMG-20230102-WA0001.jpg", "VID-20230102-WA0012.mp4", "img-20230102-wa0001.jpeg", "WP_20230102_001.jpg",
    ])
    func daysAloneBegin(_ name: String) {
        #expect(NameDate(name)?.milliseconds == Self.day)
    }

    /// Numbers that are none, dates that cannot be, and names without either.
    @Test(arguments: [
        "", ".", "IMG_0001.JPG", "DSC_0123.NEF", "DSCN0010.jpg", "GOPR0042.MP4", "P1010123.RW2", "_MG_2023.CR2",
        "received_1672654272123456.jpeg", "IMG_20231302_101112.jpg", "IMG_20230102_251112.jpg", "20230102.jpg",
        "IMG-20230102.jpg", "1234567890123456789012345.jpg", "120230102_101112.jpg", "20230102_1011123.jpg",
        "20230102_10111234567.jpg", "IMG_18230102_101112.jpg", "FB_IMG_167265427212.jpg", "FB_IMG_0000000000001.jpg",
        "FB_IMG_9999999999999.jpg", "FB_IMG_99999999999999999999999.jpg", "WhatsApp Image.jpeg", "photo_2023.jpg",
        "2023-01-02.jpg", "IMG_20230230_101112.jpg", "٢٠٢٣٠١٠٢_١٠١١١٢.jpg", "2023-01-02 at 10.11.jpg",
        "Screen Shot 2023-01-02 at a very long word 10.11.12.png",
    ])
    func otherNamesSayNothing(_ name: String) {
        #expect(NameDate(name) == nil)
    }
}
