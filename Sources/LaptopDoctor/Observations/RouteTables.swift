import FoundationEssentials

/// `/proc/net/route`: the main table.
struct RouteTable {
    /// The default route with the smallest metric.
    private(set) var gateway: (address: IPv4, interface: String)?

    init(text: String) {
        var best = Int.max
        for line in text.split(separator: "\n").dropFirst() {
            let words = line.split { $0 == "\t" || $0 == " " }
            guard words.count > 7, words[1] == "00000000", words[7] == "00000000",
                let bits = UInt32(words[2], radix: 16), bits != 0, let metric = Int(words[6]), metric < best
            else { continue }
            best = metric
            // In the order of bytes of the machine, which is little-endian wherever this runs.
            gateway = (IPv4(bits: bits.byteSwapped), String(words[0]))
        }
    }
}

/// What `ip -json neigh show` prints.
struct NeighbourTable {
    /// By address.
    private var entries: [String: Entry] = [:]

    enum State: Hashable {
        case settled(Neighbour)
        /// The kernel is about to ask again whether somebody is there.
        case pending
    }

    private struct Entry: Decodable {
        var dst: String
        var lladdr: String?
        var state: [String]?
    }

    /// Empty where the text is none of such a table.
    init(json: String) {
        let list = (try? JSONDecoder().decode([Entry].self, from: Data(json.utf8))) ?? []
        for entry in list { entries[entry.dst] = entry }
    }

    func state(of address: IPv4) -> State {
        guard let entry = entries[address.description] else { return .settled(.unknown) }
        let states = Set(entry.state ?? [])
        if let hardware = entry.lladdr, !states.isDisjoint(with: ["REACHABLE", "PERMANENT", "NOARP"]) {
            return .settled(.answers(hardware: hardware))
        }
        if states.contains("FAILED") { return .settled(.silent) }
        return states.isDisjoint(with: ["INCOMPLETE", "DELAY", "PROBE", "STALE"]) ? .settled(.unknown) : .pending
    }

    /// What is taken for true when waiting has an end: who was asked all the while and never answered is silent, though
    /// the kernel may remember its hardware from before.
    func verdict(on address: IPv4) -> Neighbour {
        if case .settled(let neighbour) = state(of: address) { neighbour } else { .silent }
    }
}
