/// Why laptops do not find each other, or photos do not come. The words are a promise to scripts.
///
/// In the order in which they are to be mended: the verdict is the first one that was found.
public enum Cause: String, Codable, Hashable, CaseIterable, Sendable {
    case noGathering = "no-gathering"
    case homeUnusable = "home-unusable"
    case agentSilent = "agent-silent"
    case noNetwork = "no-network"
    case noAddress = "no-address"
    case portTaken = "port-taken"
    case clock
    case discoveryOff = "discovery-off"
    case avahiMissing = "avahi-missing"
    case avahiStopped = "avahi-stopped"
    case avahiSilent = "avahi-silent"
    case vpn
    case firewall
    case multicast
    case isolation
    case firewallThere = "firewall-there"
    case twoNetworks = "two-networks"
    case otherGathering = "other-gathering"
    case putOut = "put-out"
    case phraseChanged = "phrase-changed"
    case behind
    case earlierVersion = "earlier-version"
    case avahiThere = "avahi-there"
    case helperMissing = "helper-missing"
    case agentThere = "agent-there"
    case networkDrive = "network-drive"
    case watchLimit = "watch-limit"
    case diskFull = "disk-full"
    case agentStopped = "agent-stopped"
    case alone

    var isOfDisks: Bool { self == .networkDrive || self == .diskFull }

    /// What others are like cannot be told while this laptop itself is cut off.
    private static let ofOthers: Set<Cause> = [
        .multicast, .isolation, .firewallThere, .twoNetworks, .otherGathering, .avahiThere, .helperMissing, .alone,
    ]

    /// Causes that need no name of their own once this one is found, as it may be all there is.
    var hidden: Set<Cause> {
        switch self {
        case .noNetwork, .noAddress, .vpn, .firewall: Self.ofOthers
        case .noGathering, .homeUnusable, .portTaken, .agentSilent: [.agentStopped, .otherGathering, .alone]
        case .discoveryOff, .avahiMissing, .avahiStopped, .avahiSilent: [.multicast, .avahiThere, .alone]
        case .isolation: [.helperMissing, .firewallThere, .multicast, .alone]
        case .alone, .clock, .networkDrive, .watchLimit, .diskFull: []
        default: [.alone]
        }
    }
}

/// One cause that was found.
public struct Finding: Codable, Hashable, Sendable {
    public var cause: Cause
    /// What is wrong, and what that means.
    public var sentence: String
    /// What to do: sentences, or command lines.
    public var advice: [String]

    public init(_ cause: Cause, _ sentence: String, advice: [String]) {
        self.cause = cause
        self.sentence = sentence
        self.advice = advice
    }
}
