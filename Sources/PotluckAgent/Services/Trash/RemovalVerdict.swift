import AlbumModel
import SyncEngine

/// What it means that a person here does not want a photo in its album any longer.
enum RemovalVerdict: Hashable, Sendable {
    /// It was this device's alone: it leaves the album everywhere.
    case withdraw
    /// Others added it too: this device's adds are withdrawn, and it is hidden here.
    case withdrawAndHide
    /// Others added it, who may be guests at this device's door: it is hidden here.
    case hide
    /// It is not in the album.
    case nothing

    init(_ photo: Photo?, of device: DeviceID, in catalog: Catalog) {
        let adds = photo?.adds ?? []
        let ownCount = adds.count { catalog.isOwn($0, of: device) }
        switch (ownCount, adds.count) {
        case (_, 0): self = .nothing
        case (0, _): self = .hide
        case (adds.count, _): self = .withdraw
        default: self = .withdrawAndHide
        }
    }

    var withdraws: Bool { self == .withdraw || self == .withdrawAndHide }
    var hides: Bool { self == .hide || self == .withdrawAndHide }
}
