import NIOCore

/// Remembers wrong proofs, which slow their network down and lock nobody out.
///
/// A value type without I/O; time is an argument.
struct AdmissionLedger: Sendable {
    private struct WrongProofs: Sendable {
        var count: Int
        var last: NIODeadline
    }

    private let limits: TransportLimits
    /// By ``Source/network``.
    private var wrongProofs: [[UInt8]: WrongProofs] = [:]

    init(limits: TransportLimits) {
        self.limits = limits
    }

    mutating func noteWrongProof(_ source: Source, now: NIODeadline) {
        let before = wrongProofs[source.network]
        let isFresh = before.map { now - $0.last < TimeAmount(limits.wrongProofMemory) } ?? false
        wrongProofs[source.network] = WrongProofs(count: isFresh ? before!.count + 1 : 1, last: now)
        guard wrongProofs.count > limits.slowedAddressCountMax else { return }
        if let oldest = wrongProofs.min(by: { $0.value.last < $1.value.last }) { wrongProofs[oldest.key] = nil }
    }

    /// How long the next proof from `source` waits before it is looked at.
    func delay(_ source: Source, now: NIODeadline) -> TimeAmount {
        guard let wrong = wrongProofs[source.network], now - wrong.last < TimeAmount(limits.wrongProofMemory) else {
            return .zero
        }
        // 20 doublings pass any cap; more would overflow.
        let doublings = min(wrong.count - 1, 20)
        return min(TimeAmount(limits.wrongProofDelay * (1 << doublings)), TimeAmount(limits.wrongProofDelayMax))
    }
}
