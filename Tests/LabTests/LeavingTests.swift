import Foundation
import TestSupport
import Testing

/// Whether a laptop may leave: `leave-check` says so only where it is so.
extension LabTests {
    /// A large photo is still being copied into Anna's folder: nobody else has it, so she may not leave. She who waits is
    /// told to go only when it is whole on Ben's laptop.
    @Test func nobodyLeavesWithAPhotoThatIsStillComing() async throws {
        try await Lab.run(laptops: 2) { lab in
            let (anna, ben) = (lab.laptop(1), lab.laptop(2))
            let few = try await lab.makePhotos("few", count: 3, byteCount: 50_000)
            let large = try await lab.makePhotos("large", count: 1, byteCount: 20_000_000, called: "LARGE.JPG")[0]
            try await ben.join(anna.startGathering("Leaving", as: "Anna"), as: "Ben")
            for laptop in [anna, ben] { _ = try await laptop.up() }
            try await lab.connect([anna, ben])
            try anna.drop(few, into: "Beach")
            try await lab.converge([anna, ben], to: ["Beach": few])
            try await expectSafe(anna, photoCount: few.count)

            try await lab("limit", "1", "100mbit")
            let bytes = try Data(contentsOf: URL(fileURLWithPath: large))
            let path = "\(anna.folder)/Beach/LARGE.JPG"
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            let handle = try #require(FileHandle(forWritingAtPath: path))
            try handle.write(contentsOf: bytes.prefix(bytes.count / 2))
            try await eventually("what is coming counts as Anna's alone") {
                let check = try await anna.leaveCheck(others: 1)
                let isTold = !check.safe && check.incoming?.photos == 1 && check.alone.photos == 1
                return .when(isTold && (check.incoming?.bytes ?? 0) > 0, "\(check)")
            }
            try handle.write(contentsOf: bytes.dropFirst(bytes.count / 2))
            try handle.close()
            let output = try await anna.potluck("leave-check", "--others", "1", "--wait")
            #expect(output.status == 0, "\(output.text)\(output.errors)")
            let id = try #require(try await lab.hashes([large])[large])
            #expect(ben.byteCount(ofBlob: id) == bytes.count, "Ben has it when Anna is told that she may go")
            try await expectSafe(anna, photoCount: few.count + 1)
        }
    }

    /// Both laptops stop as soon as the photos are on both: each remembers that the other one has them.
    @Test func whatOthersHaveIsRememberedAtOnce() async throws {
        try await Lab.run(laptops: 2) { lab in
            let (anna, ben) = (lab.laptop(1), lab.laptop(2))
            let photos = try await lab.makePhotos("photos", count: 30, byteCount: 50_000)
            try await ben.join(anna.startGathering("Leaving", as: "Anna"), as: "Ben")
            let agents = [try await anna.up(), try await ben.up()]
            try await lab.connect([anna, ben])
            try anna.drop(photos, into: "Beach")
            for (laptop, agent) in zip([anna, ben], agents) {
                try await expectSafe(laptop, photoCount: photos.count)
                #expect(try await laptop.potluck("down").status == 0)
                #expect(try await agent.child.end(within: .seconds(20)) == 0)
                let check = try await laptop.leaveCheck(others: 1)
                #expect(check.safe && check.alone.photos == 0 && check.incoming == nil, "\(check)")
                #expect(check.devices.map(\.photos) == [photos.count], "\(check.devices)")
            }
        }
    }

    private func expectSafe(_ laptop: Laptop, photoCount: Int) async throws {
        try await eventually("laptop \(laptop.number) may leave") {
            let check = try await laptop.leaveCheck(others: 1)
            return .when(check.safe && check.here.photos == photoCount, "\(check)")
        }
    }
}

extension Laptop {
    /// What `leave-check` says; it ends with 0 where all is safe, else with 75.
    func leaveCheck(others: Int) async throws -> Listing.Leaving {
        let output = try await potluck("leave-check", "--others", "\(others)", "--json")
        guard output.status == 0 || output.status == 75 else {
            throw TestFailure("leave-check ended with \(output.status): \(output.errors)")
        }
        let report = try JSONDecoder().decode(Listing.Leaving.self, from: Data(output.bytes))
        #expect(report.safe == (output.status == 0))
        return report
    }
}
