import AlbumModel
import FolderEngine
import Glibc
import PhotoStore
import TestSupport
import Testing

@testable import SharedFolder

@Suite(.slow, .timeLimit(.minutes(2)))
struct ImportTests {
    // Shows that a file renamed into an album is shared once, with its name, type, time and bytes.
    @Test func renameIntoPlaceIsADrop() async throws {
        try await withKit { kit in
            kit.makeDirectory("Beach")
            let bytes = SamplePhoto.jpeg(1, byteCount: 3 << 20)
            try kit.drop(bytes, as: "Beach/IMG_1.JPG")
            #expect(await kit.host.wait { $0.drops.count == 1 })
            let drop = try #require(await kit.host.drops.first)
            #expect(drop.directory == "Beach" && drop.name == "IMG_1.JPG" && drop.mediaType == "image/jpeg")
            #expect(drop.blob.id == blobID(bytes) && drop.problem == nil)
            #expect(kit.blobs.contains(blobID(bytes)))
        }
    }

    // Shows that a file that waits for its batch holds no place of those that are taken in: else only as many as there are
    // places could share a batch.
    @Test func waitingFilesHoldNoPlace() async throws {
        var settings = FolderSettings.calm
        settings.importConcurrency = 1
        settings.workConcurrency = 5
        try await withKit(settings: settings) { kit in
            await kit.host.whileContributing {
                #expect(await kit.host.wait { $0.questionCount == 5 })
            }
            for number in 1...5 { try kit.drop(SamplePhoto.jpeg(number), as: "\(number).jpg") }
            #expect(await kit.host.wait { $0.drops.count == 5 })
        }
    }

    // Shows that deeper directories flatten into their album, and that files beside the albums have none.
    @Test func directoriesAreAlbums() async throws {
        try await withKit { kit in
            try kit.drop(SamplePhoto.jpeg(1), as: "loose.jpg")
            mkdir(kit.base + "/tree", 0o755)
            mkdir(kit.base + "/tree/deep", 0o755)
            try Kit.write(SamplePhoto.jpeg(2), to: kit.base + "/tree/deep/a.jpg")
            try Kit.write(SamplePhoto.jpeg(3), to: kit.base + "/tree/b.jpg")
            #expect(rename(kit.base + "/tree", kit.path("Trip")) == 0)
            #expect(await kit.host.wait { $0.drops.count == 3 })
            #expect(
                await Set(kit.host.drops.map { "\($0.directory)/\($0.name)" }) == [
                    "/loose.jpg", "Trip/a.jpg", "Trip/b.jpg",
                ])
        }
    }

    // Shows that a slow writer that pauses is waited for: one photo, of the final bytes.
    @Test func slowWritersAreWaitedFor() async throws {
        try await withKit(settings: .inOrder) { kit in
            kit.makeDirectory("A")
            let bytes = SamplePhoto.jpeg(1, byteCount: 90_000)
            let file = open(kit.path("A/slow.jpg"), O_WRONLY | O_CREAT, 0o644)
            #expect(write(file, bytes, 30_000) == 30_000)
            try await kit.dropSentinel(1)
            #expect(write(file, Array(bytes[30_000...]), 60_000) == 60_000)
            try await kit.dropSentinel(2)
            #expect(await kit.dropped().isEmpty)
            close(file)
            #expect(await kit.host.wait { $0.drops.count == 3 })
            #expect(await kit.dropped().map(\.blob.id) == [blobID(bytes)])
        }
    }

    // Shows that a writer that closes halfway and opens again gives one photo, of the final bytes.
    @Test func reopeningWritersAreWaitedFor() async throws {
        try await withKit(settings: .inOrder) { kit in
            kit.makeDirectory("A")
            let bytes = SamplePhoto.jpeg(1, byteCount: 90_000)
            try kit.write(Array(bytes.prefix(40_000)), to: "A/x.jpg")
            try await kit.dropSentinel()
            #expect(await kit.dropped().isEmpty)
            try Kit.write(Array(bytes[40_000...]), to: kit.path("A/x.jpg"), flags: O_APPEND)
            #expect(await kit.host.wait { $0.drops.count == 2 })
            #expect(await kit.dropped().map(\.blob.id) == [blobID(bytes)])
        }
    }

    // Shows that a file that stays short by its format is shared in the end, with a note.
    @Test func shortFilesAreSharedInTheEnd() async throws {
        var settings = FolderSettings()
        settings.patience.short = .milliseconds(200)
        try await withKit(settings: settings) { kit in
            try kit.drop(Array(SamplePhoto.jpeg(1).dropLast(50)), as: "short.jpg")
            #expect(await kit.host.wait { $0.drops.count == 1 })
            #expect(await kit.host.drops[0].problem != nil)
        }
    }

    // Shows that a copy that preserves the time, as from a camera card, is shared at once, with that time.
    @Test func preservedTimesDoNotMatter() async throws {
        try await withKit { kit in
            let file = open(kit.path("old.jpg"), O_WRONLY | O_CREAT, 0o644)
            let bytes = SamplePhoto.jpeg(1)
            #expect(write(file, bytes, bytes.count) == bytes.count)
            let time = timespec(tv_sec: 1_000_000_000, tv_nsec: 5)
            #expect(futimens(file, [time, time]) == 0)
            close(file)
            #expect(await kit.host.wait { $0.drops.count == 1 })
            #expect(await kit.host.drops[0].modified == 1_000_000_000_000_000_005)
        }
    }

    // Shows that a hard link to a file elsewhere is a drop.
    @Test func hardLinksAreDrops() async throws {
        try await withKit { kit in
            try Kit.write(SamplePhoto.jpeg(1), to: kit.base + "/elsewhere.jpg")
            #expect(link(kit.base + "/elsewhere.jpg", kit.path("linked.jpg")) == 0)
            #expect(await kit.host.wait { $0.drops.count == 1 })
        }
    }

    // Shows that one photo under two names is one photo, and two photos of one name are two.
    @Test func contentIsIdentity() async throws {
        try await withKit(settings: .inOrder) { kit in
            for directory in ["A", "A/1", "A/2"] { kit.makeDirectory(directory) }
            try await kit.dropSentinel(1)
            let same = SamplePhoto.jpeg(1)
            try kit.drop(same, as: "A/x.jpg")
            try kit.drop(same, as: "A/copy of x.jpg")
            try kit.drop(SamplePhoto.jpeg(2), as: "A/1/x.jpg")
            try kit.drop(SamplePhoto.jpeg(3), as: "A/2/x.jpg")
            try await kit.dropSentinel(2)
            #expect(await kit.dropped().map(\.blob.id) == [1, 2, 3].map { blobID(SamplePhoto.jpeg($0)) })
            #expect(kit.folder.files().filter { $0.blob == blobID(same) }.count == 2)
        }
    }

    // Shows that equal bytes in many files at once are added once.
    @Test func equalBytesAtOnceAreAddedOnce() async throws {
        try await withKit { kit in
            mkdir(kit.base + "/tree", 0o755)
            for number in 0..<20 { try Kit.write(SamplePhoto.jpeg(1), to: kit.base + "/tree/\(number).jpg") }
            #expect(rename(kit.base + "/tree", kit.path("A")) == 0)
            // Each file asks in its turn, so all but the last are recorded when the last one asks.
            #expect(await kit.host.wait { $0.questionCount == 20 })
            #expect(await kit.host.drops.count == 1)
            #expect(kit.folder.files().count >= 19)
        }
    }

    // Shows that a burst is taken in completely, also where the queue of events overflows.
    @Test(arguments: [65_536, 16])
    func burstsAreComplete(eventCountMax: Int) async throws {
        var settings = FolderSettings()
        settings.eventCountMax = eventCountMax
        try await withKit(settings: settings) { kit in
            kit.makeDirectory("A")
            for number in 0..<400 { try kit.drop(SamplePhoto.jpeg(number), as: "A/\(number).jpg") }
            #expect(await kit.host.wait(within: .seconds(60)) { $0.drops.count >= 400 })
            #expect(await Set(kit.host.drops.map(\.name)).count == 400)
            #expect(await kit.host.drops.count == 400)
        }
    }

    // Shows that an event which comes after the scan that found a removed photo's file says that somebody put it there.
    @Test func eventsAfterScansTellWhoPutFilesThere() async throws {
        let (bytes, path) = (SamplePhoto.jpeg(1), FolderPath("Beach/x.jpg"))
        let host = FakeHost()
        await host.remove(bytes, in: "Beach")
        let kit = try await Kit(host: host, settings: .inOrder)
        defer { kit.remove() }
        kit.makeDirectory("Beach")
        try kit.write(bytes, to: path.text)
        try await kit.running { kit in
            try await kit.settle()
            #expect(kit.folder.skipped().map(\.path) == [path.text])
            #expect(await kit.dropped().isEmpty)
            kit.folder.core.queue.touched(path)
            try await kit.settle()
            #expect(await kit.dropped().count == 1)
            #expect(kit.folder.skipped().isEmpty)
        }
    }

    // Shows that a directory that was removed and made again is watched again.
    @Test func recreatedDirectoriesAreWatched() async throws {
        var settings = FolderSettings.calm
        // Longer than it takes to make a directory anew: a photo that goes together with its directory waits for a word.
        settings.judging.quiet = .milliseconds(500)
        try await withKit(settings: settings) { kit in
            for round in 1...3 {
                kit.makeDirectory("A")
                try kit.drop(SamplePhoto.jpeg(round), as: "A/x.jpg")
                // One that comes before the other's going was judged takes its place.
                #expect(
                    await kit.host.wait { view in
                        let replacements = view.edits.count { if case .replaced = $0 { true } else { false } }
                        return view.drops.count + replacements == round
                    })
                #expect(unlink(kit.path("A/x.jpg")) == 0 && rmdir(kit.path("A")) == 0)
            }
        }
    }

    // Shows that names that Unicode calls equal are two files, shared under composed names; and that a name that is
    // no UTF-8 is shared too.
    @Test func unicodeNamesAreFine() async throws {
        try await withKit { kit in
            try kit.drop(SamplePhoto.jpeg(1), as: "caf\u{E9}.jpg")
            try kit.drop(SamplePhoto.jpeg(2), as: "cafe\u{301}.jpg")
            try Kit.write(SamplePhoto.jpeg(3), to: kit.base + "/latin")
            let latin =
                Array(kit.path("caf").utf8CString.dropLast()) + [CChar(bitPattern: 0xE9)] + Array(".jpg".utf8CString)
            #expect(rename(kit.base + "/latin", latin) == 0)
            #expect(await kit.host.wait { $0.drops.count == 3 })
            let names = await kit.host.drops.map { Array($0.name.utf8) }
            #expect(names.filter { $0 == Array("caf\u{E9}.jpg".utf8) }.count == 2)
        }
    }

    // Shows that symbolic links are never followed, to files or directories, and that the person is told.
    @Test func symbolicLinksAreSkipped() async throws {
        try await withKit(settings: .inOrder) { kit in
            try Kit.write(SamplePhoto.jpeg(1), to: kit.base + "/secret.jpg")
            mkdir(kit.base + "/elsewhere", 0o755)
            try Kit.write(SamplePhoto.jpeg(2), to: kit.base + "/elsewhere/other.jpg")
            #expect(symlink(kit.base + "/secret.jpg", kit.path("link.jpg")) == 0)
            #expect(symlink(kit.base + "/elsewhere", kit.path("Album")) == 0)
            kit.folder.rescan()
            try await kit.dropSentinel()
            #expect(
                await kit.host.wait { view in
                    view.notices.filter { if case .skipped = $0 { true } else { false } }.count == 2
                })
            #expect(await kit.dropped().isEmpty)
            #expect(kit.folder.skipped().map(\.path) == ["Album", "link.jpg"])
        }
    }

    // Shows that what is no photo is listed with a reason, and leaves the list with its file.
    @Test func skippedFilesHaveReasons() async throws {
        var settings = FolderSettings.inOrder
        settings.patience.short = .zero
        try await withKit(settings: settings) { kit in
            try await kit.dropSentinel(1)
            for (name, bytes) in [
                ("notes.txt", Array("hello".utf8)), ("x.jpg.part", SamplePhoto.jpeg(1)),
                (".hidden.jpg", SamplePhoto.jpeg(2)),
                ("empty.jpg", []), ("page.jpg", Array("<html>".utf8)), ("y.j2k", [0xFF, 0x4F, 0xFF, 0x51, 0, 47]),
            ] { try kit.drop(bytes, as: name) }
            mkfifo(kit.path("pipe.jpg"), 0o644)
            try await kit.dropSentinel(2)
            #expect(
                kit.folder.skipped().map(\.path) == [
                    ".hidden.jpg", "empty.jpg", "notes.txt", "page.jpg", "pipe.jpg", "x.jpg.part", "y.j2k",
                ])
            #expect(kit.folder.skipped().last?.reason.contains("JPEG 2000") == true)
            #expect(await kit.dropped().isEmpty)
            unlink(kit.path("notes.txt"))
            #expect(rename(kit.path("x.jpg.part"), kit.path("x.jpg")) == 0)
            try await kit.dropSentinel(3)
            #expect(await kit.dropped().map(\.name) == ["x.jpg"])
            #expect(kit.folder.skipped().map(\.path) == [".hidden.jpg", "empty.jpg", "page.jpg", "pipe.jpg", "y.j2k"])
        }
    }

    // Shows that of very many skipped files the first are listed and told of, and that there is room once one is gone.
    @Test func skippedFilesAreBounded() async throws {
        var settings = FolderSettings.inOrder
        settings.skippedCountMax = 2
        try await withKit(settings: settings) { kit in
            func skipped() -> [String] { kit.folder.skipped().map(\.path) }
            try await kit.dropSentinel(0)
            // Names that are skipped at the first look.
            for name in ["3.part", "2.part", "1.part"] { try kit.drop(SamplePhoto.jpeg(1), as: name) }
            try await kit.dropSentinel(1)
            #expect(skipped() == ["2.part", "3.part"])
            #expect(await kit.host.notices.count { if case .skipped = $0 { true } else { false } } == 2)
            unlink(kit.path("2.part"))
            try kit.drop(SamplePhoto.jpeg(2), as: "1.part")
            try await kit.dropSentinel(2)
            #expect(skipped() == ["1.part", "3.part"])
        }
    }

    // Shows that a file that is listed gets its new reason also where the list is full.
    @Test func fullSkippedListsHaveNewReasons() {
        var list = SkippedList(countMax: 2)
        let paths = ["1.jpg", "2.jpg", "3.jpg"].map { FolderPath($0) }
        #expect(paths.map { list.insert($0, "it is empty") } == [true, true, false])
        #expect(paths.map { list.insert($0, "it is no photo") } == [true, true, false])
        #expect(list.files.map(\.reason) == ["it is no photo", "it is no photo"])
    }

    // Shows that a file is tried again when the agent could not take it.
    @Test func failuresAreTriedAgain() async throws {
        var settings = FolderSettings()
        settings.patience.failureFirst = .milliseconds(20)
        try await withKit(settings: settings) { kit in
            await kit.host.fail(times: 2)
            try kit.drop(SamplePhoto.jpeg(1), as: "x.jpg")
            #expect(await kit.host.wait { $0.drops.count == 1 })
            // That its bytes are stored is told as well, somewhat later.
            #expect(await kit.host.notices.count { if case .postponed = $0 { true } else { false } } == 2)
        }
    }

    // Shows that a photo which goes to a directory that cannot be watched is found there before it counts as removed.
    @Test func movesToUnwatchedDirectoriesRemoveNothing() async throws {
        var settings = FolderSettings.inOrder
        settings.watchCountMax = 2
        try await withKit(settings: settings) { kit in
            try await kit.fill([(path: "A/1.jpg", seed: 1), (path: "A/2.jpg", seed: 2)])
            kit.makeDirectory("A/best")
            try await kit.settle()
            #expect(rename(kit.path("A/1.jpg"), kit.path("A/best/1.jpg")) == 0)
            try await kit.settle()
            #expect(kit.shared == ["A/2.jpg", "A/best/1.jpg"])
            let removals = await kit.edits().filter { if case .removed = $0 { true } else { false } }
            #expect(removals.isEmpty)
        }
    }

    // Shows that where the watches do not suffice the person learns what to do, and rescans find what comes.
    @Test func watchLimitFallsBackToRescans() async throws {
        var settings = FolderSettings()
        settings.watchCountMax = 2
        settings.fallbackRescanInterval = .milliseconds(50)
        try await withKit(settings: settings) { kit in
            for directory in ["A", "B", "C"] { kit.makeDirectory(directory) }
            kit.folder.rescan()
            #expect(
                await kit.host.wait { view in
                    view.notices.contains {
                        if case .watchLimit(let text) = $0 { text.contains("sysctl") } else { false }
                    }
                })
            for directory in ["A", "B", "C"] {
                try kit.drop(SamplePhoto.jpeg(directory.utf8.first.map { Int($0) }!), as: directory + "/x.jpg")
            }
            #expect(await kit.host.wait { $0.drops.count == 3 })
        }
    }
}
