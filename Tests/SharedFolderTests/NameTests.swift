import AlbumModel
import TestSupport
import Testing

@testable import SharedFolder

struct NameTests {
    private let blob = blobID([1, 2, 3])

    // Shows that no name from a peer leaves its directory, hides, pretends or is too long.
    @Test(arguments: [
        "../../etc/passwd", "..", ".", "", "/", "/etc/passwd", "a\\..\\b.jpg", ".hidden.jpg", "new\nline.jpg",
        "x\0y.jpg",
        "rtl-\u{202E}gpj.exe", "CON", "con.jpg", "dots...", " spaces ", "Thumbs.db", "photo.jpg~", "._x.jpg", "a.part",
        String(repeating: "ü", count: 400) + ".jpg", String(repeating: "👩‍👩‍👧‍👦", count: 60) + ".jpeg",
        "a" + String(repeating: "\u{301}", count: 400), ".potluck-folder", ".potluck-placing-1",
    ])
    func namesAreSafe(name: String) {
        let names = DiskName.candidates(
            name: name, mediaType: "image/jpeg", deviceName: "../\(name)", blob: blob
        ).prefix(4).map { $0 }
        for safe in names + [DiskName.safeDirectory(name)] {
            #expect(!safe.isEmpty && safe.utf8.count <= 255)
            #expect(!safe.contains("/") && !safe.contains("\\"))
            #expect(!safe.hasPrefix(".") && !safe.hasSuffix(".") && !safe.hasSuffix(" "))
            #expect(safe.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 0x202E })
            #expect(Array(AlbumName.composed(safe).utf8) == Array(safe.utf8))
        }
        #expect(names.allSatisfy { JunkRules.reason(FolderPath($0)) == nil })
        #expect(JunkRules.reason(directoryName: DiskName.safeDirectory(name).utf8) == nil)
    }

    // Shows what names become: kept where they are fine, with an extension that fits the content.
    @Test(arguments: [
        ("IMG_1.JPG", "image/jpeg", "IMG_1.JPG"), ("IMG_1.JPG", "image/heic", "IMG_1.heic"),
        ("Trip v1.2", "image/jpeg", "Trip v1.2.jpg"), ("noext", "video/quicktime", "noext.mov"),
        ("scan.nef", "image/tiff", "scan.nef"), ("a/b.jpg", "image/jpeg", "a_b.jpg"),
        ("cafe\u{301}.jpg", "image/jpeg", "caf\u{E9}.jpg"), ("nul.png", "image/png", "_nul.png"),
        ("what.xyz", "image/unheard-of", "what.xyz"), ("..", "image/png", "Photo.png"),
        ("👩‍👩‍👧 2024.jpg", "image/jpeg", "👩‍👩‍👧 2024.jpg"),
    ])
    func extensionsFit(name: String, type: String, expected: String) {
        let safe = DiskName.safe(name, mediaType: type)
        #expect(Array(safe.utf8) == Array(expected.utf8))
    }

    // Shows the order of names when earlier ones are taken.
    @Test func collisionsAreNamed() {
        let names = Array(
            DiskName.candidates(
                name: "IMG.jpg", mediaType: "image/jpeg", deviceName: "Ben's laptop", blob: blob))
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
