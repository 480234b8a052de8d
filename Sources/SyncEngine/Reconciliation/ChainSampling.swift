import AlbumModel

/// When a chain sample about a replica was last sent over one connection.
struct ChainSampling: Sendable {
    private var sampled: [ReplicaID: MonotonicInstant] = [:]
    private let limits: EngineLimits

    init(limits: EngineLimits) { self.limits = limits }

    /// Whether a replica may be sampled now, and takes note of it. Not for ever: either side may learn more of it elsewhere.
    mutating func begin(_ replica: ReplicaID, now: MonotonicInstant) -> Bool {
        let isOnce = PlantedFault.isPlanted(.chainsSampledOnce)
        if let last = sampled[replica], now < last + limits.sampleInterval || isOnce { return false }
        // Whoever samples more replicas in one interval than are remembered is answered again.
        if sampled.count >= limits.samplesPerPeerMax {
            sampled = sampled.filter { now < $0.value + limits.sampleInterval }
        }
        if sampled.count >= limits.samplesPerPeerMax { sampled.removeAll() }
        sampled[replica] = now
        return true
    }
}
