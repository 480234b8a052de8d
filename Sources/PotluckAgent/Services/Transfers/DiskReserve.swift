import DiskIO
import PotluckAPI

/// How much of the disk is left free: originals are not pulled into it.
///
/// Names, thumbnails and what people put in on this laptop may use it.
public struct DiskReserve: Hashable, Sendable {
    /// The greater of the two counts.
    public var byteCount: UInt64
    /// Of the disk's size, 0 to 100; ``shareByteCountMax`` at most.
    public var percent: Double

    /// What a share counts for at most: 5 % of 4 TB are 200 GB, more than a full disk costs anybody. Who wants more left
    /// free sets an amount.
    public static let shareByteCountMax: UInt64 = 20 << 30

    public init(byteCount: UInt64, percent: Double) {
        self.byteCount = byteCount
        self.percent = percent
    }

    /// 1 GiB or 5 %, whichever is more, which is 20 GiB of a large disk.
    public static let standard = DiskReserve(byteCount: 1 << 30, percent: 5)

    /// Reads an amount (`2 GB`), a share (`10%`), or both with a comma between them, of which the greater counts.
    public init?(parsing text: String) {
        byteCount = 0
        percent = 0
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count) else { return nil }
        for part in parts.map({ $0.filter { $0 != " " } }) {
            if part.hasSuffix("%") {
                guard let value = Double(part.dropLast()), (0...100).contains(value) else { return nil }
                percent = max(percent, value)
            } else {
                guard !part.isEmpty, let value = ByteAmount.parse(part) else { return nil }
                byteCount = max(byteCount, value)
            }
        }
    }

    /// In bytes, of a disk of this size.
    public func byteCount(ofDisk total: UInt64) -> UInt64 {
        // The largest totals are rounded up, beyond what the result can hold.
        let share = UInt64(exactly: (Double(total) * percent / 100).rounded(.down)) ?? total
        return max(byteCount, min(share, Self.shareByteCountMax))
    }
}

/// How large a file system is and what of it this person may still use.
struct DiskSpace: Hashable, Sendable {
    var total: UInt64
    var free: UInt64

    init(total: UInt64, free: UInt64) {
        self.total = total
        self.free = free
    }

    /// Of the file system that `path` is on; `nil` where it does not answer. Blocks.
    init?(path: String) {
        guard let stat = try? FileSystemStat(path: path) else { return nil }
        self.init(total: stat.byteCount, free: stat.freeByteCount)
    }

    /// What originals may still take.
    func room(keeping reserve: DiskReserve) -> UInt64 {
        let kept = reserve.byteCount(ofDisk: total)
        return free - min(free, kept)
    }
}
