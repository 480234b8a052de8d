import AlbumModel
import PotluckAPI
import Testing

/// Which photo a person means.
@Suite struct PhotoLookupTests {
    private static func blob(_ digits: String) -> BlobID {
        let hex = digits + String(repeating: "0", count: 64 - digits.count)
        return BlobID(hex: hex)!
    }

    private let first = blob("abcdef01"), second = blob("abcdef02"), third = blob("123456")
    private var lookup: PhotoLookup {
        PhotoLookup(
            [
                .init(blob: first, name: "IMG_1.JPG", file: "Beach day/IMG_1.JPG"),
                .init(blob: second, name: "IMG_1.JPG", file: "Beach day/IMG_1 (Anna).JPG"),
                .init(blob: third, name: "Café.jpg", file: nil),
            ], album: "Beach day")
    }

    /// Shows the ways to name one: the ID or its beginning, its name, and the name of its file here, in any case.
    @Test func findsByIDAndByName() throws {
        #expect(try lookup.find(first.hex) == first)
        #expect(try lookup.find("ABCDEF02") == second)
        #expect(try lookup.find("Cafe\u{301}.jpg") == third)
        #expect(try lookup.find("CAFÉ.JPG") == third)
        #expect(try lookup.find("IMG_1 (Anna).JPG") == second)
        #expect(try lookup.find("/home/anna/Beach day/img_1 (anna).jpg") == second)
    }

    /// Shows that each photo counts once, in the order in which they were named.
    @Test func namedTwiceIsOnce() throws {
        #expect(try lookup.find(["Café.jpg", "abcdef01", "123456"]) == [third, first])
    }

    /// Shows that so many photos are found in an album of as many, by whatever they are named. Catches a search through all
    /// of the album for each: a thousand million names would be compared.
    @Test(.timeLimit(.minutes(1))) func thousandsAreFoundAtOnce() throws {
        let numbers = 1...32_000
        let blobs = numbers.map { number in
            let digits = String(number * 7, radix: 16)
            return Self.blob(String(repeating: "0", count: PhotoLookup.digitCountMin - digits.count) + digits)
        }
        let candidates = zip(numbers, blobs).map { number, blob in
            PhotoLookup.Candidate(blob: blob, name: "IMG_\(number).JPG", file: "A/f\(number).jpg")
        }
        let lookup = PhotoLookup(candidates.shuffled(), album: "A")
        #expect(try lookup.find(blobs.map { String($0.hex.prefix(PhotoLookup.digitCountMin)) }) == blobs)
        #expect(try lookup.find(numbers.map { "IMG_\($0).JPG" }) == blobs)
        #expect(try lookup.find(numbers.map { "A/f\($0).jpg" }) == blobs)
        #expect(try lookup.find(numbers.map { "img_\($0).jpg" }) == blobs)
        #expect(try lookup.find(numbers.map { "F\($0).JPG" }) == blobs)
        #expect(throws: PotluckError.self) { try lookup.find(["IMG_1.JPG", "0000ff0"]) }
    }

    /// Shows that what fits several photos is wrong usage that lists as many digits of their IDs as tell them apart.
    @Test(arguments: ["IMG_1.JPG", "abcdef"])
    func ambiguousNamesListTheIDs(text: String) {
        let error = #expect(throws: PotluckError.self) { try lookup.find(text) }
        #expect(error?.status == .usage)
        #expect(error?.message.contains("abcdef01 (IMG_1.JPG), abcdef02 (IMG_1 (Anna).JPG)") == true)
    }

    /// Shows that fewer than six digits are taken for a name, and that an unknown one is told with close ones.
    @Test func unknownNamesSuggestCloseOnes() {
        let short = #expect(throws: PotluckError.self) { try lookup.find("abcde") }
        #expect(short?.status == .notFound)
        #expect(short?.message.contains("`potluck photos \"Beach day\"`") == true)
        let close = #expect(throws: PotluckError.self) { try lookup.find("Cafe.jpg") }
        #expect(close?.status == .notFound)
        #expect(close?.message.contains("Did you mean “Café.jpg”?") == true)
    }

    /// Shows that who looks for a hidden or a removed photo is sent to the list that has it, and that a whole ID is found
    /// whatever the names are.
    @Test func otherListsAreNamed() throws {
        let candidates = [PhotoLookup.Candidate(blob: first, name: second.hex, file: nil)]
        func message(_ scope: PhotoLookup.Scope) -> String? {
            let lookup = PhotoLookup(candidates, album: "Beach", scope: scope)
            let error = #expect(throws: PotluckError.self) { try lookup.find("x.jpg") }
            return error?.message
        }
        #expect(
            message(.hidden) == "No photo called “x.jpg” is hidden in “Beach”. `potluck hidden \"Beach\"` lists them.")
        #expect(
            message(.trash)
                == "No photo called “x.jpg” from “Beach” is in the trash. `potluck trash \"Beach\"` lists them."
        )
        #expect(
            message(.leftOut)
                == "No photo called “x.jpg” is left out of “Beach”. `potluck left-out \"Beach\"` lists them.")
        #expect(message(.album)?.contains("`potluck photos \"Beach\"`") == true)
        #expect(try PhotoLookup(candidates, album: "Beach").find([first.hex, first.hex.uppercased()]) == [first])
    }
}
