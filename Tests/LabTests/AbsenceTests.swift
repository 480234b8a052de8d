import Foundation
import TestSupport
import Testing

/// What is gone, by accident or for good: a disk, a folder, the laptop that began.
extension LabTests {
    /// Ben's folder is on a disk of its own. It is unmounted beneath the running agent, and the agent starts anew without
    /// it: nobody takes that for a wish, photos go on coming, none is put where the disk should be. Mounted again, the
    /// folder gets what it missed.
    ///
    /// Then everything in the folder is deleted at once: it waits for a person, who has all of it put back. Last the
    /// folder itself goes, with its marker, which is no wish either.
    @Test func aVanishedFolderTakesNoPhotoAlong() async throws {
        try await Lab.run(laptops: 2) { lab in
            let (anna, ben) = (lab.laptop(1), lab.laptop(2))
            let annas = try await lab.makePhotos("annas", count: 12, byteCount: 100_000)
            let bens = try await lab.makePhotos("bens", count: 8, byteCount: 100_000, called: "BEN_%d.JPG")
            let meanwhile = try await lab.makePhotos("meanwhile", count: 3, byteCount: 100_000, called: "NEW_%d.JPG")
            try await ben.join(anna.startGathering("Disks", as: "Anna"), as: "Ben")
            let disk = try await ben.mountDisk(at: ben.folder, megabytes: 32)
            _ = try await anna.up()
            let agent = try await ben.up()
            try await lab.connect([anna, ben])
            try anna.drop(annas, into: "Beach")
            try await ben.add(bens, to: "Town")
            try await lab.converge([anna, ben], to: ["Beach": annas, "Town": bens])

            try await ben.unmount(disk)
            try anna.drop([meanwhile[0]], into: "Beach")
            try await expectArrival(on: ben, count: 21)
            try await expectMissedFolder(ben, "unmounted")
            try await agent.stop()
            let next = try await ben.up()
            try anna.drop(Array(meanwhile[1...]), into: "Beach")
            try await expectArrival(on: ben, count: 23)
            try await expectMissedFolder(ben, "unmounted before the start")
            #expect(try await ben.entries(of: ben.folder) == [], "nothing is put where the disk should be")
            try await ben.shell(disk.mounting)
            let everything = ["Beach": annas + meanwhile, "Town": bens]
            try await lab.converge([anna, ben], to: everything)
            try await lab.agree([anna, ben], within: .seconds(60))
            for laptop in [anna, ben] { try await laptop.expectTidy(everything) }

            try await ben.shell("find \(ben.folder) -name '*.JPG' -delete")
            try await eventually("a person is asked") {
                let held = try await ben.status().held
                return .when(held?.vanished == 23, "\(String(describing: held))")
            }
            #expect(try await anna.everyPhoto().count == 23)
            #expect(try await ben.potluck("undo").status == 0)
            try await lab.converge([anna, ben], to: everything)
            try await lab.agree([anna, ben], within: .seconds(60))
            for laptop in [anna, ben] { try await laptop.expectTidy(everything) }
            try await ben.expectContributor(of: ["Town": bens])
            try await anna.expectContributor(of: ["Beach": annas + meanwhile])

            try await ben.shell("rm -rf \(ben.folder)/* \(ben.folder)/.potluck-folder")
            try await expectMissedFolder(ben, "deleted")
            try await next.stop()
            _ = try await ben.up()
            try await lab.connect([anna, ben])
            try await expectMissedFolder(ben, "deleted before the start")
            for laptop in [anna, ben] { #expect(try await laptop.everyPhoto().count { $0.here } == 23) }
            try await anna.expectTidy(everything)
        }
    }

    private func expectArrival(on laptop: Laptop, count: Int) async throws {
        try await eventually("\(count) photos are here without the folder") {
            let here = try await laptop.albums().map(\.here).reduce(0, +)
            return .when(here == count, "\(here) are here")
        }
    }

    private func expectMissedFolder(_ laptop: Laptop, _ occasion: String) async throws {
        try await eventually("the folder is missed, \(occasion)", within: .seconds(60)) {
            let status = try await laptop.status()
            return .when(
                status.held == nil && status.problems.contains { $0.contains(".potluck-folder") },
                "\(status.problems) \(String(describing: status.held))")
        }
        #expect(try await laptop.read(Listing.Trash.self, "trash").trash.isEmpty)
    }

    /// The laptop that made the gathering and all albums goes for ever. Whoever is left has everything, can ask others in,
    /// and they get everything too, with its contributor's name on it. A photo that they take out and delete from the
    /// trash leaves nothing behind.
    @Test func theHostMayLeaveForEver() async throws {
        try await Lab.run(laptops: 3) { lab in
            let (anna, ben, cleo) = (lab.laptop(1), lab.laptop(2), lab.laptop(3))
            let beach = try await lab.makePhotos("beach", count: 10, byteCount: 300_000)
            let town = try await lab.makePhotos("town", count: 10, byteCount: 300_000, called: "TOWN_%d.JPG")
            let later = try await lab.makePhotos("later", count: 2, byteCount: 100_000, called: "LATER_%d.JPG")
            try await ben.join(anna.startGathering("Kuh reunion", as: "Anna"), as: "Ben")
            let host = try await anna.up()
            _ = try await ben.up()
            try anna.drop(beach, into: "Beach")
            try anna.drop(town, into: "Town")
            try await lab.converge([anna, ben], to: ["Beach": beach, "Town": town])
            try await lab.agree([anna, ben], within: .seconds(60))
            try await host.kill()
            try await lab("cut", "1")
            try await lab.here("rm", "-rf", anna.home)

            let invite = try await ben.read(Invite.self, "invite")
            #expect(invite.gathering == "Kuh reunion")
            try await cleo.join(invite.phrase, as: "Cleo")
            _ = try await cleo.up()
            try cleo.drop(later, into: "Beach")
            let everything = ["Beach": beach + later, "Town": town]
            try await lab.converge([ben, cleo], to: everything)
            try await lab.agree([ben, cleo], within: .seconds(60))
            for laptop in [ben, cleo] {
                try await laptop.expectTidy(everything)
                let contributors = try await laptop.everyPhoto().map(\.contributors)
                #expect(contributors.count { $0 == ["Anna"] } == 20 && contributors.count { $0 == ["Cleo"] } == 2)
            }

            #expect(try await ben.potluck("remove", "Beach", "IMG_0001.JPG", "--for-everyone").status == 0)
            let rest = ["Beach": beach[1...] + later, "Town": town]
            try await lab.converge([ben, cleo], to: rest)
            for laptop in [ben, cleo] {
                try await laptop.emptyTrash(of: "IMG_0001.JPG")
                try await laptop.expectTidy(rest)
            }
        }
    }
}

extension Laptop {
    /// Deletes this one photo, which is all that is in the trash or is about to come there.
    fileprivate func emptyTrash(of name: String) async throws {
        try await eventually("laptop \(number) has it in the trash") {
            let names = try await read(Listing.Trash.self, "trash").trash.map(\.name)
            return .when(names == [name], "\(names)")
        }
        let output = try await potluck("trash", "--empty", "--last-copies")
        #expect(output.status == 0, "\(output.errors)")
    }
}
