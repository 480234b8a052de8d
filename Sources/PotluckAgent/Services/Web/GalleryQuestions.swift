import AlbumModel
import PotluckAPI
import SyncEngine
import WebServer

/// What pages ask, each a short question to the engine (``EngineHost/ask(_:)``): nobody keeps a view meanwhile.
extension Engine {
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
        let albums = catalog.liveAlbums(of: blob)
        guard let album = albums.first,
            let photo = catalog.photo(PhotoKey(album: album, blob: blob)), let add = photo.adds.first
        else { return nil }
        let thumbnail = photo.facts?.thumbnail
        let isLeftOut = self.isLeftOut(blob)
        return KnownFile(
            albums: albums, name: photo.shownName, mediaType: add.mediaType, byteCount: add.byteCount,
            modified: add.modified,
            isHere: held.contains(blob), thumbnail: thumbnail,
            isThumbnailHere: thumbnail.map { held.contains($0.blob) } ?? false,
            isComing: hasConnectedHolder(blob) || isLeftOut && !connectedDevices.isEmpty, isLeftOut: isLeftOut)
    }

    /// Other laptops that are here and let guests in.
    var openDoors: [OtherLaptop] {
        connectedDevices.sorted().compactMap { device in
            guard let port = catalog.guestDoor(of: device) else { return nil }
            let origins = Self.doorOrigins(book.addresses(of: device), port: port)
            guard !origins.isEmpty else { return nil }
            let name = catalog.deviceName(device) ?? "Laptop \(device.hex.prefix(6))"
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
}
