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
    /// The other end broke the rules; a constant sentence for the log.
    case protocolError(String)
    /// There are as many connections as there may be.
    case crowded
    /// The connection ended before admission did.
    case closed

    /// A constant for the log.
    var summary: String {
        switch self {
        case .isSelf: "own address"
        case .isCopy: "own key, in another run"
        case .wrongDevice: "other device than expected"
        case .notAMember: "other phrase"
        case .protocolError(let reason): reason
        case .crowded: "too many connections"
        case .closed: "closed before admission"
        }
    }
}
