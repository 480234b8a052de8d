import AlbumModel
import PotluckAPI

/// Blobs that could not be read when they were last looked at, in the order in which that was found. A value type without
/// I/O.
struct UnreadBlobs: Sendable {
    private var blobs: [BlobID] = []
    /// What people are told of each.
    private var sentences: [BlobID: String] = [:]
    /// Findings since one was readable.
    private var unreadInARow = 0

    /// After so many the disk is away or fails as a whole: then nothing is set aside.
    var mayRepair: Bool { unreadInARow < BlobRound.unreadInARowMax }

    /// The one that is to be looked at again.
    var first: BlobID? { blobs.first }

    /// What people are told; `nil` where everything can be read.
    var sentence: String? { first.flatMap { sentences[$0] } }

    /// - Parameter finding: what a look found; `nil` of a blob that is whole. Of one that is gone others tell.
    mutating func note(_ blob: BlobID, _ finding: VerifyReport.Finding?) {
        unreadInARow = finding?.kind == .photoUnreadable ? unreadInARow + 1 : 0
        if let finding, !finding.mended, finding.kind != .photoLost {
            if sentences[blob] == nil {
                // Of more the weekly look tells.
                guard blobs.count < RecentReads.countMax else { return }
                blobs.append(blob)
            }
            sentences[blob] = "\(finding.message) \(finding.remedy)"
        } else if sentences.removeValue(forKey: blob) != nil {
            blobs.removeAll { $0 == blob }
        }
    }
}
