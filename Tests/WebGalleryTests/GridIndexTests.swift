import AlbumModel
import Foundation
import PotluckAPI
import Testing

@testable import WebGallery

/// The listings from which pages draw the grid.
@Suite struct GridIndexTests {
    private let album = GridIndex.Album(id: "00ff", name: "Kuh \"reunion\"</script>")

    /// Shows the header's shape byte for byte: months and days newest first, sums of ratios, undated ones at the end.
    @Test func theHeaderIsAsInTheContract() throws {
        let index = GridIndex([
            entry(1, "2026-08-14T10:00:00", 4, 3), entry(2, "2026-08-14T11:00:00", 3, 4), entry(3, nil, 0, 0),
            entry(4, "2026-08-03T00:00:00", 16, 9), entry(5, "2025-12-31T23:59:59", 1, 1),
        ])
        let header = index.header(of: album)
        let months = try #require(try object(header.json)["months"] as? [[String: Any]])
        let version = months.map { $0["version"] as? String ?? "" }
        try #require(version.count == 3)
        #expect(
            String(decoding: header.json, as: UTF8.self) == """
                {"album":{"id":"00ff","name":"Kuh \\"reunion\\"\\u003c/script>"},"count":5,"months":[\
                {"month":"2026-08","version":"\(version[0])","days":[[14,2,2.083],[3,1,1.778]]},\
                {"month":"2025-12","version":"\(version[1])","days":[[31,1,1]]},\
                {"month":"undated","version":"\(version[2])","days":[[0,1,1]]}]}
                """)
        #expect(Set(version).count == 3 && version.allSatisfy { $0.utf8.count == 12 })
    }

    /// Shows a month's shape byte for byte, with each flag by itself, and photos newest first.
    @Test func aMonthIsAsInTheContract() throws {
        var entries = (0...7).map { entry($0, "2026-08-14T10:00:0\($0)") }
        entries[1].kind = .video
        entries[1].seconds = 83
        entries[2].kind = .live
        entries[4].isFavourite = true
        entries[5].kind = .raw
        entries[6].isHere = false
        entries[6].thumbnail = nil
        entries[7].hasComments = true
        let index = GridIndex(entries)
        let month = try #require(GridMonth(parsing: "2026-08"))
        let listing = try #require(index.listing(of: month, mine: [blob(3), blob(4), blob(99)]))
        func row(_ number: Int, _ end: String, thumbnail: String? = nil) -> String {
            let name = Base64URL.text(blob(number).bytes)
            let small = thumbnail ?? Base64URL.text(blob(number + 1_000_000).bytes.prefix(12))
            return "[\"\(name)\",\"\(small)\",1333,14,\(end)]"
        }
        let rows = [
            row(7, "64"), row(6, "32", thumbnail: ""), row(5, "16"), row(4, "12"), row(3, "4"), row(2, "2"),
            row(1, "1,83"), row(0, "0"),
        ]
        #expect(
            String(decoding: listing.json, as: UTF8.self)
                == "{\"month\":\"2026-08\",\"version\":\"\(listing.entityTag.opaque)\",\"photos\":[\(rows.joined(separator: ","))]}"
        )
        #expect(index.listing(of: .undated) == nil)
    }

    /// Shows that the versions of header and month agree, change with what is shown and with the person's own
    /// favourites in that month, and with nothing else.
    @Test func versionsFollowWhatIsShown() throws {
        let month = try #require(GridMonth(parsing: "2026-08"))
        let index = GridIndex([entry(1), entry(2), entry(3, "2026-07-01T00:00:00")])
        func versions(_ index: GridIndex, _ mine: Set<BlobID> = []) throws -> [String] {
            let months = try #require(
                try object(index.header(of: album, mine: mine).json)["months"] as? [[String: Any]])
            let versions = try months.map { try #require($0["version"] as? String) }
            #expect(index.listing(of: month, mine: mine)?.entityTag.opaque == versions[0])
            return versions
        }
        let plain = try versions(index)
        #expect(try versions(index, [blob(99)]) == plain)
        let mine = try versions(index, [blob(1)])
        #expect(mine[0] != plain[0] && mine[1] == plain[1])
        #expect(try versions(index, [blob(2)])[0] != mine[0])
        #expect(index.header(of: album).entityTag != index.header(of: album, mine: [blob(1)]).entityTag)

        var changed = index
        var other = entry(2)
        other.hasComments = true
        changed.change(putting: [other])
        #expect(try versions(changed)[0] != plain[0] && versions(changed)[1] == plain[1])
        changed.change(putting: [entry(2)])
        #expect(try versions(changed) == plain)
        #expect(changed.header(of: album) == index.header(of: album))
    }

    /// Shows by some hundred random changes that an index that changes is the index of what there is, whatever the
    /// order.
    @Test func changesAreAsANewIndex() {
        var generator = SeededGenerator(state: 20_261_123)
        var index = GridIndex()
        var model: [Int: GridEntry] = [:]
        let dates = [nil, "2026-08-14T10:00:00", "2026-08-14T11:00:00", "2026-08-15T10:00:00", "2026-09-01T00:00:00"]
        for _ in 0..<400 {
            let removed = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
                Int.random(in: 0..<60, using: &generator)
            }
            let put = (0..<Int.random(in: 0...3, using: &generator)).map { _ -> (Int, GridEntry) in
                let number = Int.random(in: 0..<60, using: &generator)
                var entry = entry(number, dates.randomElement(using: &generator)!)
                entry.isHere = Bool.random(using: &generator)
                return (number, entry)
            }
            for number in removed { model[number] = nil }
            for (number, entry) in put { model[number] = entry }
            index.change(putting: put.map(\.1), removing: removed.map { blob($0) })
            let anew = GridIndex(model.values.shuffled(using: &generator))
            #expect(index.count == model.count)
            #expect(index.header(of: album) == anew.header(of: album))
            for month in Set(model.values.map(\.month)) {
                #expect(index.listing(of: month) == anew.listing(of: month))
            }
            #expect(Array(index.photos) == Array(anew.photos))
        }
    }

    /// Shows that a month goes with its last photo, taken out or moved to another date, and comes back with a new one.
    @Test func monthsGoWithTheirLastPhoto() throws {
        let july = try #require(GridMonth(parsing: "2026-07"))
        let one = GridIndex([entry(2)])
        var index = GridIndex([entry(1, "2026-07-01T00:00:00"), entry(2)])
        let both = index.header(of: album)
        index.change(removing: [blob(1), blob(99)])
        #expect(index.listing(of: july) == nil && index.header(of: album) == one.header(of: album))
        index.change(putting: [entry(1, "2026-07-01T00:00:00")])
        #expect(index.header(of: album) == both)
        index.change(putting: [entry(1)])
        #expect(index.listing(of: july) == nil)
        #expect(index.header(of: album) == GridIndex([entry(1), entry(2)]).header(of: album))
    }

    /// Shows that of several entries for one photo the last counts, in another month too.
    @Test func onePhotoHasOnePlace() {
        let index = GridIndex([entry(1, nil), entry(2), entry(1, "2026-07-01T00:00:00")])
        #expect(index.count == 2)
        #expect(index.listing(of: .undated) == nil)
        #expect(Array(index.photos) == [entry(2), entry(1, "2026-07-01T00:00:00")])
    }

    /// Shows pages of the plain list across the ends of months.
    @Test func pagesOfTheListFollowTheGrid() {
        let entries = (0..<25).map { entry($0, $0 % 3 == 0 ? nil : "20\(10 + $0)-0\(1 + $0 % 9)-11T10:00:00") }
        let index = GridIndex(entries)
        let all = Array(index.photos)
        #expect(all.count == 25)
        for start in 0...26 {
            for count in [0, 1, 7, 40] {
                #expect(index.photos(from: start, count: count) == Array(all.dropFirst(start).prefix(count)))
            }
        }
    }

    /// Shows that damaged or malicious sizes stay within what a grid can draw.
    @Test func ratiosAreBounded() {
        #expect(entry(1, nil, 4000, 3000).aspectThousandths == 1333)
        #expect(entry(1, nil, .max, 1).aspectThousandths == 20_000)
        #expect(entry(1, nil, 1, .max).aspectThousandths == 50)
        #expect(entry(1, nil, 0, 100).aspectThousandths == 1000)
    }

    /// Shows the promised sizes: 50,000 photos in a header of 100 KB, and less than 100 bytes a photo.
    @Test func fiftyThousandPhotosAreSmall() throws {
        var generator = SeededGenerator(state: 7)
        let entries = (0..<50_000).map { number -> GridEntry in
            var entry = entry(number, nil, .random(in: 1...6000, using: &generator), 4000)
            entry.taken = GridTime(
                year: 2016 + number % 10, month: 1 + Int.random(in: 0..<12, using: &generator),
                day: 1 + Int.random(in: 0..<28, using: &generator), millisecondOfDay: number)
            entry.kind = .video
            entry.seconds = 4000
            entry.isHere = false
            entry.hasComments = true
            entry.isFavourite = true
            return entry
        }
        let index = GridIndex(entries)
        let header = index.header(of: album)
        #expect(header.json.count < 100_000)
        let months = try #require(try object(header.json)["months"] as? [[String: Any]])
        #expect(months.count == 120)
        var byteCount = 0
        for month in months {
            let text = try #require(month["month"] as? String)
            let name = try #require(GridMonth(parsing: text))
            byteCount += try #require(index.listing(of: name)).json.count
        }
        #expect(byteCount < 50_000 * 100)
    }

    /// Shows how a photo of a listing becomes one of the grid.
    @Test func listingsBecomeEntries() throws {
        var photo = PhotosReport.Photo(
            id: blob(1).hex, name: "IMG_1.MOV", file: nil, bytes: 9, type: "video/quicktime", by: "Lena",
            contributors: ["Lena"], here: false, copies: nil, where: [])
        photo.kind = .video
        photo.width = 1920
        photo.height = 1080
        photo.taken = "2026-08-14T18:40:07+02:00"
        photo.duration = 83.6
        photo.thumbnail = blob(2).hex
        photo.favourites = ["Grandma's laptop"]
        let found = try #require(GridEntry(photo, hasComments: true))
        #expect(found.flags(isMine: false) == 1 | 8 | 32 | 64)
        #expect(found.seconds == 84)
        #expect(found.month.text == "2026-08" && found.day == 14)
        #expect(found.thumbnail == blob(2) && found.aspectThousandths == 1778)
        photo.kind = .motion
        #expect(GridEntry(photo)?.kind == .live && GridEntry(photo)?.seconds == nil)
        photo.duration = -.infinity
        photo.kind = .video
        #expect(GridEntry(photo)?.seconds == nil)
        photo.id = "IMG_1.MOV"
        #expect(GridEntry(photo) == nil)
    }
}
