import AlbumModel
import FolderEngine
import PhotoStore
import PotluckAPI
import SyncEngine
import TestSupport
import Testing

@testable import PotluckAgent

/// What a laptop added after it was put out, on a laptop to which it came before the ruling did.
@Suite(.timeLimit(.minutes(1))) struct LeftOutTests {
    private static let sea = photo("sea", in: "Beach")
    private static let hill = photo("hill", in: "Beach")
    private static let sun = photo("sun", in: "Pier")

    private static func photo(_ text: String, in album: String) -> PhotoKey {
        PhotoKey(album: AlbumName.identifier(album), blob: CarriedHome.blob(text))
    }

    /// Anna has put Ben out, and knew of the sea alone. Carla has all that Ben added, and then hears of it.
    ///
    /// - Parameters:
    ///   - pier: the name that Ben gave to the album "Pier" in the end.
    ///   - removed: a photo that Carla removes from the album "Beach" for everyone before she hears of it.
    private static func withLaggard(
        pier: String = "Pier", removing removed: String? = nil, _ body: (CarriedHome) async throws -> Void
    ) async throws {
        try await CarriedGathering.with { gathering in
            let phrase = try await OfflineListings(home: gathering.anna.path).invite().phrase
            let carla = CarriedHome(path: gathering.root + "/carla", stick: gathering.anna.stick)
            _ = try await HomeSetup.join(home: carla.path, phrase: phrase, device: "Carla")
            try gathering.ben.add(["sea"], to: "Beach")
            try await gathering.ben.pack()
            _ = try await gathering.anna.unpack()
            try await RunningAgent.run(gathering.anna.path) { running in
                _ = try await running.control().putOut(["ben"], recoveryCode: nil)
            }
            try gathering.ben.add(["hill"], to: "Beach")
            try gathering.ben.add(["sun"], to: "Pier")
            if pier != "Pier" { try Self.rename(Self.sun.album, pier, gathering.ben.path) }
            try await gathering.ben.pack()
            _ = try await carla.unpack()
            #expect(try await carla.albums().map { "\($0.name) \($0.photos)" }.sorted() == ["Beach 2", "\(pier) 1"])
            if let removed {
                try await RunningAgent.run(carla.path) { running in
                    await running.services.removal.settleAll()
                    let order = RemovalOrder(.removeForEveryone, album: "Beach", photos: [removed])
                    _ = try await running.control().remove(order)
                    #expect(try await running.control().trash(album: nil).trash.map(\.name) == [removed])
                }
            }
            let rulings = try Journal(home: gathering.anna.path)
            var facts: [FactChange] = []
            for kind in [FactKind.ruling, .epoch] {
                for (key, value) in try rulings.facts(kind) {
                    facts.append(FactChange(kind: kind, key: key, value: value))
                }
            }
            try Journal(home: carla.path).setFacts(facts)
            try await body(carla)
        }
    }

    private static func rename(_ album: AlbumID, _ name: String, _ path: String) throws {
        let home = try OpenHome(home: path, waitMilliseconds: 5000, for: .run(runsTwice: false))
        defer { home.lock.release() }
        var engine = home.engine(replica: try home.replicaToContinue(), port: 0)
        try SmallHome.contribute(.albumName(album, name), to: &engine, home)
    }

    /// It is in no album, its files leave the folder, a scan does not bring it back, and its bytes stay.
    @Test func itIsInNoAlbumAndNotLost() async throws {
        try await Self.withLaggard { carla in
            #expect(try await carla.albums().map { "\($0.name) \($0.photos)" } == ["Beach 1"])
            try await RunningAgent.run(carla.path) { running in
                let engine = await running.view.engine
                #expect(engine.leftOutPhotos == [Self.hill, Self.sun].sorted() && !engine.isFoldStale)
                #expect(await running.isLive(Self.sea))
                await running.services.removal.settleAll()
                await running.services.removal.isSettled()
                let leaving = running.folder.notes.flatMap { note -> [PhotoKey] in
                    if case .tookAway(let photos) = note { photos } else { [] }
                }
                #expect(Set(leaving).isSuperset(of: engine.leftOutPhotos) && !leaving.contains(Self.sea))
                let bridge = try FolderBridge(services: running.services, folderRoot: "/nonexistent")
                #expect(await bridge.standing(ofPhoto: Self.sea.blob, inDirectory: "Beach") == .present)
                #expect(await bridge.standing(ofPhoto: Self.hill.blob, inDirectory: "Beach") == .removed)
                #expect(await bridge.standing(ofPhoto: CarriedHome.blob("new"), inDirectory: "Beach") == .unknown)
                for photo in [Self.hill, Self.sun] {
                    #expect(running.parts.blobs.contains(photo.blob) && !engine.isUnneeded(photo.blob))
                }
                #expect(try await running.control().trash(album: nil).trash.isEmpty)
            }
            let report = try await OfflineVerify.run(
                home: carla.path, VerifyOrder(repair: false, restart: true)
            ) { _ in }
            #expect(report.unneeded.photos == 0, "\(report)")
        }
    }

    /// It is listed with and without an agent, with its album's name where nothing else names it. Kept, it is in its album as
    /// Carla's own; what is not here stays elsewhere.
    @Test func itIsListedAndKept() async throws {
        try await Self.withLaggard { carla in
            let offline = try await OfflineListings(home: carla.path).leftOut(album: nil)
            #expect(
                offline.leftOut.map { "\($0.album)/\($0.name) by \($0.by)" } == [
                    "Beach/hill.jpg by Ben", "Pier/sun.jpg by Ben",
                ])
            try await RunningAgent.run(carla.path) { running in
                let control = running.control()
                #expect(try await control.leftOut(album: nil) == offline)
                let amount = try await control.status(skipped: false, all: false).notCounted
                #expect(amount == .init(photos: 2, bytes: offline.leftOut.reduce(0) { $0 + $1.bytes }))
                #expect(try await control.leftOut(album: "Pier").leftOut.map(\.id) == [Self.sun.blob.hex])
                #expect(try await control.leftOut(album: "Beach").leftOut.map(\.here) == [true])
                let unknown = await #expect(throws: PotluckError.self) {
                    _ = try await control.leftOut(album: "Nowhere")
                }
                #expect(unknown?.status == .notFound && unknown?.message.contains("`potluck left-out`") == true)
                let counted = await #expect(throws: PotluckError.self) {
                    _ = try await control.remove(RemovalOrder(.keep, album: "Beach", photos: ["sea.jpg"]))
                }
                #expect(counted?.message.contains("left out of “Beach”") == true)
                let kept = try await control.remove(RemovalOrder(.keep, album: "Pier", photos: ["sun.jpg"]))
                #expect(kept.album == "Pier" && kept.photos.map(\.outcome) == [.added])
                let catalog = await running.view.engine.catalog
                let carlas = await running.view.engine.device
                #expect(catalog.photo(Self.sun)?.adds.map(\.author) == [carlas])
                #expect(catalog.shownName(Self.sun.album) == "Pier")
                #expect(try await control.leftOut(album: nil).leftOut.map(\.id) == [Self.hill.blob.hex])
                _ = try running.parts.blobs.delete(Self.hill.blob)
                await running.services.host.feed(.blobLost(Self.hill.blob))
                let absent = await #expect(throws: PotluckError.self) {
                    _ = try await control.remove(RemovalOrder(.keep, album: "Beach", photos: ["hill.jpg"]))
                }
                #expect(absent?.message.contains("keep it there") == true)
            }
            #expect(try await carla.albums().map { "\($0.name) \($0.photos)" }.sorted() == ["Beach 1", "Pier 1"])
        }
    }

    /// An album that nothing else speaks of, and that was renamed, is the same one once a photo of it is kept: the photo
    /// is left out no longer, and the album has its last name.
    @Test func anAlbumThatWasRenamedStaysTheSame() async throws {
        try await Self.withLaggard(pier: "Quay") { carla in
            try await RunningAgent.run(carla.path) { running in
                let control = running.control()
                let kept = try await control.remove(RemovalOrder(.keep, album: "Quay", photos: ["sun.jpg"]))
                #expect(kept.album == "Quay" && kept.albumID == Self.sun.album.hex)
                let catalog = await running.view.engine.catalog
                #expect(catalog.isLive(Self.sun) && catalog.shownName(Self.sun.album) == "Quay")
                #expect(try await control.leftOut(album: nil).leftOut.map(\.id) == [Self.hill.blob.hex])
            }
        }
    }

    /// A photo that Carla removed, and that turns out to be left out, is in her trash still and comes back from there.
    @Test func whatWasRemovedIsRestored() async throws {
        try await Self.withLaggard(removing: "hill.jpg") { carla in
            try await RunningAgent.run(carla.path) { running in
                let control = running.control()
                await running.services.removal.settleAll()
                let leftOut = try await control.leftOut(album: nil).leftOut
                #expect(leftOut.map(\.id) == [Self.sun.blob.hex])
                let trash = try await control.trash(album: nil).trash
                #expect(trash.map { "\($0.name) \($0.bytes)" } == ["hill.jpg 4"])
                let order = RemovalOrder(.restore, album: "Beach", photos: ["hill.jpg"])
                let restored = try await control.remove(order).photos
                #expect(restored.map(\.outcome) == [.restored])
                #expect(await running.isLive(Self.hill))
                #expect(try await control.trash(album: nil).trash.isEmpty)
            }
        }
    }
}
