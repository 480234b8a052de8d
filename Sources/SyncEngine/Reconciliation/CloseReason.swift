/// Why a connection is ended.
public enum CloseReason: Hashable, Sendable {
    /// Another connection to the same device is kept.
    case duplicate
    /// The device's agent was started again and connected anew.
    case replaced
    case silent
    case otherVersion(UInt32)
    case unexpectedMessage
    case refusedBatch(BatchRefusal)
    case refusedRuling(RulingFlaw)
    /// Hosts put the device out.
    case putOut
    /// Hosts changed the phrase, and what the device proved makes it no member any longer.
    case phraseChanged
    case storageFailed
    case stopping
    /// This device has as many links as it keeps.
    case full
    /// The peer has as many links as it keeps.
    case refusedAsFull
}

extension CloseReason {
    /// The peer did something wrong, which its owner may want to know.
    var isPeersFault: Bool {
        switch self {
        case .otherVersion, .unexpectedMessage, .refusedBatch, .refusedRuling: true
        case .duplicate, .replaced, .silent, .putOut, .phraseChanged, .storageFailed, .stopping, .full, .refusedAsFull:
            false
        }
    }
}
