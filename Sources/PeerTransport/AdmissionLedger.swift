import NIOCore

/// Counts the accepted connections that are not admitted yet, and remembers wrong proofs.
///
/// A value type without I/O; time is an argument.
struct AdmissionLedger: Sendable {
    private struct WrongProofs: Sendable {
        var count: Int
        var last: NIODeadline
    }

    private let limits: TransportLimits
    private var unadmittedCount = 0
    private var unadmittedCounts: [Source: Int] = [:]
    private var wrongProofs: [Source: WrongProofs] = [:]

    init(limits: TransportLimits) {
        self.limits = limits
    }

    /// Takes a place for a connection from `source`; `false` if there is none. Give it back with ``leave(_:)``.
    mutating func enter(_ source: Source) -> Bool {
        let count = unadmittedCounts[source, default: 0]
        guard unadmittedCount < limits.unadmittedCountMax, count < limits.unadmittedCountMaxPerAddress else {
            return false
        }
        unadmittedCount += 1
        unadmittedCounts[source] = count + 1
        return true
    }

    /// Gives one place back, when the connection is admitted or over.
    mutating func leave(_ source: Source) {
        guard let count = unadmittedCounts[source] else { return }
        unadmittedCount -= 1
        unadmittedCounts[source] = count == 1 ? nil : count - 1
    }

    mutating func noteWrongProof(_ source: Source, now: NIODeadline) {
        let isFresh = wrongProofs[source].map { now - $0.last < TimeAmount(limits.wrongProofMemory) } ?? false
        let count = isFresh ? wrongProofs[source]!.count + 1 : 1
        wrongProofs[source] = WrongProofs(count: count, last: now)
        guard wrongProofs.count > limits.slowedAddressCountMax else { return }
        if let oldest = wrongProofs.min(by: { $0.value.last < $1.value.last }) { wrongProofs[oldest.key] = nil }
    }

    /// How long the next proof from `source` waits before it is looked at.
    func delay(_ source: Source, now: NIODeadline) -> TimeAmount {
        guard let wrong = wrongProofs[source], now - wrong.last < TimeAmount(limits.wrongProofMemory) else {
            return .zero
        }
        // 20 doublings pass any cap; more would overflow.
        let doublings = min(wrong.count - 1, 20)
        return min(TimeAmount(limits.wrongProofDelay * (1 << doublings)), TimeAmount(limits.wrongProofDelayMax))
    }
}
