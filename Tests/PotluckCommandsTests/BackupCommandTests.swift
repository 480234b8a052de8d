import FoundationEssentials
import PotluckAgent
import Testing

@testable import PotluckCommands

/// `potluck backup` and `potluck restore` as a person runs them.
@Suite(.timeLimit(.minutes(1))) struct BackupCommandTests {
    /// A backup is made, brought up to date, and a home made of it, which has the same phrase; a second time that changes
    /// nothing.
    @Test func homesComeBack() async throws {
        try await withTemporaryHome { directory in
            let (home, backup, second) = ("\(directory)/home", "\(directory)/backup", "\(directory)/second")
            #expect(await run("backup", backup, "--home", home).status == 78)
            #expect(await run("host", "Kuh", "--home", home).status == 0)
            let made = await run("backup", backup, "--home", home)
            #expect(made.status == 0)
            #expect(made.output == "The backup in \(backup) has 0 files, 0 bytes; 0 copied now.\n")
            #expect(await run("backup", backup, "--check", "--home", home).status == 0)

            let restored = await run("restore", backup, "--home", second)
            #expect(restored.status == 0)
            #expect(restored.output.contains("of “Kuh”"))
            #expect(restored.output.contains("potluck up"))
            let phrase = await run("invite", "--json", "--home", home).output
            #expect(await run("invite", "--json", "--home", second).output == phrase)
            #expect(await run("restore", backup, "--home", second).status == 78)
            #expect(await run("restore", home, "--home", "\(directory)/third").status == 64)
            // No agent is to be started that would ask for a gathering.
            let mistyped = await run("restore", "bakcup", "--home", "\(directory)/third")
            #expect(mistyped.status == 64 && mistyped.errors.contains("bakcup is no backup"), "\(mistyped)")
            #expect(await run("restore", "--all", "--home", "\(directory)/third").status == 78)
            #expect(await run("restore", "--all", "--home", second).status == 69)
        }
    }

    /// People at a terminal see how far it is, and no program does.
    @Test func progressIsForPeople() async throws {
        try await withTemporaryHome { directory in
            let (home, backup) = ("\(directory)/home", "\(directory)/backup")
            #expect(await run("host", "Kuh", "--home", home).status == 0)
            _ = try storeBlob("a photo", home: home)
            let made = await run("backup", backup, "--home", home, isTerminal: true)
            #expect(
                made.progress == [
                    "Copying: 0 of 1 file, 0 bytes of 7 bytes", "Copying: 1 of 1 file, 7 bytes of 7 bytes",
                ], "\(made)")
            let second = "\(directory)/second"
            let restored = await run("restore", backup, "--home", second, isTerminal: true)
            #expect(restored.progress?.last == "Restoring: 1 of 1 file, 7 bytes of 7 bytes", "\(restored)")
            let third = "\(directory)/third"
            for words in [["backup", backup, "--home", home], ["restore", backup, "--home", third]] {
                let console = TestConsole()
                let terminal = console.console(isTerminal: true, environment: ["HOME": "/nonexistent"])
                let status = await PotluckCommandLine.run(words + ["--json"], console: terminal)
                #expect(status == 0 && console.outcome(status).errors.isEmpty, "\(console.outcome(status))")
            }
        }
    }

    /// The settings of a backup are not in use, and the person is told where they are.
    @Test func settingsAreToldOf() async throws {
        try await withTemporaryHome { directory in
            let (home, backup, second) = ("\(directory)/home", "\(directory)/backup", "\(directory)/second")
            #expect(await run("host", "Kuh", "--home", home).status == 0)
            try Data("trash_days = 1\n".utf8).write(to: URL(filePath: "\(home)/potluck.toml"))
            #expect(await run("backup", backup, "--home", home).status == 0)
            let output = await run("restore", backup, "--home", second).output
            #expect(output.contains("settings are not in use: look through \(second)/potluck-restored.toml"))
        }
    }
}
