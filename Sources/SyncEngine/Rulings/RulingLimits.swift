/// Everything that bounds what a device keeps of rulings, with its arithmetic.
public struct RulingLimits: Hashable, Sendable {
    /// Rulings in all: one a day for eleven years.
    public var countMax = 4096
    /// Rulings of one author that no other author's ruling follows: a host that nobody minds any longer fills no more.
    public var unfollowedCountMax = 1024
    /// Content bytes of all: 2,000 epochs of 1,000 members each. Decoded they take as many again.
    public var byteCountMax = 32 << 20

    public init() {}
}
