/// An error as the API sends it: `{"error":{"code":"not_found","message":"…"}}`.
public struct ErrorDocument: Codable, Hashable, Sendable {
    public struct Content: Codable, Hashable, Sendable {
        /// A short word that programs can rely on.
        public var code: String
        /// One or two sentences that say what is wrong and what to do.
        public var message: String
    }

    public var error: Content

    public init(code: String, message: String) {
        error = Content(code: code, message: message)
    }

    public init(_ content: Content) {
        error = content
    }

    public init(_ error: PotluckError) {
        self.init(code: error.status.code, message: error.message)
    }
}

extension ExitStatus: CaseIterable {
    public static let allCases: [ExitStatus] = [.failed, .usage, .notFound, .notRunning, .tryAgain, .badSetting]

    /// The word that stands for it in an ``ErrorDocument``.
    public var code: String {
        switch self {
        case .failed: "failed"
        case .usage: "usage"
        case .notFound: "not_found"
        case .notRunning: "not_running"
        case .tryAgain: "try_again"
        case .badSetting: "bad_setting"
        }
    }

    /// RFC 9110, section 15.
    public var httpStatus: Int {
        switch self {
        case .failed: 500
        case .usage: 400
        case .notFound: 404
        case .notRunning, .tryAgain: 503
        case .badSetting: 409
        }
    }

    /// What an answer means whose code is none of ours.
    init(httpStatus: Int) {
        switch httpStatus {
        case 404, 410: self = .notFound
        case 400, 405, 411..<432: self = .usage
        case 408, 423, 429, 503: self = .tryAgain
        case 409: self = .badSetting
        default: self = .failed
        }
    }
}

extension PotluckError {
    /// The error that an answer tells of.
    public init(_ document: ErrorDocument, httpStatus: Int) {
        let known = ExitStatus.allCases.first { $0.code == document.error.code }
        self.init(known ?? ExitStatus(httpStatus: httpStatus), document.error.message)
    }

    /// Any error as a sentence.
    public init(describing error: any Error) {
        switch error {
        case let error as PotluckError: self = error
        case is CancellationError: self.init(.tryAgain, "The agent is stopping; try again when it runs.")
        default: self.init(.failed, "That failed: \(error).")
        }
    }

    public init(notUnderstood error: DecodingError) {
        let detail =
            switch error {
            case .keyNotFound(let key, _): "“\(key.stringValue)” is missing"
            case .typeMismatch(_, let context), .valueNotFound(_, let context):
                "\(Self.place(context)) is of a wrong kind"
            case .dataCorrupted(let context): "\(Self.place(context)) cannot be read"
            @unknown default: "it cannot be read"
            }
        self.init(
            .usage,
            "The agent does not understand this request: \(detail). Stop the agent and start it again if Potluck has been updated."
        )
    }

    private static func place(_ context: DecodingError.Context) -> String {
        let path = context.codingPath.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }
        return path.isEmpty ? "its JSON" : "“\(path.joined(separator: "."))”"
    }
}
