import AlbumModel
import SyncEngine

/// All honest laptops know the same batches and make the same of them, in what digests tell and in what they do not; and
/// each hides what its own person does not want to see.
enum EqualDigests {
    static func check(_ simulation: Simulation) throws(SimulationFailure) {
        let laptops = simulation.honest
        let reference = laptops[0].engine!
        for laptop in laptops {
            let engine = laptop.engine!
            guard engine.log.vector == reference.log.vector else {
                let sentence = "laptops \(laptops[0].index) and \(laptop.index) know different batches"
                throw SimulationFailure(.notConverged, sentence)
            }
            if let difference = CatalogComparison.difference(reference.catalog, engine.catalog) {
                let sentence = "laptops \(laptops[0].index) and \(laptop.index) differ in \(difference)"
                throw SimulationFailure(.differentManifests, sentence)
            }
            guard engine.hidden == laptop.disk.hidden else {
                throw SimulationFailure(.differentManifests, "laptop \(laptop.index) hides other photos than it should")
            }
        }
    }
}

/// Everything that is folded of a set of batches: no digest tells all of it.
enum CatalogComparison {
    /// What two catalogs say differently first; `nil` if they say the same.
    static func difference(_ one: Catalog, _ other: Catalog) -> String? {
        guard Set(one.albums.keys) == Set(other.albums.keys) else { return "their albums" }
        guard one.gatheringName == other.gatheringName else { return "the gathering's name" }
        let devices = Set(one.namedDevices).union(other.namedDevices)
        guard one.namedDevices == other.namedDevices, one.formerDevices == other.formerDevices else { return "devices" }
        for device in devices.union(one.formerDevices).sorted() {
            guard one.deviceName(device) == other.deviceName(device) else { return "a device's name" }
            guard one.formerDevices(of: device) == other.formerDevices(of: device) else { return "a device's lineage" }
        }
        guard one.guestNames == other.guestNames else { return "the names of guests" }
        guard one.revokedGuests == other.revokedGuests, one.guestEpoch == other.guestEpoch else {
            return "who was revoked"
        }
        for (id, album) in one.albums.sorted(by: { $0.key < $1.key }) {
            let counterpart = other.albums[id]!
            if let difference = difference(album, counterpart) { return "\(difference) of \(album.ownName)" }
            guard one.shownName(id) == other.shownName(id) else { return "the shown name of \(album.ownName)" }
            for blob in album.photos.keys {
                let key = PhotoKey(album: id, blob: blob)
                if one.favouringGuests(of: key) != other.favouringGuests(of: key) {
                    return "which guests like \(blob.hex.prefix(8))"
                }
                if one.favourers(of: key) != other.favourers(of: key) { return "who likes \(blob.hex.prefix(8))" }
            }
        }
        return nil
    }

    private static func difference(_ one: Album, _ other: Album) -> String? {
        guard one.name == other.name else { return "the names" }
        guard one.cover == other.cover else { return "the cover" }
        guard one.cameraClocks == other.cameraClocks else { return "the clocks of cameras" }
        guard Set(one.photos.keys) == Set(other.photos.keys) else { return "the photos" }
        for (blob, photo) in one.photos.sorted(by: { $0.key < $1.key }) {
            guard let difference = difference(photo, other.photos[blob]!) else { continue }
            return "\(difference) of photo \(blob.hex.prefix(8))"
        }
        return one.digest == other.digest ? nil : "the digest"
    }

    private static func difference(_ one: Photo, _ other: Photo) -> String? {
        guard one.adds.map(shared) == other.adds.map(shared) else { return "the adds" }
        guard Set(one.withdrawnAdds) == Set(other.withdrawnAdds) else { return "the withdrawn adds" }
        guard one.name == other.name else { return "the names" }
        guard one.facts == other.facts, one.factsDot == other.factsDot else { return "the facts" }
        guard one.caption == other.caption else { return "the captions" }
        guard one.tags == other.tags else { return "the tags" }
        guard one.favouredBy == other.favouredBy else { return "the favours" }
        guard one.favouringGuests == other.favouringGuests else { return "the favours of guests" }
        guard one.comments == other.comments else { return "the comments" }
        return shared(one.departure) == shared(other.departure) ? nil : "the departure"
    }

    /// Without the order of arrival, which is each laptop's own.
    private static func shared(_ add: Photo.Add) -> Photo.Add {
        var add = add
        add.order = add.clock
        return add
    }

    private struct SharedDeparture: Hashable {
        var author: DeviceID
        var clock: ClockReading
        var dot: Dot
        var add: Photo.Add?
    }

    private static func shared(_ departure: Departure?) -> SharedDeparture? {
        departure.map {
            SharedDeparture(author: $0.author, clock: $0.clock, dot: $0.dot, add: $0.add.map { shared($0) })
        }
    }
}
