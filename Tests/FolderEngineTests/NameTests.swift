import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

struct NameTests {
    private let blob = blobID([1, 2, 3])
    private let album = AlbumName.identifier("Beach")

    private func files(_ name: String, _ type: MediaType, device: String = "Ben", in directory: String = "Beach")
        -> [String]
    {
        Array(
            DiskName.candidates(name: name, type: type, deviceName: device, blob: blob, directory: directory).prefix(4))
    }

    // Shows that no name from a peer leaves its directory, hides, pretends, is too long, or means something to Windows or
    // macOS.
    @Test(arguments: [
        "../../etc/passwd", "..", ".", "", "/", "/etc/passwd", "a\\..\\b.jpg", ".hidden.jpg", "new\nline.jpg",
        "x\0y.jpg", "a<b>:\"|?*.jpg", "con .txt", "COM¹.jpg", "CON.\u{301}x.jpg", "lpt0", "conout$.png", "nul\u{200B}",
        "aux\u{3164}", "x.jpg\u{200D}", "tag\u{E0041}\u{E007F}.jpg", "pop\u{2069}\u{61C}\u{85}\u{9B}.jpg",
        "x.\u{2028}jpg",
        "desktop.ini", "AUTORUN.INF", "Photos.{2559a1f2-21d7-11d4-bdaf-00c04f60b9f0}", "a\u{A0}", "e\u{200B}\u{301}",
        "rtl-\u{202E}gpj.exe", "CON", "con.jpg", "dots...", " spaces ", "Thumbs.db", "photo.jpg~", "._x.jpg", "a.part",
        String(repeating: "ü", count: 400) + ".jpg", String(repeating: "👩‍👩‍👧‍👦", count: 60) + ".jpeg",
        "a" + String(repeating: "\u{301}", count: 400), ".potluck-folder", ".potluck-placing-1",
    ])
    func namesAreSafe(name: String) {
        let directories = Array(DiskName.directoryCandidates(name, album: album))
        let names = files(name, .jpeg, device: "../\(name)", in: directories[0])
        for safe in names + directories {
            #expect(!safe.isEmpty && safe.utf8.count <= 255 && safe.utf16.count <= 255)
            #expect(safe.unicodeScalars.allSatisfy { !#"<>:"/\|?*"#.unicodeScalars.contains($0) })
            #expect(safe.first != "." && safe.last != "." && safe.last?.isWhitespace == false)
            #expect(safe.unicodeScalars.allSatisfy { !$0.isInvisible || $0.isPartOfSpelling })
            #expect(Array(AlbumName.composed(safe).utf8) == Array(safe.utf8))
            let base = safe.unicodeScalars.prefix { $0 != "." && $0 != " " }
            #expect(!Self.devices.contains(String(base).uppercased()), "\(safe)")
        }
        #expect(names.allSatisfy { $0.lowercased().hasSuffix(".jpg") || $0.lowercased().hasSuffix(".jpeg") })
        #expect(names.allSatisfy { JunkRules.reason(FolderPath($0)) == nil })
        #expect(directories.allSatisfy { JunkRules.reason(directoryName: $0.utf8) == nil && !$0.contains(".{") })
        #expect(directories.allSatisfy { !["desktop.ini", "autorun.inf"].contains($0.lowercased()) })
    }

    private static let devices: Set<String> = [
        "CON", "PRN", "AUX", "NUL", "COM1", "COM9", "COM¹", "COM²", "LPT0", "LPT1", "LPT³", "CONIN$", "CONOUT$",
    ]

    // Shows what names become: kept where they are fine, with an extension that fits the content, behind one that does not.
    @Test(arguments: [
        ("IMG_1.JPG", "image/jpeg", "IMG_1.JPG"), ("IMG_1.JPG", "image/heic", "IMG_1.heic"),
        ("a.jpg.lnk", "image/jpeg", "a.jpg.lnk.jpg"), ("x.html", "image/png", "x.html.png"),
        ("run.desktop", "video/mp4", "run.desktop.mp4"), ("a.jpg\u{200B}", "image/jpeg", "a.jpg"),
        ("why?.jpg", "image/jpeg", "why_.jpg"), ("gpj.\u{202E}exe", "image/jpeg", "gpj.exe.jpg"),
        ("-rf.jpg", "image/jpeg", "-rf.jpg"), ("con.notes.png", "image/png", "_con.notes.png"),
        ("Trip v1.2", "image/jpeg", "Trip v1.2.jpg"), ("noext", "video/quicktime", "noext.mov"),
        ("scan.nef", "image/tiff", "scan.nef"), ("a/b.jpg", "image/jpeg", "a_b.jpg"),
        ("cafe\u{301}.jpg", "image/jpeg", "caf\u{E9}.jpg"), ("nul.png", "image/png", "_nul.png"),
        ("..", "image/png", "Photo.png"), ("👩‍👩‍👧 2024.jpg", "image/jpeg", "👩‍👩‍👧 2024.jpg"),
        ("I ❤️ you.jpg", "image/jpeg", "I ❤️ you.jpg"), ("می\u{200C}خواهم.jpg", "image/jpeg", "می\u{200C}خواهم.jpg"),
    ])
    func extensionsFit(name: String, type: String, expected: String) throws {
        let safe = files(name, try #require(MediaType.named(type)))[0]
        #expect(Array(safe.utf8) == Array(expected.utf8))
    }

    // Shows that a path below the folder leaves Windows room for the folder's own, and that a long name is cut, not its
    // extension.
    @Test(arguments: ["a", "ü", "日", "👩‍👩‍👧‍👦"])
    func pathsAreNotTooLong(letter: String) {
        let long = String(repeating: letter, count: 300)
        for directory in DiskName.directoryCandidates(long, album: album) {
            #expect(directory.utf16.count <= DiskName.directoryUnitCountMax && directory.utf8.count <= 255)
            for name in files(long + ".JPG", .jpeg, in: directory) {
                #expect(name.hasSuffix(".JPG") && name.hasPrefix(letter))
                #expect((directory + "/" + name).utf16.count <= DiskName.pathUnitCountMax)
            }
        }
        #expect(files(long + ".jpg", .jpeg, in: String(repeating: "d", count: 250))[0].utf16.count > 60)
    }

    // Shows that albums whose names become one on disk all find a directory, however long the names are.
    @Test func directoriesOfOneNameDiffer() {
        for name in ["Beach", String(repeating: "x", count: 400)] {
            let names = Array(DiskName.directoryCandidates(name, album: album))
            #expect(Set(names.map(DiskName.folded)).count == names.count && names.count == 17)
            #expect(names[1].hasSuffix(" (2)") && names[9].hasSuffix(" (\(album.hex.prefix(4)))"))
            #expect(names[16].hasSuffix(" (\(album.hex))"))
        }
    }

    // Shows the order of names when earlier ones are taken.
    @Test func collisionsAreNamed() {
        let names = Array(
            DiskName.candidates(
                name: "IMG.jpg", type: .jpeg, deviceName: "Ben's laptop", blob: blob, directory: "Beach"))
        let hex = blob.hex
        #expect(
            Array(names.prefix(4)) == [
                "IMG.jpg", "IMG (Ben's laptop).jpg", "IMG (Ben's laptop \(hex.prefix(4))).jpg",
                "IMG (Ben's laptop \(hex.prefix(8))).jpg",
            ])
        #expect(names.count == 2 + 16)
    }

    // Shows that case and the way accents are stored do not make two names.
    @Test func comparisonFolds() {
        #expect(Array(DiskName.folded("CAFE\u{301}.JPG").utf8) == Array(DiskName.folded("caf\u{E9}.jpg").utf8))
        #expect(DiskName.folded("Straße") == DiskName.folded("STRASSE"))
        #expect(DiskName.folded("a.jpg") != DiskName.folded("b.jpg"))
    }

    // Shows which names are skipped, wherever in the path they stand.
    @Test(arguments: [
        "A/.DS_Store", "A/._IMG.jpg", "A/Thumbs.db", "A/desktop.ini", "A/x.jpg.part", "A/x.crdownload", "A/x.tmp",
        "A/x.jpg~", "A/.hidden.jpg", "A/@eaDir/x.jpg", "A/.Trash-1000/files/x.jpg", "$RECYCLE.BIN/x.jpg",
        "A/SYNOFILE_THUMB_M.jpg", "A/.thumbnails/x.png", "A/~$x.jpg", "lost+found/x.jpg", "__MACOSX/x.jpg",
    ])
    func junkHasAReason(path: String) {
        #expect(JunkRules.reason(FolderPath(path)) != nil)
    }

    // Shows that ordinary names are not taken for junk.
    @Test(arguments: ["A/IMG_1.jpg", "x.jpg", "A/b/c/d.heic", "@home/x.jpg", "A/partial eclipse.jpg", "A/temp.jpg"])
    func photosAreNoJunk(path: String) {
        #expect(JunkRules.reason(FolderPath(path)) == nil)
    }
}
