import DiskIO
import FolderEngine

extension FolderGaps {
    /// For people; `nil` while everything can be looked at.
    func sentence(root: String, fileCount: (FolderPath) -> Int) -> String? {
        guard let delay else { return nil }
        let parts = reasons.sorted { $0.key < $1.key }
        let told = parts.prefix(Self.toldCountMax).map { path, reason in
            Self.sentence(path.bytes.isEmpty ? root : root + "/" + path.text, reason, fileCount(path))
        }
        let rest = parts.count - told.count
        let more = rest > 0 ? ["The same is so of \(rest) more \(rest == 1 ? "place" : "places")."] : []
        return (told + more + ["The folder is looked through again in \(delay.components.seconds) s."])
            .joined(separator: " ")
    }

    private static let toldCountMax = 3

    private static func sentence(_ path: String, _ reason: Reason, _ fileCount: Int) -> String {
        let files =
            switch fileCount {
            case 0: "nothing of it is shared yet"
            case 1: "its photo stays as it is"
            default: "its \(fileCount) photos stay as they are"
            }
        return switch reason {
        case .unreadable(let number):
            "\(path) cannot be read (\(FileError.text(number))); \(files)."
        case .away:
            "The disk that was mounted at \(path) is not there; \(files), and nothing is shared from there or placed "
                + "there until it is back. If it is gone for good, say `potluck confirm`."
        case .otherDisk:
            "Another disk is mounted at \(path) than the one that was there; \(files), and nothing is shared from there "
                + "or placed there until that one is back. If this one is to stay, say `potluck confirm`."
        }
    }
}
