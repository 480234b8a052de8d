import Glibc
import PhotoStore

/// The random name that a home gives its folder.
public struct FolderID: Hashable, Sendable, CustomStringConvertible {
    static let byteCount = 16

    public let bytes: [UInt8]

    /// `nil` unless there are exactly 16 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    static func random() -> FolderID {
        var generator = SystemRandomNumberGenerator()
        return FolderID(bytes: (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) })!
    }

    public var description: String { FolderID.digits(bytes) }

    private static func digits(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// The file in the folder that tells it from the empty directory under an unmounted disk.
enum Marker {
    static let path = FolderPath(".potluck-folder")
    private static let passingPath = FolderPath(".potluck-folder.new")

    /// The folder's ID as the journal has it.
    static let fact = FactKind(rawValue: "folder.id")

    /// `nil` if the marker in `root` names this folder; else a sentence. Blocks.
    static func complaint(root: String, folderID: FolderID) -> String? {
        guard let text = text(root: root) else {
            return "\(root) does not hold the file \(path): is a disk not mounted, or was the folder moved? "
                + "Nothing is imported or placed until it is back."
        }
        if text == folderID.description { return nil }
        return "\(root) belongs to another home: its file \(path) names another folder. "
            + "Nothing is imported or placed until this home's own folder is back."
    }

    /// Whether a marker that names another folder is there. Blocks.
    static func isForeign(root: String, folderID: FolderID) -> Bool {
        SystemCall.look(path.absolute(in: root)) != nil && text(root: root) != folderID.description
    }

    /// What the marker says; `nil` where there is none that can be read.
    private static func text(root: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: 64)
        let file = open(path.absolute(in: root), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let count = max(0, read(file, &bytes, bytes.count))
        return String(decoding: bytes.prefix(count).prefix { $0 > 32 }, as: UTF8.self)
    }

    /// Makes the folder with its marker, durably, over one that another home left. Blocks.
    static func make(root: String, folderID: FolderID) throws(FolderError) {
        try makeDirectories(root)
        let passing = passingPath.absolute(in: root)
        let file = open(passing, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard file >= 0 else { throw .last("make", root + "/" + path.text) }
        defer { close(file) }
        let text = Array((folderID.description + "\n").utf8)
        guard write(file, text, text.count) == text.count, fsync(file) == 0,
            rename(passing, path.absolute(in: root)) == 0
        else { throw .last("write", root + "/" + path.text) }
        try SystemCall.synchronizeDirectory(root)
    }

    /// Durably: else a power cut takes the folder back, and the journal misses it for ever.
    private static func makeDirectories(_ root: String) throws(FolderError) {
        var made = root.hasPrefix("/") ? "/" : ""
        for component in root.split(separator: "/") {
            let parent = made.isEmpty ? "." : made
            made += component + "/"
            if mkdir(made, 0o755) == 0 {
                try SystemCall.synchronizeDirectory(parent)
            } else if errno != EEXIST, errno != EISDIR {
                throw .last("make", made)
            }
        }
    }
}
