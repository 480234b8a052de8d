import Foundation
import TestSupport
import Testing

extension LabTests {
    /// The disk of one laptop, a small file system of its own, is nearly full when photos come. It learns of all of them,
    /// stops before the reserve is used up and says so. Once a file of somebody else's goes, it gets the rest by itself.
    ///
    /// Then the disk is filled to the last byte while photos come, and there is no room for their names either. What both
    /// laptops say is the same and true all the while, what a person says is answered, and with room on the disk all is as
    /// if nothing had been.
    @Test func fullDisksRecover() async throws {
        try await Lab.run(laptops: 2) { lab in
            let (anna, ben) = (lab.laptop(1), lab.laptop(2))
            let few = try await lab.makePhotos("few", count: 12, byteCount: 1_000_000)
            let more = try await lab.makePhotos("more", count: 15, byteCount: 1_000_000, called: "MORE_%d.JPG")
            let phrase = try await anna.startGathering("Full", as: "Anna")
            try await ben.mountDisk(at: ben.home, megabytes: 64)
            try await ben.join(phrase, as: "Ben")
            try await ben.fillDisk(leaving: 16_000_000)
            _ = try await anna.up()
            let agent = try await ben.up("--reserve", "6MB")
            try await lab.connect([anna, ben])

            try anna.drop(few, into: "Full")
            try await expectReserve(of: ben, photoCount: few.count)
            #expect(try await anna.potluck("leave-check", "--others", "1").status == 75)
            try await ben.freeDisk()
            try await lab.converge([anna, ben], to: ["Full": few])

            try await lab("limit", "1", "20mbit")
            try anna.drop(Array(more[..<10]), into: "Full")
            try await eventually("some of the next photos are here") {
                let here = try await ben.albums().first?.here ?? 0
                return .when(here > few.count + 1, "\(here) are here")
            }
            try await ben.fillDisk(leaving: 0)
            try anna.drop(Array(more[10...]), into: "Full")
            try await expectAgreementOnFullDisk(anna, ben, photoCount: few.count + more.count)
            let said = try await ben.potluck("caption", "Full", "IMG_0001.JPG", "Written on a full disk")
            #expect(said.status == 0 || said.errors.contains("no need to say it again"), "\(said.errors)")
            try await lab("unshape", "1")
            try await ben.freeDisk()
            try await eventually("what was said on the full disk is known everywhere") {
                let found = try await anna.potluck("search", "written full")
                return .when(found.text.contains("IMG_0001.JPG"), found.text)
            }
            try await lab.converge([anna, ben], to: ["Full": few + more])
            try await lab.agree([anna, ben], within: .seconds(60))
            for laptop in [anna, ben] { try await laptop.expectTidy(["Full": few + more]) }
            try ben.expectRunning(agent)
            let check = try await anna.potluck("leave-check", "--others", "1", "--wait")
            #expect(check.status == 0, "\(check.text)")
            #expect(try await anna.potluck("leave-check").status == 75, "there is one other laptop only")
        }
    }

    /// All names come, originals only until the reserve is reached; the reason is told.
    private func expectReserve(of laptop: Laptop, photoCount: Int) async throws {
        try await eventually("the disk is full, and says so") {
            let (status, albums) = try await (laptop.status(), laptop.albums())
            let isTold = status.problems.contains { $0.contains("nearly full") }
            let isHeldUp = status.missing.items.contains { $0.reason.contains("room on the disk") }
            return .when(
                isTold && isHeldUp && albums.first?.photos == photoCount,
                "\(albums.first?.here ?? 0) \(status.problems)")
        }
        let free = try await laptop.freeByteCount(at: laptop.home)
        #expect(free > 5_000_000, "the reserve is left free: \(free)")
    }

    /// The laptop with the full disk says that it is full and what it has; the other one says the same of it, and both are
    /// right. Where there was no room for the index either, the listings here may lag behind, and that is said.
    private func expectAgreementOnFullDisk(_ giver: Laptop, _ full: Laptop, photoCount: Int) async throws {
        let name = try await full.status().device.name
        try await eventually("both laptops tell the same of a full disk") { () -> Attempt<Void> in
            let seen = try await giver.photos("Full")
            let given = seen.count { $0.where.contains(name) }
            let stored = try await full.blobs().intersection(seen.map(\.id)).count
            guard seen.count == photoCount, given == stored, stored < photoCount else {
                return .notYet("\(stored) of \(seen.count) are there, \(given) by the other laptop")
            }
            let (status, album) = try await (full.status(), full.albums().first)
            guard let album, status.problems.contains(where: { $0.contains("is full") }) else {
                return .notYet("it says \(status.problems)")
            }
            if status.problems.contains(where: { $0.contains("Listings may be out of date") }) { return .done(()) }
            return .when(
                album.here == stored && status.missing.photos == album.photos - stored,
                "it lists \(album.here) of \(album.photos) and misses \(status.missing.photos), and has \(stored)")
        }
        #expect(try await giver.potluck("leave-check", "--others", "1").status == 75)
    }

    /// A laptop pauses, and nothing comes until it resumes, a restart between the two; it leaves an album's originals out
    /// and gets one of them, and its neighbour that sends slowly sends no faster.
    @Test func whatComesIsChosen() async throws {
        try await Lab.run(laptops: 2) { lab in
            let laptops = (1...2).map(lab.laptop)
            let photos = try await lab.makePhotos("photos", count: 6, byteCount: 300_000)
            let phrase = try await laptops[0].startGathering("Choice", as: "Anna")
            try await laptops[1].join(phrase, as: "Ben")
            _ = try await laptops[0].up()
            let agent = try await laptops[1].up()
            try await lab.connect(laptops)

            #expect(try await laptops[1].potluck("pause").status == 0)
            try laptops[0].drop(Array(photos[..<3]), into: "Choice")
            try await eventually("the names come") {
                let items = try await laptops[1].status().missing.items
                return .when(items.count == 3 && items.allSatisfy { $0.reason.contains("paused") }, "\(items)")
            }
            try await agent.stop()
            _ = try await laptops[1].up()
            try await lab.connect(laptops)
            let paused = try await laptops[1].status()
            #expect(paused.missing.photos == 3, "a pause outlasts a restart")
            #expect(try await laptops[1].potluck("resume").status == 0)
            try await lab.converge(laptops, to: ["Choice": Array(photos[..<3])])

            #expect(try await laptops[1].potluck("originals", "Choice", "none").status == 0)
            try laptops[0].drop(Array(photos[3...]), into: "Choice")
            try await eventually("the other names come, and nothing is missing") {
                let album = try await laptops[1].albums().first
                return .when(album?.photos == 6 && album?.here == 3, "\(String(describing: album))")
            }
            #expect(try await laptops[1].status().missing.photos == 0)
            let wanted = (photos[4] as NSString).lastPathComponent
            #expect(try await laptops[1].potluck("fetch", "Choice", wanted).status == 0)
            try await eventually("what was asked for comes") {
                let here = try await laptops[1].photos("Choice").filter(\.here).map(\.name)
                return .when(here.count == 4 && here.contains(wanted), "\(here)")
            }
            #expect(try await laptops[0].potluck("limit", "--up", "200kB").status == 0)
            let begin = ContinuousClock.now
            #expect(try await laptops[1].potluck("originals", "Choice", "all").status == 0)
            try await lab.converge(laptops, to: ["Choice": photos])
            #expect(ContinuousClock.now - begin > .seconds(2), "600 kB leave at 200 kB a second")
        }
    }
}
