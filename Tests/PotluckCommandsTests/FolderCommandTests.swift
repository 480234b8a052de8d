import FoundationEssentials
import Glibc
import PotluckAgent
import Testing

@testable import PotluckCommands

/// `potluck folder` as a person runs it.
@Suite(.timeLimit(.minutes(1))) struct FolderCommandTests {
    /// The settings name the new place, and keep what a person wrote.
    @Test func settingsNameTheFolder() async throws {
        try await withTemporaryHome { directory in
            let (home, place) = ("\(directory)/home", "\(directory)/Photos")
            #expect(await run("host", "Kuh", "--home", home).status == 0)
            let moved = await run("folder", place, "--home", home)
            #expect(moved.status == 0, "\(moved.errors)")
            #expect(moved.output == "The folder will be \(place), from the next `potluck up` on.\n")
            #expect(await run("folder", "--home", home).output == place + "\n")

            let settings = "# mine\ntrash_days = 3\n folder=\"/gone\" # here\n"
            try Data(settings.utf8).write(to: URL(filePath: "\(home)/potluck.toml"))
            #expect(await run("folder", "\(directory)/Other", "--home", home).status == 0)
            let text = try String(contentsOfFile: "\(home)/potluck.toml", encoding: .utf8)
            #expect(text.hasPrefix("# mine\ntrash_days = 3\nfolder = "))
            #expect(await run("folder", "--home", home).output == "\(directory)/Other\n")
        }
    }

    /// What is left at the former place is named, and where nobody could look, that is not taken for nothing.
    @Test func leftFilesAreNamed() {
        var report = FolderMoveReport(folder: "/new", former: "/old", way: .copied, remaining: [])
        let sentence = "The folder is /new now, no longer /old.\n"
        #expect(FolderListing.moved(report) == sentence)
        report.remaining = ["Beach/new.jpg"]
        #expect(FolderListing.moved(report).hasPrefix(sentence + "1 thing of another kind, "))
        #expect(FolderListing.moved(report).hasSuffix("came meanwhile, stayed there:\n  Beach/new.jpg\n"))
        report.remaining = nil
        #expect(FolderListing.moved(report).hasPrefix(sentence + "What stayed there could not be listed"))
    }

    /// What cannot be changed safely is not touched: settings that are a link, or of a form that is not foreseen.
    @Test(arguments: ["'folder' = \"/gone\"\n", "\"\"\"\n"])
    func unforeseenSettingsStay(_ settings: String) async throws {
        try await withTemporaryHome { directory in
            let home = "\(directory)/home"
            #expect(await run("host", "Kuh", "--home", home).status == 0)
            try Data(settings.utf8).write(to: URL(filePath: "\(home)/potluck.toml"))
            #expect(await run("folder", "\(directory)/Other", "--home", home).status == 78)
            #expect(try String(contentsOfFile: "\(home)/potluck.toml", encoding: .utf8) == settings)
        }
    }

    /// Without a gathering there is nothing to move, and a place that cannot be is refused.
    @Test func placesAreChecked() async throws {
        try await withTemporaryHome { directory in
            let home = "\(directory)/home"
            #expect(await run("folder", "\(directory)/Photos", "--home", home).status == 78)
            #expect(await run("host", "Kuh", "--home", home).status == 0)
            #expect(await run("folder", "\(home)/blobs/Photos", "--home", home).status == 78)
            #expect(await run("folder", "\(directory)/no/where", "--home", home).status == 78)
        }
    }
}
