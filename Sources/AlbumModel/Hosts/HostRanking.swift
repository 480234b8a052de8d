/// Hosts by rank, and which of their rulings are valid.
///
/// Hosts are taken from the top: whether a ruling is valid hangs on its author's seniors alone. After the recovery key and
/// the founder come those whom they named, then those whom these named, and so on: by the namer's rank, and of one namer's
/// by height and ID. As whom a host goes on stands right behind it.
struct HostRanking: Hashable, Sendable {
    /// The rank of each; the recovery key has 0.
    private(set) var ranks: [DeviceID: Int] = [:]
    /// By rank.
    private(set) var ranked: [DeviceID] = []
    /// The places of all valid rulings.
    private(set) var valid = PlaceSet()
    /// Valid epochs that name a device, by what it is named for; an epoch by an equal or a junior is among them.
    private(set) var outs: [DeviceID: [Int]] = [:]
    /// Valid namings of hosts, by the named device.
    private var namings: [DeviceID: PlaceSet] = [:]

    init() {}

    /// - Parameter graph: by height, and then by ID.
    init(_ graph: RulingGraph) {
        guard let first = graph.nodes.first?.ruling, let founding = first.founding else { return }
        var next = [founding.recoveryDevice, first.author]
        var position = 0
        while position < next.count {
            // As whom they go on goes before whom they named.
            var stack = [next[position]]
            position += 1
            while let device = stack.popLast() {
                guard ranks[device] == nil else { continue }
                let named = rank(device, in: graph)
                next += named.hosts
                stack += named.successors.reversed()
            }
        }
    }

    /// - Returns: whom the device named by its valid rulings, in their order.
    private mutating func rank(
        _ device: DeviceID, in graph: RulingGraph
    ) -> (hosts: [DeviceID], successors: [DeviceID]) {
        ranks[device] = ranked.count
        ranked.append(device)
        let places = validPlaces(of: device, in: graph)
        var named: (hosts: [DeviceID], successors: [DeviceID]) = ([], [])
        for place in places {
            valid.insert(place)
            switch graph.nodes[place].ruling.kind {
            case .host(let host, let goesOn):
                namings[host, default: PlaceSet()].insert(place)
                if goesOn { named.successors.append(host) } else { named.hosts.append(host) }
            case .epoch(let epoch): for out in epoch.out { outs[out.device, default: []].append(place) }
            case .founding, .letIn, .unknown: break
            }
        }
        return named
    }

    private func validPlaces(of device: DeviceID, in graph: RulingGraph) -> [Int] {
        let places = graph.authored[device]?.places ?? []
        // All that name the device so far are its seniors'.
        let ends = (outs[device] ?? []).map { (epoch: $0, namedAgain: namings(of: device, after: $0, in: graph)) }
        return places.filter { place in
            let followed = graph.nodes[place].followed
            guard ranks[device]! < 2 || namings[device]?.intersects(followed) == true else { return false }
            guard graph.nodes[place].ruling.founding == nil else { return true }
            return ends.allSatisfy { end in
                let isBefore = graph.follows(end.epoch, place) || PlantedFault.isPlanted(.backdatedRulingCounts)
                let isVoid = graph.nodes[end.epoch].ruling.epoch!.voids.contains(sorted: graph.nodes[place].id)
                return isBefore && !isVoid || end.namedAgain.intersects(followed)
            }
        }
    }

    /// Namings of a host by an epoch's author or a senior of theirs, which follow the epoch.
    private func namings(of device: DeviceID, after epoch: Int, in graph: RulingGraph) -> PlaceSet {
        var found = PlaceSet()
        for naming in namings[device]?.places ?? [] where graph.follows(naming, epoch) {
            if rank(of: naming, in: graph) <= rank(of: epoch, in: graph) { found.insert(naming) }
        }
        return found
    }

    /// Whether what a host rules now counts: whoever was put out, by whomever, has to be named again, also once it is in again.
    func mayRule(_ host: DeviceID, in graph: RulingGraph) -> Bool {
        (outs[host] ?? []).allSatisfy { epoch in
            rank(of: epoch, in: graph) >= ranks[host]! || !namings(of: host, after: epoch, in: graph).isEmpty
        }
    }

    /// The rank of the author of a valid ruling.
    func rank(of place: Int, in graph: RulingGraph) -> Int { ranks[graph.nodes[place].ruling.author]! }

    /// Valid epochs that put a device out; those of its equals and juniors do not.
    func ends(of device: DeviceID, in graph: RulingGraph) -> [Int] {
        (outs[device] ?? []).filter { isEnd($0, of: device, in: graph) }
    }

    /// Whether a valid epoch that names a device puts it out.
    func isEnd(_ epoch: Int, of device: DeviceID, in graph: RulingGraph) -> Bool {
        guard let rank = ranks[device], !PlantedFault.isPlanted(.juniorOutranksSenior) else { return true }
        return self.rank(of: epoch, in: graph) < rank
    }
}
