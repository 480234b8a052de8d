import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import PotluckAPI
import WebGallery

/// A ``Resource`` with what answers it.
struct WebRoute: Sendable {
    let resource: Resource
    let answer: @Sendable (WebRequest) async throws -> Response

    init(_ resource: Resource, _ answer: @escaping @Sendable (WebRequest) async throws -> Response) {
        self.resource = resource
        self.answer = answer
    }
}

/// A request that has passed its door.
package struct WebRequest: Sendable {
    let request: Request
    let door: Door
    /// Where the request came in, as a browser names it: `10.0.0.5:4712`.
    let authority: String
    /// `nil` where nobody knows who asks; never for what needs a right.
    let visitor: Visitor?
    let channel: any Channel
    /// Of the path, still percent-encoded.
    let parameters: [String: String]

    init(
        _ request: Request, door: Door, authority: String, visitor: Visitor?, channel: any Channel,
        parameters: [String: String]
    ) {
        self.request = request
        self.door = door
        self.authority = authority
        self.visitor = visitor
        self.channel = channel
        self.parameters = parameters
    }

    var limits: WebLimits { door.limits }
    /// Of this door, as the visitor's browser writes it.
    var origin: String { "http://" + authority }

    func header(_ name: HTTPField.Name) -> String? { request.headers[name] }

    /// A part of the path, decoded.
    ///
    /// - Throws: ``PotluckError`` with `.usage` for what is not UTF-8.
    func parameter(_ name: String) throws -> String {
        guard let text = parameters[name].flatMap({ PercentCoding.decoded($0) }) else {
            throw PotluckError(.usage, "The address is not percent-encoded UTF-8.")
        }
        return text
    }

    /// Decoded names and values of the query, in their order.
    ///
    /// - Throws: ``PotluckError`` with `.usage` for what is not UTF-8.
    func query() throws -> [(name: String, value: String)] { try Self.pairs(request.uri.query ?? "") }

    /// Of several for one name the last.
    func query(_ name: String) throws -> String? { try query().last { $0.name == name }?.value }

    /// Names and values of a query, or of a form.
    package static func pairs(_ text: some StringProtocol) throws -> [(name: String, value: String)] {
        try text.split(separator: "&").map { item in
            let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentCoding.decoded(halves[0], plusIsSpace: true),
                let value = PercentCoding.decoded(halves.count > 1 ? halves[1] : "", plusIsSpace: true)
            else { throw PotluckError(.usage, "The address is not percent-encoded UTF-8.") }
            return (name, value)
        }
    }

    // MARK: Bodies

    /// The body as JSON; one without a body is read as an empty object.
    func json<Value: Decodable>(
        _ type: Value.Type = Value.self, byteCountMax: Int = APILimits.requestByteCountMax
    ) async throws -> Value {
        let data = try await body(ofType: "application/json", byteCountMax: byteCountMax)
        do {
            return try ReportJSON.value(Value.self, from: data.isEmpty ? Data("{}".utf8) : data)
        } catch let error as DecodingError {
            throw PotluckError(notUnderstood: error)
        }
    }

    /// The fields of a form that a page without scripts sends.
    func form(byteCountMax: Int = APILimits.requestByteCountMax) async throws -> [String: String] {
        let data = try await body(ofType: "application/x-www-form-urlencoded", byteCountMax: byteCountMax)
        return Dictionary(
            try Self.pairs(String(decoding: data, as: UTF8.self)).map { ($0.name, $0.value) },
            uniquingKeysWith: { $1 })
    }

    /// All of the body, within the door's limit.
    func body(ofType expected: String, byteCountMax: Int = APILimits.requestByteCountMax) async throws -> Data {
        let announced = header(.contentLength).flatMap { Int($0) }
        let countMax = min(byteCountMax, limits.bodyByteCountMax)
        guard announced ?? 0 <= countMax else { throw WebFailure.bodyTooLong }
        do {
            let bytes = try await request.body.collect(upTo: countMax)
            guard bytes.readableBytes > 0 else { return Data() }
            // No form of a foreign page can send JSON without asking first (Fetch standard, 3.3.2).
            let type = header(.contentType)?.split(separator: ";").first?.lowercased()
            guard type == expected else { throw WebFailure.wrongType(expected) }
            return Data(bytes.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw WebFailure.bodyTooLong
        }
    }
}
