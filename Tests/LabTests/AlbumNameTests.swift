import Foundation
import TestSupport
import Testing

extension LabTests {
    /// An album gets another name on a laptop whose person did not make it. Its directory has that name in each folder, also
    /// of a laptop that was away, with the same files and nothing beside them; a person who renames the directory renames
    /// the album; and what is dropped there afterwards is that album's.
    @Test func directoriesFollowTheNamesOfAlbums() async throws {
        try await Lab.run(laptops: 3) { lab in
            let laptops = [1, 2, 3].map { lab.laptop($0) }
            let photos = try await lab.makePhotos("photos", count: 6, byteCount: 100_000)
            let phrase = try await laptops[0].startGathering("Names", as: "Anna")
            try await laptops[1].join(phrase, as: "Ben")
            try await laptops[2].join(phrase, as: "Cleo")
            for laptop in laptops { _ = try await laptop.up() }
            try await lab.connect(laptops)
            try laptops[0].drop(Array(photos[..<4]), into: "Beach dya")
            try laptops[2].drop([photos[4]], into: "Hike")
            try await lab.converge(laptops, to: ["Beach dya": Array(photos[..<4]), "Hike": [photos[4]]])

            try await lab("cut", "3")
            let output = try await laptops[1].potluck("album", "rename", "Beach dya", "Beach day")
            #expect(output.status == 0, "\(output.errors)")
            let renamed = ["Beach day": Array(photos[..<4]), "Hike": [photos[4]]]
            try await lab.converge(Array(laptops[..<2]), to: renamed)
            try await lab("heal", "3")
            try await lab.converge(laptops, to: renamed)
            for laptop in laptops {
                #expect(try laptop.directories() == ["Beach day", "Hike"], "laptop \(laptop.number)")
            }

            #expect(rename("\(laptops[2].folder)/Beach day", "\(laptops[2].folder)/Strand") == 0)
            try laptops[1].drop([photos[5]], into: "Hike")
            try await lab.converge(laptops, to: ["Strand": Array(photos[..<4]), "Hike": Array(photos[4...])])
            for laptop in laptops {
                #expect(try laptop.directories() == ["Hike", "Strand"], "laptop \(laptop.number)")
            }
        }
    }
}

extension Laptop {
    /// The names of the folder's directories that a person sees, ordered.
    fileprivate func directories() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }.sorted()
    }
}
