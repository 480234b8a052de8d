package import AlbumModel

/// A file whose bytes are in the blob store now.
package struct TakenPhoto: Hashable, Sendable {
    package var blob: IngestedBlob
    /// By content, such as `image/jpeg`.
    package var mediaType: String
    package var signature: FileSignature
    package var isShort: Bool

    package init(blob: IngestedBlob, mediaType: String, signature: FileSignature, isShort: Bool) {
        self.blob = blob
        self.mediaType = mediaType
        self.signature = signature
        self.isShort = isShort
    }

    func found(isLive: Bool) -> PendingChanges.Found {
        var blob = blob
        // Many may wait, and nobody asks for them.
        blob.firstBytes = []
        return PendingChanges.Found(
            id: blob.id, blob: blob, mediaType: mediaType, signature: signature, isShort: isShort, isLive: isLive)
    }
}

/// What all questions of one look at a path have shown.
enum LookFinding: Hashable, Sendable {
    /// Known as it is, or nothing to share in any way.
    case settled
    case absent
    /// It differs from folder state as it did before, and waits to be judged.
    case pending
    /// Nobody can tell what is there: the disk that this mount is known as is away, or nobody knows what is mounted.
    case away(FolderPath)
    /// Something else than a photo, and why it is not shared.
    case noPhoto(String, FileSignature)
    /// Why nobody knows what it is.
    case unreadable(String)
    /// It may be incomplete; the schedule knows until when.
    case waiting
    case changed
    /// The folder is not there.
    case unavailable
    /// A known file of the same album under another name; that one is gone if `isMoved`. Same content, too.
    case sameFile(FolderPath, PhotoKey, FileSignature, isMoved: Bool)
    case taken(TakenPhoto)
    /// A shared photo's file with other bytes of the same size and time.
    case damaged(FileSignature)
    /// Why the disk or the store failed, as a sentence.
    case failed(String)

    init(_ error: LookError) {
        self =
            switch error {
            case .absent: .absent
            case .changed: .changed
            case .unreadable(let reason): .unreadable(reason)
            case .failed(let reason): .failed(reason)
            }
    }
}
