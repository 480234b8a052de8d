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

/// Changes the invite phrase.
public struct NewPhraseRequest: APIRequest {
    public init() {}

    public func answer(by agent: any AgentAPI) async throws -> InviteReport { try await agent.newPhrase() }
}

/// Takes the gathering's new invite phrase.
public struct JoinAgainRequest: APIRequest {
    public var phrase: String
    /// The phrase is known to be this gathering's, whether or not other laptops said that it has changed.
    public var again: Bool

    public init(phrase: String, again: Bool) {
        self.phrase = phrase
        self.again = again
    }

    public func answer(by agent: any AgentAPI) async throws -> InviteReport {
        try await agent.join(phrase: phrase, again: again)
    }
}
