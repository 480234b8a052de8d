import AlbumModel
import PhotoStore
import SyncEngine
import WireFormat

/// What a device last said that it holds, as the journal keeps it: eight bytes of time, then the presence message.
struct HoldingsMemory {
    /// Microseconds since 1970.
    var at: UInt64
    var presence: Presence

    init(at: UInt64, presence: Presence) {
        self.at = at
        self.presence = presence
    }

    init?(bytes: [UInt8]) {
        guard bytes.count >= 8, let presence = try? Presence(decoding: Array(bytes.dropFirst(8))) else { return nil }
        self.init(at: BigEndian.word(bytes.prefix(8)), presence: presence)
    }

    var bytes: [UInt8] { BigEndian.bytes(at) + presence.encoded() }

    /// Facts about what all devices were last known to hold.
    static func facts(_ engine: Engine, lastSeen: [DeviceID: UInt64]) -> [FactChange] {
        engine.holdings.sorted { $0.key < $1.key }.compactMap { device, holdings in
            guard let at = lastSeen[device] else { return nil }
            let presence = Presence(of: engine.catalog, log: engine.log) { blob in
                holdings.contains(blob, adds: engine.catalog.liveAdds(of: blob))
            }
            let memory = HoldingsMemory(at: at, presence: presence)
            return FactChange(kind: .holdings, key: device.bytes, value: memory.bytes)
        }
    }
}
