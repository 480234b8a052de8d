public import AlbumModel

/// Who is signed in at this laptop's doors.
///
/// A value; its persistent form has digests in place of secrets, so that whoever reads it gets in nowhere. Sessions are
/// bounded: of one guest and in all, those that were used longest ago end first.
public struct SessionStore: Codable, Sendable {
    /// Who a session lets in.
    public enum Holder: Codable, Hashable, Sendable {
        case guest(GuestID)
        /// A browser on this laptop.
        case owner
        /// The owner's phone.
        case ownerPass
    }

    public struct Session: Codable, Hashable, Sendable {
        public var holder: Holder
        /// Milliseconds since 1970, as all times here.
        public var since: Int64
        public var lastUsed: Int64
        /// `nil` for as long as its holder is let in.
        public var expires: Int64?
    }

    /// What bounds a store: some 300 bytes a session, so less than 1 MB.
    public struct Limits: Codable, Hashable, Sendable {
        public var sessionCountMax = 2000
        /// A guest has a phone, a laptop, and tabs that were discarded.
        public var sessionCountMaxOfHolder = 16

        public init() {}
    }

    /// A use within so many milliseconds of the last is not noted: sessions are written down when they change.
    private static let useStep: Int64 = 60_000

    private let limits: Limits
    private var sessions: [TokenDigest: Session] = [:]

    public init(limits: Limits = Limits()) {
        self.limits = limits
    }

    public var count: Int { sessions.count }

    /// Signs somebody in.
    ///
    /// - Parameters:
    ///   - token: Freshly drawn; the bearer and the cookie.
    ///   - lifetime: Milliseconds; `nil` for as long as the holder is let in.
    public mutating func open(_ holder: Holder, token: SecretToken, now: Int64, lifetime: Int64? = nil) {
        removeExpired(now: now)
        let own = sessions.filter { $0.value.holder == holder }
        if own.count >= limits.sessionCountMaxOfHolder { removeOldest(own) }
        if sessions.count >= limits.sessionCountMax { removeOldest(sessions) }
        sessions[token.digest] = Session(
            holder: holder, since: now, lastUsed: now, expires: lifetime.map { now + $0 })
    }

    /// Who comes with this bearer or cookie; `nil` for nobody.
    ///
    /// Looked up by the token's digest: what the time of a look-up tells of a digest tells nothing of the token.
    public mutating func session(of bearer: some StringProtocol, now: Int64) -> Session? {
        guard let digest = SecretToken(parsing: bearer)?.digest, var session = sessions[digest] else { return nil }
        if let expires = session.expires, now >= expires {
            sessions[digest] = nil
            return nil
        }
        if now - session.lastUsed >= Self.useStep {
            session.lastUsed = now
            sessions[digest] = session
        }
        return session
    }

    /// Whether a session stands, without using it.
    public func isOpen(_ session: TokenDigest, now: Int64) -> Bool {
        guard let session = sessions[session] else { return false }
        return session.expires.map { now < $0 } ?? true
    }

    /// Signs out; `false` where there was no such session.
    @discardableResult
    public mutating func close(_ bearer: some StringProtocol) -> Bool {
        guard let digest = SecretToken(parsing: bearer)?.digest else { return false }
        return sessions.removeValue(forKey: digest) != nil
    }

    /// Ends a session; `false` where there was no such one.
    @discardableResult
    public mutating func close(_ session: TokenDigest) -> Bool { sessions.removeValue(forKey: session) != nil }

    /// Those that let somebody in now, the one that was used last first.
    public func sessions(of holder: Holder, now: Int64) -> [(digest: TokenDigest, session: Session)] {
        sessions.filter { $0.value.holder == holder && isOpen($0.key, now: now) }
            .map { (digest: $0.key, session: $0.value) }
            .sorted { ($1.session.lastUsed, $0.digest.shortName) < ($0.session.lastUsed, $1.digest.shortName) }
    }

    /// Ends all sessions of somebody: a guest who was revoked.
    public mutating func closeAll(of holder: Holder) {
        sessions = sessions.filter { $0.value.holder != holder }
    }

    /// Ends the sessions of all guests: a link that was renewed.
    public mutating func closeAllOfGuests() {
        sessions = sessions.filter { session in
            if case .guest = session.value.holder { false } else { true }
        }
    }

    private mutating func removeExpired(now: Int64) {
        sessions = sessions.filter { session in session.value.expires.map { now < $0 } ?? true }
    }

    private mutating func removeOldest(_ candidates: [TokenDigest: Session]) {
        guard let oldest = candidates.min(by: { $0.value.lastUsed < $1.value.lastUsed }) else { return }
        sessions[oldest.key] = nil
    }

    // MARK: Persistence

    private struct Line: Codable {
        var bearer: TokenDigest
        var session: Session
    }

    /// Reads what ``encode(to:)`` wrote; limits are those of today.
    public init(from decoder: any Decoder) throws {
        self.init()
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            let line = try container.decode(Line.self)
            sessions[line.bearer] = line.session
            if sessions.count > limits.sessionCountMax { removeOldest(sessions) }
        }
    }

    /// The longest unused first.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        let lines = sessions.map { Line(bearer: $0.key, session: $0.value) }
        for line in lines.sorted(by: { $0.session.lastUsed < $1.session.lastUsed }) { try container.encode(line) }
    }
}
