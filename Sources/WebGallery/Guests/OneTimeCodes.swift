/// Codes that sign a browser in once: `potluck open` puts one in a link, and the page posts it.
public struct OneTimeCodes: Sendable {
    /// Milliseconds from being issued to being of no use.
    public static let lifetime: Int64 = 60_000
    /// Codes that wait for their page; a further one replaces the oldest.
    public static let countMax = 8
    /// Attempts within ``lifetime``, right ones among them: 2^128 guesses would take longer, but work is bounded too.
    public static let attemptCountMax = 30

    public enum Answer: Hashable, Sendable {
        case accepted
        /// Unknown, used before, or too old: which of them is nobody's business.
        case wrong
        /// 429: try again in so many milliseconds.
        case tooMany(wait: Int64)
    }

    private struct Code: Sendable {
        var digest: TokenDigest
        var issued: Int64
    }

    private var codes: [Code] = []
    private var attempts: [Int64] = []

    public init() {}

    /// - Parameters:
    ///   - token: Freshly drawn.
    ///   - now: Milliseconds of a clock that never goes back.
    public mutating func issue(_ token: SecretToken, now: Int64) {
        removeOld(now: now)
        if codes.count == Self.countMax { codes.removeFirst() }
        codes.append(Code(digest: token.digest, issued: now))
    }

    /// Takes a code that was posted, which is of no use from then on.
    public mutating func redeem(_ text: String, now: Int64) -> Answer {
        removeOld(now: now)
        if attempts.count == Self.attemptCountMax { return .tooMany(wait: attempts[0] + Self.lifetime - now) }
        attempts.append(now)
        guard let typed = SecretToken(parsing: text), let index = codes.firstIndex(where: { $0.digest.matches(typed) })
        else { return .wrong }
        codes.remove(at: index)
        return .accepted
    }

    /// Whether a code may still be posted. Asking is no attempt: only those ask who could have a code made.
    public func waits(_ text: String, now: Int64) -> Bool {
        guard let typed = SecretToken(parsing: text) else { return false }
        return codes.contains { now - $0.issued < Self.lifetime && $0.digest.matches(typed) }
    }

    private mutating func removeOld(now: Int64) {
        codes.removeAll { now - $0.issued >= Self.lifetime }
        attempts.removeAll { now - $0 >= Self.lifetime }
    }
}
