import Foundation
import TestSupport
import Testing

extension LabTests {
    /// Two people write a caption each for one photo while the cable is cut, and other words besides. Once it is plugged
    /// in again both laptops list both captions and all else; the next caption settles it on both.
    @Test func wordsMeetAndBothCaptionsStay() async throws {
        try await Lab.run(laptops: 2) { lab in
            let laptops = [lab.laptop(1), lab.laptop(2)]
            let photos = try await lab.makePhotos("photos", count: 2, byteCount: 100_000)
            let phrase = try await laptops[0].startGathering("Words", as: "Anna")
            try await laptops[1].join(phrase, as: "Ben")
            for laptop in laptops { _ = try await laptop.up() }
            try await lab.connect(laptops)
            try laptops[0].drop(photos, into: "Beach")
            try await lab.converge(laptops, to: ["Beach": photos])

            try await lab("cut", "2")
            try await laptops[0].say("caption", "Beach", "IMG_0001.JPG", "Waves")
            try await laptops[0].say("tag", "Beach", "IMG_0001.JPG", "IMG_0002.JPG", "--tag", "sea")
            try await laptops[1].say("caption", "Beach", "IMG_0001.JPG", "Surf")
            try await laptops[1].say("favourite", "Beach", "IMG_0001.JPG")
            try await laptops[1].say("cover", "Beach", "IMG_0002.JPG")
            try await lab("heal", "2")

            for laptop in laptops {
                let worded = try await eventually("laptop \(laptop.number) lists both captions") {
                    let found = try await laptop.worded("photos", "Beach", "--conflicts")
                    return found.count == 1 ? .done(found[0]) : .notYet("\(found)")
                }
                #expect(
                    Set((worded.captions ?? []).map { "\($0.by ?? "?"): \($0.caption)" }) == [
                        "Anna: Waves", "Ben: Surf",
                    ])
                try await eventually("laptop \(laptop.number) has all words") {
                    let found = try await laptop.worded("photos", "--tag", "SEA")
                    let favourites = found.flatMap(\.favourites)
                    return .when(found.count == 2 && favourites == ["Ben"], "\(found)")
                }
                // What is shown is found.
                let found = try await (laptop.worded("search", "sur"), laptop.worded("search", "wav"))
                #expect(found.0.count + found.1.count == 1, "\(found)")
                try await eventually("laptop \(laptop.number) has the cover") {
                    let cover = try await laptop.potluck("cover", "Beach").text
                    return .when(cover.contains("IMG_0002.JPG"), cover)
                }
            }
            let shown = try await laptops[0].worded("photos", "Beach").map(\.caption)
            #expect(try await laptops[1].worded("photos", "Beach").map(\.caption) == shown, "both show the same one")

            try await laptops[0].say("caption", "Beach", "IMG_0001.JPG", "Waves and surf")
            for laptop in laptops {
                try await eventually("laptop \(laptop.number) has one caption") {
                    let found = try await laptop.worded("photos", "Beach")
                    let isSettled = found.contains { $0.caption == "Waves and surf" && $0.captions == nil }
                    return .when(isSettled, "\(found)")
                }
            }
        }
    }
}

/// A photo with what people say of it.
private struct WordedPhoto: Decodable, Hashable {
    struct Caption: Decodable, Hashable {
        var by: String?
        var caption: String
    }

    var name: String
    var caption: String?
    var captions: [Caption]?
    var tags: [String]
    var favourites: [String]
}

private struct WordedPhotos: Decodable {
    var photos: [WordedPhoto]
}

extension Laptop {
    fileprivate func say(_ words: String...) async throws {
        let words = [Machine.binary!] + words + ["--home", home]
        _ = try await lab.execute(number, words).succeeded(words)
    }

    fileprivate func worded(_ words: String...) async throws -> [WordedPhoto] {
        let words = [Machine.binary!] + words + ["--json", "--home", home]
        let output = try await lab.execute(number, words).succeeded(words)
        return try JSONDecoder().decode(WordedPhotos.self, from: Data(output.bytes)).photos
    }
}
