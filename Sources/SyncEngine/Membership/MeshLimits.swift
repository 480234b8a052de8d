/// What bounds the partial mesh, with its arithmetic.
public struct MeshLimits: Hashable, Sendable {
    /// Up to so many devices, this one among them, everyone connects to everyone.
    public var fullMeshDeviceCountMax = 8
    /// Above, links are sought until there are so many: HyParView (Leitão, Pereira and Rodrigues 2007, section 5) keeps
    /// 10,000 devices in one piece with five.
    public var linkCountTarget = 6
    /// Links that are kept at most: the two above the target are for those who come to this device.
    public var linkCountMax = 8
    /// After so many failures in a row a device that is not announced does not count for the size of the gathering.
    public var absenceFailureCount = 3
    /// A device whose links were full, or that was let go because they were full here, is tried again after this, in
    /// seconds, plus or minus a fifth …
    public var fullPause = 60.0
    /// … or after a second or so by a device without any link, which is always taken …
    public var alonePause = 0.5...1.5
    /// … and so much later by one that has links enough.
    public var contentPause = 240.0
    /// A device that said that it had no other link is taken to have found one after so long, in seconds.
    public var needInterval = 30.0
    /// Every tenth turn, which is every five minutes or so, a device lets a link go, or seeks one that it could do
    /// without.
    public var turnsPerExchange = 10
    /// Such a link is also sought when somebody is announced anew, but not more often than this, in seconds.
    public var newcomerInterval = 30.0
    /// Addresses that a device may sign for itself.
    public var recordAddressCountMax = 8
    /// Addresses known only by gossip that one dial tries.
    public var hearsayPerDialMax = 4
    /// Addresses known only by gossip that are tried within ``hearsayWindow``: a member who signs the address of
    /// somebody outside makes little traffic there.
    public var hearsayCountMax = 10
    /// In seconds.
    public var hearsayWindow = 60.0

    public init() {}
}
