/// A small generator that is seeded with one number of the generator that was handed in: SplitMix64 (Steele, Lea and
/// Flood 2014).
struct Dice: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// A number that is as good as random, and the same wherever it is computed.
    static func mixed(_ number: UInt64) -> UInt64 {
        var word = number
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
