import AlbumModel
import DiskIO
import PhotoStore

/// What Potluck itself keeps in a home, by the names that it gives: nothing else is ever deleted.
enum HomeContents {
    /// All directories of Potluck's, of which a home's other entries are a person's.
    static let directories: Set<String> = [
        "blobs", "cache", "quarantine", "renditions", "restoring", "staging", "uploads", "web",
    ]

    /// What is in the directories and can be made again, or is of no use without the home.
    static let temporary: [(directory: String, isOurs: @Sendable (String) -> Bool)] = [
        ("staging", { name in endsIn(name, [".part", ".new"]) && isHexadecimal(name.prefix { $0 != "." }) }),
        ("cache/pictures", { isOfBlob($0) }),
        ("renditions", { isOfBlob($0) }),
        ("web", { name in documents.contains { name == $0 + ".json" || name == $0 + ".new" } }),
        ("restoring", { $0.hasPrefix(Journal.fileName) }),
    ]

    /// Once their files are gone; the deepest first.
    static let emptied = [
        "cache/pictures", "cache", "renditions", "staging", "uploads", "quarantine", "web", "restoring",
    ]

    /// Directly in the home. The lock goes before the journal, which makes the home one: until then this can be said again.
    static let files = [
        "index.sqlite", "index.sqlite-wal", "index.sqlite-shm", HomeSetup.settingsName, HomeSetup.restoredSettingsName,
        "health.new", Journal.fileName + "-wal", Journal.fileName + "-shm", "lock", Journal.fileName,
    ]

    /// Of an agent that ended without a word.
    static let socket = "control.sock"

    private static let documents = [
        "doors", "sessions", "guests", "uploads", "guest-additions", "taken-home",
    ]

    /// The blob that a file in `quarantine/` was.
    static func blob(ofQuarantined name: String) -> BlobID? { BlobID(hex: name.prefix { $0 != "-" }) }

    private static func isOfBlob(_ name: String) -> Bool { BlobID(hex: name.prefix { $0 != "-" }) != nil }

    private static func endsIn(_ name: String, _ endings: [String]) -> Bool { endings.contains { name.hasSuffix($0) } }

    private static func isHexadecimal(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isHexDigit }
    }
}
