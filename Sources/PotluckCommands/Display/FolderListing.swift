import PotluckAgent

/// What became of a folder that was moved, as text for people.
enum FolderListing {
    private static let nameCountMax = 10

    static func moved(_ report: FolderMoveReport) -> String {
        let folder = PrintableText.line(report.folder)
        let sentence =
            switch report.way {
            case .unused: "The folder will be \(folder), from the next `potluck up` on."
            case .found: "The folder is found again: \(folder)."
            case .renamed, .copied: "The folder is \(folder) now, no longer \(PrintableText.line(report.former))."
            }
        guard let remaining = report.remaining else {
            return "\(sentence)\nWhat stayed there could not be listed: look there before you delete it.\n"
        }
        guard !remaining.isEmpty else { return sentence + "\n" }
        let count = remaining.count
        let names = remaining.prefix(nameCountMax).map { "  " + PrintableText.line($0) }
        let rest = count > nameCountMax ? ["  and \(Phrases.grouped(count - nameCountMax)) more"] : []
        let stays = "\(Phrases.count(count, "thing")) of another kind, or that changed or came meanwhile, stayed there:"
        return ([sentence, stays] + names + rest).joined(separator: "\n") + "\n"
    }
}
