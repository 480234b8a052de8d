/// Everything that bounds what a device keeps of rulings, with its arithmetic. The founder has the same room for itself as
/// all other hosts have together, and the recovery key as well: so nobody fills the room that it takes to put it out.
public struct RulingLimits: Hashable, Sendable {
    /// Rulings of all hosts: one a day for eleven years.
    public var countMax = 4096
    /// Rulings of one author that no other author's ruling follows: a host that nobody minds any longer fills no more.
    public var unfollowedCountMax = 1024
    /// Content bytes of these: 1,000 epochs of 1,000 members each. Decoded they take as many again.
    public var byteCountMax = 16 << 20

    /// Members that an epoch of this device lists: 64 KiB, of which the founder's room holds 256. Whoever it does not list
    /// needs the new phrase.
    static let listedCountMax = 4096

    /// Ends of branches that an epoch names of all whom it puts out, 80 KiB: whoever forks its replicas without end keeps no
    /// host from putting it out.
    static let cutEndCountMax = 1024

    /// Devices that an epoch puts out again, since rulings that had put them out fall with it.
    static let outAgainCountMax = 512

    /// Rulings that an epoch takes back, 64 KiB.
    static let voidCountMax = 2048

    /// Rulings in all.
    var allCountMax: Int { 3 * countMax }

    public init() {}
}
