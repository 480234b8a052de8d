import Testing

@testable import AlbumModel

/// What guests add, like and write, their names, revocations and epochs, folded.
@Suite struct GuestTests {
    private let beach = AlbumName.identifier("Beach")
    private let lena = GuestID(bytes: [UInt8](repeating: 1, count: 16))!
    private let tom = GuestID(bytes: [UInt8](repeating: 2, count: 16))!

    private func guestsAddition(_ number: UInt8, _ guest: GuestID) -> Change {
        .photoAdded(
            PhotoAddition(
                album: beach, blob: blob(number), byteCount: 100, pieceListHash: nil, name: "a.jpg",
                mediaType: "image/jpeg", modified: 0, guest: guest))
    }

    private struct Outcome: Hashable {
        var digest: [UInt8]?
        var people: [Person]?
        var likes: [Person]
        var comments: [PhotoComment]
        var names: [GuestID: String]
        var revoked: RevokedGuests
        var epoch: UInt64
    }

    private func outcome(_ catalog: Catalog) -> Outcome {
        let key = photoKey(beach, 1)
        return Outcome(
            digest: catalog.albums[beach]?.digest, people: catalog.photo(key)?.contributingPeople,
            likes: catalog.favouringGuests(of: key), comments: catalog.comments(of: key).map(\.comment),
            names: catalog.guestNames, revoked: catalog.revokedGuests, epoch: catalog.guestEpoch)
    }

    /// All orders of arrival of adds, likes, comments and what takes them back, of names, revocations and epochs.
    @Test func orderOfArrivalDoesNotMatter() {
        var anna = Author(1)
        var ben = Author(2)
        let first = anna.batch([
            guestsAddition(1, lena), .guestNamed(lena, name: "Lena"), .photoFavoured(beach, blob(1), guest: lena),
            .photoCommented(beach, blob(1), "What a day", guest: lena), .guestEpochRaised(1),
        ])
        let second = ben.batch([
            addition(beach, 1), .photoFavoured(beach, blob(1), guest: tom),
            .photoCommented(beach, blob(1), "Where is it?", guest: nil), .guestNamed(lena, name: "Lena B."),
            .guestRevoked(tom), .guestEpochRaised(2),
        ])
        let third = anna.batch([
            .photoUnfavoured(beach, blob(1), adds: [dot(first, 2), dot(second, 1)], guest: lena),
            .photoCommented(beach, blob(1), "At the lake", guest: nil), .guestNamed(lena, name: "Lena"),
        ])
        let fourth = ben.batch([
            .photoUncommented(beach, blob(1), comments: [dot(first, 3)]),
            .photoRemoved(beach, blob(1), adds: [dot(first)]),
        ])
        let all = [first, second, third, fourth]
        let expected = outcome(fold(all))
        #expect(expected.people == [Person(ben.device)])
        #expect(expected.likes == [])
        #expect(expected.comments.map(\.text) == ["Where is it?", "At the lake"])
        #expect(expected.names == [lena: "Lena"])
        #expect(expected.revoked == [tom] && expected.epoch == 2)
        for order in permutations(Array(all.indices)) { #expect(outcome(fold(order.map { all[$0] })) == expected) }
    }

    /// What somebody brought to a device's door came in there, and is not its own person's; of few adds and of many.
    @Test(arguments: [1, 20]) func addsOfGuestsAreTheirs(count: UInt64) throws {
        var anna = Author(1)
        let ben = Author(2)
        let guests = (0..<count).map { GuestID(bytes: BigEndian.bytes($0) + BigEndian.bytes(UInt64(0)))! }
        var catalog = fold([anna.batch(guests.map { guestsAddition(1, $0) })])
        let key = photoKey(beach, 1)
        let photo = try #require(catalog.photo(key))
        #expect(photo.contributingPeople == guests.map { Person(anna.device, guest: $0) })
        #expect(photo.contributors == [anna.device])
        #expect(photo.isTakenIn(by: anna.device) && photo.adds(by: anna.device, max: 1).isEmpty)
        #expect(!photo.isTakenIn(by: ben.device))
        #expect(photo.adds(by: Person(anna.device, guest: guests[0]), max: 9).count == 1)
        #expect(!photo.adds.contains { catalog.isOwn($0, of: anna.device) })

        let own = anna.batch([addition(beach, 1)])
        _ = catalog.apply(own.batch, id: own.id, author: own.device, received: 5_000_000)
        let both = try #require(catalog.photo(key))
        #expect(!both.adds(by: anna.device, max: 1).isEmpty)
        #expect(both.adds(by: anna.device, max: 9).map(\.dot) == [dot(own)])
    }

    /// A device's own favour and its guests' are apart: neither takes the other back.
    @Test func favoursAreApart() {
        var anna = Author(1)
        let likes = anna.batch([
            addition(beach, 1), .photoFavoured(beach, blob(1)), .photoFavoured(beach, blob(1), guest: lena),
        ])
        let confused = anna.batch([
            .photoUnfavoured(beach, blob(1), adds: [dot(likes, 2)]),
            .photoUnfavoured(beach, blob(1), adds: [dot(likes, 1)], guest: lena),
        ])
        let catalog = fold([likes, confused])
        #expect(catalog.photo(photoKey(beach, 1))?.favouredBy == [anna.device])
        #expect(catalog.favouringGuests(of: photoKey(beach, 1)) == [Person(anna.device, guest: lena)])
        #expect(catalog.photo(photoKey(beach, 1))?.favourDots(of: lena) == [dot(likes, 2)])
    }

    /// Of more guests than are kept those named last are, in whatever order their names come.
    @Test func namesAreBounded() {
        let countMax = CatalogLimits.namedGuestCountMax
        let guests = (0..<UInt64(countMax + 40)).map { GuestID(bytes: BigEndian.bytes($0) + BigEndian.bytes($0))! }
        var anna = Author(1)
        var batches = guests.map { anna.batch([.guestNamed($0, name: "one")]) }
        // Two that would be left out are named once more.
        batches += guests.prefix(2).map { anna.batch([.guestNamed($0, name: "two")]) }
        var random = TestRandom(state: 7)
        let names = fold(batches).guestNames
        #expect(names.count == countMax)
        #expect(names[guests[0]] == "two" && names[guests[1]] == "two")
        #expect(names[guests[41]] == nil && names[guests[42]] == "one")
        #expect(fold(batches.shuffled(using: &random)).guestNames == names)
        #expect(fold(batches.reversed()).guestNames == names)
    }

    /// As many revocations as are kept bring nobody back, however late they say they are; with one more everybody is
    /// revoked. In whatever order they come.
    @Test func revocationsAreNeverForgotten() {
        let countMax = CatalogLimits.revokedGuestCountMax
        let others = (1...UInt64(countMax)).map { GuestID(bytes: BigEndian.bytes(UInt64.max) + BigEndian.bytes($0))! }
        var (anna, mallory) = (Author(1), Author(2))
        let first = anna.batch([.guestNamed(lena, name: "Lena"), .guestRevoked(lena)])
        let flood = mallory.batch(others.dropLast().map { .guestRevoked($0) }, clock: UInt64.max)
        for order in [[first, flood], [flood, first]] {
            let catalog = fold(order)
            #expect(catalog.isRevoked(lena) && catalog.isRevoked(others[0]) && !catalog.isRevoked(tom))
            #expect(catalog.revokedGuests.guests.count == countMax)
        }
        var ben = Author(3)
        let last = ben.batch([.guestRevoked(others[countMax - 1])])
        for order in [[first, flood, last], [last, flood, first]] {
            let catalog = fold(order)
            #expect(catalog.isRevoked(lena) && catalog.isRevoked(others[0]) && catalog.isRevoked(tom))
            #expect(catalog.revokedGuests == .everybody)
        }
    }

    /// Very many comments are all folded, and the latest shown.
    @Test func shownCommentsAreBounded() throws {
        let countMax = CatalogLimits.shownCommentCountMax
        var anna = Author(1)
        let comments = (0...countMax).map { Change.photoCommented(beach, blob(1), "\($0)", guest: nil) }
        let made = anna.batch([addition(beach, 1)] + comments)
        let photo = try #require(fold([made]).photo(photoKey(beach, 1)))
        #expect(photo.comments.map(\.text) == (1...countMax).map { "\($0)" })
        #expect(photo.comment(dot(made, 1))?.text == "0")
    }

    @Test func changesBeyondTheirBoundsAreWithoutEffect() {
        let long = String(repeating: "x", count: CatalogLimits.commentByteCountMax + 1)
        let wrong: [Change] = [
            .photoCommented(beach, blob(1), "", guest: nil), .photoCommented(beach, blob(1), long, guest: lena),
            .guestNamed(lena, name: ""), .guestNamed(lena, name: String(repeating: "x", count: 241)),
            .guestEpochRaised(0), .guestEpochRaised(CatalogLimits.guestEpochMax + 1),
            .photoUncommented(beach, blob(1), comments: Array(repeating: Dot.some, count: 1025)),
        ]
        var anna = Author(1)
        for change in wrong { #expect(!CatalogLimits.isValid(change)) }
        let catalog = fold([anna.batch(wrong)])
        #expect(catalog.albums.isEmpty && catalog.guestNames.isEmpty && catalog.guestEpoch == 0)
        #expect(CatalogLimits.isValid(.photoCommented(beach, blob(1), String(long.dropLast()), guest: nil)))
        #expect(CatalogLimits.isValid(.guestNamed(lena, name: String(repeating: "x", count: 240))))
    }

    /// What was written below a photo, and who liked it, counts for what took its place.
    @Test func wordsGoAlong() {
        var anna = Author(1)
        let said = anna.batch([
            addition(beach, 1), addition(beach, 2), .photoCommented(beach, blob(1), "Nice", guest: lena),
            .photoFavoured(beach, blob(1), guest: lena),
            .photoReplaced(photoKey(beach, 1), by: photoKey(beach, 2)),
        ])
        let removal = anna.batch([.photoRemoved(beach, blob(1), adds: [dot(said)])])
        let catalog = fold([said, removal])
        #expect(catalog.comments(of: photoKey(beach, 2)).map(\.key) == [photoKey(beach, 1)])
        #expect(catalog.favouringGuests(of: photoKey(beach, 2)) == [Person(anna.device, guest: lena)])
        #expect(fold([said]).comments(of: photoKey(beach, 2)).isEmpty)
    }

    /// What caches follow: photos, guests, and a new epoch once.
    @Test func differencesTellOfGuests() {
        var anna = Author(1)
        var catalog = Catalog()
        let first = anna.batch([.guestNamed(lena, name: "Lena"), .guestEpochRaised(3)])
        let difference = catalog.apply(first.batch, id: first.id, author: first.device, received: 9)
        #expect(difference.guests == [lena] && difference.guestEpochRaised && !difference.isEmpty)
        let second = anna.batch([.guestEpochRaised(2)])
        #expect(catalog.apply(second.batch, id: second.id, author: second.device, received: 9).isEmpty)
        let third = anna.batch([addition(beach, 1), .photoCommented(beach, blob(1), "Hm", guest: lena)])
        let last = catalog.apply(third.batch, id: third.id, author: third.device, received: 9)
        #expect(last.wordedPhotos == [photoKey(beach, 1)] && last.guests.isEmpty)
    }
}

extension Dot {
    fileprivate static let some = Dot(replica: Author(1).replica, sequence: 1, branch: 1)
}
