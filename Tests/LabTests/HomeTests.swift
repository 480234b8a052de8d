import Foundation
import TestSupport
import Testing

extension LabTests {
    /// The index is a cache. Deleted, or damaged in one of several ways, while the agent is down, it is made again, and
    /// everything is listed as before, by an agent and without one.
    @Test func theIndexIsMadeAgain() async throws {
        try await Lab.run(laptops: 2) { lab in
            let laptops = (1...2).map(lab.laptop)
            let own = try await lab.makePhotos("own", count: 6, byteCount: 20_000, called: "OWN_%d.JPG")
            let received = try await lab.makePhotos("received", count: 6, byteCount: 20_000)
            try await laptops[1].join(laptops[0].startGathering("Index", as: "Anna"), as: "Ben")
            _ = try await laptops[0].up()
            var agent = try await laptops[1].up()
            try laptops[0].drop(received, into: "Beach")
            try laptops[1].drop(own, into: "Mountain")
            let everything = ["Beach": received, "Mountain": own]
            try await lab.converge(laptops, to: everything)
            try await waitForCopies(laptops[1])
            // What a device finds out about a photo changes its album as well.
            try await eventually("each photo has been looked at by its device", within: Lab.readingPatience) {
                let photos = try await contents(laptops[1]).photos
                return .when(photos.allSatisfy { $0.thumbnail != nil }, "\(photos)")
            }
            let before = try await contents(laptops[1])
            #expect(before.photos.count == 12)

            let path = "\(laptops[1].home)/index.sqlite"
            for (name, damage) in Self.damages {
                try await agent.stop()
                let byteCount = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
                try damage(path, byteCount)
                if name == "deleted" {
                    // A listing by itself makes it again as well.
                    #expect(try await contents(laptops[1]).photos.map(\.id) == before.photos.map(\.id), "\(name)")
                }
                agent = try await laptops[1].up()
                try await waitForCopies(laptops[1])
                let after = try await contents(laptops[1])
                #expect(after.albums == before.albums, "\(name)")
                #expect(after.photos == before.photos, "\(name)")
                try await lab.converge(laptops, to: everything)
            }
        }
    }

    private static let damages: KeyValuePairs<String, @Sendable (_ path: String, _ byteCount: Int) throws -> Void> = [
        "deleted": { path, _ in
            for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
                try FileManager.default.removeItem(atPath: path + suffix)
            }
        },
        "overwritten": { path, _ in try overwrite(path, from: 0, byteCount: 4096) },
        "damaged in the middle": { path, byteCount in
            try overwrite(path, from: 4096, byteCount: max(4096, byteCount - 4096))
        },
        "cut short": { path, byteCount in
            let handle = try #require(FileHandle(forUpdatingAtPath: path))
            try handle.truncate(atOffset: UInt64(byteCount / 2))
            try handle.close()
        },
        "empty": { path, _ in try Data().write(to: URL(fileURLWithPath: path)) },
    ]

    private static func overwrite(_ path: String, from offset: Int, byteCount: Int) throws {
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        try handle.seek(toOffset: UInt64(offset))
        try handle.write(contentsOf: Data((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }))
        try handle.close()
    }

    private func waitForCopies(_ laptop: Laptop) async throws {
        try await eventually("every photo is known to be on both laptops") {
            let albums = try await laptop.albums()
            return .when(albums.count == 2 && albums.allSatisfy { $0.copiesMin == 2 }, "\(albums)")
        }
    }

    private func contents(_ laptop: Laptop) async throws -> (albums: [Listing.Album], photos: [Listing.Photo]) {
        let albums = try await laptop.albums()
        var photos: [Listing.Photo] = []
        for album in albums { photos += try await laptop.photos(album.id) }
        return (albums, photos)
    }

    /// Each mistake has its exit status and a sentence, and changes nothing.
    @Test func mistakesHaveTheirExitStatus() async throws {
        try await Lab.run(laptops: 2) { lab in
            let (anna, ben) = (lab.laptop(1), lab.laptop(2))
            func expect(_ status: Int32, _ mistake: String, _ output: Output) {
                #expect(output.status == status, "\(mistake): \(output.text) \(output.errors)")
                #expect(output.errors.count > 20 && output.bytes.isEmpty, "\(mistake) is told: \(output.errors)")
            }
            expect(78, "no gathering", try await anna.potluck("up"))
            let phrase = try await anna.startGathering("Mistakes", as: "Anna")
            expect(78, "a second gathering", try await anna.potluck("host", "Another"))

            let swapped = phrase.split(separator: "-").reversed().joined(separator: "-")
            expect(64, "a mistyped phrase", try await ben.potluck("join", swapped))
            expect(64, "no phrase at all", try await ben.potluck("join", "let-me-in"))
            expect(78, "nothing was entered", try await ben.potluck("invite"))
            expect(69, "no agent", try await anna.potluck("down"))
            expect(66, "no such album", try await anna.potluck("photos", "Nowhere"))
            expect(64, "no such command", try await anna.potluck("upp"))

            let agent = try await anna.up("--listen", ":4711")
            expect(75, "a second agent of a home", try await anna.potluck("up"))
            let other = Laptop(lab: lab, number: 2)
            try await other.join(phrase, as: "Ben")
            let words = [Machine.binary!, "up", "--home", other.home, "--listen", ":4711"]
            // On laptop 1, where the port is in use.
            expect(78, "a port in use", try await lab.execute(1, words))
            #expect(try await anna.status().agent == "running")

            #expect(try await anna.potluck("down").status == 0)
            #expect(try await agent.child.end(within: .seconds(30)) == 0)
            #expect(try await anna.status().agent == "stopped")
            #expect(try await anna.potluck("invite", "--json").text.contains(phrase))
        }
    }
}
