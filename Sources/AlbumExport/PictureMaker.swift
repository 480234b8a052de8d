/// Makes other pictures of files: whoever decodes images, which this module never does itself.
///
/// Calls come from several tasks at a time. An error's description goes into the list of what is missing: a short
/// sentence for people, or the end of one. An ``ExportError`` says that no file can have it, and ends the export.
public protocol PictureMaker: Sendable {
    /// A picture that fits a square of `side` pixels, the right way up, without metadata. Of a video, its poster.
    func picture(of file: ExportFile, fitting side: Int) async throws -> ExportPicture

    /// Writes the same bytes to `path`, a file that does not exist, less what says where the photo was taken.
    func copyWithoutPlace(of file: ExportFile, to path: String) async throws
}

public struct ExportPicture: Hashable, Sendable {
    public var bytes: [UInt8]
    /// `image/jpeg` or `image/webp`.
    public var mediaType: String

    public init(bytes: [UInt8], mediaType: String) {
        self.bytes = bytes
        self.mediaType = mediaType
    }
}
