import AlbumModel
import PotluckAPI
import SyncEngine
import WebServer

/// What pages ask, each in one step: nobody holds a copy of the engine meanwhile.
extension EngineShell {
    /// A photo's bytes, as far as they are known.
    struct KnownFile: Sendable {
        /// Those that show it.
        var albums: [AlbumID]
        var name: String
        var mediaType: String
        var byteCount: UInt64
        /// Nanoseconds since 1970.
        var modified: Int64
        var isHere: Bool
        var thumbnail: Thumbnail?
        var isThumbnailHere: Bool
        /// Whether anybody could bring it now, as far as is known.
        var isComing: Bool
        /// Whether it comes only if somebody asks.
        var isLeftOut: Bool
    }

    /// `nil` for what no album shows.
    func knownFile(_ blob: BlobID) -> KnownFile? {
        let albums = engine.catalog.liveAlbums(of: blob)
        guard let album = albums.first,
            let photo = engine.catalog.photo(PhotoKey(album: album, blob: blob)), let add = photo.adds.first
        else { return nil }
        let thumbnail = photo.facts?.thumbnail
        let isLeftOut = engine.isLeftOut(blob)
        return KnownFile(
            albums: albums, name: photo.shownName, mediaType: add.mediaType, byteCount: add.byteCount,
            modified: add.modified,
            isHere: engine.held.contains(blob), thumbnail: thumbnail,
            isThumbnailHere: thumbnail.map { engine.held.contains($0.blob) } ?? false,
            isComing: engine.hasConnectedHolder(blob) || isLeftOut && !isAlone, isLeftOut: isLeftOut)
    }

    /// Whether the album shows the photo now.
    func shows(_ key: PhotoKey) -> Bool { engine.catalog.isLive(key) }

    /// Other laptops that are here and let guests in.
    var openDoors: [OtherLaptop] {
        engine.connectedDevices.sorted().compactMap { device in
            guard let port = engine.catalog.guestDoor(of: device) else { return nil }
            let origins = Self.doorOrigins(engine.book.addresses(of: device), port: port)
            guard !origins.isEmpty else { return nil }
            let name = engine.catalog.deviceName(device) ?? "Laptop \(device.hex.prefix(6))"
            return OtherLaptop(device: device.hex, name: name, origins: origins)
        }
    }

    /// What pages try of one laptop, at most.
    private static let originCountMax = 4

    /// Where a door for guests may be found: doors are of IPv4, and which address a phone reaches, only the phone knows.
    ///
    /// - Parameter addresses: the best first.
    static func doorOrigins(_ addresses: [PeerAddress], port: some BinaryInteger) -> [String] {
        var hosts: [String] = []
        for address in addresses where address.isUnicastV4 && !hosts.contains(address.host) {
            hosts.append(address.host)
        }
        let linkLocal = hosts.filter { $0.hasPrefix("169.254.") }
        let best = hosts.filter { !linkLocal.contains($0) } + linkLocal
        return best.prefix(originCountMax).map { "http://\($0):\(port)" }
    }

    func hasAlbum(_ album: AlbumID) -> Bool { engine.catalog.shownName(album) != nil }

    func albumID(named name: String) -> AlbumID { engine.catalog.albumID(named: name) }

    func await(_ blob: BlobID) { feed(.awaited(blob)) }

    func publicKey(of device: DeviceID) -> [UInt8]? { engine.log.publicKey(of: device) }

    /// Photos that share one small picture, and whose pages are told of it, at most.
    private static let sharedThumbnailCountMax = 8

    /// Tells pages what the agent's events do not say.
    func tellGallery(_ event: EngineEvent) {
        switch event {
        case .catalogChanged(let difference):
            if !difference.guests.isEmpty || difference.guestEpochRaised { guestsHub.send(guestStanding) }
            if !difference.guestDoors.isEmpty { newsHub.send(.laptops) }
        case .blobHeld(let blob):
            // The server follows events as long as somebody follows it.
            guard hub.hasWatchers else { return }
            let at = Instant(microsecondsSince1970: parts.clock.wall)
            let photos = engine.catalog.photos(ofThumbnail: blob, max: Self.sharedThumbnailCountMax)
            for key in photos { hub.send(.photoChanged(at: at, album: key.album.hex, photo: key.blob.hex)) }
            for photo in Set(photos.map(\.blob)).sorted() { newsHub.send(.ready(.thumbnail, photo)) }
        case .peerConnected, .peerLost: newsHub.send(.laptops)
        default: break
        }
    }
}
