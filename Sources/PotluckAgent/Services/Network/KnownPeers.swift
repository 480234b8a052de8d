import AlbumModel
import Synchronization

/// Which devices were connected, and when last.
final class KnownPeers: Sendable {
    private struct State {
        var lastSeen: [DeviceID: UInt64]
        var wasLevel = false
    }

    private let state: Mutex<State>

    init(lastSeen: [DeviceID: UInt64]) { state = Mutex(State(lastSeen: lastSeen)) }

    /// Microseconds since 1970.
    var lastSeen: [DeviceID: UInt64] { state.withLock { $0.lastSeen } }

    /// Some peer and this laptop knew the same, once in this run.
    var wasLevel: Bool { state.withLock { $0.wasLevel } }

    func saw(_ device: DeviceID, at wall: UInt64) { state.withLock { $0.lastSeen[device] = wall } }

    func noteLevel() { state.withLock { $0.wasLevel = true } }
}
