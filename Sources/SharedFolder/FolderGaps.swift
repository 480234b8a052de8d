import DiskIO
import FolderEngine

/// Parts of the folder that cannot be looked at now. What is in them stays as folder state has it, and is not judged.
struct FolderGaps: Sendable {
    enum Reason: Hashable, Sendable {
        /// The directory, or the file, gives an error: its errno.
        case unreadable(Int32)
        /// The disk that was mounted there is not.
        case away
        /// Another disk than the one that was there is mounted.
        case otherDisk
    }

    /// Each covers its path and all that is below.
    private(set) var reasons: [FolderPath: Reason] = [:]
    /// Until the next look; `nil` while there are no gaps.
    private(set) var delay: Duration?
    private let delayFirst: Duration
    private let delayMax: Duration

    init(settings: FolderSettings) {
        (delayFirst, delayMax) = (settings.gapFirst, settings.gapMax)
    }

    var isEmpty: Bool { reasons.isEmpty }

    /// Whether something is there of which nobody knows what it holds.
    var hasUnseen: Bool { reasons.values.contains { $0 != .away } }

    func covers(_ path: FolderPath) -> Bool {
        if reasons.isEmpty { return false }
        var covering = path
        while reasons[covering] == nil, !covering.bytes.isEmpty { covering = covering.parent }
        return reasons[covering] != nil
    }

    /// What a whole scan found, instead of what was known. The wait for the next look doubles while there are gaps.
    mutating func found(_ reasons: [FolderPath: Reason]) {
        self.reasons = reasons
        delay = reasons.isEmpty ? nil : delay.map { min($0 * 2, delayMax) } ?? delayFirst
    }

    /// A look failed between two scans.
    mutating func add(_ path: FolderPath, _ reason: Reason) {
        if covers(path) { return }
        reasons[path] = reason
        delay = delay ?? delayFirst
    }

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
