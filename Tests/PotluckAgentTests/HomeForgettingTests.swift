import AlbumModel
import FoundationEssentials
import Glibc
import NIOPosix
import PhotoStore
import PotluckAPI
import Synchronization
import Testing

@testable import PotluckAgent

/// Homes that are deleted: no original goes with them.
@Suite(.timeLimit(.minutes(1))) struct HomeForgettingTests {
    private struct Crash: Error {}

    /// Every file below a directory, by its path there.
    private func files(_ root: String) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for path in (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? [] {
            var isDirectory = false
            guard FileManager.default.fileExists(atPath: root + "/" + path, isDirectory: &isDirectory), !isDirectory
            else { continue }
            files[path] = FileManager.default.contents(atPath: root + "/" + path).map { Array($0) }
        }
        return files
    }

    private func forget(_ home: SmallHome, keeping: String) throws -> ForgetReport {
        try HomeForgetting(home: home.path, keeping: keeping).run()
    }

    /// What the folder has by its bytes is deleted with the home; what it only had, or has otherwise, is kept by name.
    @Test func whatTheFolderLacksIsKept() async throws {
        try await SmallHome.with(photos: 4) { home in
            try await home.opened { _ = try await home.placed($0, mayLink: false) }
            let beach = home.folder + "/Beach/"
            try FileManager.default.removeItem(atPath: beach + "IMG_1.JPG")
            // As long as the photo, and in its place.
            #expect(FileManager.default.createFile(atPath: beach + "IMG_2.JPG", contents: Data(count: 1002)))
            try FileManager.default.moveItem(atPath: beach + "IMG_3.JPG", toPath: home.folder + "/elsewhere")
            let before = try files(home.folder)

            let keeping = home.directory + "/kept"
            let plan = try HomeForgetting(home: home.path, keeping: keeping).report
            #expect(plan.kept == StatusReport.Amount(photos: 2, bytes: 2003))
            #expect(plan.inFolder == StatusReport.Amount(photos: 2, bytes: 2007))
            #expect(plan.gathering == "Upkeep" && plan.folder == home.folder)
            #expect(!FileManager.default.fileExists(atPath: keeping))

            let report = try forget(home, keeping: keeping)
            #expect(report.remaining == ["Photos"])
            #expect(
                try files(keeping) == [
                    "Beach/IMG_1.JPG": SmallHome.bytes(1), "Beach/IMG_2.JPG": SmallHome.bytes(2),
                ])
            #expect(try files(home.folder) == before)
            #expect(!HomeSetup.hasGathering(home: home.path))
        }
    }

    /// Links into the store keep their bytes; a folder that is not there has nothing.
    @Test func foldersAreReadAsTheyAre() async throws {
        try await SmallHome.with(photos: 2) { home in
            try await home.opened { _ = try await home.placed($0, mayLink: true) }
            try FileManager.default.moveItem(atPath: home.folder, toPath: home.directory + "/away")
            let keeping = home.directory + "/kept"
            #expect(try HomeForgetting(home: home.path, keeping: keeping).report.kept.photos == 2)
            try FileManager.default.moveItem(atPath: home.directory + "/away", toPath: home.folder)
            let report = try forget(home, keeping: keeping)
            #expect(report.kept.photos == 0 && !FileManager.default.fileExists(atPath: keeping))
            #expect(try files(home.folder)["Beach/IMG_2.JPG"] == SmallHome.bytes(2))
        }
    }

    /// Files that no journal knows are kept, and what is not Potluck's stays where it is.
    @Test func strangersAreSpared() async throws {
        try await SmallHome.with(photos: 1) { home in
            let unknown = try await home.opened { opened in
                #expect(throws: PotluckError.self) {
                    _ = try HomeForgetting(home: home.path, keeping: home.directory + "/kept", waitMilliseconds: 0) {}
                }
                return try opened.blobs.ingest(bytes: [1, 2, 3])
            }
            let id = home.blobs[0].hex + "-12"
            for directory in ["web", "quarantine", "uploads", "blobs/zz", "staging"] {
                try FileManager.default.createDirectory(
                    atPath: home.path + "/" + directory, withIntermediateDirectories: true)
            }
            let strangers = ["web/mine.html", "blobs/readme", "blobs/zz/file", "quarantine/notes", "mine.txt"]
            let own = ["quarantine/" + id, "uploads/ab.part", "web/doors.json", "staging/0011.new", "potluck.toml"]
            for path in strangers + own {
                #expect(FileManager.default.createFile(atPath: home.path + "/" + path, contents: Data(path.utf8)))
            }
            let keeping = home.directory + "/kept"
            let report = try forget(home, keeping: keeping)
            #expect(report.remaining == ["blobs", "mine.txt", "quarantine", "web"])
            #expect(Set(try files(home.path).keys) == Set(strangers))
            #expect(
                try files(keeping) == [
                    "Beach/IMG_1.JPG": SmallHome.bytes(1), "Other photos/" + unknown.hex: [1, 2, 3],
                    "Damaged photos/" + id: Array(own[0].utf8), "Unfinished uploads/ab.part": Array(own[1].utf8),
                ])
        }
    }

    /// A crash before any change loses nothing, no agent runs then, and saying it again ends as it would have ended. On one
    /// file system as well as from one to another.
    @Test(arguments: [false, true]) func crashesLoseNothing(isFar: Bool) async throws {
        try await SmallHome.with(photos: 3) { home in
            try await home.opened { _ = try await home.placed($0, mayLink: false) }
            try FileManager.default.removeItem(atPath: home.folder + "/Beach/IMG_2.JPG")
            try FileManager.default.removeItem(atPath: home.folder + "/Beach/IMG_3.JPG")
            let far = "/dev/shm/potluck-kept-\(UInt64.random(in: 0...UInt64.max))"
            // What cannot be removed hurts nobody.
            defer { try? FileManager.default.removeItem(atPath: far) }
            let originals = (1...3).map { SmallHome.bytes($0) }
            var crashCount = 0
            var isDone = false
            while !isDone {
                let place = home.directory + "/try-\(crashCount)"
                try FileManager.default.copyItem(atPath: home.path, toPath: place)
                // The folder is inside, and found where the home is.
                let keeping = isFar ? far + "/\(crashCount)" : place + " kept"
                let left = Mutex(crashCount)
                do {
                    _ = try HomeForgetting(home: place, keeping: keeping) {
                        try left.withLock { left in
                            guard left > 0 else { throw Crash() }
                            left -= 1
                        }
                    }.run()
                    isDone = true
                } catch {
                    crashCount += 1
                    let all = try Array(files(place).values) + Array(files(keeping).values)
                    for original in originals { #expect(all.contains(original), "after \(crashCount - 1) changes") }
                    if crashCount > 1 { #expect(try HomeSetup.hasLeft(home: place)) }
                    _ = try HomeForgetting(home: place, keeping: keeping).run()
                }
                #expect(
                    try files(keeping) == ["Beach/IMG_2.JPG": originals[1], "Beach/IMG_3.JPG": originals[2]],
                    "after \(crashCount - 1) changes")
                #expect(try FileManager.default.contentsOfDirectory(atPath: place) == ["Photos"])
            }
            #expect(crashCount > 15)
        }
    }

    /// Whoever waited for the lock of a home that was deleted meanwhile has that of the one that is there now.
    @Test func noLockOfADeletedFileIsTaken() async throws {
        try await SmallHome.with(photos: 1) { home in
            let path = home.path
            for _ in 0..<20 {
                let first = try HomeLock.acquire(home: path, waitMilliseconds: 5000)
                async let second = NIOThreadPool.singleton.runIfActive {
                    try HomeLock.acquire(home: path, waitMilliseconds: 20_000)
                }
                try FileManager.default.removeItem(atPath: path + "/lock")
                first.release()
                let held = try await second
                #expect(throws: HomeError.self) { _ = try HomeLock.acquire(home: path) }
                held.release()
            }
        }
    }
}
