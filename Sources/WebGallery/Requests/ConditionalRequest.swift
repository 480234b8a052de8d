/// The conditions that a request sets, in the order of RFC 9110, section 13.2.2.
public struct ConditionalRequest: Hashable, Sendable {
    public enum Decision: Hashable, Sendable {
        /// As if there were no conditions; `Range` counts.
        case perform
        /// 304, with the fields that a 200 would have.
        case notModified
        /// 412.
        case failed
    }

    public var ifMatch: String?
    public var ifNoneMatch: String?
    public var ifModifiedSince: String?
    public var ifUnmodifiedSince: String?

    /// The fields' values; of a field that came several times the values, joined by commas.
    public init(
        ifMatch: String? = nil, ifNoneMatch: String? = nil, ifModifiedSince: String? = nil,
        ifUnmodifiedSince: String? = nil
    ) {
        self.ifMatch = ifMatch
        self.ifNoneMatch = ifNoneMatch
        self.ifModifiedSince = ifModifiedSince
        self.ifUnmodifiedSince = ifUnmodifiedSince
    }

    /// Decides for something that exists and has this version; dates that cannot be read are ignored.
    ///
    /// - Parameter isReading: Whether the method is GET or HEAD.
    public func decision(
        isReading: Bool, entityTag: EntityTag?, lastModified: HTTPTimestamp? = nil
    ) -> Decision {
        if let ifMatch {
            let list = EntityTagList(parsing: ifMatch)
            if !list.contains(entityTag, { $0.isStronglyEqual(to: $1) }) { return .failed }
        } else if let limit = Self.date(ifUnmodifiedSince), let lastModified, lastModified > limit {
            return .failed
        }
        if let ifNoneMatch {
            let list = EntityTagList(parsing: ifNoneMatch)
            if list.contains(entityTag, { $0.isWeaklyEqual(to: $1) }) { return isReading ? .notModified : .failed }
        } else if isReading, let limit = Self.date(ifModifiedSince), let lastModified, lastModified <= limit {
            return .notModified
        }
        return .perform
    }

    private static func date(_ text: String?) -> HTTPTimestamp? {
        text.flatMap { HTTPTimestamp(parsing: $0.trimmingBlanks) }
    }
}
