import AlbumModel

/// What bounds pulling at the moment, apart from the peers: a person's word, the disk, a rate.
///
/// Originals that it keeps from being pulled stay wanted. Names and thumbnails are not kept back.
public struct PullTerms: Hashable, Sendable {
    /// A person wants no originals for now.
    public var isPaused: Bool
    /// How many bytes originals may still take on the disk; `nil` where nothing bounds them.
    public var room: UInt64?
    /// Bytes a second that originals and thumbnails are asked for at most; `nil` where nothing bounds them. Not 0.
    public var byteRateMax: UInt64?

    public init(isPaused: Bool = false, room: UInt64? = nil, byteRateMax: UInt64? = nil) {
        self.isPaused = isPaused
        self.room = room
        self.byteRateMax = byteRateMax
    }
}

/// Why an original that some peer could send is not asked for.
public enum PullHold: Hashable, Sendable {
    case paused
    /// The disk has no room for it.
    case noRoom
}

/// A bucket of bytes that may be asked for, which fills at a steady rate.
///
/// A request may overdraw it by a piece, so that a rate of less than a piece a second works too.
struct PullAllowance: Sendable {
    /// Nothing is saved up beyond so many seconds' worth.
    private static let burstSeconds = 0.25

    private var balance = 0.0
    private var updated = MonotonicInstant(nanoseconds: 0)

    mutating func fill(rate: UInt64, now: MonotonicInstant) {
        balance = min(balance + now.seconds(since: updated) * Double(rate), Self.burstSeconds * Double(rate))
        updated = now
    }

    var isOverdrawn: Bool { balance < 0 }

    mutating func spend(_ byteCount: Int) { balance -= Double(byteCount) }

    /// When it will no longer be overdrawn; `nil` if it is not.
    func refilledAt(rate: UInt64) -> MonotonicInstant? {
        // A moment later, so that rounding leaves nothing to wait for again.
        isOverdrawn ? updated + (0.001 - balance / Double(rate)) : nil
    }
}
