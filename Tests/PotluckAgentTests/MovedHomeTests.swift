import AlbumModel
import FoundationEssentials
import PhotoStore
import PotluckAPI
import SharedFolder
import SyncEngine
import Testing

@testable import PotluckAgent

/// Homes that are somewhere else than before.
@Suite(.timeLimit(.minutes(1))) struct MovedHomeTests {
    /// A home that was renamed, with its folder in it, goes on as it was: same replica, every photo and file in its place,
    /// and nothing of it is read again.
    @Test func renamedHomesGoOn() async throws {
        try await SmallHome.with(photos: 3) { home in
            try await home.opened { _ = try await home.placed($0, mayLink: true) }
            let replica = try Journal(home: home.path).identity(.replica)
            let path = home.directory + "/elsewhere/potluck"
            try FileManager.default.createDirectory(
                atPath: home.directory + "/elsewhere", withIntermediateDirectories: true)
            try FileManager.default.moveItem(atPath: home.path, toPath: path)

            let (folderPath, photos) = try await Self.listed(path)
            #expect(folderPath == path + "/Photos")
            #expect(photos.count == 3 && photos.allSatisfy { $0.here && $0.file != nil })

            let opened = try await Self.open(path)
            defer { opened.lock.release() }
            #expect(opened.life == .goesOn)
            #expect(try opened.replicaToContinue()?.bytes == replica)
            #expect(opened.blobs.suspects().isEmpty)
            let folder = try await OfflineListings.folder(path + "/Photos", opened)
            #expect(!folder.awaitsAdoption)
        }
    }

    /// The lock that listings take goes with them.
    private static func listed(_ path: String) async throws -> (folder: String?, photos: [PhotosReport.Photo]) {
        let listings = try await OfflineListings(home: path)
        let folder = try await listings.status(skipped: false, all: false).folder
        return (folder, try await listings.photos(album: "Beach").photos)
    }

    private static func open(_ path: String) async throws -> OpenHome {
        try OpenHome(home: path, waitMilliseconds: 5000, for: .run(runsTwice: false))
    }

    /// A home that was copied to another disk, where every file has another number, has all its photos; its folder's files
    /// are taken for what they are once others were asked, and it goes on under a new replica.
    @Test func homesOnAnotherDiskAreWhole() async throws {
        try await SmallHome.with(photos: 3) { home in
            let path = home.directory + "/disk"
            try await home.opened { opened in
                let folder = try await home.placed(opened, mayLink: false)
                // As long as the databases are open nobody takes their logs away.
                try withExtendedLifetime((opened, folder)) {
                    try FileManager.default.copyItem(atPath: home.path, toPath: path)
                }
            }
            let opened = try await Self.open(path)
            defer { opened.lock.release() }
            #expect(opened.life == .restored)
            #expect(try opened.replicaToContinue() == nil)
            #expect(try opened.journal.folder(home: path) == path + "/Photos")
            for blob in home.blobs { #expect(try opened.blobs.open(blob) != nil) }
            let folder = try await OfflineListings.folder(path + "/Photos", opened)
            #expect(folder.awaitsAdoption)
            #expect(folder.files().count == 3)
        }
    }

    /// A folder outside the home is kept as it is, one inside as its path there.
    @Test func foldersAreKept() async throws {
        try await SmallHome.with(photos: 1) { home in
            let journal = try Journal(home: home.path)
            try journal.setFolder("/media/photos", home: home.path)
            #expect(try journal.folder(home: "/elsewhere") == "/media/photos")
            try journal.setFolder(home.path + "/Photos", home: home.path)
            #expect(try journal.identityText(.folder) == "Photos")
            #expect(try journal.folder(home: "/elsewhere") == "/elsewhere/Photos")
        }
    }
}
