import DiskIO
import PotluckAPI

/// What emptying the trash would do, as `potluck trash --empty --dry-run` prints it.
struct TrashPreview: Encodable {
    /// What would be free then, but for small pictures.
    private(set) var bytes: UInt64 = 0
    private(set) var deleted: [TrashReport.Photo] = []
    private(set) var kept: [TrashReport.Photo] = []

    /// The agent's own rule: bytes go with the last entry that has them, unless an album has them too, and that entry stays
    /// where no other device is known to keep them.
    ///
    /// - Parameters:
    ///   - chosen: What would be emptied.
    ///   - all: All that is in the trash.
    init(_ chosen: TrashReport, of all: TrashReport, lastCopies: Bool) {
        var entryCounts: [String: Int] = [:]
        for photo in all.trash { entryCounts[photo.id, default: 0] += 1 }
        // The agent goes through them in this order.
        for photo in chosen.trash.sorted(by: { ($0.albumID, $0.id) < ($1.albumID, $1.id) }) {
            let isLastEntry = entryCounts[photo.id] == 1
            guard !isLastEntry || lastCopies || !photo.isLastCopy else {
                kept.append(photo)
                continue
            }
            deleted.append(photo)
            entryCounts[photo.id, default: 1] -= 1
            if isLastEntry, photo.isInAlbum != true { bytes = [bytes, photo.bytes].clampedSum }
        }
    }
}
