import AlbumModel
import Foundation
import Testing

@testable import WebGallery

/// A photo's ID that is easy to tell apart in a failure.
func blob(_ number: Int) -> BlobID {
    BlobID(bytes: BigEndian.bytes(UInt64(number)) + [UInt8](repeating: 0xB1, count: 24))!
}

func clock(_ text: String) -> GridTime { GridTime(parsing: text)! }

func entry(_ number: Int, _ taken: String? = "2026-08-14T18:40:00", _ width: UInt32 = 4, _ height: UInt32 = 3)
    -> GridEntry
{
    GridEntry(
        photo: blob(number), thumbnail: blob(number + 1_000_000), width: width, height: height,
        taken: taken.map { clock($0) })
}

/// The same numbers for the same seed, by SplitMix64 (Steele, Lea and Flood, 2014).
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

func token(_ seed: UInt64) -> SecretToken {
    var generator = SeededGenerator(state: seed)
    return SecretToken(using: &generator)
}

func guest(_ seed: UInt64) -> GuestID {
    var generator = SeededGenerator(state: seed)
    return GuestID(using: &generator)
}

func object(_ json: [UInt8]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
}
