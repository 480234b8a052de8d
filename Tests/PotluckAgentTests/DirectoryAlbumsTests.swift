import AlbumModel
import Testing

@testable import PotluckAgent

/// Which album a directory stands for, as the journal keeps it.
struct DirectoryAlbumsTests {
    private let beach = AlbumName.identifier("Beach")
    private let photos = AlbumName.identifier(AlbumName.unsorted)

    // Shows that names count as people compare them, and that facts are written when something is new, also where an
    // earlier attempt to commit them failed.
    @Test func directoriesAreRemembered() {
        var albums = DirectoryAlbums()
        let facts = albums.facts(remembering: beach, of: "Beach")
        #expect(facts == [FactChange(kind: .directory, key: Array("beach".utf8), value: beach.bytes)])
        #expect(albums.facts(remembering: beach, of: "Beach") == facts)
        albums.remember("Beach", beach)
        #expect(albums.album(of: "BEACH ") == beach && albums.album(of: "Hills") == nil)
        #expect(albums.facts(remembering: beach, of: "beach") == [])
        let again = DirectoryAlbums(facts: facts.map { ($0.key, $0.value!) })
        #expect(again.album(of: "Beach") == beach)
    }

    // Shows that a renamed album has its new directory and not the former one, and that a commit that failed is made up for.
    @Test func anAlbumHasOneDirectory() {
        var albums = DirectoryAlbums()
        albums.remember("Beach", beach)
        let facts = albums.rename("Beach", to: "Strand", beach)
        #expect(albums.album(of: "Beach") == nil && albums.album(of: "Strand") == beach)
        #expect(Set(facts.map(\.key)) == [Array("beach".utf8), Array("strand".utf8)])
        #expect(albums.rename("Beach", to: "Strand", beach) == facts)
    }

    // Shows that files directly in the folder stay in their album when the directory of that album's first name goes, also
    // where an earlier version had one key for both.
    @Test func theFolderItselfKeepsItsAlbum() {
        var albums = DirectoryAlbums(facts: [(Array("photos".utf8), photos.bytes)])
        #expect(albums.album(of: "") == photos)
        _ = albums.rename("Photos", to: "Strand", photos)
        #expect(albums.album(of: "Photos") == nil)
        #expect(albums.album(of: "") == photos && albums.album(of: "Strand") == photos)
        albums.remember("Photos", beach)
        #expect(albums.album(of: "") == photos && albums.album(of: "Photos") == beach)
    }
}
