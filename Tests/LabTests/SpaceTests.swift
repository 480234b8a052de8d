import Foundation
import TestSupport
import Testing

extension LabTests {
    /// A laptop whose photos are to take their space once keeps a copy of each until two others have it. Then the person
    /// writes into a file: that becomes another photo, and the bytes of the former one, which were the store's, come back
    /// from the others. A program that saves a new file under the name of the former one leaves the store's bytes alone.
    @Test func photosTakeTheirSpaceOnce() async throws {
        try await Lab.run(laptops: 3) { lab in
            let (anna, ben, carla) = (lab.laptop(1), lab.laptop(2), lab.laptop(3))
            let photos = try await lab.makePhotos("once", count: 8, byteCount: 1_000_000)
            let phrase = try await anna.startGathering("Once", as: "Anna")
            try await ben.join(phrase, as: "Ben")
            try await carla.join(phrase, as: "Carla")
            try await anna.shell("echo 'space = \"once\"' >\(anna.home)/potluck.toml")
            for laptop in [anna, ben] { _ = try await laptop.up() }
            try await lab.connect([anna, ben])
            try anna.drop(photos, into: "Once")
            try await lab.converge([anna, ben], to: ["Once": photos])
            #expect(try await anna.takenByteCount() >= 16_000_000, "one other laptop is not enough")

            _ = try await carla.up()
            try await lab.connect([anna, ben, carla])
            try await eventually("photos take their space once", within: .seconds(90)) {
                let taken = try await anna.takenByteCount()
                return .when(taken < 9_000_000, "\(taken) bytes")
            }
            try await lab.converge([anna, ben, carla], to: ["Once": photos])
            // What came since a start counts, too, but for less than a tenth.
            for laptop in [anna, ben, carla] {
                try await eventually("it is told what they take") {
                    let use = try await laptop.status().disk?.use
                    let isOnce = use.map { $0.folder == 0 && (7_000_000..<8_100_000).contains($0.photos) } ?? false
                    return .when(isOnce, "\(String(describing: use))")
                }
            }

            let file = "\(anna.folder)/Once/IMG_0001.JPG"
            let before = try await lab.hash(file)
            try await anna.shell("printf changed | dd of='\(file)' bs=1 seek=900000 conv=notrunc status=none")
            let saved = "\(anna.folder)/Once/IMG_0002.JPG"
            let new = "\(anna.home)/saved.new"
            try await anna.shell("(cat '\(saved)'; printf saved) >'\(new)' && mv '\(new)' '\(saved)'")
            let (shown, former) = (photos.dropFirst(2) + [file, saved], [before, try await lab.hash(photos[1])])
            try await lab.converge([ben, carla, anna], to: ["Once": Array(shown)])
            for photo in former {
                try await eventually("the bytes of before are there") {
                    let found = try await anna.hashes([anna.path(ofBlob: photo)]).values.first
                    return .when(found == photo, found ?? "there are none")
                }
            }
            #expect(try await anna.potluck("restore", "Once").status == 0)
            try await lab.converge([ben, carla], to: ["Once": Array(shown) + Array(photos[..<2])])
        }
    }
}

extension Lab {
    fileprivate func hash(_ path: String) async throws -> String { try #require(try await hashes([path])[path]) }
}

extension Laptop {
    /// What the files of store and folder take of the disk; one of several names once.
    fileprivate func takenByteCount() async throws -> Int {
        let files = "find '\(home)/blobs' '\(folder)' -type f -printf '%i %b\\n' | sort -u"
        let words = try await shell(
            "mkdir -p '\(folder)' && \(files) | awk '{ blocks += $2 } END { print blocks * 512 }'")
        return Int(words.prefix { $0.isNumber }) ?? 0
    }
}
