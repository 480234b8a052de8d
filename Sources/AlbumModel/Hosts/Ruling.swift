import Crypto

/// One decision of a host about who is in the gathering, as its author signed it. What it means is decided by ``Roll``
/// alone.
public struct Ruling: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// Begins the gathering, and its first epoch; follows nothing. Its author is the founder.
        case founding(Founding)
        /// Names a host. `goesOn`: the device is the one that the author's home goes on as.
        case host(DeviceID, goesOn: Bool)
        case epoch(Epoch)
        /// Lets devices in that are out, or that no epoch lists; sorted, each once.
        case letIn([DeviceID])
        /// A kind that this version does not know: kept and forwarded, without effect.
        case unknown
    }

    /// What binds a gathering's rulings to its phrase.
    public struct Founding: Hashable, Sendable {
        /// The public key that is made of the recovery code, DER (SubjectPublicKeyInfo).
        public var recoveryKey: [UInt8]
        public var commitment: SeedCommitment

        public init(recoveryKey: [UInt8], commitment: SeedCommitment) {
            self.recoveryKey = recoveryKey
            self.commitment = commitment
        }
    }

    /// A new phrase, and who is put out.
    public struct Epoch: Hashable, Sendable {
        public var commitment: SeedCommitment
        /// Who is put out by it, sorted by device, each once.
        public var out: [Out]
        /// All members that the author knows, sorted, each once.
        public var members: [MemberPrefix]
        /// Rulings of those who are put out that do not count, although the epoch follows them; sorted, each once.
        public var voids: [RulingID]

        public init(
            commitment: SeedCommitment, out: [Out] = [], members: [MemberPrefix] = [], voids: [RulingID] = []
        ) {
            self.commitment = commitment
            self.out = out
            self.members = members
            self.voids = voids
        }
    }

    /// A device that is put out, and as far as which its batches count.
    public struct Out: Hashable, Sendable {
        public var device: DeviceID
        /// Sorted by replica, each once. Of replicas that are not here nothing counts.
        public var cuts: [Cut]

        public init(device: DeviceID, cuts: [Cut] = []) {
            self.device = device
            self.cuts = cuts
        }
    }

    /// The ends of a replica's branches, as far as the author knows them.
    public struct Cut: Hashable, Sendable {
        public struct End: Hashable, Comparable, Sendable {
            /// The number of the batch's last change.
            public var sequence: UInt64
            public var batch: BatchID

            public init(sequence: UInt64, batch: BatchID) {
                self.sequence = sequence
                self.batch = batch
            }

            public static func < (left: End, right: End) -> Bool {
                (left.sequence, left.batch) < (right.sequence, right.batch)
            }
        }

        public var replica: ReplicaID
        /// Sorted, each once, at least one.
        public var ends: [End]

        public init(replica: ReplicaID, ends: [End]) {
            self.replica = replica
            self.ends = ends
        }
    }

    /// The author's public key, DER (SubjectPublicKeyInfo).
    public let authorKey: [UInt8]
    /// The device of ``authorKey``; of the recovery key it is no laptop's.
    public let author: DeviceID
    /// The newest rulings that the author knew, sorted, each once; none in a founding alone.
    public let after: [RulingID]
    public let kind: Kind

    public init(authorKey: [UInt8], after: [RulingID], kind: Kind) {
        self.authorKey = authorKey
        author = Self.device(of: authorKey)
        self.after = after
        self.kind = kind
    }

    static func device(of key: [UInt8]) -> DeviceID { DeviceID(digest: SHA256.hash(data: key)) }

    /// What the ruling says as an epoch; `nil` for a founding and for all that is none.
    public var epoch: Epoch? {
        if case .epoch(let epoch) = kind { epoch } else { nil }
    }

    public var founding: Founding? {
        if case .founding(let founding) = kind { founding } else { nil }
    }
}
