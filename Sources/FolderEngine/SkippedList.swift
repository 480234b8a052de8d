/// A file in the folder that is not shared, and why.
public struct SkippedFile: Hashable, Sendable {
    /// Below the folder.
    public var path: String
    /// Completes "it is skipped: …".
    public var reason: String

    public init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }
}

/// The files that are not shared, each with its reason; of very many, the first that were found.
package struct SkippedList: Sendable {
    private let countMax: Int
    private var reasons: [FolderPath: String] = [:]
    /// Those that nobody could read, all of them: any may be a photo. The files on disk bound it.
    package private(set) var unread: Set<FolderPath> = []

    package init(countMax: Int) {
        self.countMax = countMax
    }

    package var files: [SkippedFile] {
        reasons.sorted { $0.key < $1.key }.map { SkippedFile(path: $0.key.text, reason: $0.value) }
    }

    /// Whether that is news.
    package mutating func insert(_ path: FolderPath, _ reason: String, isUnread: Bool = false) -> Bool {
        if isUnread { unread.insert(path) } else { unread.remove(path) }
        if reasons[path] == reason { return false }
        guard reasons.count < countMax || reasons[path] != nil else { return false }
        reasons[path] = reason
        return true
    }

    package mutating func remove(_ path: FolderPath) {
        reasons[path] = nil
        unread.remove(path)
    }

    /// Forgets what is at or below a path that vanished, file or directory.
    package mutating func remove(below path: FolderPath) {
        remove(path)
        for other in unread.union(reasons.keys) where other.isBelow(path) { remove(other) }
    }

    /// Forgets what a scan did not see, where it could look.
    package mutating func keep(where isKept: (FolderPath) -> Bool) {
        reasons = reasons.filter { isKept($0.key) }
        unread = unread.filter(isKept)
    }
}
