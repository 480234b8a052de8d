public import AlbumModel

/// Why a photo is not here yet.
public enum MissingReason: Hashable, Sendable {
    case queued
    case asking([DeviceID])
    case nobodyConnected
    case paused(String)
    /// It is kept back on this side.
    case heldUp(PullHold)
    /// Every contributor's description of the file turned out wrong.
    case rejected
}
