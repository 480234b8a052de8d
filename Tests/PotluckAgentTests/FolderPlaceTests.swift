import FoundationEssentials
import Glibc
import PhotoStore
import PotluckAPI
import Testing

@testable import PotluckAgent

/// Folders that no agent can use, and those that it waits for.
@Suite(.timeLimit(.minutes(1))) struct FolderPlaceTests {
    /// What is said of a folder; `nil` where it may be used.
    private static func complaint(_ folder: String, _ home: SmallHome, isStandard: Bool = false) -> String? {
        do {
            try FolderPlace.check(folder, home: home.path, isStandard: isStandard)
            return nil
        } catch {
            #expect(error.status == .badSetting && error.message.contains(folder))
            return error.message
        }
    }

    /// A folder whose parent is missing is made where nobody named it, and waited for where it was used before.
    @Test func missingParents() async throws {
        try await SmallHome.with(photos: 1) { home in
            let folder = home.directory + "/stick/Photos"
            #expect(Self.complaint(folder, home)?.contains("no directory \(home.directory)/stick") == true)
            #expect(Self.complaint(folder, home, isStandard: true) == nil)
            #expect(Self.complaint(home.directory + "/Photos", home) == nil)
            try Journal(home: home.path).setFolder(folder, home: home.path)
            #expect(Self.complaint(folder, home) == nil)
        }
    }

    /// A file is no folder, and nothing can be below one.
    @Test func filesAreNoFolders() async throws {
        try await SmallHome.with(photos: 1) { home in
            let file = home.directory + "/file"
            try Data([1]).write(to: URL(filePath: file))
            #expect(Self.complaint(file, home)?.contains("is no directory") == true)
            #expect(Self.complaint(file + "/Photos", home)?.contains("cannot be made") == true)
        }
    }

    /// Root may write everywhere.
    @Test(.enabled(if: geteuid() != 0)) func foldersOfOthers() async throws {
        try await SmallHome.with(photos: 1) { home in
            let folder = home.directory + "/Photos"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            #expect(Self.complaint(folder, home) == nil)
            #expect(chmod(folder, 0o500) == 0)
            #expect(Self.complaint(folder, home)?.contains("may not be read and written") == true)
        }
    }

    /// The home's own files are not to be taken for photos: neither directly, nor by a link, nor from around it.
    @Test func homesAreNoFolders() async throws {
        try await SmallHome.with(photos: 1) { home in
            #expect(Self.complaint(home.path, home)?.contains("is the home itself") == true)
            #expect(Self.complaint(home.path + "/blobs", home)?.contains("inside the home") == true)
            #expect(Self.complaint(home.path + "/uploads/Photos", home)?.contains("inside the home") == true)
            #expect(Self.complaint(home.directory, home)?.contains("in it") == true)
            let link = home.directory + "/link"
            #expect(symlink(home.path, link) == 0)
            #expect(Self.complaint(link, home)?.contains("is the home itself") == true)
            #expect(Self.complaint(home.folder, home) == nil)
        }
    }
}
