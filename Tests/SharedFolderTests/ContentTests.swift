import AlbumModel
import DiskIO
import Glibc
import NIOPosix
import PhotoStore
import Synchronization
import TestSupport
import Testing

@testable import FolderEngine
@testable import SharedFolder

/// What is placed is what would be shared, whatever a member calls it.
@Suite(.timeLimit(.minutes(2)))
struct ContentTests {
    static let others: [(name: String, bytes: [UInt8])] = [
        ("x.html", Array("<!doctype html><script>alert(1)</script>".utf8)),
        ("y.svg", Array("<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\"></svg>".utf8)),
        ("run.desktop", Array("[Desktop Entry]\nType=Application\nExec=sh -c id\n".utf8)),
        ("evil.sh", Array("#!/bin/sh\nid\n".utf8)), ("a.jpg.lnk", [0x4C, 0, 0, 0, 1, 0x14, 2, 0, 0, 0, 0, 0]),
        ("setup.exe", Array("MZ".utf8) + Array(repeating: 0, count: 80)), ("a.elf", [0x7F] + Array("ELF".utf8)),
        ("photos.zip", Array("PK\u{3}\u{4}".utf8)), ("page.xmp.html", Array("<rdf:RDF>".utf8)),
        ("a.jp2", [0xFF, 0x4F, 0xFF, 0x51, 0, 47]), ("sound.jpg", SamplePhoto.boxes(brand: "M4A ", index: "moov")),
        ("new.raw", Array("A FORMAT OF TOMORROW".utf8)),
    ]

    // Shows that size counts beside content, and that an SVG is no photo, whatever it is called.
    @Test func emptyAndHugeFilesAreRefused() {
        func content(_ bytes: [UInt8], _ byteCount: UInt64, name: String = "a.jpg") -> MediaContent {
            MediaContent(head: bytes, byteCount: byteCount, name: name)
        }
        let (photo, most) = (SamplePhoto.jpeg(1), CatalogLimits.blobByteCountMax)
        #expect(content([], 0) == .refused("it is empty"))
        #expect(content(photo, most) == .media(.jpeg))
        #expect(content(photo, most + 1) == .refused("it is larger than 64 GiB"))
        for svg in ["<svg xmlns=\"http://www.w3.org/2000/svg\">", "<?xml version=\"1.0\"?>\n<svg>"] {
            for name in ["a.svg", "a.jpg", "a.png"] {
                #expect(content(Array(svg.utf8), 60, name: name) == .refused("it is not a photo or a video"))
            }
        }
    }

    // Shows that what is no photo gets neither a file nor a directory, under no name, and says why; its blob stays.
    @Test(arguments: ["as it is", "photo.jpg"])
    func othersAreNotPlaced(name: String) async throws {
        let kit = try await Kit()
        defer { kit.remove() }
        for other in Self.others {
            let placement = try kit.placement(other.bytes, name: name == "photo.jpg" ? name : other.name)
            let error = await #expect(throws: FolderError.self) { try await kit.folder.place(placement) }
            #expect(error?.code == .noPhoto(reason: MediaType.reasonToSkip(other.bytes)), "\(other.name)")
            #expect(kit.blobs.contains(placement.blob))
        }
        #expect(access(kit.path("Beach"), F_OK) != 0)
        #expect(kit.folder.files().isEmpty)
        #expect(try kit.journal.facts(.folderIntent).isEmpty)
        try await kit.pool.shutdownGracefully()
    }

    // Shows that a photo that is called something else is placed as what it is.
    @Test func photosGetTheirExtension() async throws {
        let kit = try await Kit()
        defer { kit.remove() }
        let names = ["x.html", "run.desktop", "a.jpg.lnk", "IMG_1.HEIC", "photo.JPG", "evil.sh"]
        var paths: [String] = []
        for (number, name) in names.enumerated() {
            let placement = try kit.placement(SamplePhoto.jpeg(number), name: name)
            paths.append(try #require(try await kit.folder.place(placement)))
        }
        #expect(
            paths == [
                "Beach/x.html.jpg", "Beach/run.desktop.jpg", "Beach/a.jpg.lnk.jpg", "Beach/IMG_1.jpg",
                "Beach/photo.JPG", "Beach/evil.sh.jpg",
            ])
        let sidecar = try kit.placement(Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">".utf8), name: "IMG_1.XMP")
        #expect(try await kit.folder.place(sidecar) == "Beach/IMG_1.XMP")
        try await kit.pool.shutdownGracefully()
    }

    // Shows that a photo that has a file keeps it, also where its bytes would not be placed any more.
    @Test func filesOfBeforeStay() async throws {
        let kit = try await Kit()
        defer { kit.remove() }
        let placement = try kit.placement(Self.others[0].bytes, name: "x.html")
        kit.makeDirectory("Beach")
        try kit.write(Self.others[0].bytes, to: "Beach/x.html")
        let stat = try FileStat(path: kit.path("Beach/x.html"))
        let record = FileRecord(
            photo: PhotoKey(album: placement.album, blob: placement.blob), signature: FileSignature(stat),
            origin: .placed)
        _ = kit.folder.core.queue.change { judge, _ in judge.state.record(FolderPath("Beach/x.html"), record) }
        #expect(try await kit.folder.place(placement) == nil)
        #expect(kit.folder.path(album: placement.album, blob: placement.blob) == "Beach/x.html")
        #expect(access(kit.path("Beach/x.html"), F_OK) == 0)
        try await kit.pool.shutdownGracefully()
    }

    // Shows that the folder shares what it places and nothing else, for every type that it tells apart, for files that are
    // cut off, and for what is no photo. Both answers come from the same bytes under the same name.
    @Test func droppingAndPlacingAgree() async throws {
        let cut: [(name: String, bytes: [UInt8])] = [
            ("cut.jpg", Array(SamplePhoto.jpeg(9).prefix(200))), ("cut.png", Array(SamplePhoto.png.prefix(20))),
            ("four.jpg", [0xFF, 0xD8, 0xFF, 0xE0]), ("two.jpg", [0xFF, 0xD8]),
            ("a.xmp", Array("<rdf:RDF> a".utf8)), ("a.txt", Array("<rdf:RDF> b".utf8)),
            ("a.aae", Array("bplist00".utf8)),
        ]
        // Each content once: equal bytes are one photo.
        let samples = MediaTests.samples.enumerated().map { (name: "sample \($0).bin", bytes: $1.bytes + [UInt8($0)]) }
        let all = samples + cut + Self.others
        var settings = FolderSettings.inOrder
        settings.patience.short = .zero
        try await withKit(settings: settings) { kit in
            var placed: Set<BlobID> = []
            for content in all {
                let placement = try kit.placement(content.bytes, name: content.name, album: "Placed")
                await kit.host.add(content.bytes, in: "Placed")
                do {
                    if try await kit.folder.place(placement) != nil { placed.insert(placement.blob) }
                } catch let error as FolderError {
                    guard case .noPhoto = error.code else { throw error }
                }
            }
            #expect(placed.count == samples.count + 5)
            kit.makeDirectory("Dropped")
            for content in all { try kit.drop(content.bytes, as: "Dropped/" + content.name) }
            let expected = placed
            #expect(await kit.host.wait { expected.isSubset(of: $0.drops.map(\.blob.id)) })
            let others = Set(all.map { blobID($0.bytes) }).subtracting(placed)
            let skipped = await kit.host.wait { view in
                let told = view.notices.filter { if case .skipped = $0 { true } else { false } }
                return told.count >= others.count
            }
            #expect(skipped)
            #expect(await Set(kit.dropped().map(\.blob.id)) == placed)
            #expect(kit.folder.skipped().count == others.count)
        }
    }
}
