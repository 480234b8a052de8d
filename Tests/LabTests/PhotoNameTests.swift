import Foundation
import TestSupport
import Testing

extension LabTests {
    /// Whoever added a photo renames its file: so it is called in each folder, also of a laptop that was away, with nothing
    /// beside it and nothing added or removed. What somebody else calls their file of it is theirs, and what has the name
    /// already is not replaced.
    @Test func filesFollowTheNamesOfPhotos() async throws {
        try await Lab.run(laptops: 3) { lab in
            let laptops = [1, 2, 3].map { lab.laptop($0) }
            let photos = try await lab.makePhotos("photos", count: 3, byteCount: 100_000)
            let names = photos.map { ($0 as NSString).lastPathComponent }
            let phrase = try await laptops[0].startGathering("Names", as: "Anna")
            try await laptops[1].join(phrase, as: "Ben")
            try await laptops[2].join(phrase, as: "Cleo")
            for laptop in laptops { _ = try await laptop.up() }
            try await lab.connect(laptops)
            try laptops[0].drop(photos, into: "Beach")
            try await lab.converge(laptops, to: ["Beach": photos])
            for laptop in laptops { try await laptop.expectFiles(names) }

            try await lab("cut", "3")
            try laptops[1].rename(names[2], to: "mine.jpg")
            try Data("a note".utf8).write(to: URL(fileURLWithPath: "\(laptops[1].folder)/Beach/Sunset.jpg"))
            try laptops[0].rename(names[0], to: "Sunset.jpg")
            try laptops[0].rename(names[2], to: "Waves.jpg")
            let here = ["Sunset.jpg", "Waves.jpg", names[1]]
            let there = ["Sunset (Anna).jpg", "Sunset.jpg", "mine.jpg", names[1]]
            try await laptops[1].expectFiles(there)
            try await lab("heal", "3")
            try await laptops[2].expectFiles(here)
            try await laptops[0].expectFiles(here)
            try await laptops[1].expectFiles(there)
            let listed = try await laptops[2].photos("Beach")
            #expect(listed.map(\.name).sorted() == here.sorted())
            #expect(listed.allSatisfy { $0.here && $0.file != nil })
        }
    }
}

extension Laptop {
    fileprivate func rename(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: "\(folder)/Beach/\(name)", toPath: "\(folder)/Beach/\(other)")
    }

    /// Waits until the album has these files, and no others.
    fileprivate func expectFiles(_ names: [String]) async throws {
        try await eventually("laptop \(number) has its files", within: .seconds(55)) {
            let found = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/Beach").sorted()
            return .when(found == names.sorted(), "there are \(found)")
        }
    }
}
