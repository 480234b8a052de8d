/// What a run is made of; drawn from its seed unless it is given.
public struct SimulationOptions: Hashable, Sendable, CustomStringConvertible {
    public var seed: UInt64
    public var deviceCount: Int
    /// How long faults happen, in virtual seconds.
    public var faultSeconds: Double
    /// What people do in that time: drop, name, remove.
    public var editCount: Int
    /// Mean time between two faults, in virtual seconds.
    public var faultInterval: Double
    /// Within which the healed devices must agree, in virtual seconds.
    public var healSeconds: Double
    /// Mean one-way delay, in virtual seconds.
    public var delay: Double
    /// Bytes a second that a device can send.
    public var rate: Double
    /// Real signatures instead of cheap ones.
    public var usesP256: Bool

    public init(seed: UInt64) {
        var random = SeededRandom(seed: seed ^ 0x706F_746C_7563_6B31)
        self.seed = seed
        deviceCount = Int.random(in: 2...6, using: &random)
        faultSeconds = Double.random(in: 20...90, using: &random).rounded()
        editCount = Int.random(in: 5...60, using: &random)
        faultInterval = Double.random(in: 1...10, using: &random).rounded()
        healSeconds = 240
        delay = [0.0002, 0.002, 0.02, 0.2].randomElement(using: &random)!
        rate = [1e6, 12e6, 100e6].randomElement(using: &random)!
        usesP256 = random.chance(0.02)
    }

    public var description: String {
        "seed \(seed): \(deviceCount) devices, \(editCount) edits and a fault every \(faultInterval) s for "
            + "\(faultSeconds) s, delay \(delay) s, rate \(Int(rate)) B/s, "
            + (usesP256 ? "P-256 signatures" : "cheap signatures") + ", \(healSeconds) s to agree"
    }
}
