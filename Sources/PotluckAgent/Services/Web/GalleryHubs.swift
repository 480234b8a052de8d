import AlbumModel
import PotluckAPI
import SyncEngine
import WebServer

/// What pages are told besides the agent's events.
struct GalleryHubs: Sendable {
    /// When guests were named or revoked, a new epoch of theirs began, or hosts decided something.
    let guests = Hub<GuestStanding>(bufferCount: 1)
    let news = Hub<GalleryNews>()

    /// Photos that share one small picture, and whose pages are told of it, at most.
    private static let sharedThumbnailCountMax = 8

    /// Tells pages what the agent's events do not say. Of the host, since most events say nothing to pages: to hand over its
    /// engine would copy that, each time.
    func tell(_ event: EngineEvent, of host: isolated EngineHost, hub: EventHub, at: Instant) {
        switch event {
        case .catalogChanged(let difference):
            if !difference.guests.isEmpty || difference.guestEpochRaised { guests.send(host.engine.guestStanding) }
            if !difference.guestDoors.isEmpty { news.send(.laptops) }
        case .blobHeld(let blob):
            // The server follows events as long as somebody follows it.
            guard hub.hasWatchers else { return }
            let photos = host.engine.catalog.photos(ofThumbnail: blob, max: Self.sharedThumbnailCountMax)
            for key in photos { hub.send(.photoChanged(at: at, album: key.album.hex, photo: key.blob.hex)) }
            for photo in Set(photos.map(\.blob)).sorted() { news.send(.ready(.thumbnail, photo)) }
        case .rulingsChanged: guests.send(host.engine.guestStanding)
        case .peerConnected, .peerLost: news.send(.laptops)
        default: break
        }
    }
}
