/// What a change may hold. A change outside these is without effect, on every device alike.
public enum CatalogLimits {
    /// Bytes of a name in UTF-8; a file name on disk has at most 255.
    public static let nameByteCountMax = 1024
    public static let mediaTypeByteCountMax = 128
    /// 64 GiB: the piece list, 2 MiB then, still fits in one message.
    public static let blobByteCountMax: UInt64 = 1 << 36
    /// Dots that one change may name: more concurrent writes than this are replaced in several changes.
    public static let dotCountMax = 1024
    public static let batchByteCountMax = 256 * 1024

    static func isValid(_ change: Change) -> Bool {
        switch change {
        case .albumNamed(_, let name, let replaces):
            isValidName(name) && !AlbumName.key(name).isEmpty && replaces.count <= dotCountMax
        case .photoAdded(let addition):
            isValidName(addition.name) && addition.mediaType.utf8.count <= mediaTypeByteCountMax
                && (1...blobByteCountMax).contains(addition.byteCount)
                && (addition.pieceListHash != nil) == (addition.byteCount > Pieces.byteCount)
        case .photoRemoved(_, _, let adds): adds.count <= dotCountMax
        case .photoNamed(_, _, let name, let replaces): isValidName(name) && replaces.count <= dotCountMax
        case .deviceNamed(let name): isValidName(name)
        case .gatheringNamed(let name, let replaces): isValidName(name) && replaces.count <= dotCountMax
        case .unknown: true
        }
    }

    private static func isValidName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= nameByteCountMax
    }
}
