package import AlbumModel
package import SyncEngine
import WireFormat

/// What was last known of a device, as the journal keeps it: two times of eight bytes, 255, then fields of eight bytes
/// or of a length and as many bytes. Earlier versions wrote the times and, where there was one, the newest summary.
package struct HoldingsMemory {
    /// When the device was last connected, in microseconds since 1970; 0 if it never was.
    var seenAt: UInt64
    /// `nil` where it never said what it holds.
    var record: HoldingsRecord?

    /// In place of the length of a signature, which is never so long.
    private static let mark: UInt8 = 255

    init(seenAt: UInt64, record: HoldingsRecord?) {
        self.seenAt = seenAt
        self.record = record
    }

    /// - Returns: `nil` for what cannot be read: nothing is counted on it.
    init?(bytes: [UInt8]) {
        guard bytes.count >= 16 else { return nil }
        seenAt = BigEndian.word(bytes[..<8])
        let saidAt = BigEndian.word(bytes[8..<16])
        guard bytes.count > 16 else { return }
        if bytes[16] == Self.mark {
            var fields = Fields(bytes[17...])
            guard let record = fields.record(saidAt: saidAt) else { return nil }
            self.record = record
            return
        }
        let end = 17 + Int(bytes[16])
        guard end <= bytes.count else { return nil }
        let statement = SignedStatement(content: Array(bytes[end...]), signature: Array(bytes[17..<end]))
        guard let summary = try? PresenceSummary(decoding: statement.content) else { return nil }
        record = HoldingsRecord(
            saidAt: saidAt, position: nil, summaryFloor: summary.number, presence: summary.presence, lost: [],
            denied: [], summary: .init(number: summary.number, statement: statement))
    }

    var bytes: [UInt8] {
        let times = BigEndian.bytes(seenAt) + BigEndian.bytes(record?.saidAt ?? 0)
        guard let record else { return times }
        let summary = record.summary
        // What was said last is mostly what the summary says.
        let told = summary.flatMap { try? PresenceSummary(decoding: $0.statement.content) }
        let isAsTold = told.map { $0.presence == record.presence } ?? false
        let fields: [[UInt8]] = [
            record.position?.run ?? [], BigEndian.bytes(record.position?.counter ?? 0),
            BigEndian.bytes(record.summaryFloor), [isAsTold ? 1 : 0], isAsTold ? [] : record.presence.encoded(),
            record.lost.sorted().flatMap(\.bytes), record.denied.sorted().flatMap(\.bytes),
            BigEndian.bytes(summary?.number ?? 0), summary?.statement.signature ?? [], summary?.statement.content ?? [],
        ]
        return fields.reduce(into: times + [Self.mark]) { bytes, field in
            bytes += BigEndian.bytes(UInt64(field.count)) + field
        }
    }

    package static func fact(_ device: DeviceID, seenAt: UInt64?, _ record: HoldingsRecord?) -> FactChange {
        FactChange(
            kind: .holdings, key: device.bytes, value: HoldingsMemory(seenAt: seenAt ?? 0, record: record).bytes)
    }

    /// Facts about what all devices were last known to hold.
    static func facts(_ engine: Engine, lastSeen: [DeviceID: UInt64]) -> [FactChange] {
        Set(engine.holdings.devices).union(lastSeen.keys).sorted().map { device in
            fact(device, seenAt: lastSeen[device], engine.holdingsRecord(of: device))
        }
    }

    /// Reads the fields of a record, one after the other.
    private struct Fields {
        private var rest: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

        private mutating func next() -> [UInt8]? {
            guard rest.count >= 8 else { return nil }
            let count = BigEndian.word(rest.prefix(8))
            rest = rest.dropFirst(8)
            guard count <= UInt64(rest.count) else { return nil }
            defer { rest = rest.dropFirst(Int(count)) }
            return Array(rest.prefix(Int(count)))
        }

        private mutating func word() -> UInt64? { next().flatMap { $0.count == 8 ? BigEndian.word($0[...]) : nil } }

        private mutating func blobs() -> Set<BlobID>? {
            guard let bytes = next(), bytes.count % BlobID.byteCount == 0 else { return nil }
            let starts = stride(from: 0, to: bytes.count, by: BlobID.byteCount)
            return Set(starts.compactMap { BlobID(bytes: bytes[$0..<$0 + BlobID.byteCount]) })
        }

        mutating func record(saidAt: UInt64) -> HoldingsRecord? {
            guard let run = next(), let counter = word(), let floor = word(), let isAsTold = next(),
                let told = next(), let lost = blobs(), let denied = blobs(), let number = word(),
                let signature = next(), let content = next()
            else { return nil }
            var presence: Presence?
            if isAsTold == [1] {
                presence = (try? PresenceSummary(decoding: content))?.presence
            } else {
                presence = try? Presence(decoding: told)
            }
            guard let presence else { return nil }
            let statement = SignedStatement(content: content, signature: signature)
            return HoldingsRecord(
                saidAt: saidAt, position: run.isEmpty ? nil : PresencePosition(run: run, counter: counter),
                summaryFloor: floor, presence: presence, lost: lost, denied: denied,
                summary: content.isEmpty ? nil : .init(number: number, statement: statement))
        }
    }
}
