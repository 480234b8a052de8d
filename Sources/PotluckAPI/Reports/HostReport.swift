/// What `potluck host` prints: what a new gathering is entered with.
public struct HostReport: Codable, Hashable, Sendable {
    public var gathering: String
    /// As of an ``InviteReport``.
    public var phrase: String
    /// As of an ``InviteReport``.
    public var link: String
    /// Nine words, which are told this once and kept nowhere. Whoever has them can put any laptop out, and is host then.
    public var recoveryCode: String

    public init(gathering: String, phrase: String, link: String, recoveryCode: String) {
        self.gathering = gathering
        self.phrase = phrase
        self.link = link
        self.recoveryCode = recoveryCode
    }

    /// What others enter with.
    public var invite: InviteReport { InviteReport(gathering: gathering, phrase: phrase, link: link) }

    enum CodingKeys: String, CodingKey {
        case gathering, phrase, link
        case recoveryCode = "recovery_code"
    }
}
