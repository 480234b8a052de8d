import AlbumModel
import PeerTransport
import PotluckAPI
import SyncEngine
import WireFormat

extension ReportBuilder {
    /// - Parameter device: name or ID of a device that is to be left out what it has; `nil` for everything.
    func packPlan(for device: String?) throws(PotluckError) -> PackPlan {
        var selection = PackSelection()
        let receiver = try device.map { text throws(PotluckError) in
            try self.device(
                text, among: otherLaptops,
                advice: "`potluck peers` lists them; for one that was never here, pack without --for.")
        }
        for album in catalog.albums.values {
            for (blob, photo) in album.livePhotos { selection.add(blob, photo) }
        }
        func isLacking(_ blob: BlobID) -> Bool { receiver.map { !holders(of: blob).contains($0) } ?? true }
        let lacking = selection.photos.filter { isLacking($0.key) }
        let photos = PackSelection.newestFirst(lacking.filter { engine.held.contains($0.key) }.mapValues(\.order))
        let thumbnails = selection.thumbnails.filter { engine.held.contains($0.key) && isLacking($0.key) }
        return PackPlan(
            gathering: gatheringName, tag: Hexadecimal.text(membership.gatheringTag), device: name(engine.device),
            photos: photos.map { blob in
                let photo = lacking[blob]!
                return PackPlan.Photo(id: blob.hex, name: photo.name, bytes: photo.byteCount)
            },
            thumbnails: PackSelection.newestFirst(thumbnails).map(\.hex), absent: lacking.count - photos.count)
    }
}

extension PackPlan.Statement {
    init(_ statement: SignedStatement) {
        self.init(content: Hexadecimal.text(statement.content), signature: Hexadecimal.text(statement.signature))
    }

    /// `nil` unless both are hexadecimal digits.
    var signed: SignedStatement? {
        guard let content = Hexadecimal.bytes(content), let signature = Hexadecimal.bytes(signature) else { return nil }
        return SignedStatement(content: content, signature: signature)
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
