/// What the invite phrase of an epoch is made of, together with the ruling that begins it: 32 bytes, always drawn.
///
/// Secret: whoever has a seed and its ruling has the phrase. Only members are handed it, and nothing prints it.
public struct Seed: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    public static let byteCount = 32

    public let bytes: [UInt8]

    /// `nil` unless there are exactly ``byteCount`` bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Draws a new seed; `generator` must be fit for secrets, as the system's is.
    public init(drawnFrom generator: inout some RandomNumberGenerator) {
        bytes = (0..<Self.byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// By which a ruling names the seed without giving it away.
    public var commitment: SeedCommitment { SeedCommitment(seed: bytes) }

    public var description: String { "a seed" }

    public var customMirror: Mirror { Mirror(self, children: []) }
}
