import AlbumModel
import Crypto
import WireFormat

/// A pack's file of what devices said that they hold: its mark, then messages as a peer sends them, each with
/// its length (4 bytes) and SHA-256 before it.
enum SummaryFile {
    private static let mark = Array("potluck summaries 1\n".utf8)
    private static let headByteCount = 4 + 32

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
                bytes += record(page)
                (page, pageByteCount) = ([], 0)
            }
            page.append(statement)
            pageByteCount += statement.content.count
        }
        if !page.isEmpty { bytes += record(page) }
        return bytes.isEmpty ? nil : mark + bytes
    }

    private static func record(_ page: [SignedStatement]) -> [UInt8] {
        let body = Message.summaries(page).encoded()
        return BigEndian.bytes(UInt32(body.count)) + Array(SHA256.hash(data: body)) + body
    }

    /// What could be read of it, up to the first damage.
    static func read(_ bytes: [UInt8]) -> [SignedStatement] {
        guard bytes.starts(with: mark) else { return [] }
        var rest = bytes.dropFirst(mark.count)
        var statements: [SignedStatement] = []
        while rest.count > headByteCount {
            let byteCount = Int(BigEndian.word(rest.prefix(4)))
            let digest = rest.dropFirst(4).prefix(headByteCount - 4)
            let body = Array(rest.dropFirst(headByteCount).prefix(byteCount))
            guard body.count == byteCount, digest.elementsEqual(SHA256.hash(data: body)),
                case .summaries(let page)? = try? Message(decoding: body)
            else { break }
            statements += page
            rest = rest.dropFirst(headByteCount + byteCount)
        }
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
