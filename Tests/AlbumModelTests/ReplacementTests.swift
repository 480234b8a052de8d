import AlbumModel
import Testing

private let beach = AlbumName.identifier("Beach")
private let hills = AlbumName.identifier("Hills")

/// Favours follow a photo to what took its place, the same on every device.
@Suite struct ReplacementTests {
    private func removal(_ album: AlbumID, _ number: UInt8, _ adds: [Dot]) -> Change {
        .photoRemoved(album, blob(number), adds: adds)
    }

    /// While the former photo is in its album its favours are its own; in whatever order the batches come.
    @Test func favoursFollowWhatWasRemoved() {
        var (anna, ben) = (Author(1), Author(2))
        let added = anna.batch([addition(beach, 1)])
        let liked = ben.batch([.photoFavoured(beach, blob(1))])
        let moved = anna.batch([addition(hills, 1), .photoReplaced(photoKey(beach, 1), by: photoKey(hills, 1))])
        let left = anna.batch([removal(beach, 1, [dot(added)])])
        let (old, new) = (photoKey(beach, 1), photoKey(hills, 1))

        let both = fold([added, liked, moved])
        #expect(both.favourers(of: old) == [ben.device] && both.favourers(of: new) == [])
        let made = [added, liked, moved, left]
        for order in permutations(Array(made.indices)) {
            let catalog = fold(order.map { made[$0] })
            #expect(catalog.favourers(of: new) == [ben.device])
            #expect(catalog.favouredKeys(of: new) == [old, new].sorted())
            #expect(catalog.isReplaced(old, by: new) && !catalog.isReplaced(new, by: old))
        }
        let back = fold(made + [ben.batch([addition(beach, 1)])])
        #expect(back.favourers(of: old) == [ben.device] && back.favourers(of: new) == [])
    }

    /// Over several steps, of which one may be in its album: then that one has them. A photo that moves there and back
    /// has its own favours once.
    @Test func favoursFollowOverSteps() {
        var (anna, ben) = (Author(1), Author(2))
        let steps = (1...3).map { photoKey(beach, $0) }
        let links = ben.batch([
            .photoFavoured(beach, blob(1)), .photoReplaced(steps[0], by: steps[1]),
            .photoReplaced(steps[1], by: steps[2]), .photoReplaced(steps[2], by: steps[0]),
        ])
        let last = fold([links, anna.batch([addition(beach, 3)])])
        #expect(last.favourers(of: steps[2]) == [ben.device])
        let middle = fold([links, anna.batch([addition(beach, 2), addition(beach, 3)])])
        #expect(middle.favourers(of: steps[1]) == [ben.device])
        #expect(middle.favourers(of: steps[2]) == [])
        let first = fold([links, anna.batch([addition(beach, 1)])])
        #expect(first.favourers(of: steps[0]) == [ben.device])
    }

    /// Whoever follows a difference hears of every photo whose favours became others, and of no photo that is not there.
    @Test func differencesNameSuccessors() {
        var (anna, ben) = (Author(1), Author(2))
        let added = anna.batch([addition(beach, 1), addition(hills, 1)])
        let (old, new) = (photoKey(beach, 1), photoKey(hills, 1))
        var catalog = fold([added])
        func difference(_ made: Made) -> CatalogDifference {
            catalog.apply(made.batch, id: made.id, author: made.device, received: 5_000_000)
        }
        let linked = difference(anna.batch([.photoReplaced(old, by: new)]))
        #expect(linked.allPhotos == [new] && linked.albums == [hills])
        #expect(difference(ben.batch([.photoFavoured(beach, blob(1))])).allPhotos == [old, new])
        #expect(difference(anna.batch([removal(beach, 1, [dot(added)])])).allPhotos == [old, new])
        #expect(difference(anna.batch([.photoReplaced(old, by: new)])).isEmpty)
        let nowhere = photoKey(AlbumName.identifier("Nowhere"), 9)
        #expect(difference(anna.batch([.photoReplaced(new, by: nowhere)])).isEmpty)
        #expect(catalog.albums[nowhere.album] == nil)
        #expect(!CatalogLimits.isValid(.photoReplaced(old, by: old)))
    }

    /// Within an album, over several steps of it: what is there of those that took a photo's place, and all whose place a
    /// photo took.
    @Test func successorsAreOfOneAlbum() {
        var anna = Author(1)
        let steps = (1...3).map { photoKey(beach, $0) }
        let elsewhere = photoKey(hills, 4)
        let catalog = fold([
            anna.batch([addition(beach, 1), addition(beach, 3), addition(hills, 4)]),
            anna.batch([
                .photoReplaced(steps[0], by: steps[1]), .photoReplaced(steps[1], by: steps[2]),
                .photoReplaced(steps[0], by: elsewhere),
            ]),
        ])
        #expect(catalog.liveSuccessors(of: steps[0]) == [steps[2]] && catalog.liveSuccessors(of: steps[2]) == [])
        #expect(Set(catalog.formers(of: steps[2])) == [steps[0], steps[1]] && catalog.formers(of: elsewhere) == [])
    }

    /// Devices that do not know of replacements yet have equal digests.
    @Test func replacementsAreNotInTheDigest() {
        var (anna, ben) = (Author(1), Author(2))
        let added = anna.batch([addition(beach, 1), addition(hills, 1)])
        let link = ben.batch([.photoReplaced(photoKey(beach, 1), by: photoKey(hills, 1))])
        let (before, after) = (fold([added]), fold([added, link]))
        for album in [beach, hills] { #expect(before.albums[album]?.digest == after.albums[album]?.digest) }
    }
}
