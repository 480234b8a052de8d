import AlbumModel
import DiskIO
import FolderEngine
import PhotoStore

/// The random name that a home gives its folder.
public struct FolderID: Hashable, Sendable, CustomStringConvertible {
    static let byteCount = 16

    public let bytes: [UInt8]
    /// In hexadecimal digits. Each photo that is placed has it compared with the marker.
    public let description: String

    /// `nil` unless there are exactly 16 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
        description = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    static func random() -> FolderID {
        var generator = SystemRandomNumberGenerator()
        return FolderID(bytes: (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) })!
    }
}

/// The file in the folder that tells it from the empty directory under an unmounted disk.
enum Marker {
    static let path = FolderPath(".potluck-folder")

    /// The folder's ID as the journal has it.
    static let fact = FactKind(rawValue: "folder.id")

    private enum Content {
        case text(String)
        case absent
        /// Nobody can tell: a sentence's end.
        case unreadable(String)
    }

    /// `nil` if the marker in `root` names this folder; else a sentence. Blocks.
    static func complaint(root: String, folderID: FolderID) -> String? {
        if PlantedFault.isPlanted(.markerIgnored) { return nil }
        return switch content(root: root) {
        case .absent:
            "\(root) does not hold the file \(path): is a disk not mounted, or was the folder moved? "
                + "Nothing is imported or placed until it is back."
        case .unreadable(let reason): unreadable(root, reason) + " Nothing is imported or placed until it can be."
        case .text(folderID.description): nil
        case .text:
            "\(root) belongs to another home: its file \(path) names another folder. "
                + "Nothing is imported or placed until this home's own folder is back."
        }
    }

    /// Whose folder a directory is.
    enum Owner: Hashable {
        case thisHome, anotherHome, nobody
    }

    /// Whose folder `root` is by its marker; nobody's also where there is no directory. Blocks.
    ///
    /// - Throws: where nobody can tell: files that stand beside the marker would be taken for new ones.
    static func owner(of root: String, folderID: FolderID) throws(FolderError) -> Owner {
        switch content(root: root) {
        case .absent: .nobody
        case .text(let text): text == folderID.description ? .thisHome : .anotherHome
        case .unreadable(let reason): throw FolderError(.failed, unreadable(root, reason))
        }
    }

    private static func unreadable(_ root: String, _ reason: String) -> String {
        "The file \(path) of the folder \(root) cannot be read: \(reason)."
    }

    /// What the marker says.
    private static func content(root: String) -> Content {
        let file: Descriptor
        do throws(FileError) {
            file = try Descriptor(opening: path.absolute(in: root), .read(followsLink: false))
        } catch {
            return error.isAbsent ? .absent : .unreadable(error.causeText)
        }
        do throws(FileError) {
            // One byte more than an ID tells a longer text; asking for no more spares looking for the file's end.
            let bytes = try file.bytes(atMost: 2 * FolderID.byteCount + 1)
            return .text(String(decoding: bytes.prefix { $0 > 32 }, as: UTF8.self))
        } catch {
            return .unreadable(error.causeText)
        }
    }

    /// Makes the folder with its marker, durably, over one that another home left. Blocks.
    static func make(root: String, folderID: FolderID) throws(FolderError) {
        do {
            // Durably: else a power cut takes the folder back, and the journal misses it for ever.
            try Disk.makeDirectories(root, mode: 0o755, toleratesUnsupported: true)
            let directory = try OpenDirectory(path: root, of: .person)
            try directory.write(
                Array((folderID.description + "\n").utf8), as: path.text, mode: 0o644, toleratesUnsupported: true)
        } catch {
            throw FolderError(error)
        }
    }
}
