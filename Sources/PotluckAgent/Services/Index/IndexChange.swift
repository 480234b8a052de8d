import AlbumModel
import PhotoStore
import SyncEngine
import WireFormat

/// What the index has to follow, as rows.
struct IndexChange: Sendable {
    private var albums: [AlbumRow] = []
    private var devices: [DeviceRow] = []
    private var guests: [GuestRow] = []
    private var photos: [PhotoRow] = []
    private var removedPhotos: [(AlbumID, BlobID)] = []
    /// `nil` while more is to follow.
    private var stamp: IndexStamp?

    init(_ part: ProjectionQueue.Part, catalog: Catalog, log: BatchLog) {
        stamp = part.isLast ? IndexStamp(catalog: catalog, log: log) : nil
        albums = part.albums.sorted().compactMap { catalog.albumRow($0) }
        devices = part.devices.sorted().compactMap { catalog.deviceRow($0) }
        guests = part.guests.sorted().compactMap { catalog.guestRow($0) }
        for key in part.photos.sorted() {
            if let row = catalog.photoRow(key) {
                photos.append(row)
            } else {
                removedPhotos.append((key.album, key.blob))
            }
        }
    }

    func apply(to index: Index) throws {
        try index.apply(
            albums: albums, devices: devices, guests: guests, photos: photos, removedPhotos: removedPhotos, stamp: stamp
        )
    }
}

extension IndexStamp {
    /// Grows when the rows of one fold come to say something else: indexes of before are then made anew.
    private static let rowLevel = 1
    /// Of the fold and its rows.
    static let level = Catalog.level * 1000 + rowLevel

    init(catalog: Catalog, log: BatchLog) {
        // The same batches make other albums where other ones are left out.
        self.init(foldLevel: Self.level, vector: log.vector.encoded() + log.leftOut.stamp)
    }
}

extension Index {
    /// Makes the index anew from the fold, unless it is of the same.
    /// - Returns: whether it was made anew.
    @discardableResult
    func follow(_ catalog: Catalog, log: BatchLog) throws -> Bool {
        let current = IndexStamp(catalog: catalog, log: log)
        if try stamp() == current { return false }
        try write(catalog, stamp: current)
        return true
    }

    /// Makes the index anew from the fold.
    func write(_ catalog: Catalog, stamp: IndexStamp) throws {
        try replaceAll(
            albums: catalog.albums.keys.sorted().lazy.compactMap { catalog.albumRow($0) },
            devices: catalog.namedDevices.lazy.compactMap { catalog.deviceRow($0) },
            guests: catalog.guestNames.keys.sorted().lazy.compactMap { catalog.guestRow($0) },
            photos: catalog.albums.values.lazy.flatMap { album in
                album.livePhotos.compactMap { catalog.photoRow(PhotoKey(album: album.id, blob: $0.key)) }
            }, stamp: stamp)
    }
}

extension Catalog {
    func albumRow(_ id: AlbumID) -> AlbumRow? {
        guard let album = albums[id], let name = shownName(id) else { return nil }
        let cover = album.cover.shown?.value.flatMap { album.photos[$0]?.isLive == true ? $0 : nil }
        return AlbumRow(
            id: id, name: name.withoutNULs, updated: album.updated.microseconds, digest: album.digest, cover: cover,
            usualOffsetMinutes: album.usualOffsetMinutes, cameraClocks: Self.cameraClocks(album))
    }

    /// A correction of nothing is none.
    private static func cameraClocks(_ album: Album) -> [CameraKey: Int64] {
        var clocks: [CameraKey: Int64] = [:]
        // In order, so that of two cameras that only NULs tell apart the same one stays.
        for (camera, seconds) in album.shownClocks.sorted(by: { $0.camera < $1.camera }) where seconds != 0 {
            let key = CameraKey(
                contributor: camera.contributor, make: camera.make.withoutNULs, model: camera.model.withoutNULs,
                serial: camera.serial.withoutNULs)
            clocks[key] = seconds
        }
        return clocks
    }

    /// `nil` for a device that has not said its name.
    fileprivate func deviceRow(_ device: DeviceID) -> DeviceRow? {
        deviceName(device).map { DeviceRow(id: device, name: $0.withoutNULs) }
    }

    /// `nil` for a guest whose name is not known.
    fileprivate func guestRow(_ guest: GuestID) -> GuestRow? {
        guestName(guest).map { GuestRow(id: guest, name: $0.withoutNULs) }
    }

    /// `nil` for a photo that is not in the album any longer.
    fileprivate func photoRow(_ key: PhotoKey) -> PhotoRow? {
        guard let photo = photo(key), let first = photo.adds.first else { return nil }
        return PhotoRow(
            album: key.album, blob: key.blob, name: photo.shownName.withoutNULs,
            mediaType: first.mediaType.withoutNULs, byteCount: first.byteCount,
            contributors: photo.contributingPeople, added: first.order.microseconds, modified: first.modified,
            details: PhotoDetails(facts: photo.facts).withoutNULs,
            remarks: PhotoRemarks(
                caption: photo.caption.shown?.value.withoutNULs ?? "", tags: photo.tags.map(\.withoutNULs),
                favouredBy: favourers(of: key)))
    }
}

// MARK: - Texts

extension String {
    /// A text in SQLite ends at its first NUL, for some who read it: the index has another sign instead.
    fileprivate var withoutNULs: String {
        guard utf8.contains(0) else { return self }
        return split(separator: "\0", omittingEmptySubsequences: false).joined(separator: "\u{FFFD}")
    }
}

extension PhotoDetails {
    fileprivate var withoutNULs: PhotoDetails {
        var details = self
        details.camera = Camera(
            make: camera.make.withoutNULs, model: camera.model.withoutNULs, lens: camera.lens.withoutNULs,
            serial: camera.serial.withoutNULs)
        details.contentIdentifier = contentIdentifier.withoutNULs
        details.problem = problem.withoutNULs
        return details
    }
}
