import AlbumModel
import Testing

@testable import MediaReader

/// What a file is, how large it is when it stands upright, who took it, and what is said when it cannot be told.
@Suite struct FactsShapeTests {
    private func facts(_ raw: RawMetadata, name: String = "IMG_0001.jpg") -> PhotoFacts {
        MetadataReading.facts(from: raw, name: name, modified: 0, readerVersion: 7)
    }

    @Test(arguments: [
        ("JPEG", "image/jpeg", "IMG.NEF", MediaKind.photo), ("CR3", "image/x-canon-cr3", "IMG.jpg", .raw),
        ("DNG", "image/x-adobe-dng", "IMG.dng", .raw), ("MOV", "video/quicktime", "IMG.jpg", .video),
        ("TIFF", "image/tiff", "IMG.NEF", .photo), ("XMP", "application/rdf+xml", "IMG.xmp", .sidecar),
        ("PLIST", "application/xml", "IMG_1.AAE", .sidecar), ("PLIST", "application/xml", "IMG.jpg", .photo),
        ("HTML", "text/html", "page.jpg", .photo),
    ])
    func kindsGoByContent(_ type: String, _ mime: String, _ name: String, _ kind: MediaKind) {
        #expect(facts([.fileType: type, .mimeType: mime], name: name).kind == kind)
    }

    /// A TIFF with a sensor's colours in it is RAW, whatever ExifTool, which cannot see the name, calls it.
    @Test func rawInsideOfTIFFIsRaw() {
        #expect(facts([.fileType: "TIFF", .subPhotometricInterpretation: "32803"]).kind == .raw)
        var raw: RawMetadata = [.fileType: "TIFF", .photometricInterpretation: "2"]
        #expect(facts(raw).kind == .photo)
        raw.add("52527", for: .subPhotometricInterpretation)
        raw.add("34892", for: .subPhotometricInterpretation)
        #expect(facts(raw).kind == .raw)
    }

    @Test(
        arguments: [
            ([.fileType: "JPEG", .imageSize: "640 480", .orientation: "6"], 480, 640),
            ([.fileType: "JPEG", .imageSize: "640 480", .orientation: "3"], 640, 480),
            ([.fileType: "JPEG", .imageSize: "640 480", .orientation: "9"], 640, 480),
            ([.fileType: "JPEG", .imageSize: "640 480", .xmpOrientation: "8"], 480, 640),
            ([.fileType: "JPEG", .imageSize: "640 480", .orientation: "1", .xmpOrientation: "8"], 640, 480),
            ([.fileType: "JPEG", .storedWidth: "640", .storedHeight: "480", .orientation: "5"], 480, 640),
            // What a decoder turned is not turned again.
            ([.imageSize: "640 480", .orientation: "6", .displayWidth: "480", .displayHeight: "640"], 480, 640),
            // HEIF by its container alone.
            ([.fileType: "HEIC", .imageSize: "4032 3024", .orientation: "6"], 4032, 3024),
            (
                [.fileType: "HEIC", .imageSize: "4032 3024", .orientation: "6", .rotation: "270", .rotation: "0"], 3024,
                4032
            ),
            ([.fileType: "AVIF", .imageSize: "4032 3024", .rotation: "180"], 4032, 3024),
            ([.fileType: "GIF", .imageSize: "640 480", .xmpOrientation: "6"], 640, 480),
            // Films by their track, pixels as coded.
            ([.mimeType: "video/mp4", .imageSize: "1920 1440", .filmRotation: "90"], 1440, 1920),
            (
                [.mimeType: "video/mp4", .imageSize: "1920 1080", .sourceWidth: "1440", .sourceHeight: "1080"], 1440,
                1080
            ),
            ([.mimeType: "video/webm", .probedWidth: "640", .probedHeight: "480", .probedRotation: "-90"], 480, 640),
        ] as [(RawMetadata, UInt32, UInt32)])
    func sizesAreAsDisplayed(_ raw: RawMetadata, _ width: UInt32, _ height: UInt32) {
        #expect(facts(raw).size == PixelSize(width: width, height: height))
    }

    @Test(arguments: ["", "640", "0 480", "-1 5", "nan nan", "1e300 5", "640 480 3", "a b", "640x480"])
    func sizesThatAreNoneAreNone(_ size: String) {
        #expect(facts([.fileType: "JPEG", .imageSize: size]).size == nil)
    }

    /// Names of cameras stay as the file has them, less what nobody can see.
    @Test func camerasAreCleaned() {
        let camera = facts([
            .make: "  NIKON CORPORATION\u{0}\u{7} ", .model: "NIKON\u{202E}D70s\u{200B}", .lensModel: "   ",
            .makerLensModel: "OLYMPUS M.17mm F1.8", .serialNumber: "0000000", .makerSerialNumber: " NO= 1005a431",
        ]).camera
        #expect(
            camera
                == Camera(
                    make: "NIKON CORPORATION", model: "NIKOND70s", lens: "OLYMPUS M.17mm F1.8", serial: "NO= 1005a431"))
        #expect(facts([:]).camera == Camera())
        let phone = facts([.mimeType: "video/mp4", .keysMake: "Apple", .keysModel: "iPhone X"]).camera
        #expect(phone == Camera(make: "Apple", model: "iPhone X"))
    }

    /// AVCHD's films number their makers; a number that nobody knows is no name.
    @Test func makersOfAVCHDHaveNames() {
        let sony = facts([.mimeType: "video/m2ts", .h264Make: "264", .h264Model: "ILCE-7M3"]).camera
        #expect(sony == Camera(make: "Sony", model: "ILCE-7M3"))
        #expect(facts([.mimeType: "video/m2ts", .h264Make: "4711"]).camera == Camera())
        #expect(facts([.h264Make: "259", .xmpMake: "Kuh"]).camera.make == "Panasonic")
    }

    @Test func textsAreCutToWholeCharacters() {
        #expect(String(repeating: "é", count: 1000).cleaned == String(repeating: "é", count: 128))
        #expect(String(repeating: "👨‍👩‍👧", count: 100).cleaned.utf8.count <= 256)
        #expect(("e" + String(repeating: "\u{301}", count: 5000)).cleaned == "")
    }

    @Test func identifiersAreTaken() {
        let found = facts([.mediaGroup: "602FEBB7-6B59", .xmpBurst: "b1"])
        #expect(found.contentIdentifier == "602FEBB7-6B59")
        #expect(found.burstIdentifier == "b1")
    }

    /// Films and GIFs run; a RAW file of one frame does not.
    @Test func durationsAreOfWhatMoves() {
        #expect(facts([.mimeType: "video/mp4", .quickTimeDuration: "1.91166666666667"]).durationMilliseconds == 1912)
        #expect(facts([.fileType: "GIF", .gifDuration: "6.47"]).durationMilliseconds == 6470)
        #expect(facts([.fileType: "CR3", .quickTimeDuration: "1"]).durationMilliseconds == nil)
        for text in ["-1", "0", "nan", "inf", "1e300", "long"] {
            #expect(facts([.mimeType: "video/mp4", .quickTimeDuration: text]).durationMilliseconds == nil, "\(text)")
        }
    }

    /// Each case says in a sentence why there is no more.
    @Test func problemsAreSentences() {
        #expect(facts([.fileType: "JPEG", .imageSize: "1 1"]).problem == "")
        #expect(facts([.fileType: "XMP"]).problem == "")
        #expect(facts([.error: "Unknown file type", .displayWidth: "1", .displayHeight: "1"]).problem == "")
        #expect(facts([.error: "File is empty"]).problem == "The file is empty.")
        #expect(facts([.fileType: "HTML", .mimeType: "text/html"]).problem.contains("text/html"))
        #expect(facts([.fileType: "MP4", .mimeType: "video/mp4"]).problem.contains("damaged"))
        #expect(facts([:]).problem != "")
        #expect(facts([.error: "<b>\u{202E}evil</b>\n"]).problem == "Its metadata cannot be read: <b>evil</b>")
    }

    /// Whatever stands in every key: facts, never a trap.
    @Test(arguments: [
        "", " ", "0", "-1", "1", "9999999999999999999999", "1e308", "-1e308", "nan", "inf", "undef", "\u{0}",
        "18446744073709551615", "18446744073709551616", "9223372036854775807", "2024:07:01 12:30:05", "\u{202E}\u{301}",
        "1 2 3 4 5 6 7 8 9", "::::::", "JPEG", "video/mp4", String(repeating: "9", count: 5000),
        String(repeating: "👩", count: 5000),
    ])
    func hostileValuesGiveFacts(_ value: String) {
        var raw = RawMetadata()
        for key in MetadataKey.allCases {
            for _ in 0..<20 { raw.add(value, for: key) }
        }
        for name in [value, "\(value).aae", "IMG_\(value)_101112.jpg"] {
            for modified in [Int64.min, -1, 0, 1, .max] {
                let found = MetadataReading.facts(from: raw, name: name, modified: modified, readerVersion: 1)
                #expect([found.camera.make, found.camera.lens, found.problem].allSatisfy { $0.utf8.count <= 256 })
            }
        }
        // One key at a time, so that no other hides it.
        for key in MetadataKey.allCases {
            for other: RawMetadata in [[:], [.fileType: "JPEG"], [.mimeType: "video/mp4"], [.fileType: "HEIC"]] {
                var raw = other
                raw.add(value, for: key)
                _ = facts(raw, name: value)
            }
        }
    }

    /// What is kept of a file's words is bounded.
    @Test func metadataIsBounded() {
        var raw = RawMetadata()
        for number in 0..<1000 { raw.add(String(repeating: "x", count: 5000) + "\(number)", for: .make) }
        #expect(raw.all(.make).count == RawMetadata.valueCountMax)
        #expect(raw.all(.make).allSatisfy { $0.utf8.count == RawMetadata.valueByteCountMax })
        raw.add("x", named: "EXIF:UserComment")
        raw.fill(from: [.make: "other", .model: "M"])
        #expect(raw[.model] == "M")
        #expect(raw[.make]?.first == "x")
    }
}
