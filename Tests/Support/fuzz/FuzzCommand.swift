import ArgumentParser
import CLibFuzzer
import FoundationEssentials
import FuzzTargets
import Glibc

/// Lets libFuzzer look for inputs that break one parser.
@main
struct FuzzCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fuzz",
        abstract: "Let libFuzzer look for inputs that break a parser of others' bytes.",
        discussion: """
            Scripts/fuzz builds this program with what it needs, and runs it.

              fuzz                                    names the parsers
              fuzz batches --corpus DIR --cases 1000  tries changed inputs, and keeps in DIR those that reach new code
              fuzz batches --input FILE               tries one input, as one that broke it
            """)

    @Argument(help: ArgumentHelp("The parser.", valueName: "name"))
    var target: String?

    @Option(help: "Where inputs are kept. The parser's own seeds are written there first.")
    var corpus: String?

    @Option(help: "How many inputs are tried.")
    var cases = 1_000_000

    @Option(help: "Stop after so many seconds, however many were tried.")
    var seconds = 3600

    @Option(help: "Where an input that breaks the parser is written: the beginning of its path.")
    var found = "./"

    @Option(help: "Try this input alone.")
    var input: String?

    func validate() throws {
        guard target == nil || (corpus == nil) != (input == nil) else {
            throw ValidationError("Give one of --corpus and --input.")
        }
    }

    func run() throws {
        guard let name = target else { return FuzzTarget.all.forEach { print($0.name) } }
        guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
            let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
            throw ValidationError("No parser is “\(name)”; there are \(names).")
        }
        if let input {
            let isAccepted = try target.check(Array(Data(contentsOf: URL(filePath: input))))
            return print(isAccepted ? "The parser accepts it." : "The parser refuses it.")
        }
        guard let corpus else { return }
        try write(target.seeds, to: corpus)
        throw ExitCode(
            try run(
                target,
                [
                    "-runs=\(cases)", "-max_total_time=\(seconds)", "-max_len=\(target.byteCountMax)",
                    "-artifact_prefix=\(found)", "-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1",
                    "-verbosity=0", corpus,
                ]))
    }

    private func write(_ seeds: [[UInt8]], to directory: String) throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for (number, seed) in seeds.enumerated() {
            try Data(seed).write(to: URL(filePath: "\(directory)/seed-\(number)"))
        }
    }

    /// libFuzzer's exit status. The process ends at an input that breaks the parser.
    private func run(_ target: FuzzTarget, _ options: [String]) throws -> Int32 {
        Self.current = target
        var arguments: [UnsafeMutablePointer<CChar>?] = (["fuzz"] + options).map { strdup($0) }
        arguments.append(nil)
        defer { arguments.forEach { free($0) } }
        let status = run_libfuzzer(Int32(arguments.count - 1), &arguments) { bytes, count in
            Self.tryInput(Array(UnsafeBufferPointer(start: bytes, count: count)))
        }
        guard status >= 0 else { throw ValidationError("This program was built without libFuzzer: use Scripts/fuzz.") }
        return status
    }

    /// Written before libFuzzer begins, whose function knows no context; it calls it on the same thread.
    nonisolated(unsafe) private static var current: FuzzTarget?

    private static func tryInput(_ bytes: [UInt8]) -> Int32 {
        do {
            _ = try current?.check(bytes)
        } catch {
            fatalError("\(error)")
        }
        return 0
    }
}
