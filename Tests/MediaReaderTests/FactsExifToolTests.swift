import AlbumModel
import Foundation
import Testing

@testable import MediaReader

/// What ExifTool's answers mean, by samples; the table of keys against the program itself.
@Suite struct FactsExifToolAnswerTests {
    private func metadata(_ answer: String) -> RawMetadata { ExifTool.metadata(answer: answer.utf8) }

    /// Groups become the short names; what is in no table, or no line of three parts, is ignored.
    @Test func answersAreTakenApart() {
        let raw = metadata(
            """
            File\tFileType\tJPEG
            EXIF:IFD0\tMake\tCanon
            EXIF:IFD1\tMake\tThumbnail
            EXIF:ExifIFD\tSubSecTimeOriginal\t054
            EXIF:GPS\tGPSLatitudeRef\tN
            EXIF:SubIFD1\tPhotometricInterpretation\t34892
            QuickTime:Keys\tMake\tApple
            QuickTime:Track2\tSourceImageWidth\t1920
            QuickTime\tRotation\t270
            QuickTime\tRotation\t0
            MakerNotes:Olympus\tLensModel\tM.17mm
            XMP:XMP-GCamera\tMotionPhoto\t1
            Secret:Group\tMake\tno
            {ready1}
            Make\tno

            """)
        #expect(raw[.fileType] == "JPEG")
        #expect(raw.all(.make) == ["Canon"])
        #expect(raw[.subSecondsOriginal] == "054")
        #expect(raw[.latitudeRef] == "N")
        #expect(raw[.subPhotometricInterpretation] == "34892")
        #expect(raw[.keysMake] == "Apple")
        #expect(raw[.sourceWidth] == "1920")
        #expect(raw.all(.rotation) == ["270", "0"])
        #expect(raw[.makerLensModel] == "M.17mm")
        #expect(raw[.motionPhoto] == "1")
    }

    /// Escapes are undone, letters of old cameras kept, what is cut inside of an escape does no harm.
    @Test func valuesAreUnescaped() {
        #expect(metadata(#"EXIF:IFD0\#tMake\#tA\nB\\C\x07D"#)[.make] == "A B\\CD")
        #expect(metadata("EXIF:IFD0\tMake\tA\\")[.make] == "A\\")
        #expect(metadata("EXIF:IFD0\tMake\tA\\x")[.make] == "A")
        #expect(metadata("EXIF:IFD0\tMake\t")[.make] == "")
        #expect(metadata("EXIF:IFD0\tMake\tA\tB")[.make] == "A\tB")
        let latin = Array("EXIF:IFD0\tMake\t".utf8) + [0x43, 0xE9, 0x64]
        #expect(ExifTool.metadata(answer: latin)[.make] == "Céd")
        #expect(ExifTool.metadata(answer: [0xFF, 0x09, 0xFF, 0x09, 0xFF, 0x0A, 0x09, 0x09]).isEmpty)
    }

    /// A path that would be another argument, or several, is not asked for.
    @Test func oddPathsAreRefused() {
        for path in ["photo.jpg", "-if", "", "/tmp/a\n-execute", "/tmp/a\rb", "#/a"] {
            #expect(ExifTool.request(path: path, number: 1) == nil, "\(path)")
        }
        #expect(ExifTool.request(path: "/proc/self/fd/5", number: 9) == "/proc/self/fd/5\n-execute9\n")
    }

    @Test func probesAreTakenApart() {
        let raw = FFprobe.metadata(
            answer: """
                streams.stream.0.width=100
                streams.stream.0.disposition.attached_pic=1
                streams.stream.1.width=1280
                streams.stream.1.height=720
                streams.stream.1.duration="N/A"
                streams.stream.1.disposition.attached_pic=0
                streams.stream.1.side_data_list.side_data.0.rotation=-90
                format.duration="1.166667"
                streams.stream.x.width=7
                =
                """.utf8)
        #expect(raw[.probedWidth] == "1280")
        #expect(raw[.probedRotation] == "-90")
        #expect(raw.all(.probedDuration) == ["1.166667"])
        #expect(FFprobe.metadata(answer: [0xFF, 0x3D, 0xFF]).isEmpty)
    }

    /// It is asked about films that lack something, and about nothing else.
    @Test func probesAreAskedWhereExifToolIsNotEnough() {
        #expect(!FFprobe.isNeeded([.mimeType: "image/jpeg"]))
        #expect(FFprobe.isNeeded([.mimeType: "video/webm"]))
        #expect(FFprobe.isNeeded([.mimeType: "video/webm", .imageSize: "640 480"]))
        #expect(!FFprobe.isNeeded([.mimeType: "video/mp4", .imageSize: "640 480", .quickTimeDuration: "2"]))
    }
}

/// Files made on the spot, tagged by ExifTool, and read again.
@Suite(.enabled(if: Tool.exifTool != nil, "ExifTool is not installed"))
struct FactsExifToolTests {
    private func facts(tagged tags: [String]) throws -> PhotoFacts {
        let folder = try FactsFolder()
        let path = try folder.write(tinyJPEG, as: "photo.bin")
        try Tool.run(Tool.exifTool!, ["-config", "", "-q", "-overwrite_original", "-n"] + tags + [path])
        return try factsOf(path)
    }

    /// Every value that a phone's photo has comes through.
    @Test func aPhonesPhotoIsReadWhole() throws {
        let found = try facts(tagged: [
            "-EXIF:Make=Google", "-EXIF:Model=Pixel 1.10", "-EXIF:LensModel=back camera", "-EXIF:SerialNumber=0042",
            "-EXIF:Orientation=6", "-EXIF:DateTimeOriginal=2024:07:01 12:30:05", "-EXIF:SubSecTimeOriginal=054",
            "-EXIF:OffsetTimeOriginal=+02:00", "-EXIF:GPSLatitude=15.5", "-EXIF:GPSLatitudeRef=S",
            "-EXIF:GPSLongitude=48.25", "-EXIF:GPSLongitudeRef=W", "-EXIF:GPSAltitude=12.5", "-EXIF:GPSAltitudeRef=1",
            "-EXIF:GPSDateStamp=2024:07:01", "-EXIF:GPSTimeStamp=10:30:04", "-XMP-GCamera:BurstID=burst",
        ])
        #expect(
            found
                == PhotoFacts(
                    readerVersion: 1, kind: .photo, size: PixelSize(width: 1, height: 1),
                    taken: CaptureTime(
                        localMilliseconds: FactsDateTests.summer + 54, offsetMinutes: 120, source: .exif),
                    gpsMilliseconds: FactsDateTests.summer - 7_201_000,
                    camera: Camera(make: "Google", model: "Pixel 1.10", lens: "back camera", serial: "0042"),
                    place: Place(
                        latitudeMicrodegrees: -15_500_000, longitudeMicrodegrees: -48_250_000,
                        altitudeCentimetres: -1250),
                    burstIdentifier: "burst"))
    }

    @Test func xmpAloneIsRead() throws {
        let found = try facts(tagged: [
            "-XMP-tiff:Make=Scanner", "-XMP-photoshop:DateCreated=2024:07:01 12:30:05.5-05:00",
            "-XMP-exif:GPSLatitude=-15.5", "-XMP-exif:GPSLongitude=48.25",
        ])
        #expect(found.camera.make == "Scanner")
        #expect(
            found.taken
                == CaptureTime(
                    localMilliseconds: FactsDateTests.summer + 500, offsetMinutes: -300, source: .xmp))
        #expect(found.place?.latitudeMicrodegrees == -15_500_000)
        #expect(found.place?.longitudeMicrodegrees == 48_250_000)
    }

    /// A Motion Photo as Google writes it, made whole: description, film, and the film's length.
    @Test func aMotionPhotoIsFound() throws {
        let folder = try FactsFolder()
        let film = tinyFilm(seconds: 2)
        let path = try folder.write(tinyJPEG, as: "photo.jpg")
        let packet = """
            <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
            <rdf:Description xmlns:GCamera='http://ns.google.com/photos/1.0/camera/'
                xmlns:Container='http://ns.google.com/photos/1.0/container/'
                xmlns:Item='http://ns.google.com/photos/1.0/container/item/' GCamera:MotionPhoto='1'>
            <Container:Directory><rdf:Seq>
            <rdf:li rdf:parseType='Resource'><Container:Item Item:Mime='image/jpeg' Item:Semantic='Primary'/></rdf:li>
            <rdf:li rdf:parseType='Resource'><Container:Item Item:Mime='video/mp4' Item:Semantic='MotionPhoto'
                Item:Length='\(film.count)'/></rdf:li>
            </rdf:Seq></Container:Directory></rdf:Description></rdf:RDF></x:xmpmeta>
            """
        let description = try folder.write(Array(packet.utf8), as: "description")
        try Tool.run(Tool.exifTool!, ["-config", "", "-q", "-overwrite_original", "-XMP<=\(description)", path])
        let picture = try Data(contentsOf: URL(fileURLWithPath: path))
        try (picture + film).write(to: URL(fileURLWithPath: path))
        let found = try factsOf(path)
        #expect(found.kind == .motion)
        #expect(found.movingPart == UInt64(picture.count)..<UInt64(picture.count + film.count))
        #expect(found.durationMilliseconds == 2000)
    }

    /// The camera that a film of Sony's carries inside of its picture's stream.
    @Test func aCameraOfAVCHDIsFound() throws {
        let film = TransportStream.avchd(notes: [
            (0x18, [0xC2, 0x20, 0x19, 0x04]), (0x19, [0x24, 0x22, 0x24, 0x00]), (0xE0, [0x01, 0x08, 0, 0]),
            (0xE4, Array("ILCE".utf8)), (0xE5, Array("-7M3".utf8)), (0xE6, [0, 0, 0, 0]),
        ])
        let folder = try FactsFolder()
        let found = try factsOf(folder.write(film, as: "00001.MTS"))
        #expect(found.camera == Camera(make: "Sony", model: "ILCE-7M3"))
        #expect(found.kind == .video && found.taken?.source == .quickTime)
    }

    /// 3GPP's box in an MP4, as Android's cameras write it: fractions of 16 bits.
    @Test func thePlaceOfAnMP4IsFound() throws {
        func fraction(_ value: Double) -> [UInt8] { bigEndian(UInt32(bitPattern: Int32(value * 65536))) }
        let location =
            [UInt8](repeating: 0, count: 4) + [0x15, 0xC7, 0, 0] + fraction(-13.25) + fraction(52.5) + fraction(34)
            + Array("earth\0\0".utf8)
        let header = [UInt8](repeating: 0, count: 12) + bigEndian(600) + bigEndian(1200)
        let film =
            box("ftyp", Array("mp42".utf8) + bigEndian(0) + Array("isom".utf8))
            + box(
                "moov",
                box("mvhd", header + [UInt8](repeating: 0, count: 80)) + box("udta", box("loci", location)))
        let folder = try FactsFolder()
        let found = try factsOf(folder.write(film, as: "film.mp4"))
        #expect(
            found.place
                == Place(
                    latitudeMicrodegrees: 52_500_000, longitudeMicrodegrees: -13_250_000, altitudeCentimetres: 3400))
    }

    /// Names that look like options or comments are names; what is no picture is said to be none.
    @Test func anyNameIsRead() throws {
        let folder = try FactsFolder()
        func read(_ name: String) throws -> RawMetadata {
            try ExifTool.metadata(
                answer: Tool.run(#require(Tool.exifTool), ExifTool.oneShot(path: folder.path + "/" + name)))
        }
        for name in ["a b.jpg", "#x.jpg", "-rf.jpg", "ümläut|.jpg"] {
            _ = try folder.write(tinyJPEG, as: name)
            #expect(try read(name)[.imageSize] == "1 1", "\(name)")
        }
        _ = try folder.write([UInt8](0...255), as: "noise.jpg")
        _ = try folder.write([], as: "empty.jpg")
        #expect(try read("noise.jpg")[.error] == "File format error")
        #expect(try read("empty.jpg")[.error] == "File is empty")
        let answer = try Tool.run(
            Tool.exifTool!, ExifTool.oneShot(path: "/dev/fd/0"), input: folder.path + "/a b.jpg")
        #expect(ExifTool.metadata(answer: answer)[.fileType] == "JPEG")
    }
}

/// Films that FFmpeg makes on the spot.
@Suite(
    .enabled(if: Tool.exifTool != nil && Tool.ffmpeg != nil && Tool.ffprobe != nil, "ExifTool or FFmpeg is missing"))
struct FactsFilmTests {
    /// A turned MP4 with a date in UTC, and a WebM, whose size and length are found one way or the other.
    @Test(arguments: ["mp4", "mov", "mkv", "webm", "avi"]) func filmsAreMeasured(_ type: String) throws {
        let folder = try FactsFolder()
        let path = "\(folder.path)/film.\(type)"
        let codec = type == "webm" ? ["-c:v", "libvpx", "-deadline", "realtime"] : ["-c:v", "mjpeg"]
        try Tool.run(
            Tool.ffmpeg!,
            ["-v", "quiet", "-f", "lavfi", "-i", "color=size=64x48:rate=10:duration=2"] + codec
                + [
                    "-pix_fmt", type == "webm" ? "yuv420p" : "yuvj420p", "-metadata",
                    "creation_time=2024-07-01T12:30:05Z",
                ]
                + [path])
        let found = try factsOf(path)
        #expect(found.kind == .video)
        #expect(found.size == PixelSize(width: 64, height: 48))
        #expect((1900...2100).contains(try #require(found.durationMilliseconds)))
        if ["mp4", "mov", "mkv", "webm"].contains(type) {
            #expect(
                found.taken
                    == CaptureTime(localMilliseconds: FactsDateTests.summer, offsetMinutes: 0, source: .quickTime))
        }
    }

    /// Wherever FFmpeg puts a place: a box of 3GPP's, QuickTime's, tags of Matroska's, keys without a prefix.
    @Test(arguments: [("mp4", ""), ("mov", ""), ("m4v", ""), ("mkv", ""), ("mp4", "use_metadata_tags")])
    func placesOfFilmsAreFound(_ type: String, _ flags: String) throws {
        let folder = try FactsFolder()
        let path = "\(folder.path)/film.\(type)"
        try Tool.run(
            Tool.ffmpeg!,
            ["-v", "quiet", "-f", "lavfi", "-i", "color=size=64x48:rate=10:duration=1", "-c:v", "mpeg4"]
                + (flags.isEmpty ? [] : ["-movflags", flags]) + ["-metadata", "location=+52.5000-013.2500/", path])
        let place = try #require(try factsOf(path).place)
        #expect(abs(place.latitudeMicrodegrees - 52_500_000) <= 20)
        #expect(abs(place.longitudeMicrodegrees + 13_250_000) <= 20)
    }
}
