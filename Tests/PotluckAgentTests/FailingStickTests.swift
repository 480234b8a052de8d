import AlbumModel
import Glibc
import PotluckAPI
import TestSupport
import Testing

@testable import PhotoPack
@testable import PotluckAgent

/// Sticks that get full while a home is packed, or are pulled out while one is unpacked.
@Suite(.timeLimit(.minutes(1))) struct FailingStickTests {
    /// Shows that a stick that is pulled out is called that, and its photos not damaged; and that the next unpacking goes
    /// on. Once the first of twelve photos is taken in, at most four are being copied; the others are away.
    @Test func pulledOutSticksAreNotDamaged() async throws {
        try await CarriedGathering.with { gathering in
            let (anna, ben) = (gathering.anna, gathering.ben)
            try anna.add((1...12).map { "photo \($0)" }, to: "Beach day")
            _ = try await anna.pack()
            let places = ["blobs", "potluck-pack.json"].map { ("\(anna.stick)/\($0)", "\(gathering.root)/\($0)") }
            let error = await #expect(throws: PotluckError.self) {
                try await OfflinePack.unpack(home: ben.path, directory: ben.stick) { _ in
                    // Each time after the first there is nothing to rename.
                    for (place, aside) in places { _ = rename(place, aside) }
                }
            }
            #expect(error?.message.contains("does not answer any longer") == true)
            for (place, aside) in places { try #require(rename(aside, place) == 0) }
            let rest = try await ben.unpack()
            #expect((8...11).contains(rest.photos) && rest.missing == 0 && !rest.isDamaged)
            #expect(try await ben.albums().map(\.here) == [12])
        }
    }

    /// Shows that a photo that was whole and got no name is not counted as packed: the report agrees with the files in
    /// the pack. The disk has room for the bytes of two photos; a directory that comes into the second one's place stands
    /// for a disk that is too full for its name.
    @Test func unnamedPhotosAreNotCounted() async throws {
        try await CarriedGathering.with { gathering in
            let anna = gathering.anna
            try anna.add(["sea", "sun", "sky"], to: "Beach day")
            let plan = try await anna.plan(for: nil)
            try #require(plan.photos.count == 3)
            let manifest = PackManifest(
                gathering: plan.gathering, tag: plan.tag, packedBy: plan.device, packedAt: "2026-08-01T12:00:00.000Z")
            let disk = LimitedDisk(byteCount: try manifest.bytes.count + 6)
            let writer = try PackWriter(directory: anna.stick, manifest: manifest, write: disk.write)
            let second = anna.packed(String(plan.photos[1].name.dropLast(".jpg".count)))
            let report = PackReport(directory: anna.stick, gathering: plan.gathering)
            var run = PackRun(writer: writer, home: anna.path, report: report) { step in
                if step.files == 2 { _ = mkdir(second, 0o755) }
            }
            let error = #expect(throws: PackError.self) { try run.add(photos: plan.photos) }
            #expect(error?.code == .full)
            #expect((run.report.photos, run.report.unpacked) == (2, 1))
            run.takeBackUnnamed(plan)
            #expect((run.report.photos, run.report.unpacked, run.report.bytes) == (1, 2, 3))
            let packedCount = try PackReader(directory: anna.stick, tag: plan.tag).blobCount()
            #expect(packedCount == run.report.photos)
        }
    }
}
