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

/// Says what it means to put laptops out, and changes nothing.
public struct PutOutPlanRequest: APIRequest {
    /// Names or IDs of devices.
    public var devices: [String]
    /// As the paper has it; `nil` where this laptop is a host.
    public var recoveryCode: String?

    public init(devices: [String], recoveryCode: String? = nil) {
        self.devices = devices
        self.recoveryCode = recoveryCode
    }

    enum CodingKeys: String, CodingKey {
        case devices
        case recoveryCode = "recovery_code"
    }

    public func answer(by agent: any AgentAPI) async throws -> PutOutPlan {
        try await agent.putOutPlan(devices, recoveryCode: recoveryCode)
    }
}

/// Puts laptops out, and changes the invite phrase.
public struct PutOutRequest: APIRequest {
    /// Names or IDs of devices; ``PutOutPlan/devices`` are all that a person was told of.
    public var devices: [String]
    /// As the paper has it; `nil` where this laptop is a host.
    public var recoveryCode: String?

    public init(devices: [String], recoveryCode: String? = nil) {
        self.devices = devices
        self.recoveryCode = recoveryCode
    }

    enum CodingKeys: String, CodingKey {
        case devices
        case recoveryCode = "recovery_code"
    }

    public func answer(by agent: any AgentAPI) async throws -> InviteReport {
        try await agent.putOut(devices, recoveryCode: recoveryCode)
    }
}

/// Lets laptops in that were put out, or that know an earlier phrase alone.
public struct LetInRequest: APIRequest {
    /// Names or IDs of devices.
    public var devices: [String]
    /// As the paper has it; `nil` where this laptop is a host.
    public var recoveryCode: String?

    public init(devices: [String], recoveryCode: String? = nil) {
        self.devices = devices
        self.recoveryCode = recoveryCode
    }

    enum CodingKeys: String, CodingKey {
        case devices
        case recoveryCode = "recovery_code"
    }

    public func answer(by agent: any AgentAPI) async throws -> LetInReport {
        try await agent.letIn(devices, recoveryCode: recoveryCode)
    }
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
