/// Everything that bounds a message, with its arithmetic.
public enum WireLimits {
    /// The versions that this code speaks. A peer that speaks none of them is told so and left alone.
    public static let protocolVersions: ClosedRange<UInt32> = 2...2
    /// The longest message: the piece list of the largest blob (64 GiB: 65,536 hashes of 32 bytes, 2 MiB) fits.
    public static let messageByteCountMax = 4 << 20
    /// Elements of all lists in one message: the shortest that is ever sent, a run of presence, has six bytes with its
    /// head, so that no list that fits into a message comes near. In memory an element takes 32 bytes and more.
    public static let elementCountMax = messageByteCountMax / 6 + 1
    /// Content bytes of one page of batches, unless a single batch is longer (256 KiB at most).
    public static let pageByteCountMax = 256 << 10
    /// Bytes of batches in a page that is read: twice what any page that is sent has. Decoded batches take up to 100
    /// times their bytes.
    public static let receivedPageByteCountMax = 2 * pageByteCountMax
    /// Batches of one page.
    public static let pageBatchCountMax = 2048
    /// Lists of up to this many pieces travel with the pushed batch: 2 KiB each.
    public static let pushedListPieceCountMax = 64
    /// Bytes of pushed piece lists that one page may carry.
    public static let pushedListByteCountMax = 64 << 10
    /// Batches of a replica have numbers below this: their counts and sums are numbers, too.
    static let sequenceEnd = UInt64.max / 2
    /// Blobs in one `held` message: 32 KiB.
    public static let heldCountMax = 1024
    /// Replicas in a vector or in presence: 50 times what the largest gathering is warned at.
    public static let replicaCountMax = 65_536
    /// Heads of one replica: a home would have to be restored 64 times. Further branches are not told about.
    public static let headCountMax = 64
    /// A vector's name, half a SHA-256: nobody makes two vectors of one name.
    public static let vectorNameByteCount = 16
    /// Albums whose digests are compared: 600 KiB. A gathering with more of them does without.
    public static let digestCountMax = 10_000
    /// Points of one chain sample: exponentially spaced, so 64 cover any chain.
    public static let samplePointCountMax = 64
    /// Albums of which a device says that it leaves out originals: 64 KiB.
    public static let leftOutAlbumCountMax = 4096
    /// Blobs that presence names one by one: 2 MiB.
    public static let presenceBlobCountMax = 65_536
    /// Pieces of the largest blob (64 GiB).
    public static let pieceCountMax = 65_536
    /// Statements of devices in one message.
    public static let statementCountMax = 256
    /// Addresses of one device.
    public static let addressCountMax = 8
    /// The content of one ruling: an epoch that lists 16,000 members.
    public static let rulingByteCountMax = 256 << 10
    /// Rulings that one names as the newest that its author knew.
    public static let rulingAfterCountMax = 64
    /// Entries of one list in a ruling: as many devices as its length has room for.
    public static let rulingListCountMax = 8192
    /// Content bytes of the rulings in one message: four of the longest.
    public static let rulingPageByteCountMax = 1 << 20
    /// Half a SHA-256 over the IDs of rulings.
    public static let rulingsDigestByteCount = 16
    /// Seeds in one message: 280 KiB.
    public static let seedCountMax = 4096
    /// A numeric IPv6 address with its scope.
    public static let hostByteCountMax = 64
}
