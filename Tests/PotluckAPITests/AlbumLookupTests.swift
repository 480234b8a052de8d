import AlbumModel
import PotluckAPI
import Testing

/// Which album a person means.
@Suite struct AlbumLookupTests {
    private let albums = ["Beach day", "beach day", "Café", "Wedding"].enumerated().map { index, name in
        (id: AlbumID(bytes: [UInt8](repeating: UInt8(index + 1), count: 16))!, name: name)
    }

    /// Shows the order: ID, exact name, name in any case.
    @Test func findsByIDThenByNameThenInAnyCase() throws {
        #expect(try AlbumLookup.find(albums[2].id.hex.uppercased(), among: albums) == albums[2].id)
        #expect(try AlbumLookup.find("beach day", among: albums) == albums[1].id)
        #expect(try AlbumLookup.find("WEDDING", among: albums) == albums[3].id)
    }

    /// Shows that a name typed in decomposed letters, as some systems do, is the same name.
    @Test func normalisationDoesNotMatter() throws {
        #expect(try AlbumLookup.find("Cafe\u{301}", among: albums) == albums[2].id)
    }

    /// Shows that a name that fits several albums is wrong usage that lists their IDs.
    @Test func anAmbiguousNameListsTheIDs() {
        let error = #expect(throws: PotluckError.self) { try AlbumLookup.find("BEACH DAY", among: albums) }
        #expect(error?.status == .usage)
        #expect(error?.message.contains(albums[0].id.hex) == true)
        #expect(error?.message.contains(albums[1].id.hex) == true)
    }

    /// Shows that an unknown name is told with names that are close, and without any where none is.
    @Test func anUnknownNameSuggestsCloseOnes() {
        let close = #expect(throws: PotluckError.self) { try AlbumLookup.find("Weding", among: albums) }
        #expect(close?.status == .notFound)
        #expect(close?.message.contains("“Wedding”") == true)
        let far = #expect(throws: PotluckError.self) { try AlbumLookup.find("Christmas", among: albums) }
        #expect(far?.status == .notFound)
        #expect(far?.message.contains("potluck albums") == true)
    }

    /// Shows that whoever looks for a removed or a hidden photo is sent to the list that has its album.
    @Test(arguments: [
        (PhotoLookup.Scope.album, "`potluck albums` lists them."),
        (PhotoLookup.Scope.hidden, "`potluck hidden` lists hidden photos with their albums."),
        (PhotoLookup.Scope.trash, "`potluck trash` lists removed photos with their albums."),
        (PhotoLookup.Scope.leftOut, "`potluck left-out` lists photos that are left out, with their albums."),
    ])
    func theListThatHelpsIsNamed(scope: PhotoLookup.Scope, advice: String) {
        let far = #expect(throws: PotluckError.self) { try AlbumLookup.find("Christmas", among: albums, scope) }
        #expect(far?.message == "There is no album called “Christmas”. \(advice)")
        let close = #expect(throws: PotluckError.self) { try AlbumLookup.find("Weding", among: albums, scope) }
        #expect(close?.message == "There is no album called “Weding”. Did you mean “Wedding”?")
    }

    /// Shows that swapped, missing and extra letters are found, the closest first, and at most three.
    @Test func closeNamesAreSortedAndFew() {
        #expect(CloseNames.find("albmus", among: ["albums", "add", "peers"]) == ["albums"])
        #expect(CloseNames.find("IMG", among: ["IMG 4", "IMG 2", "IMG 3", "IMG 1"]) == ["IMG 1", "IMG 2", "IMG 3"])
        #expect(CloseNames.find("", among: ["albums"]).isEmpty)
    }
}
