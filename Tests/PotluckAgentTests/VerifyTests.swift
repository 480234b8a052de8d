import AlbumModel
import DiskIO
import FoundationEssentials
import NIOPosix
import PhotoStore
import PotluckAPI
import SharedFolder
import SyncEngine
import TestSupport
import Testing

@testable import PotluckAgent

/// What `verify` finds in a home, and mends.
@Suite(.slow, .timeLimit(.minutes(1))) struct VerifyTests {
    /// A home in which all is well has no findings, and everything in it was looked at.
    @Test func soundHomesHaveNoFindings() async throws {
        try await SmallHome.with(photos: 3) { home in
            let report = try await home.verify()
            #expect(report.findings.isEmpty)
            #expect(report.files == 3)
            #expect(report.bytes == 3006)
            #expect(report.batches > 0)
            #expect(report.unneeded.photos == 0)
        }
    }

    /// Bytes that changed on the disk are found although size, and with a careful disk times, are as before; a look
    /// changes nothing, a repair sets the file aside and says that nobody else has the photo.
    @Test func damagedPhotosAreFoundAndSetAside() async throws {
        try await SmallHome.with(photos: 3) { home in
            let file = home.file(of: home.blobs[1])
            try SmallHome.damage(file)
            let found = try await home.verify()
            #expect(found.findings.map(\.kind) == [.photoDamaged])
            #expect(found.findings.first?.name == "IMG_2.JPG")
            #expect(found.findings.first?.album == "Beach")
            #expect(FileManager.default.fileExists(atPath: file))

            let repaired = try await home.verify(repair: true)
            let finding = try #require(repaired.findings.first)
            #expect(!finding.mended)
            #expect(finding.remedy.contains("No other laptop"))
            #expect(finding.remedy.contains("quarantine"))
            #expect(!FileManager.default.fileExists(atPath: file))
            #expect(repaired.quarantine == VerifyReport.Quarantine(files: 1, bytes: 1002))

            // From then on it is a photo that is not here.
            let later = try await home.verify()
            #expect(later.findings.map(\.kind) == [.photoLost])
            #expect(later.files == 2)
        }
    }

    /// A damaged photo comes back from the folder's own copy of it.
    @Test func damagedPhotosComeBackFromTheFolder() async throws {
        try await SmallHome.with(photos: 2) { home in
            try await home.opened { _ = try await home.placed($0, mayLink: false) }
            try SmallHome.damage(home.file(of: home.blobs[0]))
            let report = try await home.verify(repair: true)
            #expect(report.findings.map(\.mended) == [true])
            #expect(report.findings.first?.remedy.contains("folder") == true)
            #expect(try await home.verify().findings.isEmpty)
        }
    }

    /// Where the folder's file is the store's own under another name, it is damaged as well: it leaves the folder, and the
    /// photo can be placed again. A file that a person wrote to stays.
    @Test(arguments: [false, true]) func damagedLinksLeaveTheFolder(isEdited: Bool) async throws {
        try await SmallHome.with(photos: 2) { home in
            try await home.opened { opened in
                let shared = try await home.placed(opened, mayLink: true)
                let blob = home.blobs[0]
                let stat = try FileStat(path: home.file(of: blob))
                // On disks that can clone there is no link, and nothing to show.
                guard stat.linkCount == 2 else { return }
                let path = try #require(shared.files().first { $0.blob == blob }?.path)
                if isEdited {
                    try SmallHome.damage(home.file(of: blob))
                }
                let freed = await shared.setAsideDamaged(blob, inode: stat.inode)
                #expect(freed == (isEdited ? [] : [path]))
                #expect(FileManager.default.fileExists(atPath: "\(home.folder)/\(path)") == isEdited)
                #expect(shared.files().contains { $0.path == path } == isEdited)
                #expect(try opened.blobs.quarantined().files == (isEdited ? 0 : 1))
            }
        }
    }

    /// An index that says something else than the journal is found, and made anew.
    @Test func wrongIndexesAreMadeAnew() async throws {
        try await SmallHome.with(photos: 2) { home in
            let journal = try Journal(home: home.path)
            var fold = JournalFold()
            try journal.forEachBatch { row in try fold.add(row.batch, id: row.id, received: row.received) }
            let stamp = IndexStamp(catalog: fold.catalog, log: fold.log)
            try Index(home: home.path).replaceAll(albums: [], photos: [], stamp: stamp)

            #expect(try await home.verify().findings.map(\.kind) == [.indexStale])
            #expect(try await home.verify(repair: true).findings.map(\.mended) == [true])
            #expect(try await home.verify().findings.isEmpty)
            #expect(try await OfflineListings(home: home.path).albums().albums.map(\.photos) == [2])
        }
    }

    /// A journal whose file is damaged is told of, with what to do, and left as it is.
    @Test func damagedJournalsAreTold() async throws {
        try await SmallHome.with(photos: 2) { home in
            // All of it is in the one file.
            try Journal(home: home.path).close()
            let path = "\(home.path)/journal.sqlite"
            var bytes = Array(try Data(contentsOf: URL(filePath: path)))
            for place in 4096..<8192 { bytes[place] = 0xA5 }
            try Data(bytes).write(to: URL(filePath: path))
            let report = try await home.verify(repair: true)
            #expect(report.findings.contains { $0.kind == .journalDamaged })
            #expect(report.findings.allSatisfy { $0.remedy.contains("potluck restore") })
            // In its header SQLite counts who opened it.
            #expect(Array(try Data(contentsOf: URL(filePath: path))).dropFirst(100) == bytes.dropFirst(100))
        }
    }

    /// Strange files in the store, and files of the folder that are gone or others, are named.
    @Test func strangeAndMissingFilesAreNamed() async throws {
        try await SmallHome.with(photos: 3) { home in
            try await home.opened { _ = try await home.placed($0, mayLink: false) }
            try Data([1]).write(to: URL(filePath: "\(home.path)/blobs/ab/notes.txt"))
            try FileManager.default.removeItem(atPath: "\(home.folder)/Beach/IMG_1.JPG")
            try Data([1]).write(to: URL(filePath: "\(home.folder)/Beach/IMG_2.JPG"))
            let report = try await home.verify()
            #expect(report.folderFiles == 3)
            #expect(report.findings.map(\.kind) == [.storeStray, .fileMissing, .fileChanged])
            #expect(
                report.findings.map(\.name) == ["blobs/ab/notes.txt", "Beach/IMG_1.JPG", "Beach/IMG_2.JPG"])
        }
    }
}
