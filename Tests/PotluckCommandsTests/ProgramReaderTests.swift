import FoundationEssentials
import PotluckAgent
import Testing

@testable import PotluckCommands

/// What a program reads that runs commands with `--json`, on a terminal, too.
@Suite(.timeLimit(.minutes(1))) struct ProgramReaderTests {
    /// Shows that standard output has exactly one document, whatever the exit status, and standard error nothing or one.
    @Test(arguments: [
        ["albums"], ["photos", "Beach day"], ["search", "waves"], ["tags"], ["peers"], ["hosts"], ["invite"],
        ["status"], ["status", "--wait"], ["leave-check"], ["leave-check", "--others", "1", "--wait"], ["trash"],
        ["hidden"], ["left-out"], ["left-out", "--keep-all"], ["originals"], ["fetch", "Beach day"], ["pause"],
        ["limit"], ["guests", "list"],
        ["add", "Beach day", "a.jpg"], ["remove", "Beach day", "a.jpg"], ["restore", "--all"], ["unhide", "--all"],
        ["move", "Beach day", "a.jpg", "--to", "Hills"], ["favourite", "Beach day", "a.jpg", "b.jpg"],
        ["tag", "Beach day", "a.jpg", "sea"], ["caption", "Beach day", "a.jpg"], ["cover", "Beach day"],
        ["clock", "Beach day"], ["verify"], ["unpack", "/stick"], ["unpack", "/damaged"],
    ])
    func oneDocumentIsPrinted(words: [String]) async throws {
        let statuses = [2, 1, 0].map(FakeAgent.status)
        try await withAgent(FakeAgent(statuses: statuses)) { home in
            let console = TestConsole()
            let status = await PotluckCommandLine.run(
                words + ["--json", "--home", home], console: console.console(isTerminal: true, environment: [:]))
            let (output, errors) = (console.outcome(status).output, console.outcome(status).errors)
            #expect(isDocument(output), "\(output)")
            #expect(status == 0 ? errors.isEmpty : isDocument(errors), "\(status) \(errors)")
        }
    }

    /// Shows that a notice stands on standard error, as a sentence for people and as a document for programs.
    @Test func noticesAreDocuments() async throws {
        try await withTemporaryHome { directory in
            // In the place of the list of homes.
            try FileManager.default.createDirectory(
                atPath: directory + "/potluck-homes", withIntermediateDirectories: false)
            let environment = ["HOME": directory, "XDG_DATA_HOME": directory]
            func errors(isJSON: Bool) throws -> String {
                let remembered = TestConsole()
                var console = remembered.console(isTerminal: false, environment: environment)
                console.isJSON = isJSON
                try HomeLocation(option: "/nonexistent/home", console: console).remember(console)
                #expect(remembered.outcome(0).output.isEmpty)
                return remembered.outcome(0).errors
            }
            let sentence = "The home is not among those that `potluck gatherings` lists."
            let text = try errors(isJSON: false)
            #expect(text.hasPrefix("potluck: \(sentence) The list of homes, ") && text.hasSuffix("\n"), "\(text)")
            let json = try errors(isJSON: true)
            #expect(isDocument(json), "\(json)")
            let document = try JSONDecoder().decode(NoticeDocument.self, from: Data(json.utf8))
            #expect("potluck: \(document.notice.message)\n" == text)
        }
    }

    /// One object, on a line of its own.
    private func isDocument(_ text: String) -> Bool {
        struct AnyValue: Decodable {
            init(from decoder: any Decoder) {}
        }
        guard text.last == "\n", text.filter({ $0 == "\n" }).count == 1 else { return false }
        return (try? JSONDecoder().decode([String: AnyValue].self, from: Data(text.utf8))) != nil
    }
}
