import PotluckAPI

/// Bytes a second that are sent and received at most, of photos and thumbnails; `nil` for no limit.
public struct TransferLimits: Hashable, Sendable {
    public var up: UInt64?
    public var down: UInt64?

    public init(up: UInt64? = nil, down: UInt64? = nil) {
        self.up = up
        self.down = down
    }
}

extension LimitWord {
    /// The limit that is in force where the settings say `standard`.
    func limit(_ standard: UInt64?) -> UInt64? {
        switch self {
        case .standard: standard
        case .off: nil
        case .rate(let rate): rate
        }
    }
}
