public import AlbumModel

/// The epochs of a gathering whose phrases this device has, with what was made of the phrases.
public struct Keyring: Hashable, Sendable {
    public struct Epoch: Hashable, Sendable {
        /// The ruling that began it; `nil` where that is not known: in a gathering of an earlier version, and of a phrase
        /// that was typed here until a laptop that knows the ruling was met.
        public let ruling: RulingID?
        public let secrets: GatheringSecrets

        public init(ruling: RulingID?, secrets: GatheringSecrets) {
            self.ruling = ruling
            self.secrets = secrets
        }
    }

    /// The newest first; never empty.
    public let epochs: [Epoch]

    /// - Parameter earlier: the newest first; one with the newest epoch's secrets is passed over.
    public init(newest: Epoch, earlier: [Epoch] = []) {
        epochs = [newest] + earlier.filter { $0.secrets != newest.secrets }
    }

    public var newest: Epoch { epochs[0] }

    /// What DNS-SD shows of each, the newest first.
    public var tags: [[UInt8]] { epochs.map(\.secrets.tag) }

    func epoch(tag: some Sequence<UInt8>) -> Epoch? { epochs.first { $0.secrets.tag.elementsEqual(tag) } }
}
