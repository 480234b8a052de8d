import AlbumModel
import Crypto
import DiskIO
import Glibc

/// The directory of a ``PictureStore``. Every call blocks.
///
/// Nothing is synchronized: whatever a power cut tears is noticed by its name, and can be made anew.
struct RenditionFolder: Sendable {
    private static let temporaryPrefix = "making-"

    private let directory: OpenDirectory

    /// Makes the directory if there is none; the one above must exist.
    init(path: String) throws(FileError) {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let parent = slash == path.startIndex ? "/" : String(path[..<slash])
        let name = path[slash...].drop { $0 == "/" }
        directory = try OpenDirectory(path: parent).makeDirectory(String(name), mode: 0o700)
    }

    /// What is kept, that used last at the end. Removes all else.
    func scan() throws(FileError) -> [RenditionName] {
        var found: [(name: RenditionName, used: Int64)] = []
        for text in try directory.names() {
            if let name = RenditionName(text: text), let file = try? directory.file(text),
                file.byteCount == name.byteCount
            {
                found.append((name, file.modifiedMilliseconds))
            } else {
                // A directory that somebody made here stays, and is in nobody's way.
                try? directory.removeFile(text)
            }
        }
        return found.sorted { ($0.used, $0.name.text) < ($1.used, $1.name.text) }.map(\.name)
    }

    /// `nil` where it is gone, or not what its name says.
    ///
    /// - Parameter isVerified: whether its bytes have been hashed since the start.
    func open(_ name: RenditionName, isVerified: Bool, now: Int) -> RenditionFile? {
        guard let file = try? directory.file(name.text), file.byteCount == name.byteCount else { return nil }
        if !isVerified {
            guard let sha256 = try? Self.sha256(file), sha256 == name.sha256 else { return nil }
        }
        // The next start finds out by it what was used last.
        file.setModified(.init(tv_sec: now, tv_nsec: 0))
        return RenditionFile(file, sha256: name.sha256, mediaType: name.key.kind.mediaType)
    }

    // MARK: Making

    func temporaryName(_ number: UInt64) -> String { "\(Self.temporaryPrefix)\(number)" }

    func path(of name: String) -> String { directory.path(of: name) }

    /// Gives a file that has been made its name.
    func keep(_ temporary: String, as key: RenditionKey, byteCountMax: UInt64) throws -> RenditionName {
        let made = try TemporaryFile(adopting: temporary, in: directory, mode: 0o600)
        let file = try made.reopened()
        guard file.byteCount > 0, file.byteCount <= byteCountMax else {
            throw MediaError(.unreadable, "What was prepared of it is too large to be kept.")
        }
        let name = RenditionName(key, byteCount: file.byteCount, sha256: try Self.sha256(file))
        try made.close()
        try made.rename(to: name.text, replacing: true)
        return name
    }

    func remove(_ name: RenditionName) { remove(name.text) }

    func remove(_ name: String) {
        // What cannot be removed now is found at the next start.
        try? directory.removeFile(name)
    }

    private static func sha256(_ file: OpenFile) throws -> String {
        var hasher = SHA256()
        try file.forEachChunk { bytes, _ in hasher.update(bufferPointer: bytes) }
        return Hexadecimal.text(Array(hasher.finalize()))
    }
}
