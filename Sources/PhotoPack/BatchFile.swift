import AlbumModel
import Crypto
public import WireFormat

/// A file of batches: its mark, then pages, each a ``PackRecord``.
package enum BatchFile {
    package static let mark = Array("potluck batches 1\n".utf8)

    package static func record(_ page: BatchPage) -> [UInt8] { PackRecord.bytes(.batches(page)) }

    package static func read(_ bytes: [UInt8]) -> BatchFileContent {
        var content = BatchFileContent()
        guard bytes.starts(with: mark) else {
            content.isDamaged = true
            return content
        }
        var rest = bytes.dropFirst(mark.count)
        while !rest.isEmpty {
            if case .batches(let page)? = PackRecord.take(from: &rest) {
                content.pages.append(page)
            } else {
                content.isDamaged = true
            }
        }
        return content
    }

    static func id(of batch: SignedBatch) -> BatchID { BatchID(digest: SHA256.hash(data: batch.content)) }
}

/// What could be read of a file of batches.
public struct BatchFileContent: Hashable, Sendable {
    /// In the order in which they were packed: each batch after the one that it follows, mostly.
    public var pages: [BatchPage] = []
    /// Some of it could not be read.
    public var isDamaged = false
}

/// Gathers batches into pages, and pages into what one file takes.
struct BatchPages {
    private var batches: [SignedBatch] = []
    private var byteCount = 0
    /// Pages that are full.
    private var records: [UInt8] = []

    /// - Returns: the content of a file that became full.
    mutating func add(_ batch: SignedBatch) -> [UInt8]? {
        let size = batch.content.count + batch.signature.count
        if byteCount + size > WireLimits.pageByteCountMax || batches.count == WireLimits.pageBatchCountMax {
            endPage()
        }
        batches.append(batch)
        byteCount += size
        return records.count >= PackLimits.batchFileByteCount ? takeFile() : nil
    }

    /// - Returns: the content of the last file; `nil` if nothing is left.
    mutating func takeRest() -> [UInt8]? {
        endPage()
        return records.isEmpty ? nil : takeFile()
    }

    private mutating func takeFile() -> [UInt8] {
        defer { records.removeAll() }
        return BatchFile.mark + records
    }

    private mutating func endPage() {
        guard !batches.isEmpty else { return }
        // The number is of use on a connection only.
        records += BatchFile.record(BatchPage(batches: batches, page: 1))
        batches.removeAll()
        byteCount = 0
    }
}
