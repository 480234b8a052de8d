import AlbumModel
import PhotoStore
import SyncEngine
import WireFormat

/// What was last known of a device, as the journal keeps it: two times of eight bytes, then its newest summary, if there
/// is one, as the length of the signature in one byte, the signature and the signed content.
struct HoldingsMemory {
    /// When the device was last connected, in microseconds since 1970; 0 if it never was.
    var seenAt: UInt64
    /// When it said what the summary says, likewise.
    var saidAt: UInt64
    var statement: SignedStatement?

    init(seenAt: UInt64, saidAt: UInt64, statement: SignedStatement?) {
        self.seenAt = seenAt
        self.saidAt = saidAt
        self.statement = statement
    }

    init?(bytes: [UInt8]) {
        guard bytes.count >= 16 else { return nil }
        seenAt = BigEndian.word(bytes[..<8])
        saidAt = BigEndian.word(bytes[8..<16])
        guard bytes.count > 16 else { return }
        let end = 17 + Int(bytes[16])
        guard end <= bytes.count else { return nil }
        statement = SignedStatement(content: Array(bytes[end...]), signature: Array(bytes[17..<end]))
    }

    var bytes: [UInt8] {
        let times = BigEndian.bytes(seenAt) + BigEndian.bytes(saidAt)
        guard let statement, let length = UInt8(exactly: statement.signature.count) else { return times }
        return times + [length] + statement.signature + statement.content
    }

    /// Facts about what all devices were last known to hold.
    static func facts(_ engine: Engine, lastSeen: [DeviceID: UInt64]) -> [FactChange] {
        Set(engine.holdings.devices).union(lastSeen.keys).sorted().map { device in
            let memory = HoldingsMemory(
                seenAt: lastSeen[device] ?? 0, saidAt: engine.holdings.saidAt(device) ?? 0,
                statement: engine.holdings.summary(of: device)?.statement)
            return FactChange(kind: .holdings, key: device.bytes, value: memory.bytes)
        }
    }
}
