import AlbumModel
import Testing

/// When photos were taken, and in which order an album lists them.
@Suite struct TimelineTests {
    private let beach = AlbumName.identifier("Beach")
    private let hour: Int64 = 3_600_000

    private func read(
        _ number: UInt8, at milliseconds: Int64, offset: Int32? = nil, _ source: CaptureTime.Source = .exif,
        model: String = "", make: String = ""
    ) -> Change {
        .photoRead(
            beach, blob(number),
            PhotoFacts(
                readerVersion: 1, kind: .photo,
                taken: CaptureTime(localMilliseconds: milliseconds, offsetMinutes: offset, source: source),
                camera: Camera(make: make, model: model)))
    }

    private func order(_ album: Album) -> [BlobID] {
        album.livePhotos.compactMap { album.order($0.key) }.sorted().map(\.blob)
    }

    /// Videos that state UTC and files that state nothing stand where most cameras say that people were.
    @Test func instantsAreShiftedToTheUsualOffset() throws {
        var anna = Author(1)
        let adds = (1...6).map { addition(beach, $0) }
        let album = fold([
            anna.batch(
                adds + [
                    read(1, at: 10 * hour, offset: 120), read(2, at: 12 * hour, offset: 120),
                    read(3, at: 11 * hour, offset: 60), read(4, at: 9 * hour, offset: 0, .quickTime),
                    read(5, at: 9 * hour, offset: nil, .modification),
                ])
        ]).albums[beach]!
        #expect(album.usualOffsetMinutes == 120)
        #expect(album.order(blob(4))?.localMilliseconds == 11 * hour)
        // The sixth was never read: its file's time is 1970-01-01T00:00:00Z.
        #expect(album.order(blob(6))?.localMilliseconds == 2 * hour)
        #expect(album.taken(album.photos[blob(6)]!)?.source == .modification)
        #expect(order(album) == [6, 1, 3, 4, 5, 2].map { blob($0) })
    }

    /// Removing photos takes their offsets away; of equally frequent ones the smallest counts.
    @Test func usualOffsetFollowsLivePhotos() {
        var anna = Author(1)
        let add = anna.batch([
            addition(beach, 1), addition(beach, 2), addition(beach, 3), read(1, at: 0, offset: 60),
            read(2, at: 0, offset: -60), read(3, at: 0, offset: 60),
        ])
        #expect(fold([add]).albums[beach]!.usualOffsetMinutes == 60)
        let removal = anna.batch([.photoRemoved(beach, blob(1), adds: [dot(add)])])
        #expect(fold([removal, add]).albums[beach]!.usualOffsetMinutes == -60)
    }

    /// A camera's clock is set right in one person's hands, and not in another's; half a millisecond of a file's date
    /// before 1970 is before it.
    @Test func camerasAreCorrected() throws {
        var anna = Author(1)
        var ben = Author(2)
        let camera = CameraKey(contributor: anna.device, make: "Make", model: "M1", serial: "")
        let album = fold([
            anna.batch([
                addition(beach, 1), addition(beach, 3), read(1, at: 5000, model: "M1", make: "Make"),
                read(3, at: 5000), .cameraClockSet(beach, camera, seconds: -7, replaces: []),
            ]),
            ben.batch([addition(beach, 2), read(2, at: 4000, model: "M1", make: "Make")]),
        ]).albums[beach]!
        #expect(album.taken(album.photos[blob(1)]!)?.localMilliseconds == -2000)
        #expect(album.taken(album.photos[blob(2)]!)?.localMilliseconds == 4000)
        #expect(order(album) == [1, 2, 3].map { blob($0) })
        #expect(CaptureTime(modified: -1).localMilliseconds == -1)
        #expect(CaptureTime(modified: 1_999_999).localMilliseconds == 1)
    }

    /// Equal times are ordered by the bytes of the name, then by blob: never undecided, whatever the names.
    @Test func orderIsTotal() {
        var random = TestRandom(state: 7)
        let names = ["a", "A", "é", "e\u{301}", "b", "", "𝒳", "\u{FFFD}"]
        var orders: [AlbumOrder] = []
        for number in 0..<200 {
            orders.append(
                AlbumOrder(
                    localMilliseconds: Int64(random.next() % 3), name: names[Int(random.next() % 8)],
                    blob: blob(UInt8(number))))
        }
        let sorted = orders.sorted()
        for _ in 0..<20 { #expect(orders.shuffled(using: &random).sorted().map(\.blob) == sorted.map(\.blob)) }
        for (left, right) in zip(sorted, sorted.dropFirst()) {
            #expect(left < right && !(right < left) && left != right)
        }
    }
}
