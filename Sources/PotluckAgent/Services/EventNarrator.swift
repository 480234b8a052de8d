import AlbumModel
import Logging
import PotluckAPI
import SyncEngine

/// Tells people and logs what the engine noted.
struct EventNarrator {
    let engine: Engine
    let at: Instant

    func records(_ event: EngineEvent) -> [EventRecord] {
        switch event {
        case .peerConnected(let device):
            let address = engine.book.address(of: device).map { "\($0.0)" }
            return [.peerConnected(at: at, peer: device.hex, name: name(device), address: address)]
        case .peerLost(let device): return [.peerLost(at: at, peer: device.hex, name: name(device))]
        case .catalogChanged(let difference): return records(difference)
        case .peerRefused(let device, let reason):
            return [.problem(at: at, message: "\(name(device) ?? "A laptop") was turned away: \(Self.words(reason)).")]
        case .digestMismatch(let device, let albums):
            let count = albums.count == 1 ? "an album" : "\(albums.count) albums"
            let sentence = "This laptop and \(name(device) ?? "another") understand \(count) differently."
            return [.problem(at: at, message: sentence + " Please report this; restarting the agent heals it.")]
        case .storageFailed(let reason): return [.problem(at: at, message: "Changes cannot be stored: \(reason)")]
        // What becomes of a home the services say themselves, and keeps for those who ask later.
        case .replicaRenewed, .peerLevel, .blobHeld, .contributed, .contributionFailed, .carried, .ruled, .rulingFailed,
            .rulingsChanged, .epochsChanged:
            return []
        }
    }

    private func records(_ difference: CatalogDifference) -> [EventRecord] {
        let photos = difference.photos.sorted().compactMap { key -> EventRecord? in
            guard let photo = engine.catalog.photo(key) else { return nil }
            guard photo.isLive else {
                // What was no photo of the album before is nothing that people could miss.
                guard difference.removedPhotos.contains(key) else { return nil }
                return .photoRemoved(
                    at: at, album: key.album.hex, photo: key.blob.hex, name: photo.shownName,
                    by: photo.departure.flatMap { name($0.author) })
            }
            guard difference.addedPhotos.contains(key) else { return nil }
            return .photoAdded(
                at: at, album: key.album.hex, photo: key.blob.hex, name: photo.shownName,
                by: photo.adds.first.flatMap { engine.catalog.shownName(of: $0.person) })
        }
        // First, so that of very many at once these are lost before the others.
        let changed = difference.allPhotos.subtracting(difference.addedPhotos).subtracting(difference.removedPhotos)
            .filter { engine.catalog.isLive($0) }.sorted()
            .map { EventRecord.photoChanged(at: at, album: $0.album.hex, photo: $0.blob.hex) }
        let albums = difference.albums.sorted().map {
            EventRecord.albumChanged(at: at, album: $0.hex, name: engine.catalog.shownName($0) ?? "")
        }
        let isOfGuests = !difference.guests.isEmpty || difference.guestEpochRaised
        return changed + photos + albums + (isOfGuests ? [.guestsChanged(at: at)] : [])
    }

    private func name(_ device: DeviceID) -> String? { engine.catalog.deviceName(device) }

    private static func words(_ reason: CloseReason) -> String {
        switch reason {
        case .otherVersion(let version):
            "it speaks version \(version) of the protocol, so one of the two needs an update"
        case .unexpectedMessage: "it does not keep to the protocol"
        case .refusedBatch: "it sent changes that are not properly signed"
        case .putOut: "hosts put it out"
        case .phraseChanged: "the phrase has changed"
        case .refusedRuling: "it sent decisions of hosts that are not properly signed, or no host's"
        case .duplicate, .replaced, .silent, .storageFailed, .stopping, .full, .refusedAsFull: "\(reason)"
        }
    }

    static func log(_ event: EngineEvent, to logger: Logger) {
        switch event {
        case .peerConnected(let device): logger.info("peer connected", metadata: ["device.id": "\(device)"])
        case .peerLost(let device): logger.info("peer lost", metadata: ["device.id": "\(device)"])
        case .peerRefused(let device, let reason):
            logger.warning("peer refused", metadata: ["device.id": "\(device)", "reason": "\(reason)"])
        case .digestMismatch(let device, let albums):
            logger.error(
                "manifests differ at equal vectors",
                metadata: ["device.id": "\(device)", "album.ids": "\(albums.map(\.hex))"])
        case .replicaRenewed: logger.notice("replica renewed")
        case .storageFailed(let reason): logger.error("journal not written", metadata: ["reason": "\(reason)"])
        case .rulingsChanged: logger.info("rulings changed")
        case .epochsChanged: logger.notice("the phrase, or who takes part, was changed")
        case .catalogChanged, .peerLevel, .blobHeld, .contributed, .contributionFailed, .carried, .ruled, .rulingFailed:
            break
        }
    }
}
