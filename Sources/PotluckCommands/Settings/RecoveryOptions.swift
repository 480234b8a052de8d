import ArgumentParser
import PotluckAPI

/// The recovery code, which stands on no command line.
struct RecoveryOptions: ParsableArguments {
    @Flag(help: "Decide with the recovery code, which is asked for, instead of as a host.")
    var recovery = false

    @Option(
        help: ArgumentHelp(
            "Read the recovery code from the first line of a file; `-` is standard input.", valueName: "file"),
        completion: .file())
    var recoveryFile: String?

    /// - Returns: `nil` where this laptop is to decide as a host.
    /// - Throws: ``PotluckError`` where nobody can be asked, or nothing can be read.
    func code(console: Console) async throws -> String? {
        if let recoveryFile { return try await PhraseFile(recoveryFile, console: console).recoveryCode() }
        guard recovery else { return nil }
        guard console.canAsk else {
            throw PotluckError(
                .usage,
                "Without a terminal nobody can be asked for the recovery code: name a file with --recovery-file.")
        }
        console.warn("The recovery code: ")
        return try await PhraseFile.standardInput(console: console).recoveryCode()
    }
}
