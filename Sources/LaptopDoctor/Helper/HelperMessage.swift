/// What asker and helper send each other: a line of JSON each, the asker's first; later versions may add keys.
struct HelperQuestion: Codable, Hashable, Sendable {
    static let byteCountMax = 4096

    /// 16 letters; the asker's multicasts carry them.
    var mark: String
    /// Where the asker's agent takes connections; `nil` where none runs.
    var port: UInt16?
}

/// Sent at once.
struct HelperGreeting: Codable, Hashable, Sendable {
    /// What the helper's multicasts carry.
    var mark: String
    /// What DNS-SD shows of its gathering, in hexadecimal digits.
    var tag: String?
    /// Its clock, in milliseconds since 1970.
    var time: Int64
    /// Where its agent takes connections; `nil` where none runs.
    var port: UInt16?
}

/// Sent when the helper has listened for long enough.
struct HelperVerdict: Codable, Hashable, Sendable {
    var heardMulticast: Bool
    /// What became of its connection to the asker's agent.
    var connectionBack: Contact.Outcome?
    var isAvahiWell: Bool

    enum CodingKeys: String, CodingKey {
        case heardMulticast = "heard_multicast"
        case connectionBack = "connection_back"
        case isAvahiWell = "avahi_well"
    }
}
