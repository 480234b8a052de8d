import Foundation
import TestSupport
import Testing

extension LabTests {
    /// An album is dropped on a laptop behind a slow link. The other laptop can show a small picture of every photo
    /// before a tenth of the originals' bytes have come, and in the end it has the originals too.
    @Test func thumbnailsComeBeforeATenthOfTheOriginals() async throws {
        try await Lab.run(laptops: 2) { lab in
            let (anna, ben) = (lab.laptop(1), lab.laptop(2))
            let byteCount = 1_000_000
            let photos = try await lab.makePhotos("photos", count: 300, byteCount: byteCount)
            try await ben.join(anna.startGathering("Slow", as: "Anna"), as: "Ben")
            for laptop in [anna, ben] { _ = try await laptop.up() }
            try await lab.connect([anna, ben])

            // A tenth of the originals takes 24 s of this link, and the pictures are to be made in less.
            try await lab("limit", "1", "10mbit")
            let before = try await ben.receivedByteCount()
            try anna.drop(photos, into: "Beach")
            let thumbnails = try await eventually(
                "every photo has a thumbnail on the other laptop", within: .seconds(60)
            ) {
                let listed = try await ben.albums().isEmpty ? [] : ben.photos("Beach").compactMap(\.thumbnail)
                let here = listed.compactMap(ben.byteCount(ofBlob:))
                return here.count == photos.count ? .done(here) : .notYet("\(here.count) of \(listed.count) are there")
            }
            let received = try await ben.receivedByteCount() - before
            #expect(thumbnails.allSatisfy { $0 > 500 }, "they are pictures")
            #expect(
                received - thumbnails.reduce(0, +) < photos.count * byteCount / 10,
                "\(received) bytes had come, \(thumbnails.reduce(0, +)) of them thumbnails")

            try await lab("unshape", "1")
            try await lab.converge([anna, ben], to: ["Beach": photos], within: .seconds(180))
        }
    }
}
