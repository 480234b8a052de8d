import AlbumModel
import DiskIO
import PhotoStore
import PotluckAPI

/// Copies what one tree of blobs has and another lacks, in groups that share their trips to the disk. Blocks.
struct TreeCopy {
    let source: BlobTree
    let target: BlobTree
    let progress: (VerifyProgress) -> Void

    private(set) var copied = 0
    private(set) var missing: [BackupReport.Missing] = []

    init(source: BlobTree, target: BlobTree, progress: @escaping (VerifyProgress) -> Void) {
        self.source = source
        self.target = target
        self.progress = progress
    }

    /// - Parameter blobs: what is to be copied, with sizes in bytes.
    /// - Throws: ``BlobError`` of the target's disk.
    mutating func run(_ blobs: [BlobID: UInt64]) throws {
        let total = blobs.values.clampedSum
        var step = VerifyProgress(files: 0, fileTotal: blobs.count, bytes: 0, byteTotal: total)
        progress(step)
        var group: [BlobID] = []
        var groupByteCount: UInt64 = 0
        func isFull() -> Bool {
            group.count == BlobTree.groupCountMax || groupByteCount >= BlobTree.groupByteCountMax
        }
        let order = blobs.keys.sorted()
        for (number, id) in order.enumerated() {
            group.append(id)
            groupByteCount = [groupByteCount, blobs[id] ?? 0].clampedSum
            guard isFull() || number == order.count - 1 else { continue }
            note(try source.copy(group, to: target))
            step.files += group.count
            step.bytes = [step.bytes, groupByteCount].clampedSum
            progress(step)
            (group, groupByteCount) = ([], 0)
        }
    }

    private mutating func note(_ outcomes: [BlobID: BlobTree.Outcome]) {
        for (id, outcome) in outcomes.sorted(by: { $0.key < $1.key }) {
            switch outcome {
            case .copied: copied += 1
            case .damaged: lack(id, "it is damaged: its bytes are not those that were written")
            case .unreadable(let reason): lack(id, reason)
            case .absent: lack(id, "its file is gone")
            }
        }
    }

    private mutating func lack(_ id: BlobID, _ reason: String) {
        missing.append(BackupReport.Missing(id: id.hex, reason: reason))
    }
}
