public import AlbumModel

/// A file that a person put into the folder, complete, its bytes durable in the blob store.
public struct Drop: Hashable, Sendable {
    /// The first-level directory, as text; empty for a file that lies directly in the folder.
    public var directory: String
    /// The file's name, in NFC.
    public var name: String
    public var blob: IngestedBlob
    /// By content, such as `image/jpeg`.
    public var mediaType: String
    /// The file's modification time, in nanoseconds since 1970.
    public var modified: Int64
    /// Somebody put it there just now; `false` for what a scan found.
    public var isLive: Bool
    /// What seems wrong with the file, as a sentence's end; `nil` for nothing.
    public var problem: String?

    package init(
        directory: String, name: String, blob: IngestedBlob, mediaType: String, modified: Int64, isLive: Bool,
        problem: String?
    ) {
        self.directory = directory
        self.name = name
        self.blob = blob
        self.mediaType = mediaType
        self.modified = modified
        self.isLive = isLive
        self.problem = problem
    }
}

extension Drop {
    package init(
        _ path: FolderPath, blob: IngestedBlob, mediaType: String, modified: Int64, isLive: Bool, isShort: Bool
    ) {
        self.init(
            directory: path.albumDirectory.text, name: Self.name(path), blob: blob, mediaType: mediaType,
            modified: modified, isLive: isLive, problem: isShort ? "the file is shorter than its format says" : nil)
    }

    /// The name under which the file of this path is shared.
    package static func name(_ path: FolderPath) -> String {
        AlbumName.composed(String(decoding: path.name, as: UTF8.self))
    }
}
