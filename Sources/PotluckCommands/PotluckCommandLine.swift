import ArgumentParser
import Glibc
import PotluckAPI

/// The whole program behind `potluck`.
public enum PotluckCommandLine {
    /// Runs one command; all that it prints is printed when this returns.
    ///
    /// - Parameter arguments: Without the program's name.
    /// - Returns: The exit status.
    public static func run(_ arguments: [String]) async -> Int32 {
        // A reader that goes, like `head`, is an error of write(2) here, not this program's death.
        signal(SIGPIPE, SIG_IGN)
        return await run(arguments, console: .system)
    }

    static func run(_ arguments: [String], console: Console) async -> Int32 {
        var console = console
        // Arguments that are not understood have no `common.json`.
        console.isJSON = arguments.prefix { $0 != "--" }.contains("--json")
        return await Console.$current.withValue(console) { [console] in
            do {
                try await perform(arguments)
                return 0
            } catch {
                return end(error, arguments, console)
            }
        }
    }

    private static func perform(_ arguments: [String]) async throws {
        if let topic = UsageAdvice.unknownTopic(arguments) { throw UsageAdvice.unknownCommand(topic) }
        var command = try await PotluckCommand.asyncParseAsRoot(arguments)
        if command is PotluckCommand { throw noCommand }
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            // The parser's own, such as `help`.
            try command.run()
        }
    }

    private static let noCommand = PotluckError(
        .usage, "Say what to do, for example `potluck status`; `potluck --help` lists the commands.")

    /// Prints what a person should know of the error, and gives the exit status.
    private static func end(_ error: any Error, _ arguments: [String], _ console: Console) -> Int32 {
        console.live.clear()
        switch error {
        case let error as PotluckError: return complain(error, console)
        case OutputError.readerGone: return 0
        case is DoctorReport.Found: return ExitStatus.failed.rawValue
        case OutputError.failed(let reason):
            return complain(PotluckError(.failed, "The output cannot be written: \(reason)."), console)
        default: return endParsing(error, arguments, console)
        }
    }

    /// Help that was asked for, arguments that are wrong, or an error that nobody made a sentence of.
    private static func endParsing(_ error: any Error, _ arguments: [String], _ console: Console) -> Int32 {
        switch PotluckCommand.exitCode(for: error) {
        case .success:
            // Help that cannot be written has nobody to read it.
            try? console.write(PotluckCommand.fullMessage(for: error) + "\n")
            return 0
        case .validationFailure:
            let advice = UsageAdvice.sentence(PotluckCommand.message(for: error), arguments)
            return complain(PotluckError(.usage, advice), console)
        default:
            let sentence = "That failed: \(PotluckCommand.message(for: error))."
            return complain(PotluckError(.failed, sentence), console)
        }
    }

    /// Standard output has reports only, so that errors are on standard error as JSON too.
    ///
    /// - Returns: the exit status.
    private static func complain(_ error: PotluckError, _ console: Console) -> Int32 {
        console.tell(error.message, as: ErrorDocument(error))
        return error.status.rawValue
    }
}

/// What to say about wrong arguments.
enum UsageAdvice {
    private static var commandNames: [String] {
        let configurations = PotluckCommand.configuration.subcommands.map { $0.configuration }
        return configurations.flatMap { [$0.commandName].compactMap { $0 } + $0.aliases } + ["help"]
    }

    /// - Parameter complaint: The parser's own words.
    static func sentence(_ complaint: String, _ arguments: [String]) -> String {
        let names = commandNames
        guard let word = firstWord(arguments) else {
            return closed(complaint) + " `potluck --help` shows how it is used."
        }
        guard names.contains(word) else { return unknownCommand(word).message }
        return closed(complaint) + " `potluck \(word) --help` shows how it is used."
    }

    static func unknownCommand(_ word: String) -> PotluckError {
        let close = CloseNames.find(word, among: commandNames).first.map { " Did you mean `potluck \($0)`?" } ?? ""
        return PotluckError(.usage, "There is no command “\(word)”.\(close) `potluck --help` lists the commands.")
    }

    /// What `help` is asked about and does not exist; the parser would show the help of everything.
    static func unknownTopic(_ arguments: [String]) -> String? {
        let words = words(arguments)
        guard words.first == "help", words.dropFirst().first != "help" else { return nil }
        var commands = PotluckCommand.configuration.subcommands
        for word in words.dropFirst() {
            let known = commands.first {
                $0.configuration.commandName == word || $0.configuration.aliases.contains(word)
            }
            guard let known else { return word }
            commands = known.configuration.subcommands
        }
        return nil
    }

    private static func firstWord(_ arguments: [String]) -> String? { words(arguments).first }

    /// Arguments that are neither options nor values of those that may stand before the command.
    private static func words(_ arguments: [String]) -> [String] {
        var words: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--home" || argument == "--log-level" {
                _ = rest.popFirst()
            } else if !argument.hasPrefix("-") {
                words.append(argument)
            }
        }
        return words
    }

    private static func closed(_ sentence: String) -> String {
        guard let last = sentence.last else { return "The arguments are not understood." }
        return ".!?".contains(last) ? sentence : sentence + "."
    }
}
