/// What a change may hold. A change outside these is without effect, on every device alike.
public enum CatalogLimits {
    /// Bytes of a name in UTF-8; a file name on disk has at most 255.
    public static let nameByteCountMax = 1024
    public static let mediaTypeByteCountMax = 128
    /// Bytes of a caption in UTF-8.
    public static let captionByteCountMax = 4096
    /// Bytes of a tag in UTF-8, without white space at its ends.
    public static let tagByteCountMax = 100
    /// Bytes of a comment in UTF-8.
    public static let commentByteCountMax = 2000
    /// Bytes of a guest's name in UTF-8: 60 letters of most scripts.
    public static let guestNameByteCountMax = 240
    /// An integer that JSON carries exactly.
    public static let guestEpochMax: UInt64 = 1 << 53
    /// 64 GiB: the piece list, 2 MiB then, still fits in one message.
    public static let blobByteCountMax: UInt64 = 1 << 36
    /// Dots that one change may name: more concurrent writes than this are replaced in several changes.
    public static let dotCountMax = 1024
    public static let batchByteCountMax = 256 * 1024
    /// Seconds by which a camera's clock may be wrong: a hundred years.
    public static let clockSeconds: ClosedRange<Int64> = -3_155_760_000...3_155_760_000

    public static func isValid(_ change: Change) -> Bool {
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
        case .photoRead(_, _, let facts): FactsLimits.isValid(facts)
        case .photoCaptioned(_, _, let caption, let replaces):
            caption.utf8.count <= captionByteCountMax && replaces.count <= dotCountMax
        case .photoTagged(_, _, let tag): isValidTag(tag)
        case .photoUntagged(_, _, let tag, let adds): isValidTag(tag) && adds.count <= dotCountMax
        case .photoFavoured: true
        case .photoUnfavoured(_, _, let adds, _): adds.count <= dotCountMax
        case .coverChosen(_, _, let replaces): replaces.count <= dotCountMax
        case .cameraClockSet(_, let camera, let seconds, let replaces):
            clockSeconds.contains(seconds) && replaces.count <= dotCountMax
                && [camera.make, camera.model, camera.serial].allSatisfy(FactsLimits.isValidText)
        case .photoReplaced(let former, let photo): former != photo
        case .photoCommented(_, _, let text, _): (1...commentByteCountMax).contains(text.utf8.count)
        case .photoUncommented(_, _, let comments): comments.count <= dotCountMax
        case .guestNamed(_, let name): isValidGuestName(name)
        case .guestRevoked, .guestDoorMoved: true
        case .guestEpochRaised(let epoch): (1...guestEpochMax).contains(epoch)
        case .unknown: true
        }
    }

    private static func isValidName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= nameByteCountMax
    }

    /// Letters are not counted here: how many a text has may differ from one version of Unicode to the next.
    private static func isValidGuestName(_ name: String) -> Bool {
        (1...guestNameByteCountMax).contains(name.utf8.count)
    }

    private static func isValidTag(_ tag: String) -> Bool {
        (1...tagByteCountMax).contains(AlbumName.trimmed(tag).utf8.count)
    }

    // MARK: What is shown

    // Everything that was said is folded, however much; of one photo or album so much is shown. Which part that is depends
    // on the set of changes alone.

    /// Writes of one register that are compared for what differs.
    public static let comparedWriteCountMax = 1024
    /// Values of one register that are listed beside each other.
    public static let alternativeCountMax = 64
    /// Devices that are listed as a photo's contributors: the first one, and the least others.
    public static let contributorCountMax = 1000
    /// Devices that are listed as those that like a photo.
    public static let favourerCountMax = 1000
    /// Guests that are listed as those that like a photo.
    public static let favouringGuestCountMax = 1000
    /// Comments that are listed of a photo: the latest.
    public static let shownCommentCountMax = 500
    /// Guests whose names are kept: those named last.
    public static let namedGuestCountMax = 4096
    /// Guests that are known to be revoked. None is forgotten: of more than these everybody is revoked.
    public static let revokedGuestCountMax = 65_536
    /// Tags that are listed of a photo.
    public static let shownTagCountMax = 128
    /// Corrections of cameras' clocks that lists of an album follow: the latest.
    public static let shownClockCountMax = 1024
    /// Albums of one name that are told apart by a number. Further ones are by their ID, so that a new one gives at most so
    /// many others another name.
    public static let numberedAlbumCountMax = 99
    /// Photos whose place another one took that are looked at for their favours, over all steps.
    public static let replacementCountMax = 64
    /// Adds of one blob that stand for all of it where something is asked often.
    public static let sampleAddCountMax = 64
}
