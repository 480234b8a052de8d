import FoundationEssentials
import Glibc
import PotluckAPI
import PotluckAgent
import TestSupport
import Testing

@testable import PotluckCommands

/// An invite phrase that does not stand on the command line, where other users of the machine see it.
@Suite(.slow, .timeLimit(.minutes(1))) struct PhraseFileTests {
    /// A gathering to be entered, and a directory for the one who enters.
    private func withPhrase(_ body: (_ phrase: String, _ directory: String) async throws -> Void) async throws {
        try await withTemporaryHome { directory in
            let hosted = await run("host", "Kuh reunion", "--json", "--home", directory + "/host")
            let invite = try JSONDecoder().decode(InviteReport.self, from: Data(hosted.output.utf8))
            try await body(invite.phrase, directory)
        }
    }

    private func write(_ text: String, to path: String) {
        #expect(FileManager.default.createFile(atPath: path, contents: Data(text.utf8)))
    }

    /// Shows that the first line of a file enters the gathering, in any spelling, whatever follows it.
    @Test func aFileHoldsThePhrase() async throws {
        try await withPhrase { phrase, directory in
            let file = directory + "/phrase"
            let loud = phrase.uppercased().replacing("-", with: " ")
            for (number, text) in [phrase, phrase + "\n", "  \(loud)\r\nurl: https://example.org\n"].enumerated() {
                write(text, to: file)
                let joined = await run("join", "--phrase-file", file, "--json", "--home", "\(directory)/\(number)")
                #expect(joined.status == 0, "\(joined.errors)")
                let report = try JSONDecoder().decode(InviteReport.self, from: Data(joined.output.utf8))
                #expect(report.phrase == phrase)
            }
        }
    }

    /// Shows that a pipe is read, as a shell's `<(…)` makes one, until its first line is there.
    @Test func aPipeIsRead() async throws {
        try await withPhrase { phrase, directory in
            let pipe = directory + "/pipe"
            #expect(mkfifo(pipe, 0o600) == 0)
            // Open for both, it waits for no reader; as long as it is open the pipe has no end.
            let descriptor = open(pipe, O_RDWR | O_CLOEXEC)
            try #require(descriptor >= 0)
            defer { close(descriptor) }
            let line = Array((phrase + "\n").utf8)
            #expect(Glibc.write(descriptor, line, line.count) == line.count)
            #expect(await run("join", "--phrase-file", pipe, "--home", directory + "/ben").status == 0)
        }
    }

    /// Shows that `-` reads a line of standard input, and that a person at a terminal is asked for the phrase.
    @Test func standardInputAndPeopleAreAsked() async throws {
        try await withPhrase { phrase, directory in
            let piped = await run(
                "join", "--phrase-file", "-", "--home", directory + "/piped", input: [phrase, "something else"])
            #expect(piped.status == 0, "\(piped.errors)")
            #expect(piped.output.contains(phrase))
            let asked = await run("join", "--home", directory + "/asked", isTerminal: true, input: [phrase])
            #expect(asked.status == 0, "\(asked.errors)")
            #expect(asked.errors.hasPrefix("The invite phrase: "))
        }
    }

    /// Shows that what holds no phrase ends with one sentence and changes nothing, and that nothing is read without end.
    @Test func whatIsNoPhraseIsTold() async throws {
        try await withTemporaryHome { directory in
            write("", to: directory + "/empty")
            write("\n\nlusab-babad-gutih-tugad-kabok\n", to: directory + "/late")
            write(String(repeating: "x", count: 5000), to: directory + "/long")
            write("lusab-babad-gutih-tugad-lusab\n", to: directory + "/mistyped")
            let cases: [(file: String, status: Int32, part: String)] = [
                (directory + "/empty", 64, "is empty"), (directory + "/late", 64, "is empty"),
                (directory + "/long", 64, "longer than 4 KiB"), ("/dev/zero", 64, "longer than 4 KiB"),
                (directory + "/mistyped", 64, "mistyped"), (directory + "/none", 1, "cannot be read"),
                (directory, 1, "cannot be read"), ("-", 64, "standard input is empty"),
            ]
            for (file, status, part) in cases {
                let outcome = await run("join", "--phrase-file", file, "--home", directory + "/home")
                #expect(outcome.status == status, "\(file)")
                #expect(outcome.output.isEmpty)
                #expect(outcome.errors.contains(part), "\(file): \(outcome.errors)")
                #expect(outcome.errors.filter { $0 == "\n" }.count == 1)
                #expect(await run("albums", "--home", directory + "/home").status == 78)
            }
        }
    }

    /// Shows that a phrase and a file together are wrong usage, and so is neither where nobody can be asked.
    @Test func oneSourceIsAskedFor() async {
        let both = await run("join", "lusab-babad-gutih-tugad-kabok", "--phrase-file", "x", "--home", "/nonexistent")
        #expect(both.status == 64 && both.errors.contains("not both"))
        let neither = await run("join", "--home", "/nonexistent", input: ["lusab-babad-gutih-tugad-kabok"])
        #expect(neither.status == 64 && neither.errors.contains("missing"))
    }

    /// Shows that a line is read to its end and no further.
    @Test func linesEndWhereTheyEnd() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let text = Array("first\r\n\nthird".utf8)
        #expect(Glibc.write(ends[1], text, text.count) == text.count)
        close(ends[1])
        for line in ["first", "", "third", nil] as [String?] {
            #expect(try InputLine.read(ends[0], of: "a pipe") == line)
        }
    }
}
