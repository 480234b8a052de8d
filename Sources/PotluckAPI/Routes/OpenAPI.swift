/// The description of the API that the agent serves itself: OpenAPI 3.1, made of the routes and their types.
public enum OpenAPI {
    /// - Throws: What a type throws whose shape cannot be learned.
    ///
    /// - Parameter resources: What doors answer in ways of their own.
    public static func document(
        _ routes: [Route] = AgentRoutes.all, resources: [Resource] = []
    ) throws -> JSONDocument {
        try JSONDocument(description(routes, resources))
    }

    static func description(_ routes: [Route], _ resources: [Resource] = []) throws -> JSONValue {
        var paths: [String: JSONValue] = [:]
        for route in routes {
            for pattern in route.patterns {
                let path = APIPath.root + pattern.description
                var operations = paths[path]?.members ?? [:]
                operations[route.method.rawValue.lowercased()] = try operation(route, pattern)
                paths[path] = .object(operations)
            }
        }
        for resource in resources where resource.isOfAPI {
            var operations = paths[resource.path]?.members ?? [:]
            operations[resource.method.rawValue.lowercased()] = operation(resource)
            paths[resource.path] = .object(operations)
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Potluck", "version": "1",
                "description": "What the agent of a laptop answers to its owner, its pages and its guests.",
            ],
            "paths": .object(paths),
            "components": ["schemas": ["Error": schema(try Shape.of(ErrorDocument.self))]],
        ]
    }

    private static func operation(_ route: Route, _ pattern: PathPattern) throws -> JSONValue {
        let request = try route.requestShape()
        let inPath = pattern.parameters
        let others = request.properties.filter { !inPath.contains($0.name) }
        let isSecond = pattern != route.patterns[0]
        var operation: [String: JSONValue] = [
            "operationId": .string(route.name + (isSecond ? "Everywhere" : "")),
            "summary": .string(route.summary),
            "x-right": .string(route.right.rawValue),
            "responses": try responses(route),
        ]
        var parameters: [JSONValue] = inPath.map { name in
            ["name": .string(name), "in": "path", "required": true, "schema": ["type": "string", "minLength": 1]]
        }
        if route.method == .get {
            parameters += others.map { property in
                [
                    "name": .string(property.name), "in": "query", "required": .bool(property.isRequired),
                    "schema": schema(property.shape),
                ]
            }
        } else if !others.isEmpty {
            operation["requestBody"] = [
                "required": .bool(others.contains(where: \.isRequired)),
                "content": ["application/json": ["schema": schema(.object(others))]],
            ]
        }
        if case .events = route.answering {
            parameters.append([
                "name": "Last-Event-ID", "in": "header", "required": false, "schema": ["type": "string"],
                "description": "The ID of the last event that was seen: what was missed comes first, or `afresh`.",
            ])
        }
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        return .object(operation)
    }

    private static func operation(_ resource: Resource) -> JSONValue {
        var operation: [String: JSONValue] = [
            "summary": .string(resource.summary), "x-right": .string(resource.right.rawValue),
        ]
        let inPath: [JSONValue] = resource.pattern.parameters.map { name in
            ["name": .string(name), "in": "path", "required": true, "schema": ["type": "string", "minLength": 1]]
        }
        let others: [JSONValue] = resource.parameters.map { parameter in
            [
                "name": .string(parameter.name), "in": .string(parameter.place.rawValue),
                "required": .bool(parameter.isRequired), "schema": schema(parameter.shape),
            ]
        }
        if !(inPath + others).isEmpty { operation["parameters"] = .array(inPath + others) }
        if let content = content(resource.body) {
            operation["requestBody"] = ["required": true, "content": content]
        }
        var responses = errors
        for answer in resource.answers {
            var response: [String: JSONValue] = ["description": .string(answer.meaning)]
            if let content = content(answer.content) { response["content"] = content }
            responses["\(answer.status)"] = .object(response)
        }
        operation["responses"] = .object(responses)
        return .object(operation)
    }

    private static func content(_ content: Resource.Content) -> JSONValue? {
        switch content {
        case .json(let shape): ["application/json": ["schema": schema(shape)]]
        case .bytes(let type): .object([type: ["schema": [:]]])
        case .none: nil
        }
    }

    private static let errors: [String: JSONValue] = {
        let error: JSONValue = [
            "description": "It cannot be done; the message says why.",
            "content": ["application/json": ["schema": ["$ref": "#/components/schemas/Error"]]],
        ]
        return ["4XX": error, "5XX": error]
    }()

    private static func responses(_ route: Route) throws -> JSONValue {
        let answer = schema(try route.answerShape())
        var success: [String: JSONValue] = ["description": "Done."]
        switch route.answering {
        case .document, .down: success["content"] = ["application/json": ["schema": answer]]
        case .description: success["content"] = ["application/json": ["schema": ["type": "object"]]]
        case .events:
            success["content"] = ["text/event-stream": ["schema": ["type": "string"], "x-event": answer]]
        case .progress:
            let progress = try route.progressShape.map { schema(try $0()) } ?? [:]
            success["content"] = [
                "text/event-stream": ["schema": ["type": "string"], "x-progress": progress, "x-result": answer]
            ]
        }
        return .object(errors.merging(["200": .object(success)]) { $1 })
    }

    static func schema(_ shape: Shape) -> JSONValue {
        switch shape {
        case .string(let format?): ["type": "string", "format": .string(format)]
        case .string(nil): ["type": "string"]
        case .integer(let minimum?): ["type": "integer", "minimum": .integer(Int64(minimum))]
        case .integer(nil): ["type": "integer"]
        case .number: ["type": "number"]
        case .boolean: ["type": "boolean"]
        case .enumeration(let cases): ["type": "string", "enum": .array(cases.map { .string($0) })]
        case .array(let element): ["type": "array", "items": schema(element)]
        case .object(let properties):
            [
                "type": "object",
                "properties": .object(
                    Dictionary(
                        properties.map { property in
                            let inner = schema(property.shape)
                            return (property.name, property.isRequired ? inner : ["anyOf": [inner, ["type": "null"]]])
                        }, uniquingKeysWith: { first, _ in first })),
                "required": .array(properties.filter(\.isRequired).map { .string($0.name) }),
            ]
        }
    }
}
