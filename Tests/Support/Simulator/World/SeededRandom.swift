/// SplitMix64 (Steele, Lea, Flood 2014): everything random in a run comes from one seed.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64
    /// Where in each range ``seconds(in:)`` is, from 0 to 1: in the middle all takes as long as it does on average. `nil`
    /// draws it.
    var place: Double?

    public init(seed: UInt64) {
        state = seed
    }

    /// A stream of its own for each use: what one draws, and how often, changes nothing that another draws.
    init(seed: UInt64, stream: String) {
        // FNV-1a spreads the names; the first draw mixes the seed into them.
        let name = stream.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        var mixer = SeededRandom(seed: seed)
        state = mixer.next() ^ name
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// True with the given probability.
    mutating func chance(_ probability: Double) -> Bool { fraction() < probability }

    /// Uniform unless the place is given.
    mutating func seconds(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * (place ?? fraction())
    }

    /// From the upper 53 bits of one draw; less than 1.
    private mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) } }
}
