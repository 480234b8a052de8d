/// Gives the laptop of the agent another name.
public struct DeviceNameRequest: APIRequest {
    public var device: String

    public init(device: String) { self.device = device }

    public func answer(by agent: any AgentAPI) async throws -> DeviceNameReport {
        try await agent.rename(device: device)
    }
}

/// What `potluck rename` prints of a laptop.
public struct DeviceNameReport: Codable, Hashable, Sendable {
    /// The name that the laptop has now.
    public var device: String
    /// The name that it had.
    public var formerName: String
    /// Whether the gathering has the name already; else the next agent tells it.
    public var isTold: Bool
    /// Whether another laptop is called so, too, as ``PeersReport/hasLaptop(named:)`` compares.
    public var isTaken: Bool

    public init(device: String, formerName: String, isTold: Bool, isTaken: Bool = false) {
        self.device = device
        self.formerName = formerName
        self.isTold = isTold
        self.isTaken = isTaken
    }

    enum CodingKeys: String, CodingKey {
        case device
        case formerName = "former_name"
        case isTold = "told"
        case isTaken = "taken"
    }
}
