import Foundation
import TestSupport
import Testing

/// Whole agents whose disk gives errors: what could not be looked at is not gone.
extension LabTests {
    /// Entries that a listing hands out before it fails, each in an album of its own.
    private static let listedCounts = [0, 1, 13, 30, 39]
    /// Of each album.
    private static let photoCount = 40

    private static func album(_ listed: Int) -> String { "After \(listed < 10 ? "0" : "")\(listed)" }

    /// Listings fail after so many entries, each time.
    private static let failingListings = listedCounts.map { "EIO readdir \($0) - /\(album($0))" }

    /// Five albums' directories cannot be listed whole when Anna's agent starts, and again in a rescan: the others miss
    /// nothing, her files stay, `status` names the directories and `leave-check` lets nobody leave. Once they can be
    /// listed, nothing has ever been.
    @Test(.enabled(if: Faults.library != nil, Faults.absence))
    func listingsThatFailAtAStartLoseNothing() async throws {
        try await Lab.run(laptops: 2) { lab in
            let (anna, ben) = (lab.laptop(1), lab.laptop(2))
            let faults = Faults(anna)
            let (agent, albums) = try await shareAlbums(anna, ben, faults)
            var witness = try await Witness(on: anna)
            let everything = albums.merging([Witness.album: [witness.source]]) { $1 }
            try await lab.converge([anna, ben], to: everything)

            try await agent.stop()
            try faults.strike(Self.failingListings)
            let next = try await anna.up(under: faults)
            try await expectNothingLost(lab, anna, ben, everything, &witness)
            try await heal(faults, anna)
            try faults.strike(Self.failingListings)
            try await anna.lookThroughFolder()
            try await expectNothingLost(lab, anna, ben, everything, &witness)
            try await heal(faults, anna)
            try anna.expectRunning(next)
            try await expectAsBefore(lab, anna, ben, everything, witness)
        }
    }

    /// The same directories fail while Anna's agent runs and each of her files is moved out and back again, so that it is
    /// asked of every one whether it is there.
    @Test(.enabled(if: Faults.library != nil, Faults.absence))
    func listingsThatFailWhileFilesMoveLoseNothing() async throws {
        try await Lab.run(laptops: 2) { lab in
            let (anna, ben) = (lab.laptop(1), lab.laptop(2))
            let faults = Faults(anna)
            let (agent, albums) = try await shareAlbums(anna, ben, faults)
            var witness = try await Witness(on: anna)
            let everything = albums.merging([Witness.album: [witness.source]]) { $1 }
            try await lab.converge([anna, ben], to: everything)

            try faults.strike(Self.failingListings)
            try await anna.shell(
                """
                mkdir '\(anna.home).aside' && cd '\(anna.folder)'
                for file in After*/*.JPG; do
                    mv "$file" '\(anna.home).aside/moved' && mv '\(anna.home).aside/moved' "$file" || exit 1
                done
                """)
            try await expectNothingLost(lab, anna, ben, everything, &witness)
            try await heal(faults, anna)
            try await witness.waitForJudgement()
            try anna.expectRunning(agent)
            try await expectAsBefore(lab, anna, ben, everything, witness)
        }
    }

    /// Starts both agents, Anna's under faults, and drops all albums on her laptop.
    private func shareAlbums(
        _ anna: Laptop, _ ben: Laptop, _ faults: Faults
    ) async throws -> (agent: Agent, albums: [String: [String]]) {
        let photos = try await anna.lab.makePhotos(
            "photos", count: Self.photoCount * Self.listedCounts.count, byteCount: 10_000, pixels: "64x48")
        try await ben.join(anna.startGathering("Faults", as: "Anna"), as: "Ben")
        let agent = try await anna.up(under: faults)
        _ = try await ben.up()
        var albums: [String: [String]] = [:]
        for (index, listed) in Self.listedCounts.enumerated() {
            let files = Array(photos[index * Self.photoCount..<(index + 1) * Self.photoCount])
            albums[Self.album(listed)] = files
            try anna.drop(files, into: Self.album(listed))
        }
        return (agent, albums)
    }

    /// A person is told, and what could be judged was.
    private func expectNothingLost(
        _ lab: Lab, _ anna: Laptop, _ ben: Laptop, _ everything: [String: [String]], _ witness: inout Witness
    ) async throws {
        try await witness.waitForJudgement()
        // Three are named, the others counted.
        let named = Self.listedCounts.prefix(3).map { "/\(Self.album($0)) cannot be read" }
        try await anna.expectProblem(named[0], named[1], named[2], "40 photos stay as they are", "2 more places")
        #expect(try await !anna.leaveCheck(others: 1).safe, "there may be photos that nobody has seen")
        for laptop in [anna, ben] { try await laptop.expectNothingLost(of: everything) }
        try await lab.converge([anna, ben], to: everything)
    }

    private func heal(_ faults: Faults, _ laptop: Laptop) async throws {
        try faults.heal()
        try await laptop.lookThroughFolder()
        try await laptop.expectNoProblem("cannot be read")
    }

    private func expectAsBefore(
        _ lab: Lab, _ anna: Laptop, _ ben: Laptop, _ everything: [String: [String]], _ witness: Witness
    ) async throws {
        try await lab.converge([anna, ben], to: everything)
        try await lab.agree([anna, ben], within: .seconds(60))
        try await anna.expectTidy(everything.merging([Witness.album: [witness.name]]) { $1 })
        try await ben.expectTidy(everything)
    }

    /// Single files of Anna's cannot be looked at, opened or read, while her agent runs and at its next start: photos that
    /// were shared stay, new ones are shared once they can be read, and until then they count as hers alone.
    @Test(.enabled(if: Faults.library != nil, Faults.absence))
    func filesThatCannotBeReadLoseNothing() async throws {
        try await Lab.run(laptops: 2) { lab in
            let (anna, ben) = (lab.laptop(1), lab.laptop(2))
            let faults = Faults(anna)
            let photos = try await lab.makePhotos("photos", count: 8, byteCount: 20_000)
            let new = try await lab.makePhotos("new", count: 4, byteCount: 20_000, called: "NEW_%d.JPG")
            try await ben.join(anna.startGathering("Files", as: "Anna"), as: "Ben")
            let agent = try await anna.up(under: faults)
            _ = try await ben.up()
            try anna.drop(photos, into: "Single")
            var witness = try await Witness(on: anna)
            var everything = ["Single": photos, Witness.album: [witness.source]]
            try await lab.converge([anna, ben], to: everything)

            let known = [
                "EIO stat 0 - /Single/IMG_0001", "EMFILE open 0 - /Single/IMG_0002", "EIO open 0 - /Single/IMG_0003",
                "EIO read 0 - /Single/IMG_0004", "EIO read 0 - /Single/IMG_0005",
            ]
            // Each is a file that the agent looks at anew.
            let touch = "cd '\(anna.folder)/Single' && touch IMG_000[1-4].JPG && chmod 600 IMG_0005.JPG"
            try faults.strike(
                known + [
                    "EIO stat 0 - /Single/NEW_1", "EMFILE open 0 - /Single/NEW_2", "EIO open 0 - /Single/NEW_3",
                    "EIO read 0 - /Single/NEW_4",
                ])
            try anna.drop(new, into: "Single")
            try await anna.shell(touch)
            try await expectUnreadableFile(anna, &witness)
            for laptop in [anna, ben] { try await laptop.expectNothingLost(of: everything) }
            let check = try await anna.leaveCheck(others: 1)
            #expect(!check.safe && check.alone.photos >= new.count, "\(check)")
            try await heal(faults, anna)
            everything["Single"] = photos + new
            try await lab.converge([anna, ben], to: everything)

            try await agent.stop()
            try await anna.shell(touch)
            try faults.strike(known)
            _ = try await anna.up(under: faults)
            try await expectUnreadableFile(anna, &witness)
            for laptop in [anna, ben] { try await laptop.expectNothingLost(of: everything) }
            try await heal(faults, anna)
            try await expectAsBefore(lab, anna, ben, everything, witness)
        }
    }

    private func expectUnreadableFile(_ laptop: Laptop, _ witness: inout Witness) async throws {
        try await laptop.lookThroughFolder()
        try await laptop.expectProblem("/Single/IMG_0001.JPG cannot be read", "its photo stays as it is")
        try await witness.waitForJudgement()
        #expect(try await laptop.status().skipped?.map(\.path) == [], "none of them was taken for something else")
    }

    /// Anna's store cannot open or read three photos when Ben asks for them: he asks again by himself, and has them soon
    /// after her disk is well, over the same connection. What can be read comes meanwhile.
    @Test(.enabled(if: Faults.library != nil, Faults.absence))
    func blobsThatCannotBeReadForAWhileCome() async throws {
        try await Lab.run(laptops: 2) { lab in
            let (anna, ben) = (lab.laptop(1), lab.laptop(2))
            let faults = Faults(anna)
            let photos = try await lab.makePhotos("photos", count: 4, byteCount: 200_000)
            try await ben.join(anna.startGathering("Store", as: "Anna"), as: "Ben")
            let agent = try await anna.up(under: faults)
            _ = try await ben.up()
            try await lab.connect([anna, ben])
            #expect(try await ben.potluck("pause").status == 0)
            try anna.drop(photos, into: "Beach")
            try await eventually("Ben knows of all, and Anna has read them", within: Lab.readingPatience) {
                let missing = try await ben.status().missing.photos
                let unread = try await anna.everyPhoto().count { $0.thumbnail == nil }
                return .when(missing == photos.count && unread == 0, "\(missing) are missing, \(unread) are not read")
            }
            let hashes = try await lab.hashes(photos)
            let blobs = try photos.map { photo in
                String(anna.path(ofBlob: try #require(hashes[photo])).dropFirst(anna.home.count))
            }
            let calls = ["open", "open", "read"]
            try faults.strike([
                "EIO open 0 - \(blobs[0])", "EMFILE open 0 - \(blobs[1])", "EIO read 0 - \(blobs[2])",
            ])
            let events = try ben.events()
            #expect(try await ben.potluck("resume").status == 0)
            try await eventually("Ben asks for each of them several times, and gets the fourth") {
                let counts = zip(calls, blobs).map { faults.strikeCount($0, $1) }
                let here = try await ben.everyPhoto().count(where: \.here)
                return .when(here == 1 && counts.allSatisfy { $0 >= 3 }, "\(here) are here, struck: \(counts)")
            }
            try faults.heal()
            try await lab.converge([anna, ben], to: ["Beach": photos])
            try anna.expectRunning(agent)
            let changes = try events.all().map(\.event).filter { $0 == "peer.connected" || $0 == "peer.lost" }
            #expect(changes == [], "it is the same connection")
            try await lab.agree([anna, ben], within: .seconds(60))
            for laptop in [anna, ben] { try await laptop.expectTidy(["Beach": photos]) }
        }
    }
}
