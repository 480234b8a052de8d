import Foundation
import TestSupport
import Testing

extension LabTests {
    /// Three laptops that know of each other by Avahi alone. Photos are dropped on two of them, on the second while the
    /// first ones are under way; in one album two laptops use a name for two photos, and two have the same photo.
    @Test func photosReachEveryLaptop() async throws {
        try await Lab.run(laptops: 3) { lab in
            let laptops = (1...3).map(lab.laptop)
            let names = ["Anna", "Ben", "Cleo"]
            let beach = try await lab.makePhotos("beach", count: 20, byteCount: 300_000)
            let dinner = try await lab.makePhotos("dinner", count: 20, byteCount: 300_000, called: "DSC_%04d.JPG")
            let strangers = try await lab.makePhotos("others", count: 20, byteCount: 300_000)

            let phrase = try await laptops[0].startGathering("Kuh reunion", as: names[0])
            for index in 1...2 { try await laptops[index].join(phrase, as: names[index]) }
            for laptop in laptops { _ = try await laptop.up() }
            try await lab.connect(laptops)

            // Slow enough that a look at a busy machine, and the cut behind it, come amid it.
            try await lab("shape", "1", "8mbit")
            try laptops[0].drop(beach, into: "Beach day")
            try laptops[0].drop(dinner, into: "Dinner")
            try await eventually("some photos are on their way") {
                let here = try await laptops[2].albums().reduce(0) { $0 + $1.here }
                return .when((1..<20).contains(here), "\(here) photos are there")
            }
            // One of Anna's under its own name, and nine others under names of hers, the first among them.
            let same = try await photoThatIsMissing(on: laptops[2], of: Array(beach.dropFirst()), lab)
            let others = Array(strangers.filter { fileName($0) != fileName(same) }.prefix(9))
            // As a folder of their own: files that have arrived are not written over.
            try laptops[2].drop(others + [same], into: "Beach day/Cleo's camera")
            try await lab("unshape", "1")
            try await lab("heal", "3")
            try await lab.converge(laptops, to: ["Beach day": beach + others, "Dinner": dinner])
            // One of the others suffices for having everything.
            try await lab.connect(laptops)

            for (index, laptop) in laptops.enumerated() {
                try await expectAgreement(laptop, photoCounts: ["Beach day": 29, "Dinner": 20])
                try await expectPeers(laptop, named: Set(names).subtracting([names[index]]), photoCount: 49)
                try await expectCollisions(laptop)
            }
        }
    }

    /// Cuts the cable, so that the photo does not come before the laptop's own copy of it.
    private func photoThatIsMissing(on laptop: Laptop, of files: [String], _ lab: Lab) async throws -> String {
        try await lab("cut", "\(laptop.number)")
        var before: Set<String> = []
        return try await eventually("nothing comes any more") {
            let missing = Set(try await laptop.photos("Beach day").filter { !$0.here }.map(\.name))
            defer { before = missing }
            let file = files.first { missing.contains(fileName($0)) }
            return file != nil && missing == before ? .done(file!) : .notYet("\(missing.count) photos are missing")
        }
    }

    private func fileName(_ path: String) -> String { (path as NSString).lastPathComponent }

    private func expectCollisions(_ laptop: Laptop) async throws {
        let photos = try await laptop.photos("Beach day")
        #expect(photos.count { $0.name == "IMG_0001.JPG" } == 2, "two photos keep the name that each was given")
        #expect(Set(photos.compactMap(\.file)).count == 29, "no two photos are one file")
        let both = photos.filter { $0.contributors.count > 1 }
        #expect(both.map { Set($0.contributors) } == [["Anna", "Cleo"]], "one photo was dropped by two")
    }

    /// The text says what the JSON says: each album with its photos, each photo with its name and who added it.
    private func expectAgreement(_ laptop: Laptop, photoCounts: [String: Int]) async throws {
        // How many copies there are reaches a laptop a moment after the photos.
        let albums = try await eventually("every photo has three copies") {
            let albums = try await laptop.albums()
            return albums.allSatisfy { $0.copiesMin == 3 } ? .done(albums) : .notYet("\(albums.map(\.copiesMin))")
        }
        #expect(Dictionary(uniqueKeysWithValues: albums.map { ($0.name, $0.photos) }) == photoCounts)
        let table = Table(try await laptop.potluck("albums").text)
        #expect(table.rows.count == albums.count, "\(table.text)")
        for album in albums {
            let row = try #require(table.row("Album", album.name), "\(table.text)")
            #expect(row["Photos"] == "\(album.photos)" && row["Here"] == "all" && row["Copies"] == "3", "\(row)")

            let photos = try await laptop.photos(album.name)
            #expect(photos.count == album.photos)
            #expect(photos.reduce(0) { $0 + $1.bytes } == album.bytes)
            #expect(photos.allSatisfy { $0.copies == 3 && $0.where.count == 2 })
            let listed = Table(try await laptop.potluck("photos", album.id).text)
            #expect(listed.rows.count == photos.count, "\(listed.text)")
            for photo in photos {
                let row = try #require(listed.rows.first { photo.id.hasPrefix($0["ID"] ?? "?") }, "\(listed.text)")
                let contributors = photo.contributors.joined(separator: ", ")
                #expect(photo.contributors.contains(photo.by))
                #expect(row["Photo"] == photo.name && row["By"] == contributors && row["Here"] == "yes", "\(row)")
                #expect(row["Copies"] == "3")
            }
        }
    }

    private func expectPeers(_ laptop: Laptop, named names: Set<String>, photoCount: Int) async throws {
        let peers = try await eventually("the others have \(photoCount) photos each, and are found") {
            let peers = try await laptop.peers()
            // Of one whose cable was cut, others may tell the address before Avahi does again.
            let areFound = peers.allSatisfy { $0.connected && ["dns-sd", "inbound"].contains($0.found) }
            return areFound && peers.allSatisfy { $0.photos == photoCount } ? .done(peers) : .notYet("\(peers)")
        }
        #expect(Set(peers.compactMap(\.name)) == names)
        let table = Table(try await laptop.potluck("peers").text)
        #expect(table.rows.count == peers.count, "\(table.text)")
        for peer in peers {
            let row = try #require(table.row("Device", peer.name ?? "?"), "\(table.text)")
            #expect(
                row["Seen"] == "connected" && row["Address"] == peer.address && row["Found"] == peer.found, "\(row)")
            #expect(row["Photos"] == "\(photoCount)" && peer.id.hasPrefix(row["ID"] ?? "?"), "\(row)")
        }
    }

    /// A received photo is overwritten in place, which goes through a hard link to the blob's file: the edit is a photo of
    /// its own, and the original comes back from the other laptop.
    @Test func overwrittenPhotosAreFetchedAgain() async throws {
        try await Lab.run(laptops: 2) { lab in
            let laptops = [lab.laptop(1), lab.laptop(2)]
            let photos = try await lab.makePhotos("photos", count: 2, byteCount: 200_000)
            let phrase = try await laptops[0].startGathering("Kuh reunion", as: "Anna")
            try await laptops[1].join(phrase, as: "Ben")
            for laptop in laptops { _ = try await laptop.up() }
            try await lab.connect(laptops)
            try laptops[0].drop([photos[0]], into: "Beach")
            try await lab.converge(laptops, to: ["Beach": [photos[0]]])

            let target = "\(laptops[1].folder)/Beach/IMG_0001.JPG"
            let other = try Data(contentsOf: URL(fileURLWithPath: photos[1]))
            let handle = try #require(FileHandle(forWritingAtPath: target), "root may write to a read-only file")
            try handle.write(contentsOf: other)
            try handle.close()

            let original = try #require(try await lab.hashes([photos[0]])[photos[0]])
            let blob = laptops[1].path(ofBlob: original)
            try await eventually("the original is whole on laptop 2 again, beside the edit") {
                let listed = try await laptops[1].photos("Beach")
                let hash = try? await lab.hashes([blob])[blob]
                return .when(
                    listed.count == 2 && listed.allSatisfy { $0.here && $0.copies == 2 } && hash == original,
                    "\(listed.map { "\($0.id.prefix(8)) here: \($0.here)" }), the blob's file has \(hash ?? "no hash")")
            }
        }
    }

    /// Two files are written in bursts with pauses of seconds, one through a handle that stays open, one opened anew
    /// for each burst. The other laptop follows its events all the while: one photo each, of the final bytes.
    @Test func slowlyWrittenFilesAreSharedWhole() async throws {
        try await Lab.run(laptops: 2) { lab in
            let laptops = (1...2).map(lab.laptop)
            let photos = try await lab.makePhotos("slow", count: 2, byteCount: 900_000)
            try await laptops[1].join(laptops[0].startGathering("Slow", as: "Anna"), as: "Ben")
            for laptop in laptops { _ = try await laptop.up() }
            try await lab.connect(laptops)
            let events = try laptops.map { try $0.events() }
            let directory = "\(laptops[0].folder)/Slow"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            let kept = "\(directory)/kept-open.jpg", reopened = "\(directory)/reopened.jpg"

            // What is kept open begins with a whole picture: only the open handle tells that more will come.
            let tail = Data(repeating: 7, count: 500_000)
            let whole = try Data(contentsOf: URL(fileURLWithPath: photos[0]))
            let parts = try Data(contentsOf: URL(fileURLWithPath: photos[1]))
            let original = "\(lab.files)/slow/kept-open.jpg"
            try (whole + tail).write(to: URL(fileURLWithPath: original))

            for path in [kept, reopened] { try Data().write(to: URL(fileURLWithPath: path)) }
            let handle = try #require(FileHandle(forWritingAtPath: kept))
            let bursts = [whole, tail.prefix(200_000), tail.dropFirst(200_000)]
            for (index, burst) in bursts.enumerated() {
                if index > 0 { try await Task.sleep(for: .seconds(3)) }  // The writer is slow: that is the test.
                for laptop in laptops { #expect(try await laptop.albums().isEmpty, "nothing is whole yet") }
                try handle.write(contentsOf: burst)
                let again = try #require(FileHandle(forWritingAtPath: reopened))
                try again.seekToEnd()
                try again.write(contentsOf: parts.dropFirst(index * 300_000).prefix(300_000))
                try again.close()
            }
            try handle.close()

            try await lab.converge(laptops, to: ["Slow": [original, photos[1]]])
            for name in ["kept-open.jpg", "reopened.jpg"] {
                try await eventually("the arrival of \(name) is told") {
                    try .when(events[1].count("photo.here", name: name) > 0, "\(events[1].kinds())")
                }
                for log in events {
                    try await eventually("\(name) is told of") {
                        try .when(log.count("photo.added", name: name) > 0, "\(log.kinds())")
                    }
                    #expect(try log.count("photo.added", name: name) == 1, "\(name) appears once")
                }
                #expect(try events[1].count("photo.here", name: name) == 1, "\(name) arrives once")
            }
            for laptop in laptops { #expect(try await laptop.photos("Slow").count == 2) }
        }
    }

    /// Without Avahi a laptop that is told an address finds the other one, and says once what is missing and what to do.
    @Test func addressesWorkWithoutAvahi() async throws {
        try await Lab.run(laptops: 2) { lab in
            let laptops = (1...2).map(lab.laptop)
            let photos = try await lab.makePhotos("photos", count: 3, byteCount: 50_000)
            for laptop in laptops { try await lab("avahi", "\(laptop.number)", "stop") }
            try await laptops[1].join(laptops[0].startGathering("Quiet", as: "Anna"), as: "Ben")
            _ = try await laptops[0].up("--listen", ":4711")
            _ = try await laptops[1].up("--peer", "\(laptops[0].host):4711")
            try laptops[0].drop(photos, into: "Photos here")
            try await lab.converge(laptops, to: ["Photos here": photos])

            #expect(try await laptops[1].peers().map(\.found) == ["static"])
            #expect(try await laptops[1].peers().map(\.address) == ["\(laptops[0].host):4711"])
            for laptop in laptops {
                let text = try await eventually("the status speaks of Avahi") {
                    let text = try await laptop.potluck("status").text
                    return text.contains("Avahi") ? .done(text) : .notYet(text)
                }
                #expect(text.components(separatedBy: "Avahi").count == 2, "once, not more: \(text)")
                #expect(text.contains("systemctl start avahi-daemon"), "it says what to do: \(text)")
                #expect(try await laptop.status().problems.count { $0.contains("Avahi") } == 1)
            }
        }
    }
}
