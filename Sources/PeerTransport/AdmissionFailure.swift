import AlbumModel

/// Why a connection was not admitted.
enum AdmissionFailure: Error, Hashable {
    /// The other end is this very transport.
    case isSelf
    /// The other end has this device's own key, and is another run: a copy of its home.
    case isCopy
    /// The other end is not the device that was dialled.
    case wrongDevice(DeviceID)
    /// The other end does not know the gathering's phrase, or says so of this one.
    case notAMember
    /// The other end knows a phrase, and its key is none that may come in: hosts put it out, or its phrase holds no longer.
    case outsider
    /// The other end, which knows a phrase, says that hosts put this device out …
    case toldOut
    /// … or that the phrase that this device has holds no longer.
    case toldChanged
    /// The other end is of a version that knows the first phrase alone, which holds no longer.
    case earlierVersion(DeviceID)
    /// The other end broke the rules; a constant sentence for the log.
    case protocolError(String)
    /// There are as many connections as there may be.
    case crowded
    /// The connection ended before admission did.
    case closed

    /// Whether the peer tried what only guessing or persistence brings further.
    var isWrongProof: Bool { self == .notAMember || self == .outsider }

    /// A constant for the log.
    var summary: String {
        switch self {
        case .isSelf: "own address"
        case .isCopy: "own key, in another run"
        case .wrongDevice: "other device than expected"
        case .notAMember: "other phrase"
        case .outsider: "out, or with a phrase that holds no longer"
        case .toldOut: "it says that this device is out"
        case .toldChanged: "it says that the phrase has changed"
        case .earlierVersion: "of an earlier version"
        case .protocolError(let reason): reason
        case .crowded: "too many connections"
        case .closed: "closed before admission"
        }
    }
}
