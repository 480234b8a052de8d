/// As far as which the batches of devices that are out count: the ends of their replicas' branches that whoever put them out
/// knew. All batches of all other devices count.
public struct Cuts: Hashable, Sendable {
    private var ends: [DeviceID: [ReplicaID: Set<Ruling.Cut.End>]] = [:]

    /// Everything counts.
    public init() {}

    /// - Parameter devices: nothing of these counts yet.
    init(of devices: Set<DeviceID>) {
        for device in devices { ends[device] = [:] }
    }

    /// What an epoch names counts together with what others name.
    mutating func merge(_ out: Ruling.Out) {
        for cut in out.cuts { ends[out.device, default: [:]][cut.replica, default: []].formUnion(cut.ends) }
    }

    public var isEmpty: Bool { ends.isEmpty }

    /// Those of whom not everything counts, ordered.
    public var devices: [DeviceID] { ends.keys.sorted() }

    public func concern(_ device: DeviceID) -> Bool { ends[device] != nil }

    /// The ends of a replica up to which it counts; none where nothing of it does, `nil` where all does.
    ///
    /// - Parameter author: whose replica it is.
    public func ends(of replica: ReplicaID, by author: DeviceID) -> Set<Ruling.Cut.End>? {
        ends[author].map { $0[replica] ?? [] }
    }

    /// As a ruling names them, sorted; of more ends than may be named some.
    ///
    /// - Parameters:
    ///   - endCountMax: of all replicas together.
    ///   - replicaEndCountMax: of one replica.
    public func named(of device: DeviceID, endCountMax: Int, replicaEndCountMax: Int) -> [Ruling.Cut] {
        var cuts: [Ruling.Cut] = []
        var room = endCountMax
        for (replica, known) in (ends[device] ?? [:]).sorted(by: { $0.key < $1.key }) where room > 0 {
            // The highest reach farthest.
            let named = known.sorted().suffix(min(room, replicaEndCountMax))
            room -= named.count
            cuts.append(Ruling.Cut(replica: replica, ends: Array(named)))
        }
        return cuts
    }
}
