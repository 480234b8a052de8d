import AlbumModel
import FoundationEssentials
import PhotoStore
import PotluckAPI
import SyncEngine
import TestSupport
import Testing
import WireFormat

@testable import PotluckAgent

/// Homes that meet over a stick only.
@Suite(.slow, .timeLimit(.minutes(1))) struct PackTests {
    /// Shows that everything comes out elsewhere as it went in, that nothing is carried twice, and that a stick goes
    /// around: what others packed stays, and what is added comes back.
    @Test func aStickGoesAround() async throws {
        try await CarriedGathering.with { gathering in
            let (anna, ben) = (gathering.anna, gathering.ben)
            try anna.add(["sea", "sun"], films: [3 << 20], to: "Beach day")
            let packed = try await anna.pack()
            #expect((packed.photos, packed.kept, packed.absent, packed.unpacked) == (3, 0, 0, 0))
            #expect(packed.leftOut.isEmpty && packed.batches > 0)

            let taken = try await ben.unpack()
            #expect((taken.photos, taken.missing, taken.batches) == (3, 0, packed.batches))
            #expect(!taken.isDamaged && taken.packedBy == "Anna" && taken.whole == true && !taken.isRunning)
            #expect(try await ben.albums() == anna.albums())
            // What the packing laptop holds is known with it.
            let listed = try await OfflineListings(home: ben.path).photos(PhotoQuery(album: "Beach day"))
            #expect(listed.photos.map(\.copies) == [2, 2, 2])
            let again = try await ben.unpack()
            #expect((again.photos, again.batches, again.isDamaged) == (0, 0, false))

            try ben.add(["moon"], to: "Beach day")
            let back = try await ben.pack()
            #expect((back.photos, back.kept) == (4, 3))
            #expect(try await anna.unpack().photos == 1)
            #expect(try await ben.albums() == anna.albums())
            #expect(try await anna.albums().map(\.here) == [4])
        }
    }

    /// Shows that a pack of another gathering changes nothing, and that the sentence says whose it is.
    @Test func otherGatheringsAreRefused() async throws {
        try await CarriedGathering.with { gathering in
            try gathering.anna.add(["sea"], to: "Beach day")
            _ = try await gathering.anna.pack()
            let stranger = CarriedHome(path: "\(gathering.root)/stranger", stick: gathering.anna.stick)
            _ = try await HomeSetup.host(home: stranger.path, gathering: "Smith wedding", device: "Eve")
            let error = await #expect(throws: PotluckError.self) { try await stranger.unpack() }
            #expect(error?.status == .failed)
            #expect(error?.message.contains("“Kuh reunion”, packed by Anna") == true)
            // Even where nothing says so, nothing is taken in.
            try Data("?".utf8).write(to: URL(filePath: "\(stranger.stick)/potluck-pack.json"))
            let other = await #expect(throws: PotluckError.self) { try await stranger.unpack() }
            #expect(other?.message.contains("another gathering") == true)
            #expect(try await stranger.albums().isEmpty)
        }
    }

    /// Shows that damaged, cut and missing photos are told by name and cost nothing else, and that a stick that is
    /// packed again is whole.
    @Test func damagedPhotosAreTold() async throws {
        try await CarriedGathering.with { gathering in
            let (anna, ben) = (gathering.anna, gathering.ben)
            try anna.add(["sea", "sun", "moon", "dune"], to: "Beach day")
            _ = try await anna.pack()
            try Data("SEA".utf8).write(to: URL(filePath: anna.packed("sea")))
            try Data("s".utf8).write(to: URL(filePath: anna.packed("sun")))
            try FileManager.default.removeItem(atPath: anna.packed("moon"))
            let report = try await ben.unpack()
            #expect((report.photos, report.gone, report.missing) == (1, 1, 3))
            #expect(Set(report.damaged.map(\.name)) == ["sea.jpg", "sun.jpg"])
            #expect(try await ben.albums().map(\.here) == [1])

            #expect(try await anna.pack(rereads: true).kept == 1)
            let healed = try await ben.unpack()
            #expect((healed.photos, healed.missing, healed.isDamaged) == (3, 0, false))
        }
    }

    /// Shows that changes which cannot be read are counted and cost those alone that follow them; and that they come
    /// once the stick has been packed again, though then they come after what follows them.
    @Test func damagedChangesAreTold() async throws {
        try await CarriedGathering.with { gathering in
            let (anna, ben) = (gathering.anna, gathering.ben)
            try anna.add(["sea"], to: "Beach day")
            _ = try await anna.pack()
            try anna.add(["sun"], to: "Beach day")
            _ = try await anna.pack()
            let file = "\(anna.stick)/batches/000001.batches"
            var bytes = try Data(contentsOf: URL(filePath: file))
            bytes[bytes.count - 1] ^= 1
            try bytes.write(to: URL(filePath: file))
            let report = try await ben.unpack()
            #expect(report.isDamaged && report.unreadable > 0 && report.refused > 0)
            #expect(report.batches == 0 && report.photos == 0)

            _ = try await anna.pack()
            let healed = try await ben.unpack()
            #expect((healed.photos, healed.isDamaged) == (2, false))
            #expect(try await ben.albums() == anna.albums())
        }
    }

    /// Shows that for a device only what it is not known to have is packed, and since a time only what was learned
    /// then; changes go in any case.
    @Test func photosCanBeLeftOut() async throws {
        try await CarriedGathering.with { gathering in
            let (anna, ben) = (gathering.anna, gathering.ben)
            try ben.add(["hill"], to: "Hills")
            _ = try await ben.pack()
            _ = try await anna.unpack()
            try anna.add(["sea"], to: "Beach day")
            let noon = Instant(microsecondsSince1970: SystemClock().wall + 1_000_000)
            try anna.knowHoldings(of: ben)
            #expect(try await anna.plan(for: "ben").photos.map(\.name) == ["sea.jpg"])
            #expect(try await anna.plan(for: nil).photos.map(\.name) == ["sea.jpg", "hill.jpg"])
            let error = await #expect(throws: PotluckError.self) { try await anna.plan(for: "Bne") }
            #expect(error?.status == .usage)
            #expect(error?.message.contains("Did you mean “Ben”?") == true)

            try FileManager.default.removeItem(atPath: anna.stick)
            let nothing = try await anna.pack(since: noon)
            #expect(nothing.photos == 0 && nothing.batches > 0)
            #expect(try await anna.pack(since: Instant(millisecondsSince1970: 0)).photos == 2)
        }
    }

    /// Shows that neither the shared folder, where each file would be taken for a photo, nor a home can hold a pack, by
    /// whatever path it is named.
    @Test func ownDirectoriesAreRefused() async throws {
        try await CarriedGathering.with { gathering in
            let folder = "\(gathering.root)/folder"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data().write(to: URL(filePath: "\(folder)/.potluck-folder"))
            try FileManager.default.createSymbolicLink(
                atPath: "\(gathering.root)/link", withDestinationPath: folder)
            for place in ["folder", "folder/Beach day", "link/new", "anna", "ben/stick"] {
                let stick = "\(gathering.root)/\(place)"
                let error = await #expect(throws: PotluckError.self) {
                    try await CarriedHome(path: gathering.anna.path, stick: stick).pack()
                }
                #expect(error?.status == .usage, "\(place)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [".potluck-folder"])
        }
    }

    /// Shows that photos which are not on the packing laptop are counted, and that their changes travel all the same.
    @Test func absentPhotosAreCounted() async throws {
        try await CarriedGathering.with { gathering in
            let (anna, ben) = (gathering.anna, gathering.ben)
            try anna.add(["sea", "sun"], to: "Beach day")
            try FileManager.default.removeItem(
                atPath: BlobStore.path(of: CarriedHome.blob("sea"), home: anna.path))
            let packed = try await anna.pack()
            #expect((packed.photos, packed.absent) == (1, 1))
            let taken = try await ben.unpack()
            #expect((taken.photos, taken.missing, taken.isDamaged) == (1, 1, false))
            #expect(try await ben.albums().map(\.photos) == [2])
        }
    }

    /// Shows that a home which is restored from a backup, and learns its own later changes from a stick, never goes on
    /// with that replica: others may have still later ones.
    @Test func restoredHomesBeginANewReplica() async throws {
        try await CarriedGathering.with { gathering in
            let anna = gathering.anna
            try anna.add(["sea"], to: "Beach day")
            let backup = CarriedHome(path: "\(gathering.root)/backup", stick: anna.stick)
            try FileManager.default.copyItem(atPath: anna.path, toPath: backup.path)
            try anna.add(["sun"], to: "Beach day")
            _ = try await anna.pack()
            #expect(try Journal(home: backup.path).identity(.replica) != nil)
            #expect(try await backup.unpack().photos == 1)
            #expect(try Journal(home: backup.path).identity(.replica) == nil)
            #expect(try await backup.albums() == anna.albums())
        }
    }
}
