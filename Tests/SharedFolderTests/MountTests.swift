import AlbumModel
import FolderEngine
import Glibc
import PhotoStore
import TestSupport
import Testing

@testable import SharedFolder

/// A card that is mounted in the folder, and pulled out.
@Suite(.timeLimit(.minutes(2)))
struct MountTests {
    private static let card = "A/card"
    private static let identity = MountIdentity(fileSystem: 7, rootInode: 1)
    private static let files = ["A/1.jpg", "A/card/2.jpg", "A/card/4.jpg", "A/card/deep/3.jpg"].enumerated().map {
        (path: $0.element, seed: $0.offset + 1)
    }

    /// Leaves the bare directory.
    private static func pull(_ kit: Kit, _ faulty: FaultyFolder) {
        faulty.mount(nil, at: card)
        #expect(rename(kit.path(card), kit.base + "/card") == 0)
        kit.makeDirectory(card)
    }

    private static func putBack(_ kit: Kit, _ faulty: FaultyFolder, as identity: MountIdentity = identity) {
        // What a person put into the bare directory is under the card then.
        #expect(rename(kit.path(card), kit.base + "/bare-\(UInt64.random(in: 0...UInt64.max))") == 0)
        #expect(rename(kit.base + "/card", kit.path(card)) == 0)
        faulty.mount(identity, at: card)
    }

    private static func filled(_ faulty: FaultyFolder, _ identity: MountIdentity = identity) async throws -> Kit {
        let kit = try await Kit(settings: .watchful, probe: faulty.probe)
        try await kit.running { kit in
            kit.makeDirectory("A")
            kit.makeDirectory(card)
            faulty.mount(identity, at: card)
            kit.folder.rescan()
            try await kit.dropSentinel(1)
            try await kit.fill(files)
        }
        return kit
    }

    private static func expectNothingLost(_ kit: Kit, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await kit.settle()
        #expect(await kit.edits().isEmpty, sourceLocation: sourceLocation)
        #expect(await kit.host.held == nil, sourceLocation: sourceLocation)
        #expect(await kit.dropped().count == files.count, sourceLocation: sourceLocation)
        #expect(kit.shared == files.map(\.path), sourceLocation: sourceLocation)
    }

    /// Puts the card back while the agent runs.
    private static func expectBack(
        _ kit: Kit, _ faulty: FaultyFolder, as identity: MountIdentity = identity,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        putBack(kit, faulty, as: identity)
        kit.folder.rescan()
        #expect(await kit.isReachableAgain(), sourceLocation: sourceLocation)
        try await expectNothingLost(kit, sourceLocation: sourceLocation)
    }

    /// Deletions on a card that is there are deletions again.
    private static func expectDeletionsAgain(
        _ kit: Kit, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(unlink(kit.path("A/card/4.jpg")) == 0, sourceLocation: sourceLocation)
        try await kit.settle()
        #expect(await kit.edits().count == 1, sourceLocation: sourceLocation)
    }

    // Shows that a card pulled while no agent ran is away, not emptied; that nothing is taken from or placed into its bare
    // directory; and that all goes on once it is back, also where the directory itself went with it.
    @Test(arguments: [true, false]) func pulledWhileTheAgentIsDown(leavesDirectory: Bool) async throws {
        let faulty = FaultyFolder()
        let kit = try await Self.filled(faulty)
        defer { kit.remove() }
        Self.pull(kit, faulty)
        try kit.write(SamplePhoto.jpeg(9), to: Self.card + "/stray.jpg")
        if !leavesDirectory {
            #expect(unlink(kit.path(Self.card + "/stray.jpg")) == 0 && rmdir(kit.path(Self.card)) == 0)
        }
        let again = try await Kit(base: kit.base, host: kit.host, settings: .watchful, probe: faulty.probe)
        try await again.running { kit in
            #expect(await kit.isToldUnreachable("card is not there; its 3 photos stay as they are"))
            try await Self.expectNothingLost(kit)
            await #expect(throws: FolderError.self) {
                try await kit.folder.takeAway([FakeHost.photo(blobID(SamplePhoto.jpeg(2)), in: "A")])
            }
            try await kit.folder.letBack([FakeHost.photo(blobID(SamplePhoto.jpeg(2)), in: "A")])
            if !leavesDirectory { kit.makeDirectory(Self.card) }
            try await Self.expectBack(kit, faulty)
            try await Self.expectDeletionsAgain(kit)
        }
    }

    // Shows the same of a card that is pulled and put back while the agent runs, whatever events that makes.
    @Test func pulledWhileTheAgentRuns() async throws {
        let faulty = FaultyFolder()
        let kit = try await Self.filled(faulty)
        defer { kit.remove() }
        let again = try await Kit(base: kit.base, host: kit.host, settings: .watchful, probe: faulty.probe)
        try await again.running { kit in
            try await Self.expectNothingLost(kit)
            Self.pull(kit, faulty)
            try kit.write(SamplePhoto.jpeg(9), to: Self.card + "/stray.jpg")
            kit.folder.rescan()
            #expect(await kit.isToldUnreachable("card is not there"))
            try await Self.expectNothingLost(kit)
            try await Self.expectBack(kit, faulty)
        }
    }

    // Shows that a photo is not placed into the bare directory of the card that its album is on.
    @Test func nothingIsPlacedIntoABareDirectory() async throws {
        let faulty = FaultyFolder()
        let kit = try await Kit(settings: .watchful, probe: faulty.probe)
        defer { kit.remove() }
        try await kit.running { kit in
            kit.makeDirectory("Card")
            faulty.mount(Self.identity, at: "Card")
            kit.folder.rescan()
            try await kit.dropSentinel(1)
            try await kit.fill([("Card/1.jpg", 1)])
            faulty.mount(nil, at: "Card")
            let placement = try kit.placement(SamplePhoto.jpeg(2), name: "x.jpg", album: "Card")
            await #expect(throws: FolderError.self) { try await kit.folder.place(placement) }
            #expect(!kit.exists("Card/x.jpg"))
            faulty.mount(Self.identity, at: "Card")
            #expect(try await kit.folder.place(placement) == "Card/x.jpg")
        }
    }

    // Shows that another card does not stand for the first, also where both have one photo, that one which only got another
    // number does, and that a person may give the first one up: the brake asks about its photos then.
    @Test func otherCardsAreOthers() async throws {
        let faulty = FaultyFolder()
        let kit = try await Self.filled(faulty)
        defer { kit.remove() }
        Self.pull(kit, faulty)
        try kit.write(SamplePhoto.jpeg(9), to: Self.card + "/new.jpg")
        try kit.write(SamplePhoto.jpeg(3), to: Self.card + "/4.jpg")
        faulty.mount(MountIdentity(fileSystem: 8, rootInode: 1), at: Self.card)
        let again = try await Kit(base: kit.base, host: kit.host, settings: .watchful, probe: faulty.probe)
        try await again.running { kit in
            #expect(await kit.isToldUnreachable("Another disk is mounted at"))
            try await Self.expectNothingLost(kit)
            try await Self.expectBack(kit, faulty, as: MountIdentity(fileSystem: 9, rootInode: 1))
            Self.pull(kit, faulty)
            kit.folder.rescan()
            #expect(await kit.isToldUnreachable("card is not there"))
            try await kit.confirm()
            try await kit.dropSentinel(7)
            kit.folder.core.queue.judgeSoon()
            #expect(await kit.host.wait { $0.held?.vanished == 3 && $0.held?.reason == .directoryGone })
            try await kit.folder.undoHeld()
            #expect(kit.exists("A/card/4.jpg"))
            try await Self.expectNothingLost(kit)
        }
    }

    // Shows of cards that nothing tells apart but their files that photos of one are no edits of those of the same names on
    // the other one, and no reason to count its others as removed, while the agent runs and after a start; and that the
    // first one is known again.
    @Test func cardsThatLookAlikeAreToldApart() async throws {
        let nameless = MountIdentity(fileSystem: 0, rootInode: 1)
        let faulty = FaultyFolder()
        let kit = try await Self.filled(faulty, nameless)
        defer { kit.remove() }
        var again = try await Kit(base: kit.base, host: kit.host, settings: .watchful, probe: faulty.probe)
        try await again.running { kit in
            try await Self.expectNothingLost(kit)
            Self.pull(kit, faulty)
            kit.folder.rescan()
            #expect(await kit.isToldUnreachable("card is not there"))
            try kit.write(SamplePhoto.jpeg(9), to: Self.card + "/2.jpg")
            try kit.write(SamplePhoto.jpeg(3), to: Self.card + "/4.jpg")
            faulty.mount(nameless, at: Self.card)
            kit.folder.rescan()
            #expect(await kit.isToldUnreachable("Another disk is mounted at"))
            try await Self.expectNothingLost(kit)
            let photo = FakeHost.photo(blobID(SamplePhoto.jpeg(2)), in: "A")
            await #expect(throws: FolderError.self) { try await kit.folder.takeAway([photo]) }
            try await kit.folder.letBack([photo])
        }
        again = try await Kit(base: kit.base, host: kit.host, settings: .watchful, probe: faulty.probe)
        try await again.running { kit in
            try await Self.expectNothingLost(kit)
            try await Self.expectBack(kit, faulty, as: nameless)
            try await Self.expectDeletionsAgain(kit)
        }
    }

    // Shows that files under a disk that is mounted over them are not lost, and that a mount which gets another name with
    // its parent directory is followed.
    @Test func coveredAndRenamed() async throws {
        let faulty = FaultyFolder()
        let kit = try await Self.filled(faulty)
        defer { kit.remove() }
        let again = try await Kit(base: kit.base, host: kit.host, settings: .watchful, probe: faulty.probe)
        try await again.running { kit in
            try await Self.expectNothingLost(kit)
            faulty.mount(MountIdentity(fileSystem: 5, rootInode: 1), at: "A")
            #expect(rename(kit.path("A/1.jpg"), kit.base + "/covered") == 0)
            faulty.mount(nil, at: Self.card)
            #expect(rename(kit.path(Self.card), kit.base + "/card") == 0)
            kit.folder.rescan()
            #expect(await kit.isToldUnreachable("Another disk is mounted at"))
            try await Self.expectNothingLost(kit)
            faulty.mount(nil, at: "A")
            #expect(rename(kit.base + "/covered", kit.path("A/1.jpg")) == 0)
            #expect(rename(kit.base + "/card", kit.path(Self.card)) == 0)
            faulty.mount(Self.identity, at: Self.card)
            kit.folder.rescan()
            #expect(await kit.isReachableAgain())
            try await Self.expectNothingLost(kit)
            faulty.mount(nil, at: Self.card)
            faulty.mount(Self.identity, at: "B/card")
            #expect(rename(kit.path("A"), kit.path("B")) == 0)
            try await kit.settle()
            #expect(await kit.host.held == nil)
            #expect(await kit.edits().count == Self.files.count)
            #expect(kit.shared == Self.files.map { "B" + $0.path.dropFirst() })
        }
    }

    // Shows which directories are read from the system's list of mounts, also with spaces in their names.
    @Test func mountListsAreRead() {
        let text = """
            22 1 8:1 / / rw - ext4 /dev/sda1 rw
            36 22 8:17 / /home/anna/My\\040Photos/A/card rw,noatime master:1 - vfat /dev/sdb1 rw
            37 22 8:17 /DCIM /home/anna/My\\040Photos/odd\\134name rw - vfat /dev/sdb1 rw
            38 22 8:18 / /home/anna/My\\040Photos rw - ext4 /dev/sdc1 rw
            39 22 8:18 / /home/anna/My\\040PhotosToo rw - ext4 /dev/sdc1 rw

            """
        #expect(
            MountTable.points(below: Array("/home/anna/My Photos".utf8), in: Array(text.utf8))
                == [FolderPath("A/card"), FolderPath("odd\\name")])
        let identity = MountIdentity(fileSystem: .max, rootInode: 3)
        #expect(MountIdentity(bytes: identity.bytes) == identity)
        #expect(MountIdentity(bytes: Array(identity.bytes.dropLast())) == nil)
    }
}

/// Whether this process may mount something.
enum RealMount {
    static let isPossible: Bool = {
        var template = Array("/tmp/potluck-mount-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return false }
        defer { rmdir(template) }
        guard mount(template, template, nil, UInt(MS_BIND), nil) == 0 else { return false }
        return umount2(template, Int32(MNT_DETACH)) == 0
    }()
}

/// The same with a real mount, where this process may make one.
@Suite(.timeLimit(.minutes(2)), .enabled(if: RealMount.isPossible, "needs the right to mount"), .serialized)
struct RealMountTests {
    // Shows with bind mounts, which have the folder's own device number, that unmounting a directory while the agent runs
    // and while it is down loses nothing, and that the agent notices by itself that it is back.
    @Test func unmountingLosesNothing() async throws {
        let kit = try await Kit(settings: .inOrder)
        let (store, card) = (kit.base + "/store", kit.path("A/card"))
        mkdir(store, 0o755)
        for directory in ["A", "A/card"] { kit.makeDirectory(directory) }
        #expect(mount(store, card, nil, UInt(MS_BIND), nil) == 0)
        defer {
            umount2(card, Int32(MNT_DETACH))
            kit.remove()
        }
        let names = (1...4).map { "A/card/\($0).jpg" }
        try await kit.running { kit in
            // Between mounts nothing can be renamed.
            for number in 1...4 { try kit.write(SamplePhoto.jpeg(number), to: "A/card/\(number).jpg") }
            try await kit.waitForDrops(of: 1...4)
            #expect(umount2(card, Int32(MNT_DETACH)) == 0)
            #expect(await kit.isToldUnreachable("card is not there; its 4 photos"))
            try await kit.settle()
            #expect(await kit.isUntouched())
            #expect(mount(store, card, nil, UInt(MS_BIND), nil) == 0)
            #expect(await kit.isReachableAgain())
            try await kit.settle()
            #expect(umount2(card, Int32(MNT_DETACH)) == 0)
        }
        let again = try await Kit(base: kit.base, host: kit.host, settings: .inOrder)
        try await again.running { kit in
            try await kit.settle()
            #expect(mount(store, card, nil, UInt(MS_BIND), nil) == 0)
            kit.folder.rescan()
            try await kit.settle()
            #expect(await kit.isUntouched())
            #expect(await kit.dropped().count == 4 && kit.shared == names)
        }
    }
}
