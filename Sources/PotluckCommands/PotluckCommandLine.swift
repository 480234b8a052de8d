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
        await Console.$current.withValue(console) {
            do {
                try await perform(arguments)
                return 0
            } catch {
                return end(error, arguments, console)
            }
        }
    }

    private static func perform(_ arguments: [String]) async throws {
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
        case let error as PotluckError:
            complain(error.message, console)
            return error.status.rawValue
        case OutputError.readerGone: return 0
        case OutputError.failed(let reason):
            complain("The output cannot be written: \(reason).", console)
            return ExitStatus.failed.rawValue
        default: return endParsing(error, arguments, console)
        }
    }

    /// Help that was asked for, arguments that are wrong, or an error that nobody made a sentence of.
    private static func endParsing(_ error: any Error, _ arguments: [String], _ console: Console) -> Int32 {
        let code = PotluckCommand.exitCode(for: error)
        switch code {
        case .success:
            // Help that cannot be written has nobody to read it.
            try? console.write(PotluckCommand.fullMessage(for: error) + "\n")
            return 0
        case .validationFailure:
            complain(UsageAdvice.sentence(PotluckCommand.message(for: error), arguments), console)
            return ExitStatus.usage.rawValue
        default:
            complain("That failed: \(PotluckCommand.message(for: error)).", console)
            return ExitStatus.failed.rawValue
        }
    }

    private static func complain(_ message: String, _ console: Console) {
        console.warn("potluck: \(PrintableText.lines(message))\n")
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
        guard names.contains(word) else {
            let close = CloseNames.find(word, among: names).first.map { " Did you mean `potluck \($0)`?" } ?? ""
            return "There is no command “\(word)”.\(close) `potluck --help` lists the commands."
        }
        return closed(complaint) + " `potluck \(word) --help` shows how it is used."
    }

    /// The first argument that is neither an option nor the value of one that may stand before the command.
    private static func firstWord(_ arguments: [String]) -> String? {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--home" || argument == "--log-level" {
                _ = rest.popFirst()
            } else if !argument.hasPrefix("-") {
                return argument
            }
        }
        return nil
    }

    private static func closed(_ sentence: String) -> String {
        guard let last = sentence.last else { return "The arguments are not understood." }
        return ".!?".contains(last) ? sentence : sentence + "."
    }
}
