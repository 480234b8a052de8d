import AlbumModel
import PeerTransport
import PotluckAPI
import SyncEngine

extension ReportBuilder {
    /// - Parameter device: name or ID of a device that is to be left out what it has; `nil` for everything.
    func packPlan(for device: String?) throws(PotluckError) -> PackPlan {
        var selection = PackSelection()
        let receiver = try device.map { text throws(PotluckError) in try peer(text) }
        for album in catalog.albums.values {
            for (blob, photo) in album.livePhotos { selection.add(blob, photo) }
        }
        func isLacking(_ blob: BlobID) -> Bool { receiver.map { !holders(of: blob).contains($0) } ?? true }
        let lacking = selection.photos.filter { isLacking($0.key) }
        let photos = PackSelection.newestFirst(lacking.filter { engine.held.contains($0.key) }.mapValues(\.order))
        let thumbnails = selection.thumbnails.filter { engine.held.contains($0.key) && isLacking($0.key) }
        return PackPlan(
            gathering: gatheringName, tag: Hexadecimal.text(membership.secrets.tag), device: name(engine.device),
            photos: photos.map { blob in
                let photo = lacking[blob]!
                return PackPlan.Photo(id: blob.hex, name: photo.name, bytes: photo.byteCount)
            },
            thumbnails: PackSelection.newestFirst(thumbnails).map(\.hex), absent: lacking.count - photos.count)
    }

    /// The other device that a person means.
    private func peer(_ text: String) throws(PotluckError) -> DeviceID {
        let known = peers().peers.compactMap { peer in DeviceID(hex: peer.id).map { ($0, name($0)) } }
        let (key, digits) = (AlbumName.key(text), text.lowercased())
        let isID = digits.utf8.count >= PhotoLookup.digitCountMin && digits.allSatisfy(\.isHexDigit)
        let found = known.filter { AlbumName.key($0.1) == key || isID && $0.0.hex.hasPrefix(digits) }
        switch found.count {
        case 1: return found[0].0
        case 0:
            let advice = CloseNames.question(CloseNames.find(text, among: known.map(\.1)))
            throw PotluckError(
                .usage,
                "No other laptop of this gathering is called “\(text)”. \(advice ?? "`potluck peers` lists them; for one that was never here, pack without --for.")"
            )
        default:
            let choices = found.map { "\($0.0.hex.prefix(12)) (\($0.1))" }.joined(separator: ", ")
            throw PotluckError(.usage, "Several laptops are called “\(text)”; name one by its ID: \(choices).")
        }
    }
}

/// Photos and thumbnails, each once, however many albums have them.
private struct PackSelection {
    struct Entry {
        var name: String
        var byteCount: UInt64
        var order: ClockReading
    }

    private(set) var photos: [BlobID: Entry] = [:]
    private(set) var thumbnails: [BlobID: ClockReading] = [:]

    mutating func add(_ blob: BlobID, _ photo: Photo) {
        guard let add = photo.adds.max(by: { $0.order < $1.order }) else { return }
        let entry = Entry(name: photo.shownName, byteCount: add.byteCount, order: add.order)
        // Of equal ones the smaller name, so that the order of albums does not matter.
        let isShown = photos[blob].map { (entry.order, $0.name) > ($0.order, entry.name) } ?? true
        if isShown { photos[blob] = entry }
        guard let thumbnail = photo.facts?.thumbnail?.blob else { return }
        thumbnails[thumbnail] = max(thumbnails[thumbnail] ?? .zero, add.order)
    }

    static func newestFirst(_ orders: [BlobID: ClockReading]) -> [BlobID] {
        orders.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }.map(\.key)
    }
}
