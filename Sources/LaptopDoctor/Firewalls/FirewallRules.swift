import FoundationEssentials

/// The rules of nftables, as `nft -j list ruleset` prints them, walked for one packet as the kernel walks them
/// (libnftables-json(5)).
///
/// Three answers: what is not understood makes the fate unsure, and an unsure fate accuses nobody.
struct FirewallRules {
    enum Fate: Hashable {
        case accepted
        case dropped
        case unsure
    }

    fileprivate struct ChainName: Hashable {
        var family: String
        var table: String
        var name: String
    }

    private struct BaseChain {
        var name: ChainName
        var priority: Int
        var isDropping: Bool
    }

    private var bases: [BaseChain] = []
    private var rules: [ChainName: [[RuleValue]]] = [:]
    private var sets: [ChainName: [RuleValue]] = [:]

    /// - Returns: `nil` where the text is no such document.
    init?(json: String) {
        guard let document = try? JSONDecoder().decode(RuleValue.self, from: Data(json.utf8)),
            let objects = document["nftables"]?.elements
        else { return nil }
        for object in objects { take(object) }
        bases.sort { $0.priority < $1.priority }
    }

    private mutating func take(_ object: RuleValue) {
        if let chain = object["chain"], let name = Self.name(chain, key: "name") {
            guard ["ip", "inet"].contains(name.family), chain["type"]?.text == "filter",
                ["input", "prerouting"].contains(chain["hook"]?.text)
            else { return }
            // Before routing comes before the input, whatever the priorities.
            let isEarly = chain["hook"]?.text == "prerouting"
            let priority = (chain["prio"]?.number ?? 0) - (isEarly ? 1_000_000 : 0)
            bases.append(BaseChain(name: name, priority: priority, isDropping: chain["policy"]?.text == "drop"))
        } else if let rule = object["rule"], let name = Self.name(rule, key: "chain") {
            rules[name, default: []].append(rule["expr"]?.elements ?? [])
        } else if let set = object["set"], let name = Self.name(set, key: "name") {
            sets[name] = set["elem"]?.elements ?? []
        }
    }

    private static func name(_ value: RuleValue, key: String) -> ChainName? {
        guard let family = value["family"]?.text, let table = value["table"]?.text, let name = value[key]?.text else {
            return nil
        }
        return ChainName(family: family, table: table, name: name)
    }

    // MARK: Walking

    private enum Step {
        case goesOn
        case ends(Fate)
    }

    /// Deeper than the kernel lets chains call each other.
    private static let depthMax = 16

    /// What becomes of the packet: each chain at the input may drop it.
    func fate(of packet: Packet) -> Fate {
        var isSure = true
        for base in bases {
            var isSureHere = true
            let fate: Fate
            switch walk(base.name, packet, &isSureHere, depth: 0) {
            case .ends(let end): fate = end
            case .goesOn: fate = base.isDropping ? .dropped : .accepted
            }
            switch fate {
            case .dropped where isSureHere: return .dropped
            case .accepted where isSureHere: continue
            default: isSure = false
            }
        }
        return isSure ? .accepted : .unsure
    }

    /// - Parameter isSure: becomes false where a rule that is not understood might have ended the walk before.
    private func walk(_ chain: ChainName, _ packet: Packet, _ isSure: inout Bool, depth: Int) -> Step {
        guard depth < Self.depthMax else { return .ends(.unsure) }
        for rule in rules[chain] ?? [] {
            let match = matches(rule, packet, chain)
            guard match != .no, let verdict = rule.compactMap(Self.verdict).first else { continue }
            if case .goesBack = verdict, match == .yes { return .goesOn }
            var isSureBelow = true
            let step: Step =
                switch verdict {
                case .ends(let fate): .ends(fate)
                case .goesBack: .ends(.unsure)
                case .calls(let name): walk(chain.sibling(name), packet, &isSureBelow, depth: depth + 1)
                case .leaves(let name): walk(chain.sibling(name), packet, &isSureBelow, depth: depth + 1)
                }
            if !isSureBelow { isSure = false }
            switch step {
            case .ends(let fate) where match == .yes: return .ends(fate)
            case .ends: isSure = false
            case .goesOn:
                guard case .leaves = verdict else { continue }
                if match == .yes { return .goesOn }
                isSure = false
            }
        }
        return .goesOn
    }

    private enum Verdict {
        case ends(Fate)
        case calls(String)
        case leaves(String)
        case goesBack
    }

    private static func verdict(_ statement: RuleValue) -> Verdict? {
        guard let (key, value) = statement.onlyMember else { return nil }
        switch key {
        case "accept": return .ends(.accepted)
        case "drop", "reject": return .ends(.dropped)
        case "queue", "vmap", "xt": return .ends(.unsure)
        case "return": return .goesBack
        case "jump": return value["target"]?.text.map { .calls($0) }
        case "goto": return value["target"]?.text.map { .leaves($0) }
        default: return nil
        }
    }

    private func matches(_ rule: [RuleValue], _ packet: Packet, _ chain: ChainName) -> Match {
        rule.reduce(.yes) { match, statement in
            guard let (key, value) = statement.onlyMember else { return match.and(.maybe) }
            switch key {
            case "match": return match.and(RuleMatch(value) { sets[chain.sibling($0)] }.judge(packet))
            case "vmap": return match.and(RuleMatch.isForKnownConnections(value) ? .no : .maybe)
            case "limit", "quota", "ct count", "xt": return match.and(.maybe)
            default: return match
            }
        }
    }
}

extension FirewallRules.ChainName {
    fileprivate func sibling(_ name: String) -> Self { Self(family: family, table: table, name: name) }
}
