import AlbumModel
import FoundationEssentials
import Glibc
import NIOCore
import PhotoStore
import PotluckAPI
import SyncEngine
import Synchronization
import TestSupport
import Testing
import WebGallery
import WebServer

@testable import PotluckAgent

/// What the doors for browsers get from an agent: bytes, uploads and documents, on a real disk.
@Suite(.timeLimit(.minutes(1))) struct AgentGalleryTests {
    private static let lena = KnownGuest(id: GuestID(bytes: [UInt8](repeating: 1, count: 16))!, name: "Lena")

    private static func with(_ body: @Sendable (AgentGallery, RunningAgent) async throws -> Void) async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let options = AgentOptions(
                    home: home, folder: home + "/folder", listen: nil, peers: [], discovery: false,
                    logger: running.parts.logger)
                try await body(AgentGallery(control: running.control(), options: options), running)
            }
        }
    }

    private static func upload(
        _ bytes: [UInt8], name: String, to album: AlbumID, _ gallery: AgentGallery
    ) async throws -> (id: UploadID, upload: Upload) {
        var generator = SystemRandomNumberGenerator()
        let id = UploadID(SecretToken(using: &generator))
        // In two pieces, as a phone that was locked in between.
        let half = bytes.count / 2
        try await gallery.write(ByteBuffer(bytes: bytes[..<half]), at: 0, of: id)
        try await gallery.makeDurable(id)
        #expect(try await gallery.staged()[id] == UInt64(half))
        try await gallery.write(ByteBuffer(bytes: bytes[half...]), at: UInt64(half), of: id)
        try await gallery.makeDurable(id)
        var generated = UploadBook()
        let metadata =
            "filename \(Base64.text(name)),album \(Base64.text(album.hex)),lastmodified \(Base64.text("1600000000123"))"
        let upload = try generated.create(
            .init(length: "\(bytes.count)", metadata: metadata), id: id, holder: .guest(lena.id), room: .max, now: 0)
        return (id, upload)
    }

    /// Once it is in its album it is the guest's, has left `uploads/`, and comes out again byte for byte; the same bytes
    /// once more are there already.
    @Test func uploadsBecomePhotos() async throws {
        try await Self.with { gallery, running in
            let first = try await running.add(SamplePhoto.jpeg(1), name: "1.jpg", to: "Beach")
            let bytes = SamplePhoto.jpeg(2, byteCount: 5000)
            let (id, upload) = try await Self.upload(bytes, name: "IMG_2.JPG", to: first.album, gallery)
            let blob = blobID(bytes)
            // Told before the album has it.
            try await confirmation { isExpected in
                let outcome = try await gallery.takeIn(id, upload, by: Self.lena) { photo async throws in
                    #expect(photo == PhotoKey(album: first.album, blob: blob))
                    #expect(await gallery.albums(of: blob).isEmpty)
                    isExpected()
                }
                #expect(outcome == .here(photo: blob.hex))
            }
            #expect(try await gallery.staged().isEmpty)
            let report = try await running.control().photos(PhotoQuery(album: "Beach", photos: [blob.hex]))
            let photo = try #require(report.photos.first)
            #expect(photo.name == "IMG_2.JPG" && photo.by?.hasPrefix("Lena (at ") == true)

            let (again, second) = try await Self.upload(bytes, name: "other.jpg", to: first.album, gallery)
            // Of what is there already nobody is told: it waits for nothing.
            let nothing: PhotoExpectation = { Issue.record("\($0) was there") }
            #expect(
                try await gallery.takeIn(again, second, by: Self.lena, expecting: nothing) == .already(photo: blob.hex))
            #expect(
                try await gallery.addKnown(first.blob, upload.metadata, by: Self.lena, expecting: nothing)
                    == .already(photo: first.blob.hex))
            #expect(try await gallery.addKnown(blobID([9]), upload.metadata, by: nil, expecting: nothing) == nil)

            guard case .here(let file) = try await gallery.picture(.original, of: blob, in: nil) else {
                Issue.record("the original is not here")
                return
            }
            #expect(file.byteCount == 5000 && file.name == "IMG_2.JPG" && file.mediaType == "image/jpeg")
            var read = try await file.read(10, 4000)
            #expect(read.readBytes(length: read.readableBytes) == Array(bytes[10..<4010]))
            var end = try await file.read(4990, 4000)
            #expect(end.readBytes(length: end.readableBytes) == Array(bytes[4990...]))
            #expect(await gallery.albums(of: blob) == [first.album])
            // What a guest brought is not the owner's.
            #expect(await gallery.isOwners(PhotoKey(album: first.album, blob: first.blob)))
            #expect(await !gallery.isOwners(PhotoKey(album: first.album, blob: blob)))
            // Nor are its words; this guest only added the owner's once more.
            #expect(await gallery.ownsWords(of: PhotoKey(album: first.album, blob: blob), Self.lena.id))
            #expect(await !gallery.ownsWords(of: PhotoKey(album: first.album, blob: first.blob), Self.lena.id))
        }
    }

    /// A photo whose bytes are just being deleted from the trash is not known: a browser sends them, and they are added.
    /// Nor is it moved. Catches an add that counts on bytes which are about to go.
    @Test func whatIsBeingDeletedIsNotKnown() async throws {
        try await Self.with { gallery, running in
            let bytes = SamplePhoto.jpeg(4, byteCount: 5000)
            let key = try await running.add(bytes, name: "4.jpg", to: "Beach")
            let (id, upload) = try await Self.upload(bytes, name: "4.jpg", to: key.album, gallery)
            let records = running.services.removal.records
            records.state.withLock { state in
                let isBegun = state.beginDiscarding([key.blob])
                #expect(isBegun)
            }
            let known = try await gallery.addKnown(key.blob, upload.metadata, by: Self.lena, expecting: { _ in })
            #expect(known == nil)
            await #expect(throws: PotluckError.beingDeleted) {
                try await running.control().move(MoveOrder(album: "Beach", photos: ["4.jpg"], to: "Hill"))
            }
            let outcome = try await gallery.takeIn(id, upload, by: Self.lena) { _ in }
            #expect(outcome == .already(photo: key.blob.hex))
        }
    }

    /// A file that the store finds to be gone, or changed, when a browser asks for its photo: the gathering is told that it
    /// is not held here any more. Catches a reader that keeps to itself what the store found out.
    @Test(arguments: [true, false]) func whatBrowsersFindGoneIsNotHeld(_ isGone: Bool) async throws {
        try await Self.with { gallery, running in
            let bytes = SamplePhoto.jpeg(3, byteCount: 5000)
            let key = try await running.add(bytes, name: "3.jpg", to: "Beach")
            let path = running.parts.blobs.path(of: key.blob)
            if isGone { try #require(unlink(path) == 0) } else { try SmallHome.damage(path) }
            #expect(await running.services.host.ask { $0.held.contains(key.blob) })
            // It may say that it is to be fetched, or fail.
            _ = try? await gallery.picture(.original, of: key.blob, in: nil)
            #expect(!running.parts.blobs.contains(key.blob))
            try await eventually("others are told", within: .seconds(5)) {
                .when(await !running.services.host.ask { $0.held.contains(key.blob) }, "it still counts as held")
            }
            try await eventually("people are told", within: .seconds(5)) {
                .when(running.services.problems.all.contains { $0.contains("gone from its store") }, "they are not")
            }
        }
    }

    /// A blob is lost and comes again before anybody could be told: it counts as held from then on. Catches a loss that is
    /// told of without a look at what the store has by now.
    @Test func whatComesAgainIsHeld() async throws {
        try await Self.with { gallery, running in
            let bytes = SamplePhoto.jpeg(3, byteCount: 5000)
            let key = try await running.add(bytes, name: "3.jpg", to: "Beach")
            let blobs = running.parts.blobs
            try #require(unlink(blobs.path(of: key.blob)) == 0)
            try await Self.loseAndFind(bytes, key.blob, running, on: running.services.host)
            #expect(blobs.contains(key.blob))
            // Once more, so that what the store told of has had its turn.
            await running.services.recovery.noteIfLost(key.blob)
            #expect(await running.services.host.ask { $0.held.contains(key.blob) && $0.missingReason(key.blob) == nil })
        }
    }

    /// While the engine judges nothing.
    private static func loseAndFind(
        _ bytes: [UInt8], _ blob: BlobID, _ running: RunningAgent, on host: isolated EngineHost
    ) throws {
        #expect(try running.parts.blobs.open(blob) == nil)
        #expect(try running.parts.blobs.ingest(bytes: bytes) == blob)
    }

    /// Pages are told when a photo's small picture can be had; once, however many albums show the photo.
    @Test func smallPicturesAreTold() async throws {
        try await Self.with { gallery, running in
            // As long as anybody follows what happens.
            let events = running.control().events()
            var news = gallery.news().makeAsyncIterator()
            for (number, albums) in [(1, ["Beach", "Dunes"]), (2, ["Beach"])] {
                let bytes = SamplePhoto.jpeg(10 + number)
                var facts = PhotoFacts(readerVersion: 1, kind: .photo)
                facts.thumbnail = Thumbnail(
                    blob: try running.parts.blobs.ingest(bytes: bytes), byteCount: UInt32(bytes.count),
                    size: PixelSize(width: 360, height: 480), mediaType: "image/jpeg")
                for album in albums {
                    let key = try await running.add(SamplePhoto.jpeg(number), name: "\(number).jpg", to: album)
                    _ = try await running.services.contributions.contribute(.photoFacts(key.album, key.blob, facts))
                }
                #expect(await news.next() == .ready(.thumbnail, blobID(SamplePhoto.jpeg(number))))
            }
            withExtendedLifetime(events) {}
        }
    }

    /// Of a file that is too large no copy without its place is made: it is said so, and nothing waits.
    @Test func largeFilesKeepTheirPlace() async throws {
        try await Self.with { gallery, running in
            let blob = try running.parts.blobs.ingest(bytes: SamplePhoto.jpeg(1))
            let byteCount: UInt64 = 512 << 20 | 1
            let hashes = [BlobID](repeating: blob, count: Pieces.count(blobByteCount: byteCount))
            let file = PhotoFile(
                blob: blob, byteCount: byteCount, pieceList: PieceList(hashes: hashes), name: "1.mp4",
                mediaType: "video/mp4", modified: 0)
            _ = try await running.services.contributions.contribute(.photo(albumName: "Beach", file))
            guard case .none(let reason) = try await gallery.picture(.placeless, of: blob, in: nil) else {
                Issue.record("a copy without place is made of a large file")
                return
            }
            #expect(reason.hasPrefix("This file is larger than 512 MB"))
        }
    }

    /// What is no photo is refused with a reason, and leaves nothing behind.
    @Test func whatIsNoPhotoIsRefused() async throws {
        try await Self.with { gallery, running in
            let first = try await running.add(SamplePhoto.jpeg(1), name: "1.jpg", to: "Beach")
            let page = Array("<!doctype html><script>alert(1)</script>".utf8)
            let (id, upload) = try await Self.upload(page, name: "x.jpg", to: first.album, gallery)
            guard case .refused(let reason) = try await gallery.takeIn(id, upload, by: Self.lena, expecting: { _ in })
            else {
                Issue.record("a page was taken for a photo")
                return
            }
            #expect(reason.hasPrefix("This is no photo and no video: "))
            #expect(try await gallery.staged().isEmpty)
            #expect(try await running.control().photos(album: "Beach").photos.count == 1)
            guard case .unseen = try await gallery.picture(.original, of: blobID(page), in: nil) else {
                Issue.record("bytes that no album shows were found")
                return
            }
        }
    }

    /// Bytes that were not announced are not kept, be they of a photo or not, until they have come twice.
    @Test func whatWasNotAnnouncedIsNotKept() async throws {
        try await Self.with { gallery, running in
            let first = try await running.add(SamplePhoto.jpeg(1), name: "1.jpg", to: "Beach")
            let changed = SamplePhoto.jpeg(2, byteCount: 5000)
            for bytes in [changed, [UInt8](repeating: 7, count: 5000)] {
                var (id, upload) = try await Self.upload(bytes, name: "2.jpg", to: first.album, gallery)
                upload.metadata.sha256 = blobID(SamplePhoto.jpeg(3, byteCount: 5000))
                await #expect(throws: UnexpectedFile(blobID(bytes))) {
                    try await gallery.takeIn(id, upload, by: Self.lena) { Issue.record("\($0) is expected") }
                }
                #expect(!running.parts.blobs.contains(blobID(bytes)))
                await gallery.discard(id)
                (id, upload) = try await Self.upload(bytes, name: "2.jpg", to: first.album, gallery)
                upload.metadata.sha256 = blobID(SamplePhoto.jpeg(3, byteCount: 5000))
                upload.mismatch = Upload.Mismatch(photo: blobID(bytes).hex, count: 1)
                let outcome = try await gallery.takeIn(id, upload, by: Self.lena) { _ in }
                if bytes == changed {
                    #expect(outcome == .here(photo: blobID(bytes).hex))
                } else if case .refused = outcome {
                } else {
                    Issue.record("\(outcome)")
                }
            }
        }
    }

    /// A document takes the place of the one before in one step; one that cannot be read is an error.
    @Test func documentsAreWholeOrNotAtAll() async throws {
        try await Self.with { gallery, running in
            #expect(try await gallery.document("doors") == nil)
            try await gallery.keep(Array("one".utf8), as: "doors")
            try await gallery.keep(Array("two".utf8), as: "doors")
            #expect(try await gallery.document("doors") == Array("two".utf8))
            let path = gallery.home + "/web/doors.json"
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            // What cannot be read is not “there is none”.
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            await #expect(throws: PotluckError.self) { try await gallery.document("doors") }
        }
    }

    /// A document that is longer than any of the doors is ends the start with a sentence, and is left as it is.
    @Test func documentsAreBounded() async throws {
        try await Self.with { gallery, running in
            try await gallery.keep([UInt8](repeating: 32, count: 16 << 20), as: "uploads")
            #expect(try await gallery.document("uploads")?.count == 16 << 20)
            let path = gallery.home + "/web/doors.json"
            let long = Data(repeating: 32, count: 16 << 20 | 1)
            try long.write(to: URL(fileURLWithPath: path))
            let error = await #expect(throws: PotluckError.self) {
                try await Gallery(host: gallery, logger: running.parts.logger)
            }
            let beginning = "“doors”, a document of the doors for browsers, cannot be read: "
            #expect(error?.message.hasPrefix(beginning) == true, "\(String(describing: error))")
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == long)
        }
    }

    /// Of files on their way 64 stay open. One more has all others closed, which go on where they were.
    @Test func openUploadsAreBounded() async throws {
        try await Self.with { gallery, running in
            func openCount() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
                    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
                    return target?.hasPrefix(gallery.home + "/uploads/") == true
                }
            }
            // A file is closed with its last reference, which a thread of the pool may hold a moment longer.
            func expectOpen(_ count: Int) async throws {
                let deadline = ContinuousClock.now + .seconds(20)
                while try openCount() != count, ContinuousClock.now < deadline { await Task.yield() }
                #expect(try openCount() == count)
            }
            var generator = SystemRandomNumberGenerator()
            let uploads = (0..<65).map { _ in UploadID(SecretToken(using: &generator)) }
            for (number, upload) in uploads.enumerated() {
                try await gallery.write(ByteBuffer(bytes: [1, 2]), at: 0, of: upload)
                try await expectOpen(number < 64 ? number + 1 : 1)
            }
            for upload in uploads.prefix(64) {
                try await gallery.write(ByteBuffer(bytes: [3]), at: 2, of: upload)
                try await gallery.makeDurable(upload)
            }
            try await expectOpen(1)
            let kept = try await gallery.staged()
            #expect(kept.count == 65 && kept[uploads[64]] == 2)
            for upload in uploads.prefix(64) {
                let path = gallery.home + "/uploads/\(upload.text).part"
                #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1, 2, 3]))
            }
        }
    }

    /// An album that is named with a file is made when the file is in; what is there under that name is used.
    @Test func anUploadMakesItsAlbum() async throws {
        try await Self.with { gallery, running in
            let lake = await gallery.album(named: "Sunday at the lake")
            #expect(await gallery.album(named: "sunday AT the lake ") == lake)
            var (id, upload) = try await Self.upload(SamplePhoto.jpeg(3), name: "3.jpg", to: lake, gallery)
            guard case .refused = try await gallery.takeIn(id, upload, by: Self.lena, expecting: { _ in }) else {
                Issue.record("an album without a name was made")
                return
            }
            for number in [4, 5] {
                (id, upload) = try await Self.upload(SamplePhoto.jpeg(number), name: "\(number).jpg", to: lake, gallery)
                upload.metadata.newAlbum = "Sunday at the lake"
                let outcome = try await gallery.takeIn(id, upload, by: Self.lena) { _ in }
                #expect(outcome == .here(photo: blobID(SamplePhoto.jpeg(number)).hex))
            }
            let albums = try await running.control().albums().albums
            #expect(albums.map(\.name) == ["Sunday at the lake"] && albums.map(\.id) == [lake.hex])
            #expect(albums.map(\.photos) == [2])
            #expect(await gallery.album(named: "Sunday at the lake") == lake)
        }
    }
}

private enum Base64 {
    static func text(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}
