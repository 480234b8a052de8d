import PotluckAPI

/// The part of a command's help that follows its abstract.
enum ManPage {
    /// - Parameters:
    ///   - text: Paragraphs.
    ///   - examples: Command lines, each with what it does.
    ///   - statuses: How the command can end, besides 0 and, for wrong usage, 64.
    static func discussion(
        _ text: String, examples: [(command: String, effect: String)], statuses: [ExitStatus]
    ) -> String {
        let shown = examples.map { "  \($0.command)\n      \($0.effect)" }.joined(separator: "\n")
        let endings = ["  0   Done."] + (Set(statuses).union([.usage])).sorted { $0.rawValue < $1.rawValue }.map(ending)
        return "\(text)\n\nEXAMPLES:\n\(shown)\n\nEXIT STATUS:\n\(endings.joined(separator: "\n"))"
    }

    private static func ending(_ status: ExitStatus) -> String {
        let number = String(status.rawValue)
        let meaning =
            switch status {
            case .failed: "Something failed; standard error says what."
            case .usage: "Wrong usage."
            case .notFound: "What was named is not there: an album, a photo, a guest."
            case .notRunning: "No agent runs in this home."
            case .tryAgain: "Not now; try again later."
            case .badSetting: "A setting is wrong, or the home has no gathering."
            }
        return "  \(number)\(String(repeating: " ", count: 4 - number.count))\(meaning)"
    }
}
