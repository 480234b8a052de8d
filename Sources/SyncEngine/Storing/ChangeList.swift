import AlbumModel

/// The changes of one batch, and how much of its room they take.
struct ChangeList {
    private(set) var changes: [Change] = []
    /// A change named as many dots as it may: there may be more, which a change in the next batch has to name.
    private(set) var isUnfinished = false
    private var byteCount = 0

    /// Captions are at most 4 KiB, so one more change always fits below this, however many dots it names.
    var isFull: Bool { byteCount > CatalogLimits.batchByteCountMax / 2 }

    /// - Parameters:
    ///   - dots: how many the change names.
    ///   - textByteCount: of its texts, at most.
    mutating func append(_ change: Change, dots: Int, textByteCount: Int) {
        changes.append(change)
        byteCount += textByteCount + 256 + dots * 40
        if dots >= CatalogLimits.dotCountMax { isUnfinished = true }
    }
}
