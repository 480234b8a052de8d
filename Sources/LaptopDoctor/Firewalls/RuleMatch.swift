/// Whether a rule is meant for a packet.
enum Match: Hashable {
    case yes, no, maybe

    func and(_ other: Match) -> Match {
        if self == .no || other == .no { return .no }
        return self == .yes && other == .yes ? .yes : .maybe
    }

    var negated: Match {
        switch self {
        case .yes: .no
        case .no: .yes
        case .maybe: .maybe
        }
    }

    init(_ isTrue: Bool) { self = isTrue ? .yes : .no }
}

/// One comparison of a rule: `{"op": "==", "left": …, "right": …}`.
struct RuleMatch {
    private let operation: String?
    private let left: RuleValue?
    private let right: RuleValue?
    /// The elements of a set of the same table.
    private let namedSet: (String) -> [RuleValue]?

    init(_ value: RuleValue, namedSet: @escaping (String) -> [RuleValue]?) {
        operation = value["op"]?.text
        left = value["left"]
        right = value["right"]
        self.namedSet = namedSet
    }

    /// Whether a map of verdicts asks for the state of a connection, and says nothing of a new one.
    static func isForKnownConnections(_ map: RuleValue) -> Bool {
        guard map["key"]?["ct"]?["key"]?.text == "state", let pairs = map["data"]?["set"]?.elements else {
            return false
        }
        return !pairs.contains { $0.elements?.first?.text == "new" }
    }

    func judge(_ packet: Packet) -> Match {
        guard let left, let right else { return .maybe }
        let match = compare(left, right, packet)
        switch operation {
        case "==", "in": return match
        case "!=": return match.negated
        default: return .maybe
        }
    }

    private func compare(_ left: RuleValue, _ right: RuleValue, _ packet: Packet) -> Match {
        if let payload = left["payload"] { return compare(payload: payload, right, packet) }
        if let key = left["meta"]?["key"]?.text { return compare(meta: key, right, packet) }
        if left["ct"]?["key"]?.text == "state" {
            return any(right) { $0.text.map { $0 == "new" ? .yes : .no } ?? .maybe }
        }
        if left["fib"]?["result"]?.text == "type" {
            let type = packet.isMulticast ? "multicast" : "local"
            return any(right) { $0.text.map { Match($0 == type) } ?? .maybe }
        }
        return .maybe
    }

    private func compare(payload: RuleValue, _ right: RuleValue, _ packet: Packet) -> Match {
        let header = payload["protocol"]?.text ?? "", field = payload["field"]?.text ?? ""
        switch (header, field) {
        case ("ip", "saddr"): return any(right) { Self.covers($0, packet.source) }
        case ("ip", "daddr"): return any(right) { Self.covers($0, packet.destination) }
        case ("ip", "protocol"): return any(right) { Self.isTransport($0, packet) }
        case ("ip6", _), ("icmp", _), ("icmpv6", _): return .no
        case ("tcp", _) where packet.transport != .tcp, ("udp", _) where packet.transport != .udp: return .no
        case ("tcp", "dport"), ("udp", "dport"), ("th", "dport"):
            return any(right) { Self.covers($0, packet.destinationPort) }
        case ("tcp", "sport"), ("udp", "sport"), ("th", "sport"):
            return packet.sourcePort.map { port in any(right) { Self.covers($0, port) } } ?? .maybe
        default: return .maybe
        }
    }

    private func compare(meta key: String, _ right: RuleValue, _ packet: Packet) -> Match {
        switch key {
        case "l4proto": any(right) { Self.isTransport($0, packet) }
        case "nfproto": any(right) { $0.text.map { Match($0 == "ipv4") } ?? .maybe }
        case "iif", "iifname":
            any(right) { name in
                guard let name = name.text else { return .maybe }
                return Match(
                    name.hasSuffix("*") ? packet.interface.hasPrefix(name.dropLast()) : packet.interface == name)
            }
        case "pkttype":
            any(right) { $0.text.map { Match($0 == (packet.isMulticast ? "multicast" : "host")) } ?? .maybe }
        default: .maybe
        }
    }

    /// The right side is one value, a list, a set, or the name of one.
    private func any(_ right: RuleValue, _ judge: (RuleValue) -> Match) -> Match {
        var elements = [right]
        if let list = right["set"]?.elements ?? right.elements {
            elements = list
        } else if let name = right.text, name.hasPrefix("@") {
            guard let set = namedSet(String(name.dropFirst())) else { return .maybe }
            elements = set
        }
        let judged = elements.map { judge($0["elem"]?["val"] ?? $0) }
        return judged.contains(.yes) ? .yes : judged.contains(.maybe) ? .maybe : .no
    }

    private static func isTransport(_ value: RuleValue, _ packet: Packet) -> Match {
        if let text = value.text { return Match(text == packet.transport.rawValue) }
        return value.number.map { Match($0 == packet.transport.number) } ?? .maybe
    }

    private static func covers(_ value: RuleValue, _ port: UInt16) -> Match {
        if let number = value.number { return Match(number == Int(port)) }
        if let range = value["range"]?.elements, range.count == 2, let low = range[0].number, let high = range[1].number
        {
            return Match((low...max(low, high)).contains(Int(port)))
        }
        // Names of services, which nft prints when it is told to.
        return value.text == "mdns" ? Match(port == 5353) : .maybe
    }

    private static func covers(_ value: RuleValue, _ address: IPv4) -> Match {
        if let text = value.text { return IPv4Network(text).map { Match($0.contains(address)) } ?? .maybe }
        if let prefix = value["prefix"], let text = prefix["addr"]?.text, let length = prefix["len"]?.number {
            return IPv4Network("\(text)/\(length)").map { Match($0.contains(address)) } ?? .maybe
        }
        if let range = value["range"]?.elements, range.count == 2, let low = range[0].text.flatMap({ IPv4($0) }),
            let high = range[1].text.flatMap({ IPv4($0) })
        {
            return Match(low <= address && address <= high)
        }
        return .maybe
    }
}
