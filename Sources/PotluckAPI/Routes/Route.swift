public import FoundationEssentials

/// What a visitor needs for a route.
public enum Right: String, Hashable, Sendable, CaseIterable {
    /// Nothing: everyone who reaches a door.
    case anyone
    /// See albums and photos.
    case see
    /// Add photos, and take back own ones.
    case add
    /// Like, comment, caption, tag.
    case talk
    /// Take originals home.
    case take
    /// Follow how the laptop is, and confirm or undo what waits there.
    case watch
    /// Everything else that the owner does in a browser of the laptop.
    case manage
    /// What only the owner's own programs do: name paths of the laptop, end the agent.
    case govern
}

/// One thing that can be asked over HTTP: from it the server answers, the client builds its requests, and
/// ``OpenAPI`` describes both.
public struct Route: Sendable {
    public enum Method: String, Hashable, Sendable, CaseIterable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// How a request is answered. `Data` is the request's JSON object, whatever part of HTTP carried its members.
    public enum Answering: Sendable {
        /// With one JSON document.
        case document(@Sendable (Data, any AgentAPI) async throws -> JSONDocument)
        /// With server-sent events: `progress` as often as there is some, then `result` or `error`.
        case progress(@Sendable (Data, any AgentAPI, Report) async throws -> JSONDocument)
        /// With server-sent events that have IDs and do not end.
        case events
        /// With an empty object whose end is the agent's.
        case down
        /// With the description of all routes.
        case description

        public typealias Report = @Sendable (_ progress: JSONDocument) async -> Void
    }

    public let method: Method
    /// The first one whose parameters a request has is the one that the client takes.
    public let patterns: [PathPattern]
    /// One sentence.
    public let summary: String
    public let right: Right
    public let answering: Answering
    /// Whether the agent may begin anew because of it: its answer leaves all the same.
    public let mayRestartAgent: Bool
    /// The request type's name.
    public let name: String
    let requestType: ObjectIdentifier
    let requestShape: @Sendable () throws -> Shape
    let answerShape: @Sendable () throws -> Shape
    let progressShape: (@Sendable () throws -> Shape)?

    private init<Request: APIRequest>(
        _ method: Method, _ patterns: [PathPattern], _ request: Request.Type, may right: Right, _ summary: String,
        _ answering: Answering, mayRestartAgent: Bool = false, progressShape: (@Sendable () throws -> Shape)? = nil
    ) {
        self.method = method
        self.patterns = patterns
        self.summary = summary
        self.right = right
        self.answering = answering
        self.mayRestartAgent = mayRestartAgent
        self.progressShape = progressShape
        name = "\(request)"
        requestType = ObjectIdentifier(request)
        requestShape = { try Shape.of(Request.self) }
        answerShape = { try Shape.of(Request.Answer.self) }
    }

    /// A route whose answer is one document.
    init<Request: APIRequest>(
        _ method: Method, _ patterns: PathPattern..., for request: Request.Type, may right: Right,
        mayRestartAgent: Bool = false, _ summary: String
    ) {
        self.init(
            method, patterns, request, may: right, summary,
            .document { data, agent in
                let request = try Self.read(Request.self, data)
                return try request.document(try await request.answer(by: agent))
            }, mayRestartAgent: mayRestartAgent)
    }

    /// A route whose answer takes long.
    init<Request: LongRequest>(
        _ method: Method, _ patterns: PathPattern..., forLong request: Request.Type, may right: Right,
        _ summary: String
    ) {
        self.init(
            method, patterns, request, may: right, summary,
            .progress { data, agent, report in
                let request = try Self.read(Request.self, data)
                let answer = try await request.answer(by: agent) { progress in
                    // A progress that cannot be written is not worth ending the work for.
                    if let document = try? JSONDocument(progress) { await report(document) }
                }
                return try request.document(answer)
            }, progressShape: { try Shape.of(Request.Progress.self) })
    }

    /// A route that the server answers in a way of its own.
    init<Request: APIRequest>(
        _ method: Method, _ patterns: PathPattern..., for request: Request.Type, may right: Right,
        answering: Answering, _ summary: String
    ) {
        self.init(method, patterns, request, may: right, summary, answering)
    }

    private static func read<Request: APIRequest>(_ type: Request.Type, _ data: Data) throws -> Request {
        do {
            return try ReportJSON.value(Request.self, from: data)
        } catch let error as DecodingError {
            throw PotluckError(notUnderstood: error)
        }
    }
}
