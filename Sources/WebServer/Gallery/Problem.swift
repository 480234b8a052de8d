import HTTPTypes
import Hummingbird
import PotluckAPI
import WebGallery

/// Why a door does not do what was asked, with what only its answer can tell: a status, when to come back, how far it is.
struct Problem: Error {
    var status: HTTPResponse.Status
    /// A short word that pages rely on.
    var code: String
    /// One or two sentences that say what is wrong and what to do.
    var message: String
    /// Seconds for `Retry-After`; `nil` where trying again is of no use.
    var retryAfter: Int?
    /// 0 to 1; `nil` where it is not known.
    var progress: Double?
    /// Besides those of every answer.
    var headers: HTTPFields = [:]

    init(_ status: HTTPResponse.Status, _ code: String, _ message: String, retryAfter: Int? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }

    init(_ refusal: UploadRefusal) {
        self.init(refusal.code.status, refusal.code.rawValue, refusal.message, retryAfter: refusal.retryAfter)
    }

    /// The same for what does not exist and for what this visitor may not see.
    static let noPhoto = Problem(.notFound, "not_found", "There is no such photo here.")
    static let noAlbum = Problem(.notFound, "not_found", "There is no such album here.")

    static func wrongQuery(_ name: String) -> Problem {
        Problem(.badRequest, "usage", "“\(name)” has a value that cannot be understood.")
    }

    // MARK: The answer

    private struct Document: Encodable {
        struct Content: Encodable {
            var code: String
            var message: String
            var progress: Double?
        }

        var error: Content
    }

    func response(_ limits: WebLimits) throws -> Response {
        let document = Document(error: .init(code: code, message: message, progress: progress))
        var response = Response.document(try JSONDocument(document), status: status, limits)
        if let retryAfter { response.headers[.retryAfter] = String(retryAfter) }
        for field in headers { response.headers[field.name] = field.value }
        return response
    }
}

extension HTTPResponse.Status {
    /// RFC 4918, section 11.3.
    static let locked = HTTPResponse.Status(code: 423, reasonPhrase: "Locked")
    /// tus 1.0, extension checksum.
    static let checksumMismatch = HTTPResponse.Status(code: 460, reasonPhrase: "Checksum Mismatch")
    /// RFC 4918, section 11.5.
    static let insufficientStorage = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
}

extension UploadRefusal.Code {
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .checksumMismatch: .checksumMismatch
        case .locked: .locked
        case .diskFull: .insufficientStorage
        default: HTTPResponse.Status(code: httpStatus)
        }
    }
}

extension Problem {
    /// Any error, told without anything that is of this laptop alone.
    init(describing error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let refusal as UploadRefusal: self.init(refusal)
        case let refusal as GuestRefusal: self.init(.forbidden, "not_yours", refusal.message)
        case let error as PotluckError:
            let status = HTTPResponse.Status(code: error.status.httpStatus)
            self.init(
                status, error.status.code, error.message, retryAfter: status == .serviceUnavailable ? 1 : nil)
        case UploadStageError.diskFull:
            self.init(
                .insufficientStorage, "disk_full",
                "The disk of this laptop is full. Add the file at another laptop, or ask for room.")
        case is CancellationError:
            self.init(.serviceUnavailable, "try_again", "The laptop is stopping; try again soon.", retryAfter: 2)
        default: self.init(.internalServerError, "failed", "That did not work at this laptop; try again.")
        }
    }
}

extension HTTPFields {
    /// Puts fields as ``PageHeaders`` has them in place of those of their names.
    mutating func set(_ fields: [PageHeaders.Field]) {
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { self[name] = value }
        }
    }
}
