/// What one kind of firewall on this laptop does with what Potluck needs.
public struct FirewallSight: Hashable, Sendable {
    public var tool: Tool
    public var state: State
    /// The zone of firewalld that an interface is in; `nil` where the default one counts.
    public var zone: String?

    public init(tool: Tool, state: State, zone: String? = nil) {
        self.tool = tool
        self.state = state
        self.zone = zone
    }

    public enum Tool: String, Hashable, Sendable {
        case nftables, ufw, firewalld
    }

    public enum State: Hashable, Sendable {
        /// Not there, or it lets everything through that is needed.
        case open
        /// It drops or refuses this.
        case blocks([Traffic])
        /// It is on, and this person may not read what it does.
        case unreadable
        /// It has rules that are not understood here.
        case unsure
    }

    /// What Potluck needs to get in.
    public enum Traffic: Hashable, Sendable {
        /// Connections of other laptops to the agent.
        case agent(port: UInt16)
        /// Answers of the network to UDP port 5353.
        case discovery
    }
}
