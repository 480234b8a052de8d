/// A question or an order to the agent, as a value. Its properties are what an HTTP request carries: in the path, in the
/// query of a GET, in the JSON body of anything else.
public protocol APIRequest: Codable, Hashable, Sendable {
    associatedtype Answer: Codable & Sendable

    /// - Throws: ``PotluckError`` for what a person has to know.
    func answer(by agent: any AgentAPI) async throws -> Answer

    /// The answer as it is sent.
    func document(_ answer: Answer) throws -> JSONDocument
}

extension APIRequest {
    public func document(_ answer: Answer) throws -> JSONDocument { try JSONDocument(answer) }
}

/// A request whose answer takes long, and that reports its progress meanwhile.
public protocol LongRequest: APIRequest {
    associatedtype Progress: Codable & Sendable

    /// Ends where the task is cancelled.
    func answer(by agent: any AgentAPI, progress: @Sendable (Progress) async -> Void) async throws -> Answer
}

extension LongRequest {
    public func answer(by agent: any AgentAPI) async throws -> Answer {
        try await answer(by: agent) { _ in }
    }
}

/// A result that has no content but that it is done.
public struct Done: Codable, Hashable, Sendable {
    public init() {}
}
