/// Lists the hosts.
public struct HostsRequest: APIRequest {
    public init() {}

    public func answer(by agent: any AgentAPI) async throws -> HostsReport { try await agent.hosts() }
}

/// Makes another laptop a host.
public struct AddHostRequest: APIRequest {
    /// Name or ID of a device.
    public var device: String

    public init(device: String) { self.device = device }

    public func answer(by agent: any AgentAPI) async throws -> HostAddition { try await agent.addHost(device) }
}
