import AlbumModel
import PotluckAPI
import Testing

@testable import WebGallery

/// Searches in albums.
@Suite struct GalleryFilterTests {
    private let photos: [GalleryPhoto]

    init() {
        var entries = [
            entry(0, "2026-08-14T00:00:00"), entry(1, "2026-08-14T23:59:59.999"), entry(2, "2026-08-15T00:00:00"),
            entry(3, nil), entry(4, "2026-08-15T10:00:00"),
        ]
        entries[1].kind = .video
        entries[2].kind = .live
        entries[3].kind = .raw
        entries[2].isFavourite = true
        photos = [
            GalleryPhoto(
                entries[0], name: "IMG_1.JPG", caption: "Größe des Turms", people: ["Grandma's laptop", "Lena"],
                tags: ["cake", "Garden"], camera: "Canon EOS R6"),
            GalleryPhoto(entries[1], name: "MOV_2.MOV", people: ["Lena"], tags: ["Cake", "cake"], camera: "iPhone 15"),
            GalleryPhoto(entries[2], name: "IMG_3.HEIC", people: ["lena"], camera: "iPhone 15"),
            GalleryPhoto(entries[3], name: "IMG_4.DNG", people: ["Tom"], camera: "canon eos r6"),
            GalleryPhoto(entries[4], name: "IMG_5.JPG", caption: "the tower"),
        ]
    }

    private func found(_ query: (name: String, value: String)...) throws -> [Int] {
        let filter = try GalleryFilter(query)
        return photos.indices.filter { filter.contains(photos[$0]) }
    }

    /// Shows each condition by itself, in any case, and all of them together.
    @Test func conditionsLeaveOut() throws {
        #expect(try found() == [0, 1, 2, 3, 4])
        #expect(try found(("text", "GRÖSSE")) == [0])
        #expect(try found(("text", "größe turm")) == [0])
        #expect(try found(("text", "Gro\u{308}ße")) == [0])
        #expect(try found(("text", "grosse")) == [0])
        #expect(try found(("text", "TÔWER")) == [4])
        #expect(try found(("text", " img  jpg ")) == [0, 4])
        #expect(try found(("text", "lena")) == [0, 1, 2])
        #expect(try found(("text", "lena cake")) == [0, 1])
        #expect(try found(("text", "jpg\ngrö")) == [0])
        #expect(try found(("person", "LENA")) == [0, 1, 2])
        #expect(try found(("person", "Len")) == [])
        #expect(try found(("tag", "cake")) == [0, 1])
        #expect(try found(("camera", "Canon EOS R6")) == [0, 3])
        #expect(try found(("type", "photo")) == [0, 2, 3, 4])
        #expect(try found(("type", "video")) == [1])
        #expect(try found(("type", "live")) == [2])
        #expect(try found(("type", "raw")) == [3])
        #expect(try found(("favourites", "1")) == [2])
        #expect(try found(("favourites", "0")) == [0, 1, 2, 3, 4])
        #expect(try found(("person", "Lena"), ("camera", "iPhone 15"), ("type", "video")) == [1])
        #expect(try found(("limit", "5"), ("text", ""), ("person", ""), ("type", "")) == [0, 1, 2, 3, 4])
    }

    /// Shows that the name of an album finds its photos, together with their own words, where several are searched.
    @Test func albumsAreFound() throws {
        let filter = try GalleryFilter([(name: "text", value: "soren cake")])
        let album = SearchedAlbum(name: "Hos Søren")
        #expect(photos.indices.filter { filter.contains(photos[$0], in: album) } == [0, 1])
        #expect(photos.indices.filter { filter.contains(photos[$0], in: SearchedAlbum(name: "Cake")) } == [])
        #expect(try found(("text", "soren cake")) == [])
    }

    /// Shows that both days of a span belong to it, and photos without a date to none.
    @Test func spansHaveTheirDays() throws {
        #expect(try found(("from", "2026-08-14"), ("to", "2026-08-14")) == [0, 1])
        #expect(try found(("from", "2026-08-15")) == [2, 4])
        #expect(try found(("to", "2026-08-14")) == [0, 1])
        #expect(try found(("from", "0001-01-01"), ("to", "9999-12-31")) == [0, 1, 2, 4])
    }

    @Test(
        arguments: [
            ("type", "motion"), ("from", "2026-8-14"), ("to", "2026-02-30"), ("from", "yesterday"),
            ("favourites", "true"), ("to", "2026-08-14T10:00"),
        ])
    func wrongValuesAreNamed(_ name: String, _ value: String) {
        #expect(throws: GalleryFilter.Failure(name: name)) { try GalleryFilter([(name: name, value: value)]) }
    }

    @Test func anEmptyFilterIsKnown() throws {
        #expect(GalleryFilter().isEmpty)
        #expect(try GalleryFilter([(name: "text", value: " "), (name: "album", value: "x")]).isEmpty)
        #expect(try !GalleryFilter([(name: "type", value: "raw")]).isEmpty)
    }

    /// Shows that a search counts up to its 512th byte, wherever in a letter that is, and that a longer one is no error.
    @Test func searchesAreBounded() throws {
        func filter(_ text: String) throws -> GalleryFilter { try GalleryFilter([(name: "text", value: text)]) }
        func letters(_ count: Int) -> String { String(repeating: "a", count: count) }
        #expect(try filter(letters(511)) != filter(letters(512)))
        #expect(try filter(letters(512)) == filter(letters(100_000)))
        #expect(try filter(letters(511) + "é") == filter(letters(511)))
        // One letter of 25 bytes.
        func families(_ count: Int) -> String { String(repeating: "👨‍👩‍👧‍👦", count: count) }
        #expect(try filter(families(20)) != filter(families(21)))
        #expect(try filter(families(21)) == filter(families(100)))
        #expect(try found(("text", "lena " + letters(600))) == [])
    }

    /// Shows that of each list 500 choices are told, those that leave most photos, and that all of them can be chosen.
    @Test func choicesAreBounded() throws {
        let photos = (0...500).map { number in
            GalleryPhoto(
                entry(number), name: "\(number).JPG", people: ["Guest \(number)"], tags: ["tag\(number)"],
                camera: "Camera \(number)")
        }
        let choices = FilterChoices(photos + photos.suffix(1))
        for (list, name) in [(choices.people, "Guest"), (choices.tags, "tag"), (choices.cameras, "Camera")] {
            #expect(list.count == 500)
            #expect(list.first?.count == 2 && list.first?.name.hasPrefix(name) == true)
            #expect(list.dropFirst().allSatisfy { $0.count == 1 })
        }
        #expect(choices.tags.first?.name == "tag500")
        let left = try GalleryFilter([(name: "tag", value: "tag99")])
        #expect(!choices.tags.contains { $0.name == "tag99" } && photos.count { left.contains($0) } == 1)
    }

    /// Shows counts under the first spelling, the most frequent first, and that each count is what its filter leaves.
    @Test func choicesHaveCounts() throws {
        let choices = FilterChoices(photos)
        #expect(choices.people.map { "\($0.name) \($0.count)" } == ["Lena 3", "Grandma's laptop 1", "Tom 1"])
        #expect(choices.tags.map { "\($0.name) \($0.count)" } == ["cake 2", "Garden 1"])
        #expect(choices.cameras.map { "\($0.name) \($0.count)" } == ["Canon EOS R6 2", "iPhone 15 2"])
        #expect(choices.types.map { "\($0.name) \($0.count)" } == ["photo 4", "video 1", "live 1", "raw 1"])
        for (key, list) in [
            ("person", choices.people), ("tag", choices.tags), ("camera", choices.cameras), ("type", choices.types),
        ] {
            for choice in list { #expect(try found((key, choice.name)).count == choice.count, "\(key) \(choice.name)") }
        }
        #expect(FilterChoices([]).types.isEmpty)
    }

    @Test func listingsBecomePhotos() throws {
        var report = PhotosReport.Photo(
            id: blob(1).hex, name: "IMG_1.JPG", file: nil, bytes: 1, type: "image/jpeg", by: "Lena",
            contributors: ["Lena", "Tom"], here: true, copies: 1, where: [])
        report.make = "Apple"
        report.model = "iPhone 15"
        report.tags = ["cake"]
        report.caption = "Tower"
        let photo = try #require(GalleryPhoto(report))
        #expect(photo.people == ["Lena", "Tom"] && photo.tags == ["cake"] && photo.camera == "Apple iPhone 15")
        #expect(try GalleryFilter([(name: "text", value: "tower img_1 tom apple cake")]).contains(photo))
        #expect(CameraName.text(make: "Canon", model: "Canon EOS R6") == "Canon EOS R6")
        #expect(CameraName.text(make: "NIKON CORPORATION", model: "NIKON D750") == "NIKON D750")
        #expect(CameraName.text(make: "", model: "X") == "X" && CameraName.text(make: "Sony", model: "") == "Sony")
    }
}
