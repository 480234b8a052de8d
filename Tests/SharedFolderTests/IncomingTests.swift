import AlbumModel
import Glibc
import PhotoStore
import TestSupport
import Testing

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
}
