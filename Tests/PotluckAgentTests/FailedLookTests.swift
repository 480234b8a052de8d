import AlbumModel
import Foundation
import Glibc
import PeerTransport
import PhotoStore
import PotluckAPI
import SyncEngine
import TestSupport
import Testing

@testable import PotluckAgent

/// What upkeep, backups and homes make of files that nobody can look at: nothing. A link that leads to itself stands for a
/// disk that does not answer, and a process's own memory for a file that cannot be read, for root as well.
@Suite(.slow, .timeLimit(.minutes(1))) struct FailedLookTests {
    /// A file or directory that was moved away, with a link in its place.
    private struct Hidden: Sendable {
        private let path: String
        private let away: String

        /// - Parameter target: what the link leads to; itself where `nil`.
        init(_ path: String, of home: SmallHome, behind target: String? = nil) throws {
            self.path = path
            away = "\(home.directory)/away-\(UInt64.random(in: 0...UInt64.max))"
            try #require(rename(path, away) == 0)
            try #require(symlink(target ?? path, path) == 0)
        }

        static func bytes(_ path: String, of home: SmallHome) throws -> Hidden {
            try Hidden(path, of: home, behind: "/proc/self/mem")
        }

        func putBack() throws {
            try #require(unlink(path) == 0)
            try #require(rename(away, path) == 0)
        }

        /// The same, where it was not done before.
        func putBackOnce() throws { if FailedLookTests.exists(away) { try putBack() } }
    }

    fileprivate static func exists(_ path: String) -> Bool {
        var info = stat()
        return lstat(path, &info) == 0
    }

    /// A home whose journal cannot be looked at is no new home: it gets no other gathering and no other key.
    @Test func homesKeepTheirIdentity() async throws {
        try await SmallHome.with(photos: 1) { home in
            let journal = "\(home.path)/\(Journal.fileName)"
            try Journal(home: home.path).close()
            let device = try #require(try Membership.load(try Journal(home: home.path))).identity.deviceID
            let hidden = try Hidden(journal, of: home)
            #expect(HomeSetup.hasGathering(home: home.path))
            await #expect(throws: PotluckError.self) {
                try await HomeSetup.host(home: home.path, gathering: "Another", device: nil)
            }
            try hidden.putBack()
            #expect(try Membership.load(try Journal(home: home.path))?.identity.deviceID == device)
        }
    }

    /// A home without a journal whose photos cannot be looked for is not called a new one.
    @Test func photosThatCannotBeListedAreNotNone() async throws {
        try await SmallHome.with(photos: 1) { home in
            let hidden = try Hidden(home.path + "/blobs", of: home)
            #expect(HomeSetup.noGathering(home: home.path).message.contains("cannot be looked through"))
            try hidden.putBack()
            #expect(HomeSetup.noGathering(home: home.path).message.contains("photos are there"))
        }
    }

    /// Hides a blob's bytes: mending reports the blob and leaves it in the store, and nothing is wrong once they are back.
    ///
    /// - Returns: what mending said.
    @discardableResult
    private static func expectStays(_ blob: BlobID, _ home: SmallHome) async throws -> VerifyReport {
        let file = home.file(of: blob)
        let hidden = try Hidden.bytes(file, of: home)
        let report = try await home.verify(repair: true)
        #expect(report.findings.map(\.kind) == [.photoUnreadable])
        #expect(report.findings.first?.mended == false)
        #expect(report.quarantine.files == 0)
        #expect(exists(file))
        try hidden.putBack()
        #expect(try await home.verify().findings.isEmpty)
        return report
    }

    /// A photo that cannot be read, and that nobody else is known to have, stays in the store, also where mending was asked
    /// for; once the disk gives it back it is a sound one.
    @Test func soleCopiesThatCannotBeReadStay() async throws {
        try await SmallHome.with(photos: 3) { home in
            let report = try await Self.expectStays(home.blobs[1], home)
            #expect(report.findings.first?.remedy.contains("stays in the store") == true)
        }
    }

    /// So does one that only the trash needs: nobody is asked for it, so it would not come back. Catches a photo that is set
    /// aside because no album needs it, and that nobody can restore any more.
    @Test func removedPhotosThatCannotBeReadStay() async throws {
        try await SmallHome.with(photos: 3) { home in
            let removal = Contribution.photoRemoval(AlbumName.identifier("Beach"), home.blobs[1])
            try await home.opened { opened in
                var engine = opened.engine(replica: try opened.replicaToContinue(), port: 1)
                try SmallHome.contribute(removal, to: &engine, opened)
                try opened.index.follow(engine.catalog, log: engine.log)
            }
            try await Self.expectStays(home.blobs[1], home)
        }
    }

    /// A file of the folder that has other bytes by now, though of the same length, is no second copy.
    @Test func damagedFilesAreNoSecondCopies() async throws {
        try await SmallHome.with(photos: 2) { home in
            try await home.opened { _ = try await home.placed($0, mayLink: false) }
            try SmallHome.damage(home.folder + "/Beach/IMG_2.JPG")
            try await Self.expectStays(home.blobs[1], home)
        }
    }

    /// One that nobody can look at is reported, and the others are read.
    @Test func unknownFilesAreReported() async throws {
        try await SmallHome.with(photos: 3) { home in
            let file = home.file(of: home.blobs[1])
            let hidden = try Hidden(file, of: home)
            let report = try await home.verify(repair: true)
            #expect(report.findings.map(\.kind) == [.photoUnreadable])
            #expect(report.files == 3)
            try hidden.putBack()
            #expect(try await home.verify().findings.isEmpty)
        }
    }

    /// A disk that gives back nothing ends a look: no photo is judged by it, and the next look begins where it failed.
    @Test func failingDisksEndTheLook() async throws {
        let count = BlobRound.unreadInARowMax + 2
        try await SmallHome.with(photos: count) { home in
            let blobs = home.blobs.sorted()
            let hidden = try blobs.dropFirst().map { try Hidden.bytes(home.file(of: $0), of: home) }
            let error = await #expect(throws: PotluckError.self) { try await home.verify(repair: true) }
            #expect(error?.status == .tryAgain)
            for file in hidden { try file.putBack() }
            let report = try await home.verify(restart: false)
            #expect(report.findings.isEmpty)
            #expect(report.resumed == 1 && report.files == count)
        }
    }

    /// What cannot be read at first and can be read at the end of the look was not damaged.
    @Test func passingErrorsAreNoDamage() async throws {
        try await SmallHome.with(photos: 4) { home in
            let hidden = try Hidden.bytes(home.file(of: try #require(home.blobs.min())), of: home)
            let report = try await OfflineVerify.run(
                home: home.path, VerifyOrder(repair: true, restart: true)
            ) { progress in
                // Where this fails, the photo is found to be unreadable.
                try? hidden.putBackOnce()
            }
            #expect(report.findings.isEmpty)
            #expect(report.files == 4)
        }
    }

    /// A file of the folder that cannot be looked at is not called missing.
    @Test func folderFilesThatCannotBeSeenAreNotMissing() async throws {
        try await SmallHome.with(photos: 2) { home in
            try await home.opened { _ = try await home.placed($0, mayLink: false) }
            _ = try Hidden(home.folder + "/Beach", of: home)
            #expect(Set(try await home.verify().findings.map(\.kind)) == [.fileUnreadable])
        }
    }

    /// A backup's copy makes way only for a whole one: where the home's file is damaged, it stays whatever it is.
    @Test func backupsKeepWhatCannotBeReplaced() async throws {
        try await SmallHome.with(photos: 3) { home in
            let backup = home.directory + "/backup"
            _ = try await Backup.make(home: home.path, directory: backup, check: false) { _ in }
            let copy = BlobStore.path(of: home.blobs[0], home: backup)
            _ = try Hidden.bytes(copy, of: home)
            try SmallHome.damage(home.file(of: home.blobs[0]))
            let report = try await Backup.make(home: home.path, directory: backup, check: true) { _ in }
            #expect(report.missing.map(\.id) == [home.blobs[0].hex])
            #expect(Self.exists(copy))
        }
    }

    /// A backup whose list cannot be looked at is there, and nothing is written over it.
    @Test func backupsThatCannotBeSeenAreThere() async throws {
        try await SmallHome.with(photos: 1) { home in
            let backup = home.directory + "/backup"
            _ = try await Backup.make(home: home.path, directory: backup, check: false) { _ in }
            let before = try Data(contentsOf: URL(filePath: backup + "/journal-1.sqlite"))
            let list = "\(backup)/\(BackupManifest.fileName)"
            let hidden = try Hidden(list, of: home)
            #expect(BackupManifest.isPresent(in: backup))
            let error = await #expect(throws: PotluckError.self) {
                try await Backup.make(home: home.path, directory: backup, check: false) { _ in }
            }
            #expect(error?.message.contains("is a symbolic link, not a plain file") == true)
            try hidden.putBack()
            #expect(try Data(contentsOf: URL(filePath: backup + "/journal-1.sqlite")) == before)
        }
    }

    /// A home whose photos are on a disk that is away is not backed up as one without any, and the backup of before stays.
    @Test func disksThatAreAwayAreNotBackedUp() async throws {
        try await SmallHome.with(photos: 2) { home in
            let (backup, blobs) = (home.directory + "/backup", home.path + "/blobs")
            _ = try await Backup.make(home: home.path, directory: backup, check: false) { _ in }
            let list = try Data(contentsOf: URL(filePath: "\(backup)/\(BackupManifest.fileName)"))
            try #require(rename(blobs, home.directory + "/away") == 0)
            try #require(mkdir(blobs, 0o700) == 0)
            await #expect(throws: PotluckError.self) {
                try await Backup.make(home: home.path, directory: backup, check: false) { _ in }
            }
            #expect(try Data(contentsOf: URL(filePath: "\(backup)/\(BackupManifest.fileName)")) == list)
            try #require(rmdir(blobs) == 0)
            try #require(rename(home.directory + "/away", blobs) == 0)
            let report = try await Backup.make(home: home.path, directory: backup, check: false) { _ in }
            #expect(report.files == 2 && report.copied == 0)
        }
    }

    /// A stick that is pulled out amid a restore, or gives back nothing from then on, has lost no photo: no home is made
    /// without it, and the next restore goes on.
    @Test(arguments: [false, true]) func pulledSticksHaveLostNothing(isMounted: Bool) async throws {
        try await SmallHome.with(photos: 2) { home in
            let (backup, restored) = (home.directory + "/backup", home.directory + "/restored")
            _ = try await Backup.make(home: home.path, directory: backup, check: false) { _ in }
            let files =
                isMounted
                ? ["\(backup)/\(BackupManifest.fileName)", BlobStore.path(of: home.blobs[0], home: backup)] : [backup]
            await #expect(throws: PotluckError.self) {
                try await Restore.run(directory: backup, home: restored) { progress in
                    guard progress.files == 0 else { return }
                    for file in files {
                        rename(file, file + ".away")
                        if isMounted { symlink("/proc/self/mem", file) }
                    }
                }
            }
            #expect(!HomeSetup.hasGathering(home: restored))
            for file in files {
                if isMounted { try #require(unlink(file) == 0) }
                try #require(rename(file + ".away", file) == 0)
            }
            let report = try await Restore.run(directory: backup, home: restored) { _ in }
            #expect(report.missing.isEmpty && report.files == 2)
        }
    }

    /// Where nobody can see whether a directory is in a shared folder, nothing is packed into it.
    @Test func packsAreNotPutWhereNobodyCanLook() async throws {
        try await SmallHome.with(photos: 1) { home in
            let loop = home.directory + "/loop"
            try #require(symlink(loop, loop) == 0)
            #expect(throws: PotluckError.self) { try PackPlace.refuseOwn(loop + "/pack") }
            try PackPlace.refuseOwn(home.directory + "/new/pack")
        }
    }

    /// A photo's file that nobody can look at is not said to be elsewhere: whoever reads it says what is wrong.
    @Test func filesThatCannotBeSeenAreHere() async throws {
        try await SmallHome.with(photos: 1) { home in
            let file = home.file(of: home.blobs[0])
            let hidden = try Hidden(String(file.prefix(upTo: try #require(file.lastIndex(of: "/")))), of: home)
            #expect(HomeFiles.file(of: home.blobs[0], home: home.path)?.path == file)
            try hidden.putBack()
            #expect(HomeFiles.file(of: home.blobs[0], home: home.path)?.byteCount == 1001)
            try #require(unlink(file) == 0)
            #expect(HomeFiles.file(of: home.blobs[0], home: home.path) == nil)
        }
    }
}
