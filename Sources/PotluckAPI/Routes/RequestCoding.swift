public import FoundationEssentials

/// A request as HTTP carries it.
public struct HTTPForm: Hashable, Sendable {
    public var method: Route.Method
    /// Path and query, from the first slash on.
    public var target: String
    /// JSON; empty where there is none.
    public var body: Data
}

extension Route {
    /// Spreads a request over path, query and body.
    ///
    /// - Throws: `EncodingError`.
    public func form(_ request: some APIRequest) throws -> HTTPForm {
        let data = try ReportJSON.data(request)
        if method != .get, patterns[0].parameters.isEmpty {
            return HTTPForm(method: method, target: APIPath.root + patterns[0].description, body: data)
        }
        var members = try ReportJSON.value(JSONValue.self, from: data).members ?? [:]
        let texts = members.compactMapValues(\.queryTexts.first)
        for pattern in patterns {
            guard let path = pattern.path(texts) else { continue }
            for name in pattern.parameters { members[name] = nil }
            guard method == .get else {
                let body = try ReportJSON.data(JSONValue.object(members))
                return HTTPForm(method: method, target: APIPath.root + path, body: body)
            }
            let query = members.sorted { $0.key < $1.key }.flatMap { name, value in
                value.queryTexts.map { "\(name)=\(PercentCoding.encoded($0))" }
            }
            let target = APIPath.root + path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
            return HTTPForm(method: method, target: target, body: Data())
        }
        preconditionFailure("the last pattern of a route has no parameters that a request may lack")
    }

    /// Gathers a request's members from where HTTP carried them.
    ///
    /// - Parameters:
    ///   - path: Parameters of the path, still percent-encoded.
    ///   - query: What stands behind the question mark.
    /// - Throws: ``PotluckError`` with `.usage`.
    public func request(
        path: [String: String], query: some StringProtocol, body: Data, shape: Shape
    ) throws(PotluckError) -> Data {
        if method != .get, path.isEmpty {
            guard query.isEmpty else { throw PotluckError(.usage, "This request takes no query, but a JSON body.") }
            return body.isEmpty ? Data("{}".utf8) : body
        }
        var members: [String: JSONValue] = [:]
        if !body.isEmpty {
            guard let found = (try? ReportJSON.value(JSONValue.self, from: body))?.members else {
                throw PotluckError(.usage, "The body of this request must be a JSON object.")
            }
            members = found
        }
        var texts: [String: [String]] = [:]
        for (name, text) in path {
            guard let text = PercentCoding.decoded(text) else { throw Self.notText(name) }
            texts[name] = [text]
        }
        for item in query.split(separator: "&") {
            let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = PercentCoding.decoded(halves[0], plusIsSpace: true) ?? ""
            guard let text = PercentCoding.decoded(halves.count > 1 ? halves[1] : "", plusIsSpace: true) else {
                throw Self.notText(name)
            }
            guard path[name] == nil else { throw PotluckError(.usage, "“\(name)” stands in the path already.") }
            texts[name, default: []].append(text)
        }
        for (name, texts) in texts {
            guard let property = shape.properties.first(where: { $0.name == name }) else {
                throw PotluckError(.usage, "This request has no parameter “\(name)”; /api/v1/openapi.json lists them.")
            }
            guard let value = JSONValue(texts, as: property.shape) else {
                throw PotluckError(
                    .usage, "The parameter “\(name)” is not understood; /api/v1/openapi.json describes it.")
            }
            members[name] = value
        }
        guard let data = try? ReportJSON.data(JSONValue.object(members)) else {
            throw PotluckError(.usage, "This request is not understood.")
        }
        return data
    }

    private static func notText(_ name: String) -> PotluckError {
        PotluckError(.usage, "The parameter “\(name)” is not percent-encoded UTF-8.")
    }
}

extension JSONValue {
    /// As a query repeats it: a list's elements, else at most one text.
    fileprivate var queryTexts: [String] {
        switch self {
        case .null, .object: []
        case .bool(let value): ["\(value)"]
        case .integer(let value): ["\(value)"]
        case .unsigned(let value): ["\(value)"]
        case .number(let value): ["\(value)"]
        case .string(let text): [text]
        case .array(let values): values.flatMap(\.queryTexts)
        }
    }

    /// `nil` where the texts mean no such value.
    fileprivate init?(_ texts: [String], as shape: Shape) {
        if case .array(let element) = shape {
            var values: [JSONValue] = []
            for text in texts {
                guard let value = JSONValue([text], as: element) else { return nil }
                values.append(value)
            }
            self = .array(values)
            return
        }
        guard texts.count == 1, let text = texts.first else { return nil }
        switch shape {
        case .string: self = .string(text)
        case .enumeration(let cases):
            guard cases.contains(text) else { return nil }
            self = .string(text)
        case .boolean:
            guard ["true", "1", "false", "0"].contains(text) else { return nil }
            self = .bool(text == "true" || text == "1")
        case .integer(let minimum):
            guard let value = Int64(text), value >= Int64(minimum ?? .min) else { return nil }
            self = .integer(value)
        case .number:
            guard let value = Double(text), value.isFinite else { return nil }
            self = .number(value)
        case .array, .object: return nil
        }
    }
}

extension Route {
    /// The members that its requests have.
    public func shape() throws -> Shape { try requestShape() }
}
