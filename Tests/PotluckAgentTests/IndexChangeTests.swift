import AlbumModel
import FoundationEssentials
import PhotoStore
import SyncEngine
import TestSupport
import Testing

@testable import PotluckAgent

/// The index follows the fold: change by change it holds what it would hold if it were made anew.
@Suite struct IndexChangeTests {
    private let albums = ["Beach", "Hike"].map { AlbumName.identifier($0) }
    private let devices = (1...3 as ClosedRange<UInt8>).map { DeviceID(bytes: [UInt8](repeating: $0, count: 32))! }

    private func withIndex(_ body: (Index, Index) throws -> Void) throws {
        let home = "/tmp/potluck-index-\(UInt64.random(in: 0...UInt64.max))"
        defer {
            // A leftover in /tmp is no reason to fail.
            try? FileManager.default.removeItem(atPath: home)
        }
        for name in ["a", "b"] {
            try FileManager.default.createDirectory(atPath: "\(home)/\(name)", withIntermediateDirectories: true)
        }
        try body(Index(home: "\(home)/a"), Index(home: "\(home)/b"))
    }

    @Test(arguments: TestSeeds.all(pinned: [1, 2])) func randomChangesAreFollowed(_ seed: UInt64) throws {
        try withIndex { followed, anew in
            var random = SplitMix(state: seed)
            var writer = Writer()
            var catalog = Catalog()
            try followed.follow(catalog, log: BatchLog())
            for step in 0..<120 {
                let changes = (0..<Int.random(in: 1...5, using: &random)).map { _ in change(catalog, &random) }
                let (batch, id, device) = writer.batch(changes, by: devices.randomElement(using: &random)!)
                let difference = catalog.apply(batch, id: id, author: device, received: .max)
                try IndexChange(ProjectionQueue.Part(difference), catalog: catalog, log: BatchLog()).apply(to: followed)
                guard step % 10 == 9 else { continue }
                try anew.write(catalog, stamp: IndexStamp(foldLevel: 0, vector: []))
                #expect(try anew.follow(catalog, log: BatchLog()))
                try expectEqual(followed, anew)
                try expectOrder(followed, catalog)
            }
        }
    }

    private func expectEqual(_ left: Index, _ right: Index) throws {
        #expect(try left.albums() == right.albums())
        #expect(try left.tags() == right.tags())
        for album in albums { #expect(try left.photos(album: album) == right.photos(album: album)) }
        for word in ["img", "swim", "sea", "name", "canon"] {
            // How good a hit is depends on what the other photos say, never on how they came to say it.
            #expect(try left.search(word) == right.search(word))
        }
    }

    /// The entries stand as ``AlbumOrder`` says, and nothing is missing.
    private func expectOrder(_ index: Index, _ catalog: Catalog) throws {
        for id in albums {
            let listed = try index.photos(album: id)
            guard let album = catalog.albums[id] else { continue }
            let all = listed.flatMap { [$0.photo.blob] + $0.companions.map(\.blob) }
            #expect(Set(all) == Set(album.livePhotos.map(\.key)))
            #expect(all.count == album.liveCount)
            let orders = listed.compactMap { album.order($0.photo.blob) }
            #expect(orders == orders.sorted())
            #expect(orders.map(\.localMilliseconds) == listed.map(\.localMilliseconds))
            for listing in listed {
                #expect(try album.taken(#require(album.photos[listing.photo.blob])) == listing.taken)
            }
        }
    }

    private func change(_ catalog: Catalog, _ random: inout SplitMix) -> Change {
        let album = albums.randomElement(using: &random)!
        let blob = BlobID(bytes: [UInt8](repeating: UInt8.random(in: 0..<8, using: &random), count: 32))!
        let photo = catalog.photo(PhotoKey(album: album, blob: blob))
        let stem = ["IMG_1", "IMG_2"].randomElement(using: &random)!
        let name = stem + [".jpg", ".mov", ".dng", ".aae"].randomElement(using: &random)!
        switch Int.random(in: 0..<14, using: &random) {
        case 0...3:
            return .photoAdded(
                PhotoAddition(
                    album: album, blob: blob, byteCount: 9, pieceListHash: nil, name: name, mediaType: "image/jpeg",
                    modified: Int64.random(in: 0...3, using: &random) * 1_000_000))
        case 4: return .photoRemoved(album, blob, adds: photo?.adds.map(\.dot) ?? [])
        case 5: return .photoNamed(album, blob, name: name, replaces: photo?.name.currentDots ?? [])
        case 6...7: return .photoRead(album, blob, facts(&random))
        case 8: return .photoCaptioned(album, blob, "The sea", replaces: photo?.caption.currentDots ?? [])
        case 9: return .photoTagged(album, blob, ["swim", "Swim", "walk"].randomElement(using: &random)!)
        case 10: return .photoUntagged(album, blob, "swim", adds: photo?.tagDots("swim") ?? [])
        case 11: return .photoFavoured(album, blob)
        case 12: return .deviceNamed("Name \(Int.random(in: 0..<9, using: &random))")
        default:
            let camera = CameraKey(
                contributor: devices.randomElement(using: &random)!, make: "Canon", model: "1", serial: "")
            if Bool.random(using: &random) { return .coverChosen(album, blob, replaces: []) }
            let register = catalog.albums[album]?.cameraClocks[camera]
            return .cameraClockSet(
                album, camera, seconds: Int64.random(in: -3...3, using: &random),
                replaces: register?.currentDots ?? [])
        }
    }

    private func facts(_ random: inout SplitMix) -> PhotoFacts {
        PhotoFacts(
            readerVersion: 1, kind: [.photo, .video, .raw, .sidecar].randomElement(using: &random)!,
            taken: CaptureTime(
                localMilliseconds: Int64.random(in: 0...2, using: &random) * 1000,
                offsetMinutes: [nil, 0, 60, -60].randomElement(using: &random)!,
                source: [.exif, .quickTime, .modification].randomElement(using: &random)!),
            camera: Camera(
                make: "Canon", model: "\(Int.random(in: 0...2, using: &random))",
                lens: ["", "50mm"].randomElement(using: &random)!),
            contentIdentifier: ["", "A"].randomElement(using: &random)!)
    }

    /// Signs nothing: the fold does not look.
    private struct Writer {
        private var next: UInt64 = 1

        mutating func batch(_ changes: [Change], by device: DeviceID) -> (Batch, BatchID, DeviceID) {
            let batch = Batch(
                replica: ReplicaID(bytes: device.bytes.prefix(16))!, firstSequence: next, previous: nil,
                clock: ClockReading(microseconds: next), changes: changes, proof: nil)
            next += UInt64(changes.count)
            return (batch, BatchID(bytes: BigEndian.bytes(next) + [UInt8](repeating: 1, count: 24))!, device)
        }
    }
}
