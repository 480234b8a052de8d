import NIOCore
import Synchronization

/// The open connections of all doors: how many each has, and which of them wait for the agent's end.
final class Connections: Sendable {
    private struct State {
        var open: [ObjectIdentifier: (channel: any Channel, door: Int, address: String?)] = [:]
        /// Those whose task runs; it retains the channel, so that no other one has the identifier meanwhile.
        var served: Set<ObjectIdentifier> = []
        /// Those that stay open until the agent has ended.
        var kept: Set<ObjectIdentifier> = []
        /// How many wait to be told that there are too many, by door.
        var refused: [Int: Int] = [:]
        /// Nothing is admitted any more.
        var isDraining = false

        var isDrained: Bool { isDraining && served.isSubset(of: kept) }
    }

    private let state = Mutex(State())
    private let drained = Latch()

    /// How many there are at all doors.
    var count: Int { state.withLock { $0.open.count } }

    /// `false` when the door has too many, in all or of this address, or all doors close.
    func admit(_ channel: any Channel, door: Int, limits: WebLimits) -> Bool {
        let id = ObjectIdentifier(channel)
        let address = channel.remoteAddress?.ipAddress
        let isAdmitted = state.withLock { state in
            let others = state.open.values.filter { $0.door == door }
            guard !state.isDraining, others.count < limits.connectionCountMax else { return false }
            if let address, let share = limits.connectionCountMaxOfAddress,
                others.count(where: { $0.address == address }) >= share
            {
                return false
            }
            state.open[id] = (channel, door, address)
            return true
        }
        guard isAdmitted else { return false }
        channel.closeFuture.whenComplete { [weak self] _ in
            self?.state.withLock { _ = $0.open.removeValue(forKey: id) }
        }
        return true
    }

    /// Whether a connection that is not admitted may wait to be told so: as many as are admitted, at most.
    func mayBeTold(_ channel: any Channel, door: Int, countMax: Int) -> Bool {
        let mayBeTold = state.withLock { state in
            guard !state.isDraining, state.refused[door, default: 0] < countMax else { return false }
            state.refused[door, default: 0] += 1
            return true
        }
        guard mayBeTold else { return false }
        channel.closeFuture.whenComplete { [weak self] _ in
            self?.state.withLock { $0.refused[door, default: 1] -= 1 }
        }
        return true
    }

    /// From now on the connection is not closed before the agent has ended.
    func keep(_ channel: any Channel) {
        change { $0.kept.insert(ObjectIdentifier(channel)) }
    }

    /// - Returns: `false` where the doors have closed meanwhile.
    func beginServing(_ channel: any Channel) -> Bool {
        state.withLock { state in
            guard !state.isDraining else { return false }
            state.served.insert(ObjectIdentifier(channel))
            return true
        }
    }

    func endServing(_ channel: any Channel) {
        change { state in
            state.served.remove(ObjectIdentifier(channel))
            state.kept.remove(ObjectIdentifier(channel))
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let isDrained = state.withLock { state in
            body(&state)
            return state.isDrained
        }
        if isDrained { drained.open() }
    }

    /// Closes all that came through one door.
    func close(door: Int) {
        let channels = state.withLock { state in state.open.values.filter { $0.door == door }.map(\.channel) }
        for channel in channels { channel.close(promise: nil) }
    }

    /// Closes all but those that wait for the agent's end, and returns when their answers have ended.
    func drain() async {
        change { $0.isDraining = true }
        let channels = state.withLock { state in
            state.open.filter { !state.kept.contains($0.key) }.map(\.value.channel)
        }
        for channel in channels { channel.close(promise: nil) }
        await drained.wait()
    }
}
