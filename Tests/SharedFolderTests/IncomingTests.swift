import AlbumModel
import Glibc
import NIOPosix
import PhotoStore
import Synchronization
import TestSupport
import Testing

@testable import FolderEngine
@testable import SharedFolder

/// What lies in the folder and is not shared yet.
@Suite(.timeLimit(.minutes(2)))
struct IncomingTests {
    // Shows that nothing is called complete before the first scan, and that what is shared or placed is not on its way.
    @Test func nothingIsCompleteBeforeAScan() async throws {
        let kit = try await Kit(settings: .inOrder)
        defer { kit.remove() }
        #expect(!kit.folder.incoming().isScanComplete)
        try await kit.running { kit in
            try await kit.fill([("A/1.jpg", 1)])
            await kit.host.add(SamplePhoto.jpeg(2), in: "Beach")
            _ = try await kit.folder.place(try kit.placement(SamplePhoto.jpeg(2), name: "2.jpg"))
            try await kit.dropSentinel(1)
            try await kit.dropSentinel(2)
            let incoming = kit.folder.incoming()
            // The last sentinel may still be at work.
            #expect(incoming.isScanComplete && incoming.paths.allSatisfy { $0.hasPrefix("sentinel") })
        }
    }

    // Shows that a file which a program still writes, and one that the full disk has no room for, are on their way, with
    // their sizes.
    @Test func halfCopiedFilesAreOnTheirWay() async throws {
        try await withKit(settings: .inOrder) { kit in
            try await kit.dropSentinel(1)
            await kit.host.fail(times: .max)
            try kit.drop(SamplePhoto.jpeg(1), as: "full.jpg")
            #expect(
                await kit.host.wait { view in
                    view.notices.contains { if case .postponed("full.jpg", _) = $0 { true } else { false } }
                })
            let writer = open(kit.path("open.jpg"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
            defer { close(writer) }
            #expect(write(writer, SamplePhoto.jpeg(2), 100) == 100)
            let deadline = ContinuousClock.now + .seconds(20)
            var incoming = kit.folder.incoming()
            while incoming.bytes < 100 + Int64(SamplePhoto.jpeg(1).count), ContinuousClock.now < deadline {
                await Task.yield()
                incoming = kit.folder.incoming()
            }
            #expect(incoming.paths == ["full.jpg", "open.jpg"] && incoming.files == 2)
            #expect(incoming.bytes == 100 + Int64(SamplePhoto.jpeg(1).count))
        }
    }

    // Shows that a file which nobody can read counts, since it may be a photo, until somebody can.
    @Test func unreadableFilesMayBePhotos() async throws {
        try await withKit(settings: .inOrder) { kit in
            try await kit.dropSentinel(1)
            // A directory that leads to itself stands for a file that is not for this program to read, for root as well.
            #expect(symlink("A", kit.path("A")) == 0)
            let job = CandidateBook.Job(path: FolderPath("A/1.jpg"), isLive: true)
            let core = kit.folder.core
            core.queue.change { judge, _ in judge.looks.ask(.look, job) }
            try await DirectiveRunner(core: core).perform([.look(job)])
            #expect(kit.folder.incoming().paths.contains("A/1.jpg"))
            #expect(unlink(kit.path("A")) == 0)
            try await kit.fill([("A/1.jpg", 1)])
            #expect(!kit.folder.incoming().paths.contains("A/1.jpg"))
        }
    }

    // Shows that those which cannot be read count although more are skipped than are listed, and no longer than they are
    // there.
    @Test func unreadableFilesAreAllKnown() {
        var list = SkippedList(countMax: 1)
        let paths = ["A/1.jpg", "A/2.jpg", "B/3.jpg"].map { FolderPath($0) }
        for path in paths { _ = list.insert(path, "it cannot be read", isUnread: true) }
        #expect(list.files.count == 1 && list.unread == Set(paths))
        list.remove(below: FolderPath("A"))
        #expect(list.unread == [paths[2]])
        _ = list.insert(paths[2], "it is no photo")
        #expect(list.unread.isEmpty)
        _ = list.insert(paths[0], "it cannot be read", isUnread: true)
        list.keep { $0 != paths[0] }
        #expect(list.unread.isEmpty && list.files.map(\.path) == ["B/3.jpg"])
    }

    // Shows that files of absurd sizes, as sparse ones can have, are counted like any others.
    @Test func absurdSizesHaveASum() async throws {
        let kit = try await Kit()
        defer { kit.remove() }
        try await kit.pool.shutdownGracefully()
        for number in 1...3 {
            let found = PendingChanges.Found(
                id: blobID([UInt8(number)]), blob: nil, mediaType: "video/mp4",
                signature: FileSignature(inode: UInt64(number), byteCount: 1 << 63 - 1, modified: 0, changed: 0),
                isShort: false, isLive: true)
            kit.folder.core.queue.change { judge, _ in
                _ = judge.pending.insert(FolderPath("\(number).mp4"), .photo(found), isExplained: true)
            }
        }
        #expect(kit.folder.incoming().files == 3 && kit.folder.incoming().bytes == .max)
    }

    // Shows that files of which nobody has seen the size are counted as such. Catches a sum that looks like that of all.
    @Test func unknownSizesAreCounted() async throws {
        let kit = try await Kit()
        defer { kit.remove() }
        try await kit.pool.shutdownGracefully()
        let paths = (1...3).map { FolderPath("\($0).jpg") }
        kit.folder.core.queue.change { judge, now in
            judge.schedule.noticed(touched: paths, vanished: [], isLive: true, now: now)
            judge.schedule.lists([paths[0]: 5_000_000])
        }
        let incoming = kit.folder.incoming()
        #expect(incoming.files == 3 && incoming.unmeasured == 2 && incoming.bytes == 5_000_000)
    }

    // Shows that an edit which waits to be judged is not shared yet.
    @Test func editsThatWaitAreOnTheirWay() async throws {
        try await withKit(settings: .inOrder) { kit in
            try await kit.fill([("A/1.jpg", 1)])
            try kit.write(SamplePhoto.jpeg(3), to: "A/1.jpg")
            try await kit.dropSentinel(2)
            try await kit.dropSentinel(3)
            #expect(kit.folder.incoming().paths.contains("A/1.jpg"))
            try await kit.settle()
            #expect(!kit.folder.incoming().paths.contains("A/1.jpg"))
        }
    }

    // Shows that a placed file which is looked at again since a link to it came or its mode changed, and is waited for
    // since it is short, is not called unshared.
    @Test func filesWithTheirKnownContentAreNotOnTheirWay() async throws {
        let path = FolderPath("Beach/2.jpg")
        let bytes = Array(SamplePhoto.jpeg(2).dropLast(50))
        let kit = try await Kit(settings: .inOrder)
        defer { kit.remove() }
        try await kit.running { kit in
            await kit.host.add(bytes, in: "Beach")
            _ = try await kit.folder.place(try kit.placement(bytes, name: "2.jpg"))
        }
        #expect(chmod(kit.path(path.text), 0o400) == 0)
        var settings = FolderSettings.inOrder
        settings.patience.short = .seconds(3600)
        let again = try await Kit(base: kit.base, host: kit.host, settings: settings)
        try await again.running { kit in
            let deadline = ContinuousClock.now + .seconds(20)
            var signature: FileSignature?
            while signature == nil, ContinuousClock.now < deadline {
                await Task.yield()
                signature = kit.folder.core.queue.read { $0.schedule.unsettled(now: .now).paths[path]?.signature }
            }
            #expect(signature != nil, "it is not waited for")
            #expect(!kit.folder.incoming().paths.contains(path.text))
        }
    }

    // Shows that other bytes of a known file are on their way while they are written, though its size and time are what they
    // were: some programs restore the time.
    @Test func editsThatRestoreTheTimeAreOnTheirWay() async throws {
        let path = FolderPath("A/1.jpg")
        try await withKit(settings: .inOrder) { kit in
            try await kit.fill([(path.text, 1)])
            let writer = open(kit.path(path.text), O_WRONLY | O_CLOEXEC)
            defer { close(writer) }
            var before = stat()
            #expect(fstat(writer, &before) == 0)
            #expect(pwrite(writer, [UInt8(0)], 1, 100) == 1)
            #expect(futimens(writer, [before.st_atim, before.st_mtim]) == 0)
            // The watcher tells of this.
            close(open(kit.path(path.text), O_WRONLY | O_CLOEXEC))
            let deadline = ContinuousClock.now + .seconds(20)
            var seen: FileSignature?
            while seen == nil, ContinuousClock.now < deadline {
                await Task.yield()
                seen = kit.folder.core.queue.read { $0.schedule.unsettled(now: .now).paths[path]?.signature }
            }
            let waiting = try #require(seen, "it is not waited for")
            let known = try #require(kit.folder.core.queue.read { $0.state.files[path]?.signature })
            #expect(waiting != known && waiting.isSameFile(as: known))
            #expect(kit.folder.incoming().paths.contains(path.text))
        }
    }
}
