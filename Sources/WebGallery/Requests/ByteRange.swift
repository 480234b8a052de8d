/// Bytes of a file that an answer carries, by RFC 9110, section 14.
public struct ByteRange: Hashable, Sendable {
    public var offset: UInt64
    /// At least 1.
    public var count: UInt64

    public init(offset: UInt64, count: UInt64) {
        self.offset = offset
        self.count = count
    }

    /// The value of `Content-Range` in a 206.
    public func contentRange(of byteCount: UInt64) -> String { "bytes \(offset)-\(offset + count - 1)/\(byteCount)" }

    /// The value of `Content-Range` in a 416.
    public static func unsatisfied(of byteCount: UInt64) -> String { "bytes */\(byteCount)" }

    /// What to send.
    public enum Choice: Hashable, Sendable {
        /// All of it, with 200.
        case whole
        /// With 206 and ``ByteRange/contentRange(of:)``.
        case part(ByteRange)
        /// Nothing, with 416 and ``ByteRange/unsatisfied(of:)``.
        case unsatisfiable
    }

    /// Chooses what a GET gets.
    ///
    /// A field that asks for several ranges, for another unit, or for nothing that can be understood is ignored, as
    /// section 14.2 allows. `If-Range` is compared strongly (section 13.1.5), a date for equality.
    public static func choice(
        range: String?, ifRange: String? = nil, byteCount: UInt64, entityTag: EntityTag? = nil,
        lastModified: HTTPTimestamp? = nil
    ) -> Choice {
        guard let range, let request = Request(parsing: range) else { return .whole }
        if let ifRange, !isCurrent(ifRange, entityTag, lastModified) { return .whole }
        switch request {
        case .from(let first, let last):
            guard first < byteCount else { return .unsatisfiable }
            return .part(ByteRange(offset: first, count: min(last, byteCount - 1) - first + 1))
        case .suffix(let count):
            guard count > 0, byteCount > 0 else { return .unsatisfiable }
            let count = min(count, byteCount)
            return .part(ByteRange(offset: byteCount - count, count: count))
        }
    }

    private static func isCurrent(_ ifRange: String, _ tag: EntityTag?, _ lastModified: HTTPTimestamp?) -> Bool {
        let text = ifRange.trimmingBlanks
        if let asked = EntityTag(parsing: text) { return tag.map { asked.isStronglyEqual(to: $0) } ?? false }
        guard let lastModified, let date = HTTPTimestamp(parsing: text) else { return false }
        return date == lastModified
    }

    private enum Request {
        /// The last one may lie beyond the end.
        case from(UInt64, through: UInt64)
        case suffix(UInt64)

        init?(parsing text: String) {
            let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, halves[0].trimmingBlanks.lowercased() == "bytes" else { return nil }
            // Empty elements of a list do not count.
            let ranges = halves[1].split(separator: ",").map(\.trimmingBlanks).filter { !$0.isEmpty }
            guard ranges.count == 1 else { return nil }
            let bounds = ranges[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            guard bounds.count == 2 else { return nil }
            switch (bounds[0].isEmpty, bounds[1].isEmpty) {
            case (true, true): return nil
            case (true, false):
                guard let count = Self.number(bounds[1]) else { return nil }
                self = .suffix(count)
            case (false, true):
                guard let first = Self.number(bounds[0]) else { return nil }
                self = .from(first, through: .max)
            case (false, false):
                guard let first = Self.number(bounds[0]), let last = Self.number(bounds[1]), first <= last else {
                    return nil
                }
                self = .from(first, through: last)
            }
        }

        /// A number that is too large for any file stands for one beyond its end.
        private static func number(_ digits: Substring) -> UInt64? {
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
            else { return nil }
            return UInt64(digits) ?? .max
        }
    }
}

extension StringProtocol {
    /// Without the blanks that may stand around values of header fields.
    var trimmingBlanks: Substring {
        var rest = Substring(self)
        while rest.first == " " || rest.first == "\t" { rest.removeFirst() }
        while rest.last == " " || rest.last == "\t" { rest.removeLast() }
        return rest
    }
}
