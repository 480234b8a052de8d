public import AlbumModel

/// Names an upload, and whoever knows the name is let at it together with its holder's session.
public struct UploadID: Hashable, Comparable, Sendable, Codable {
    public let text: String

    public init(_ token: SecretToken) {
        text = token.text
    }

    /// `nil` for what cannot be a name: it becomes the name of a file in staging.
    public init?(parsing text: some StringProtocol) {
        guard let token = SecretToken(parsing: text) else { return nil }
        self.init(token)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = UploadID(parsing: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an upload's ID")
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    public static func < (left: UploadID, right: UploadID) -> Bool { left.text < right.text }
}

/// One file on its way from a browser.
public struct Upload: Codable, Hashable, Sendable {
    /// What became of a file whose bytes are all there.
    public enum Outcome: Codable, Hashable, Sendable {
        /// It is in the album. The photo's ID in hexadecimal digits.
        case here(photo: String)
        /// It was there before.
        case already(photo: String)
        /// Why, as a sentence for the person.
        case refused(reason: String)
    }

    /// Whole files that came in place of the one that was announced.
    public struct Mismatch: Codable, Hashable, Sendable {
        /// The ID of the last one's bytes in hexadecimal digits.
        public var photo: String
        public var count: Int

        public init(photo: String, count: Int) {
            self.photo = photo
            self.count = count
        }
    }

    public var holder: SessionStore.Holder
    public var metadata: UploadMetadata
    public var byteCount: UInt64
    /// Durable bytes.
    public var offset: UInt64
    /// Milliseconds since 1970, as is ``changed``.
    public var created: Int64
    public var changed: Int64
    public var outcome: Outcome?
    public var mismatch: Mismatch?

    public var isComplete: Bool { offset == byteCount }

    /// Whether a file of these bytes is to be taken in: as it was announced, or, where it has come so twice, as it is now. A
    /// phone may have changed it after it was hashed.
    public func accepts(_ blob: BlobID) -> Bool {
        metadata.sha256.map { $0 == blob || mismatch?.photo == blob.hex } ?? true
    }
}

/// Why a request of tus is refused.
public struct UploadRefusal: Error, Hashable, Sendable {
    public enum Code: String, Hashable, Sendable {
        case badRequest = "bad_request"
        case notFound = "not_found"
        case conflict
        case lengthRequired = "length_required"
        case tooLarge = "too_large"
        case wrongMediaType = "wrong_media_type"
        case locked
        case tooMany = "too_many"
        case checksumMismatch = "checksum_mismatch"
        case diskFull = "disk_full"

        public var httpStatus: Int {
            switch self {
            case .badRequest: 400
            case .notFound: 404
            case .conflict: 409
            case .lengthRequired: 411
            case .tooLarge: 413
            case .wrongMediaType: 415
            case .locked: 423
            case .tooMany: 429
            case .checksumMismatch: 460
            case .diskFull: 507
            }
        }
    }

    public var code: Code
    /// A sentence for a person that says what to do.
    public var message: String
    /// Seconds for `Retry-After`; `nil` where trying again is of no use.
    public var retryAfter: Int?

    init(_ code: Code, _ message: String, retryAfter: Int? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }
}
