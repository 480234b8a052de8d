import AlbumModel

/// Whether content is shared from the folder and placed in it: one rule for both, by its beginning and its size.
public enum MediaContent: Hashable, Sendable {
    case media(MediaType)
    /// Why it is neither shared nor placed; completes "it is skipped: …".
    case refused(String)

    /// Bytes from the start that tell any type; fewer only of content that has no more.
    public static let headByteCount = 4096

    /// - Parameter name: The file's: text is a photo's sidecar only if it is called so.
    public init(head: [UInt8], byteCount: UInt64, name: String) {
        if byteCount == 0 {
            self = .refused("it is empty")
        } else if byteCount > CatalogLimits.blobByteCountMax {
            self = .refused("it is larger than 64 GiB")
        } else if let type = MediaType.sniff(head, name: name) {
            self = .media(type)
        } else {
            self = .refused(MediaType.reasonToSkip(head))
        }
    }

    package var type: MediaType? {
        if case .media(let type) = self { type } else { nil }
    }
}
