import AlbumModel
import Testing

@testable import MediaReader

/// Places: hemispheres, heights, and what is no place.
@Suite struct FactsPlaceTests {
    private func place(_ latitude: String, _ north: String?, _ longitude: String, _ east: String?) -> Place? {
        var raw: RawMetadata = [.latitude: latitude, .longitude: longitude]
        if let north { raw.add(north, for: .latitudeRef) }
        if let east { raw.add(east, for: .longitudeRef) }
        return PlaceReading.find(in: raw)
    }

    @Test func hemispheresGiveTheSign() {
        let brasilia = Place(
            latitudeMicrodegrees: -15_835_670, longitudeMicrodegrees: -48_015_564, altitudeCentimetres: nil)
        #expect(place("15.83567", "S", "48.0155639722222", "W") == brasilia)
        #expect(place("15.83567", "South", "48.0155639722222", "West") == brasilia)
        #expect(place("52 30 36", "N", "13 24", "E")?.latitudeMicrodegrees == 52_510_000)
        #expect(place("90", "S", "180", "W")?.longitudeMicrodegrees == -180_000_000)
        #expect(place("0", "N", "9.5", "E") != nil)
    }

    /// No fix, out of range, no hemisphere, no number.
    @Test func whatIsNoPlaceIsNone() {
        #expect(place("0", "N", "0", "E") == nil)
        #expect(place("204.4275", "N", "13", "E") == nil)
        #expect(place("52", "N", "181", "E") == nil)
        #expect(place("52", nil, "13", "E") == nil)
        #expect(place("52", "Q", "13", "E") == nil)
        #expect(place("52", "N", "13", "") == nil)
        for latitude in ["", "undef", "inf", "nan", "-52", "1e999", "52 30 undef", "1 2 3 4", "52,5"] {
            #expect(place(latitude, "N", "13", "E") == nil, "\(latitude)")
        }
    }

    @Test(
        arguments: [
            ("260.5606383", "0", 26_056), ("0.9", "1", -90), ("0.9", "3", -90), ("0", "0", 0), ("12", nil, 1200),
            ("inf", "0", nil), ("undef", "0", nil), ("1000000", "0", nil), ("50000", "1", nil),
        ] as [(String, String?, Int32?)])
    func heightsAreRead(_ altitude: String, _ ref: String?, _ centimetres: Int32?) throws {
        var raw: RawMetadata = [
            .latitude: "52.5", .latitudeRef: "N", .longitude: "13.4", .longitudeRef: "E", .altitude: altitude,
        ]
        if let ref { raw.add(ref, for: .altitudeRef) }
        #expect(try #require(PlaceReading.find(in: raw)).altitudeCentimetres == centimetres)
    }

    /// Films and XMP have signs of their own.
    @Test func filmsAndXMPHavePlaces() {
        let berlin = Place(
            latitudeMicrodegrees: 52_459_700, longitudeMicrodegrees: 13_322_000, altitudeCentimetres: 5118)
        #expect(PlaceReading.find(in: [.keysCoordinates: "52.4597 13.322 51.178"]) == berlin)
        #expect(PlaceReading.find(in: [.userCoordinates: "-52.4597 -13.322"])?.latitudeMicrodegrees == -52_459_700)
        #expect(
            PlaceReading.find(in: [.xmpLatitude: "52.4597", .xmpLongitude: "13.322", .xmpAltitude: "51.178"]) == berlin)
        #expect(PlaceReading.find(in: [.keysCoordinates: "52.4597"]) == nil)
        let emptied: RawMetadata = [.latitudeRef: "N", .longitudeRef: "E", .xmpLatitude: "52", .xmpLongitude: "13"]
        #expect(PlaceReading.find(in: emptied) == nil)
        #expect(PlaceReading.find(in: [.keysCoordinates: "here there"]) == nil)
    }

    /// EXIF's text beats what ExifTool makes of it; letters give XMP's numbers a sign that have none.
    @Test func lettersAndTextsAreHeeded() {
        let written: RawMetadata = [
            .latitude: "52.0138", .latitudeRef: "N", .longitude: "11.0027", .longitudeRef: "E",
            .writtenLatitude: "52.84278", .writtenLongitude: "11.18286",
        ]
        #expect(PlaceReading.find(in: written)?.latitudeMicrodegrees == 52_842_780)
        #expect(PlaceReading.find(in: written)?.longitudeMicrodegrees == 11_182_860)
        var xmp: RawMetadata = [.xmpLatitude: "15.5", .xmpLongitude: "48.25", .xmpLatitudeRef: "South"]
        #expect(PlaceReading.find(in: xmp)?.latitudeMicrodegrees == -15_500_000)
        xmp = [.xmpLatitude: "-15.5", .xmpLongitude: "48.25", .xmpLatitudeRef: "S", .xmpLongitudeRef: "W"]
        #expect(PlaceReading.find(in: xmp)?.latitudeMicrodegrees == -15_500_000)
        #expect(PlaceReading.find(in: xmp)?.longitudeMicrodegrees == -48_250_000)
    }

    /// 3GPP's box, whose height is zero where nobody knew it and whose place may be fiction; ISO 6709 as text.
    @Test func filmsDescribeTheirPlaceInWords() {
        func place(_ description: String) -> Place? { PlaceReading.find(in: [.userLocation: description]) }
        let berlin = Place(
            latitudeMicrodegrees: 52_459_700, longitudeMicrodegrees: 13_322_000, altitudeCentimetres: 5118)
        let tail = "Body=earth Notes="
        #expect(place("(none) Role=shooting Lat=52.45970 Lon=13.32200 Alt=51.18 \(tail)") == berlin)
        #expect(place("Bar Role=shooting Lat=-1.5 Lon=-2.5 Alt=0.00 \(tail)")?.altitudeCentimetres == nil)
        #expect(place("Bar Role=shooting Lat=-1.5 Lon=-2.5 Alt=0.00 \(tail)")?.latitudeMicrodegrees == -1_500_000)
        #expect(place("Mars Role=fictional Lat=1.0 Lon=2.0 Alt=0.00 \(tail)") == nil)
        #expect(place("<err>") == nil && place("Role=shooting Lat=a Lon=b") == nil)
        for key in [MetadataKey.keysLocation, .matroskaLocation] {
            #expect(PlaceReading.find(in: [key: "+52.4597+013.3220+051.180/"]) == berlin)
            #expect(PlaceReading.find(in: [key: "-52.4597-013.3220/"])?.latitudeMicrodegrees == -52_459_700)
            // Degrees and minutes without a point between them are no degrees.
            for text in ["+5227.6+01319.3/", "Berlin", "+52.4/", "+", "52.4+13.3/", "+1+2+3+4/", "++/"] {
                #expect(PlaceReading.find(in: [key: text]) == nil, "\(text)")
            }
        }
        let avchd: RawMetadata = [
            .h264Latitude: "52.5", .h264LatitudeRef: "S", .h264Longitude: "13.5", .h264LongitudeRef: "E",
        ]
        #expect(PlaceReading.find(in: avchd)?.latitudeMicrodegrees == -52_500_000)
    }
}
