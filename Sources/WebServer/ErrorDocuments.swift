import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOHTTPTypes
import PotluckAPI
import WebGallery

/// Why a request is refused before the agent is asked.
enum WebFailure: Error {
    case bodyTooLong
    /// The body is of another media type than this one.
    case wrongType(String)
    case foreignHost
    case foreignOrigin
    case unknownVisitor
    case forbidden

    var status: HTTPResponse.Status {
        switch self {
        case .bodyTooLong: .contentTooLarge
        case .wrongType: .unsupportedMediaType
        case .foreignHost: .misdirectedRequest
        case .foreignOrigin, .forbidden: .forbidden
        case .unknownVisitor: .unauthorized
        }
    }

    var document: ErrorDocument {
        switch self {
        case .bodyTooLong: ErrorDocument(code: "usage", message: "That is too much at once; name fewer files.")
        case .wrongType(let type):
            ErrorDocument(code: "usage", message: "The body must have the Content-Type \(type).")
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
    let others: [Resource]
    let pages: PageMaker?

    @concurrent
    func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        let response = try await answer(request, context, next)
        guard let pages, context.door.hasPages, response.status.code >= 400, !request.uri.path.hasPrefix("/api/"),
            response.headers[.contentType] == "application/json",
            let page = await pages.failure(response.status)
        else { return response }
        // What a person is told, not a program.
        return page.response(response.status, at: context.door, headers: response.headers)
    }

    private func answer(
        _ request: Request, _ context: WebContext, _ next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let problem as Problem {
            return try problem.response(context.door.limits)
        } catch let refusal as UploadRefusal {
            return try Problem(refusal).response(context.door.limits)
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
        let whole = request.uri.path
        // The router takes no heed of a slash at the end.
        let path = whole.count > 1 && whole.hasSuffix("/") ? String(whole.dropLast()) : whole
        let fitting = routes.filter { route in
            context.door.has(.api) && path.hasPrefix(APIPath.root)
                && route.patterns.contains { $0.match(path.dropFirst(APIPath.root.count)) != nil }
        }
        let resources = others.filter { context.door.has($0.kind) && $0.fits(path) }
        guard !fitting.isEmpty || !resources.isEmpty else {
            let message =
                "There is nothing at this address. If Potluck has been updated, stop the agent and start it again."
            return try answer(ErrorDocument(code: "not_found", message: message), .notFound, context)
        }
        var methods = Set(fitting.map(\.method.rawValue)).union(resources.map(\.method.rawValue))
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

extension Resource {
    /// Whether a path, still percent-encoded, is one of its own.
    fileprivate func fits(_ path: String) -> Bool {
        let root = isOfAPI ? APIPath.root : ""
        return path.hasPrefix(root) && pattern.match(path.dropFirst(root.count)) != nil
    }
}
