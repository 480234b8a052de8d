import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOHTTPTypes
import PotluckAPI

/// Why a request is refused before the agent is asked.
enum WebFailure: Error {
    case bodyTooLong
    case notJSON
    case foreignHost
    case foreignOrigin
    case unknownVisitor
    case forbidden

    var status: HTTPResponse.Status {
        switch self {
        case .bodyTooLong: .contentTooLarge
        case .notJSON: .unsupportedMediaType
        case .foreignHost: .misdirectedRequest
        case .foreignOrigin, .forbidden: .forbidden
        case .unknownVisitor: .unauthorized
        }
    }

    var document: ErrorDocument {
        switch self {
        case .bodyTooLong: ErrorDocument(code: "usage", message: "That is too much at once; name fewer files.")
        case .notJSON: ErrorDocument(code: "usage", message: "The body must be JSON: Content-Type: application/json.")
        case .foreignHost: ErrorDocument(code: "forbidden", message: "This door has another name.")
        case .foreignOrigin: ErrorDocument(code: "forbidden", message: "This was asked by another page.")
        case .unknownVisitor:
            ErrorDocument(code: "unknown_visitor", message: "Open the invitation's link again to come in.")
        case .forbidden: ErrorDocument(code: "forbidden", message: "You may not do that here; ask the laptop's owner.")
        }
    }
}

/// Makes a document of every error, and tells a wrong method from a wrong path.
struct ErrorDocuments: RouterMiddleware {
    typealias Context = WebContext

    let routes: [Route]

    @concurrent
    func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let failure as WebFailure {
            return try answer(failure.document, failure.status, context)
        } catch let error as HTTPError where error.status == .notFound {
            return try notFound(request, context)
        } catch let error as any HTTPResponseError {
            return try answer(
                ErrorDocument(code: "usage", message: "The request is not understood."), error.status, context)
        } catch {
            let error = PotluckError(describing: error)
            var response = try answer(ErrorDocument(error), HTTPResponse.Status(code: error.status.httpStatus), context)
            if response.status == .serviceUnavailable { response.headers[.retryAfter] = "1" }
            return response
        }
    }

    private func notFound(_ request: Request, _ context: WebContext) throws -> Response {
        let path = request.uri.path
        let fitting = routes.filter { route in
            path.hasPrefix(APIPath.root)
                && route.patterns.contains { $0.match(path.dropFirst(APIPath.root.count)) != nil }
        }
        guard !fitting.isEmpty else {
            let message =
                "There is nothing at this address. If Potluck has been updated, stop the agent and start it again."
            return try answer(ErrorDocument(code: "not_found", message: message), .notFound, context)
        }
        var methods = Set(fitting.map(\.method.rawValue))
        if methods.contains("GET") { methods.insert("HEAD") }
        let allowed = methods.sorted().joined(separator: ", ")
        let document = ErrorDocument(code: "usage", message: "This address takes \(allowed).")
        var response = try answer(document, .methodNotAllowed, context)
        response.headers[.allow] = allowed
        return response
    }

    private func answer(
        _ document: ErrorDocument, _ status: HTTPResponse.Status, _ context: WebContext
    ) throws -> Response {
        .document(try JSONDocument(document), status: status, context.door.limits)
    }
}
