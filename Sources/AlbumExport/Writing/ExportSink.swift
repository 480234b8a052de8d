import AlbumModel

/// What a file of an export was made from: by it a file is found again under another name.
struct FileKey: Hashable {
    /// The hash of the file that it is, or is made of; for a text of ours, its name.
    var source: String
    var treatment: Treatment
}

/// A name below the export, with `/` between its parts.
struct FileName: Hashable {
    /// Without the ending.
    var stem: String
    /// With its dot; of a picture yet to be made, a guess.
    var ending: String

    var text: String { stem + ending }
}

/// Where files of an export go. All calls block, one at a time.
///
/// A file appears whole or not at all. Calls throw `FileError` for what is wrong with the destination, and
/// ``SourceError`` for what is wrong with one file.
protocol ExportSink: AnyObject {
    /// Whether an earlier export has pages to look at, which must follow the photos from then on.
    var hasGallery: Bool { get }
    /// Names under which files were set aside; see ``ExportSummary/setAside``.
    var setAside: [String] { get }
    /// How many bytes fit; `nil` where nobody knows.
    var freeByteCount: UInt64? { get }

    /// Gets ready for files of these names, made of these things.
    func prepare(for names: [FileKey: FileName]) throws

    /// Whether an earlier export says that it made this file.
    func isRecorded(_ key: FileKey) -> Bool

    /// Whether the bytes of this file would take no space at the destination, since the disk can share them.
    func shares(bytesOf path: String) -> Bool

    /// The file that an earlier export made of the same, unchanged, under the name that was prepared.
    ///
    /// - Parameter expected: the hash that its bytes must have; `nil` where the earlier export's word is all there is.
    func kept(_ key: FileKey, expected: BlobID?, time: FileTime?) throws -> NamedFile?

    /// Makes a file.
    ///
    /// - Parameters:
    ///   - expected: the hash that its bytes must have; else ``SourceError/damaged`` is thrown.
    ///   - time: what it is dated; for `nil`, the date of the file that it was made from, if any.
    ///   - progress: called with a number of bytes each time so many have passed.
    func write(
        _ key: FileKey, name: String, _ content: Content, expected: BlobID?, time: FileTime?,
        progress: (UInt64) -> Void
    ) throws -> NamedFile

    /// A path where a ``PictureMaker`` may make a file, another one each time.
    func temporaryPath() -> String

    /// Makes all of it durable. Nothing may be written any more.
    ///
    /// - Returns: Names of photos that an earlier export made and this one has no part in.
    func finish() throws -> [String]
}

/// A file of the export that is there, whole.
struct NamedFile: Hashable {
    var name: String
    var written: Written
}
