import AlbumModel
import Testing

/// What the fold remembers of photos that left their albums.
@Suite struct DepartureTests {
    private let beach = AlbumName.identifier("Beach")

    private func last(_ batches: [Made]) -> Departure? {
        fold(batches).photo(photoKey(beach, 1))?.departure
    }

    /// The latest withdrawal and the latest add that was withdrawn count, in whatever order they arrive.
    @Test func orderOfArrivalDoesNotMatter() throws {
        var anna = Author(1)
        var ben = Author(2)
        let first = anna.batch([addition(beach, 1)], clock: 10)
        let second = ben.batch([addition(beach, 1)], clock: 20)
        let early = anna.batch([.photoRemoved(beach, blob(1), adds: [dot(first)])], clock: 30)
        let late = ben.batch([.photoRemoved(beach, blob(1), adds: [dot(second)])], clock: 40)
        let all = [first, second, early, late]
        for order in permutations(all.indices.map { $0 }) {
            let departure = try #require(last(order.map { all[$0] }))
            #expect(departure.author == ben.device)
            #expect(departure.dot == dot(late))
            #expect(departure.add?.dot == dot(second))
            #expect(departure.add?.byteCount == 100)
        }
    }

    /// Until its add arrives, a withdrawal tells who withdrew, and a photo that nobody withdrew has no departure.
    @Test func theAddMayCome() throws {
        var anna = Author(1)
        let add = anna.batch([addition(beach, 1)])
        let removal = anna.batch([.photoRemoved(beach, blob(1), adds: [dot(add)])])
        #expect(last([add]) == nil)
        let departure = try #require(last([removal]))
        #expect(departure.author == anna.device)
        #expect(departure.add == nil)
    }

    /// What ceased to be live is told apart from what changed otherwise, and no digest depends on what is remembered.
    @Test func removalsAreTold() {
        var anna = Author(1)
        let add = anna.batch([addition(beach, 1), addition(beach, 2)])
        let removal = anna.batch([.photoRemoved(beach, blob(1), adds: [dot(add)])])
        let again = anna.batch([addition(beach, 1)])
        var catalog = Catalog()
        var differences: [CatalogDifference] = []
        for made in [add, removal, again] {
            differences.append(catalog.apply(made.batch, id: made.id, author: made.device, received: 5_000_000))
        }
        #expect(differences.map(\.removedPhotos) == [[], [photoKey(beach, 1)], []])
        #expect(differences[2].addedPhotos == [photoKey(beach, 1)])
        #expect(catalog.photo(photoKey(beach, 1))?.departure != nil)
        let untouched = fold([again, anna.batch([addition(beach, 2)])])
        #expect(untouched.photo(photoKey(beach, 1))?.departure == nil)
    }
}
