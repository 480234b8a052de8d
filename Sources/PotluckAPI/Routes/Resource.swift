/// Something at the doors that is no request to the agent: its answer depends on who asks, or is no JSON. The server
/// answers it by its name; here stands what ``OpenAPI`` tells of it.
public struct Resource: Hashable, Sendable {
    public enum Method: String, Hashable, Sendable, CaseIterable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
        case options = "OPTIONS"
    }

    /// What a request can do; it decides which pages of other sites may send it.
    public enum Effect: Hashable, Sendable {
        /// Pages of other laptops ask it.
        case forEverybody
        /// Also a POST that only asks.
        case reading
        case changing
        /// What lets it in stands in its body, so that no page of another site can send it.
        case carryingCredential
    }

    /// What a body is.
    public enum Content: Hashable, Sendable {
        case json(Shape)
        /// Bytes of a media type.
        case bytes(type: String)
        case none
    }

    public struct Parameter: Hashable, Sendable {
        public enum Place: String, Hashable, Sendable {
            case query, header
        }

        public var name: String
        public var place: Place
        public var shape: Shape
        public var isRequired: Bool

        public init(_ name: String, _ shape: Shape = .string(), in place: Place = .query, isRequired: Bool = false) {
            self.name = name
            self.place = place
            self.shape = shape
            self.isRequired = isRequired
        }
    }

    public struct Answer: Hashable, Sendable {
        public var status: Int
        public var content: Content
        /// One sentence.
        public var meaning: String

        public init(_ status: Int, _ content: Content = .none, _ meaning: String = "Done.") {
            self.status = status
            self.content = content
            self.meaning = meaning
        }
    }

    /// Which doors have it.
    public enum Kind: Hashable, Sendable {
        /// Below ``APIPath/root``, at all doors but those for monitors; it is described.
        case api
        /// A page, or a part of one: where there are pages.
        case page
        /// What monitors read, at all doors.
        case monitoring
    }

    public let method: Method
    public let pattern: PathPattern
    public let kind: Kind
    public let right: Right
    public let effect: Effect
    /// One sentence.
    public let summary: String
    public let parameters: [Parameter]
    public let body: Content
    /// Those that are no errors; errors are as everywhere.
    public let answers: [Answer]

    /// Part of the API.
    ///
    /// - Parameter effect: `nil` for what follows from the method.
    public init(
        _ method: Method, _ pattern: PathPattern, may right: Right, _ effect: Effect? = nil,
        parameters: [Parameter] = [], body: Content = .none, answers: [Answer] = [Answer(200)], _ summary: String
    ) {
        self.init(
            method, pattern, .api, may: right, effect, parameters: parameters, body: body, answers: answers, summary)
    }

    private init(
        _ method: Method, _ pattern: PathPattern, _ kind: Kind, may right: Right, _ effect: Effect?,
        parameters: [Parameter], body: Content, answers: [Answer], _ summary: String
    ) {
        self.method = method
        self.pattern = pattern
        self.kind = kind
        self.right = right
        self.effect = effect ?? Self.effect(of: method)
        self.parameters = parameters
        self.body = body
        self.answers = answers
        self.summary = summary
    }

    private static func effect(of method: Method) -> Effect {
        switch method {
        case .get, .head, .options: .reading
        case .post, .put, .patch, .delete: .changing
        }
    }

    /// A page, or a part of one.
    public static func page(
        _ method: Method = .get, _ pattern: PathPattern, may right: Right, _ effect: Effect? = nil, _ summary: String
    ) -> Resource {
        Resource(
            method, pattern, .page, may: right, effect, parameters: [], body: .none, answers: [Answer(200)], summary)
    }

    /// What monitors read.
    public static func monitoring(_ pattern: PathPattern, _ summary: String) -> Resource {
        Resource(
            .get, pattern, .monitoring, may: .watch, nil, parameters: [], body: .none, answers: [Answer(200)], summary)
    }

    /// Whether it stands below ``APIPath/root``.
    public var isOfAPI: Bool { kind == .api }

    /// From the first slash on, with its parameters in braces.
    public var path: String { (isOfAPI ? APIPath.root : "") + pattern.description }
}
