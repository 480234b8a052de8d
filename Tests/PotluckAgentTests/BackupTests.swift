import AlbumModel
import DiskIO
import FoundationEssentials
import PeerTransport
import PhotoStore
import PotluckAPI
import SharedFolder
import SyncEngine
import TestSupport
import Testing

@testable import PotluckAgent

/// Backups of a home, and homes made of them.
@Suite(.slow, .timeLimit(.minutes(1))) struct BackupTests {
    private static func back(_ home: SmallHome, check: Bool = false) async throws -> BackupReport {
        try await Backup.make(home: home.path, directory: home.directory + "/backup", check: check) { _ in }
    }

    private static func restore(_ home: SmallHome, to path: String) async throws -> BackupReport {
        try await Restore.run(directory: home.directory + "/backup", home: path) { _ in }
    }

    private static func listed(_ home: String) async throws -> [PhotosReport.Photo] {
        try await OfflineListings(home: home).photos(album: "Beach").photos.sorted { $0.id < $1.id }
    }

    /// A home made of a backup lists what the first one listed, with every byte; it is the same device, begins a new
    /// replica, and has a folder of its own that is filled at once.
    @Test func restoredHomesAreMembersAgain() async throws {
        try await SmallHome.with(photos: 5) { home in
            try await home.opened { _ = try await home.placed($0, mayLink: true) }
            let listed = try await Self.listed(home.path).map(\.id)
            let old = try Journal(home: home.path)
            let device = try #require(try Membership.load(old)).identity.deviceID
            #expect(try old.identity(.replica) != nil)

            let made = try await Self.back(home)
            #expect(made.files == 5 && made.copied == 5 && made.missing.isEmpty && made.gathering == "Upkeep")
            let path = home.directory + "/restored"
            let restored = try await Self.restore(home, to: path)
            #expect(restored.copied == 5 && restored.missing.isEmpty && restored.made == made.made)
            #expect(!FileManager.default.fileExists(atPath: path + "/restoring"))

            try await home.opened { #expect($0.life == .goesOn) }
            #expect(try Journal(home: path).folder(home: path) == nil)
            let opened = try OpenHome(home: path, waitMilliseconds: 5000, for: .run(runsTwice: false))
            #expect(opened.life == .restored)
            #expect(opened.membership.identity.deviceID == device)
            #expect(try opened.replicaToContinue() == nil)
            for blob in home.blobs { #expect(try opened.blobs.open(blob) != nil) }
            // What it adds now goes into a replica of its own, after what it had.
            var engine = opened.engine(replica: nil, port: 1)
            try SmallHome.contribute(.deviceName("Anna again"), to: &engine, opened)
            #expect(engine.catalog.deviceName(device) == "Anna again")
            #expect(try opened.journal.identity(.replica) != old.identity(.replica))
            // An empty folder has nothing that others may have removed.
            let folder = try await OfflineListings.folder(path + "/Photos", opened)
            #expect(!folder.awaitsAdoption)
            #expect(folder.files().isEmpty)
            opened.lock.release()
            #expect(try await Self.listed(path).map(\.id) == listed)
            #expect(
                try await OfflineVerify.run(home: path, VerifyOrder(repair: false, restart: true)) { _ in }
                    .findings.isEmpty)
        }
    }

    /// A home that is made of the backup of one that was left takes part.
    @Test func restoredHomesTakePart() async throws {
        try await SmallHome.with(photos: 1) { home in
            try HomeSetup.leave(home: home.path, now: Instant(microsecondsSince1970: 0))
            _ = try await Self.back(home)
            let path = home.directory + "/restored"
            _ = try await Self.restore(home, to: path)
            #expect(try HomeSetup.hasLeft(home: home.path))
            #expect(try !HomeSetup.hasLeft(home: path))
        }
    }

    /// The second time only what is new is copied; what the home lost since stays in the backup.
    @Test func backupsAreBroughtUpToDate() async throws {
        try await SmallHome.with(photos: 3) { home in
            _ = try await Self.back(home)
            #expect(try await Self.back(home).copied == 0)
            try await home.opened { opened in
                let blob = try opened.blobs.ingest(bytes: [1, 2, 3])
                var engine = opened.engine(replica: try opened.replicaToContinue(), port: 1)
                let file = PhotoFile(
                    blob: blob, byteCount: 3, pieceList: nil, name: "new.jpg", mediaType: "image/jpeg", modified: 0)
                try SmallHome.contribute(.photo(albumName: "Beach", file), to: &engine, opened)
            }
            try FileManager.default.removeItem(atPath: home.file(of: home.blobs[0]))
            let report = try await Self.back(home)
            #expect(report.copied == 1)
            #expect(report.files == 3)
            #expect(report.kept == 1)
            let path = home.directory + "/restored"
            #expect(try await Self.restore(home, to: path).copied == 4)
            #expect(try await Self.listed(path).count { $0.here } == 4)
        }
    }

    /// What is damaged in the home is not copied and named; what is damaged in the backup is found by a check and copied
    /// again, and without one it is left out of a restored home.
    @Test func damageIsNotCopied() async throws {
        try await SmallHome.with(photos: 3) { home in
            try SmallHome.damage(home.file(of: home.blobs[0]))
            #expect(try await Self.back(home).missing.map(\.id) == [home.blobs[0].hex])
            let copy = BlobStore.path(of: home.blobs[1], home: home.directory + "/backup")
            try SmallHome.damage(copy)
            let path = home.directory + "/restored"
            #expect(try await Self.restore(home, to: path).missing.map(\.id) == [home.blobs[1].hex])
            #expect(try await Self.back(home).copied == 0)
            #expect(try await Self.back(home, check: true).copied == 1)
            #expect(try await Self.restore(home, to: home.directory + "/second").missing.isEmpty)
        }
    }

    /// An interrupted restore is no home, and the next one goes on with it.
    @Test func restoresAreGoneOnWith() async throws {
        try await SmallHome.with(photos: 3) { home in
            _ = try await Self.back(home)
            let path = home.directory + "/restored"
            _ = try await Self.restore(home, to: path)
            // As if the process had died just before the journal got its name.
            try FileManager.default.removeItem(atPath: path + "/journal.sqlite")
            try FileManager.default.removeItem(atPath: BlobStore.path(of: home.blobs[0], home: path))
            try FileManager.default.createDirectory(atPath: path + "/restoring", withIntermediateDirectories: true)
            #expect(!HomeSetup.hasGathering(home: path))
            #expect(try await Self.restore(home, to: path).copied == 1)
            #expect(try await Self.listed(path).count == 3)
            let error = await #expect(throws: PotluckError.self) { try await Self.restore(home, to: path) }
            #expect(error?.status == .badSetting)
        }
    }

    /// A backup that another laptop made, a directory with other files, one inside the home, a backup that was never
    /// completed and a damaged journal are told of, and nothing is changed.
    @Test func wrongDirectoriesAreRefused() async throws {
        try await SmallHome.with(photos: 1) { home in
            let backup = home.directory + "/backup"
            func refusal(_ body: () async throws -> Void) async -> PotluckAPI.ExitStatus? {
                do {
                    try await body()
                    return nil
                } catch {
                    return (error as? PotluckError)?.status
                }
            }
            let inside = await refusal {
                _ = try await Backup.make(home: home.path, directory: home.path + "/b", check: false) { _ in }
            }
            #expect(inside == .usage)
            try FileManager.default.createDirectory(atPath: backup, withIntermediateDirectories: true)
            try Data([1]).write(to: URL(filePath: backup + "/thesis.txt"))
            #expect(await refusal { _ = try await Self.back(home) } == .badSetting)
            #expect(await refusal { _ = try await Self.restore(home, to: home.directory + "/r") } == .usage)
            try FileManager.default.removeItem(atPath: backup + "/thesis.txt")
            _ = try await Self.back(home)
            let other = home.directory + "/other"
            _ = try await HomeSetup.host(home: other, gathering: "Other", device: "Ben")
            let foreign = await refusal {
                _ = try await Backup.make(home: other, directory: backup, check: false) { _ in }
            }
            #expect(foreign == .badSetting)

            let directory = try OpenDirectory(path: backup)
            var manifest = try #require(try BackupManifest.read(in: directory))
            let journal = try #require(manifest.journal)
            try SmallHome.damage(backup + "/" + journal.file)
            #expect(await refusal { _ = try await Self.restore(home, to: home.directory + "/r") } == .failed)
            manifest.journal = nil
            try manifest.write(in: directory)
            #expect(await refusal { _ = try await Self.restore(home, to: home.directory + "/r") } == .failed)
            manifest.format = 2
            try manifest.write(in: directory)
            #expect(await refusal { _ = try await Self.back(home) } == .failed)
        }
    }
}
