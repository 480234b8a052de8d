import AlbumModel
import WireFormat

/// A pack's file of what devices said that they hold: its mark, then messages, each a ``PackRecord``.
enum SummaryFile {
    private static let mark = Array("potluck summaries 1\n".utf8)

    /// Content bytes of one message: with one more statement it is as long as a message may be.
    private static let pageByteCountMax = 2 << 20

    /// - Returns: `nil` where there are none. The longest ones are left out where not all fit.
    static func bytes(_ statements: [SignedStatement]) -> [UInt8]? {
        var (bytes, page, pageByteCount): ([UInt8], [SignedStatement], Int) = ([], [], 0)
        for statement in statements.sorted(by: { $0.content.count < $1.content.count }) {
            guard bytes.count + pageByteCount + statement.content.count < PackLimits.summariesByteCountMax / 2 else {
                break
            }
            if page.count == WireLimits.statementCountMax || pageByteCount > pageByteCountMax {
                bytes += PackRecord.bytes(.summaries(page))
                (page, pageByteCount) = ([], 0)
            }
            page.append(statement)
            pageByteCount += statement.content.count
        }
        if !page.isEmpty { bytes += PackRecord.bytes(.summaries(page)) }
        return bytes.isEmpty ? nil : mark + bytes
    }

    /// What could be read of it, up to the first damage.
    static func read(_ bytes: [UInt8]) -> [SignedStatement] {
        guard bytes.starts(with: mark) else { return [] }
        var rest = bytes.dropFirst(mark.count)
        var statements: [SignedStatement] = []
        while !rest.isEmpty, case .summaries(let page)? = PackRecord.take(from: &rest) { statements += page }
        return statements
    }

    /// The newest of each device; what is no summary goes.
    static func newest(_ statements: [SignedStatement]) -> [SignedStatement] {
        var newest: [DeviceID: (number: UInt64, statement: SignedStatement)] = [:]
        for statement in statements {
            guard let summary = try? PresenceSummary(decoding: statement.content) else { continue }
            if summary.number > newest[summary.device]?.number ?? 0 {
                newest[summary.device] = (summary.number, statement)
            }
        }
        return newest.sorted { $0.key < $1.key }.map(\.value.statement)
    }
}
