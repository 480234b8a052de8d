import AlbumModel
import Testing

@testable import AlbumExport

/// Which names files have in an export.
@Suite struct NameTests {
    private func file(_ name: String, _ number: UInt8 = 1, type: String = "image/jpeg") -> ExportFile {
        let id = BlobID(bytes: [UInt8](repeating: number, count: 32))
        return ExportFile(id: id!, name: name, mediaType: type, byteCount: 1, path: nil)
    }

    private func names(_ entries: [ExportEntry], _ options: ExportOptions = ExportOptions()) -> [String] {
        ExportPlan(entries, options).files.map(\.name)
    }

    /// Shows a name: the local date and time, who took it, and its own stem with the ending of its type.
    @Test func namesTellTimeAndPerson() {
        #expect(
            names([entry(file("IMG_0102.HEIC", type: "image/heic"))]) == ["2026-07-04 14.03.22 Anna IMG_0102.heic"])
        // A false ending is replaced, one that is none is kept, a missing one is given.
        #expect(names([entry(file("IMG_1.png"))]) == ["2026-07-04 14.03.22 Anna IMG_1.jpg"])
        #expect(names([entry(file("St. Pölten"))]) == ["2026-07-04 14.03.22 Anna St. Pölten.jpg"])
        #expect(names([entry(file("scan.x", type: ""))]) == ["2026-07-04 14.03.22 Anna scan.x"])
        #expect(names([entry(file("a.jpg"), by: "", at: nil)]) == ["Undated a.jpg"])
    }

    /// Shows that the clock of the place counts, not the laptop's zone, and that times no calendar has count as none.
    @Test func theLocalReadingIsShown() {
        var photo = entry(file("a.jpg"))
        for offset in [nil, 0, 120, -720] as [Int32?] {
            photo.taken = reading(offset: offset)
            #expect(names([photo]) == ["2026-07-04 14.03.22 Anna a.jpg"])
        }
        for milliseconds in [Int64.min, .max, -62_135_596_800_001, 253_402_300_800_000] {
            photo.taken = ExportEntry.Reading(localMilliseconds: milliseconds, offsetMinutes: nil)
            #expect(names([photo]) == ["Undated Anna a.jpg"])
        }
        photo.taken = ExportEntry.Reading(localMilliseconds: -2_000_000_000_500, offsetMinutes: .max)
        #expect(names([photo]) == ["Undated Anna a.jpg"])
        photo.taken?.offsetMinutes = nil
        #expect(names([photo]) == ["1906-08-16 20.26.39 Anna a.jpg"])
    }

    /// Shows that files come in the order of time, then name, and those without a time last, whatever order they are
    /// handed over in.
    @Test func filesAreSortedByTime() {
        let entries = [
            entry(file("b.jpg", 1), at: 5), entry(file("z.jpg", 2), at: 0), entry(file("a.jpg", 3), at: 5),
            entry(file("0.jpg", 4), at: nil),
        ]
        let expected = [
            "2026-07-04 14.03.22 Anna z.jpg", "2026-07-04 14.03.27 Anna a.jpg", "2026-07-04 14.03.27 Anna b.jpg",
            "Undated Anna 0.jpg",
        ]
        #expect(names(entries) == expected)
        #expect(names(entries.reversed()) == expected)
        #expect(expected.sorted() == expected)
    }

    /// Shows that what people and peers call things becomes one path component that FAT, NTFS and ext4 all take.
    @Test(arguments: [
        "../../etc/passwd", "..\\..\\boot.ini", "CON", "a<b>c:d\"e|f?g*h", "\u{202E}gpj.exe", "tab\tline\nend\u{0}",
        "   .hidden.  ", String(repeating: "x", count: 5000), String(repeating: "👨‍👩‍👧‍👦", count: 200), "", ".", "...",
        "a" + String(repeating: "\u{301}", count: 3000), "\u{FFFD}\u{E000}", "e\u{301}te\u{301}", "CHECKSUMS",
        "index.html",
    ])
    func hostileNamesAreHarmless(name: String) {
        for found in names([entry(file(name), by: name), entry(file(name, 2), by: "", at: nil)]) {
            #expect(found.utf8.count <= 200)
            #expect(found.hasPrefix("2026-07-04 14.03.22") || found.hasPrefix("Undated"))
            #expect(found.hasSuffix(".jpg"))
            #expect(!found.contains { #"<>:"/\|?*"#.contains($0) })
            #expect(found.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 && $0 != "\u{202E}" })
            #expect(AlbumName.composed(found).utf8.elementsEqual(found.utf8))
        }
        let directory = ExportName.directory(name)
        #expect(
            !directory.isEmpty && !directory.contains("/") && !directory.hasPrefix(".") && directory.utf8.count <= 81)
        #expect(!["CON", "con"].contains(directory))
    }

    /// Shows that photos of one second, person and name get different names, also where only case or the way of storing
    /// accents differs, and always the same ones.
    @Test func namesAreUniqueOnEveryFileSystem() {
        let entries = [
            entry(file("É.jpg", 1)), entry(file("e\u{301}.JPG", 2)), entry(file("É.heic", 3, type: "image/heic")),
        ]
        let found = names(entries)
        #expect(Set(found.map(ExportName.folded)).count == 3)
        #expect(names(entries.reversed()) == found)
        #expect(Set(found.map { FileEnding.stem(ExportName.folded($0)) }).count == 3, "companions would mix")
        #expect(found.contains { $0.contains("(0") })
    }

    /// Shows that the files of one moment have one stem, and that what is a companion is not exported twice.
    @Test func companionsShareTheirLeadsName() {
        let movie = file("IMG_0102.MOV", 2, type: "video/quicktime")
        let sidecar = file("IMG_0102.HEIC.xmp", 3, type: "")
        let other = file("IMG_0102.mov", 4, type: "video/quicktime")
        let lead = entry(
            file("IMG_0102.HEIC", 1, type: "image/heic"), kind: .live,
            companions: [
                .init(file: movie, role: .video), .init(file: sidecar, role: .sidecar),
                .init(file: other, role: .video),
            ])
        #expect(
            names([lead, entry(movie, kind: .video)]) == [
                "2026-07-04 14.03.22 Anna IMG_0102.heic", "2026-07-04 14.03.22 Anna IMG_0102.mov",
                "2026-07-04 14.03.22 Anna IMG_0102.heic.xmp", "2026-07-04 14.03.22 Anna IMG_0102 (0404).mov",
            ])
    }

    /// Shows that large pictures come without what belongs to originals, and that videos stay what they are.
    @Test func largePicturesLeaveOutWhatIsForOriginals() {
        let entries = [
            entry(
                file("a.nef", 1, type: "image/x-nikon-nef"), kind: .raw,
                companions: [
                    .init(file: file("a.jpg", 2), role: .raw), .init(file: file("a.xmp", 3, type: ""), role: .sidecar),
                    .init(file: file("a.mov", 4, type: "video/quicktime"), role: .video),
                ]),
            entry(file("v.mp4", 5, type: "video/mp4"), kind: .video), entry(file("o.aae", 6, type: ""), kind: .sidecar),
        ]
        let files = ExportPlan(entries, ExportOptions(size: .large, stripsPlace: true)).files
        #expect(files.map(\.treatment) == [.large, .placeless, .placeless])
        #expect(files.map(\.ending) == [".jpg", ".mov", ".mp4"])
    }
}
