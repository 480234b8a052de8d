import Foundation
import TestSupport
import Testing

extension LabTests {
    /// Two laptops that never meet on a network share by a stick that goes from one to the other and back, while agents
    /// run: photos are put into the folders, and both come to list the same.
    @Test func aStickGoesFromAgentToAgent() async throws {
        struct Unpacked: Decodable {
            var photos, missing: Int
            var running: Bool
        }
        try await Lab.run(laptops: 2) { lab in
            let laptops = (1...2).map(lab.laptop)
            let stick = "\(lab.files)/stick"
            let photos = try await lab.makePhotos("photos", count: 5, byteCount: 1_500_000)
            let others = try await lab.makePhotos("others", count: 2, byteCount: 50_000, called: "BEN_%d.JPG")
            let phrase = try await laptops[0].startGathering("Apart", as: "Anna")
            try await laptops[1].join(phrase, as: "Ben")
            try await lab("cut", "2")
            for laptop in laptops { _ = try await laptop.up("--no-discovery") }
            try laptops[0].drop(photos, into: "Apart")
            try laptops[1].drop(others, into: "Apart")
            // What is found out about photos after the stick has gone stays where it is: the two never meet.
            try await eventually("both have taken in and read their own photos", within: Lab.readingPatience) {
                let counts = (try await laptops[0].albums().map(\.here), try await laptops[1].albums().map(\.here))
                let photos = try await laptops[0].everyPhoto() + laptops[1].everyPhoto()
                let unread = photos.count { $0.thumbnail == nil }
                return .when(counts.0 == [5] && counts.1 == [2] && unread == 0, "\(counts), \(unread) not read")
            }
            for (from, to, count) in [(0, 1, 5), (1, 0, 2)] {
                _ = try await laptops[from].potluck("pack", stick).succeeded(["pack"])
                let report = try await laptops[to].read(Unpacked.self, "unpack", stick)
                #expect(report.photos == count && report.missing == 0 && report.running)
            }
            try await lab.converge(laptops, to: ["Apart": photos + others])
            // Each knows that the other, which it never met, has what it sent. Anna's stick came back with Ben's word.
            for (laptop, count) in [(laptops[1], 5), (laptops[0], 7)] {
                try await eventually("laptop \(laptop.number) knows of a second copy of \(count)") {
                    let safe = try await laptop.everyPhoto().count { $0.copies == 2 }
                    return .when(safe == count, "of \(safe)")
                }
            }
        }
    }
}
