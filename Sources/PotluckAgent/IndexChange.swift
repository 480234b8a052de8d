import AlbumModel
import PhotoStore
import SyncEngine
import WireFormat

/// What the index has to follow, as rows.
struct IndexChange: Sendable {
    private var albums: [AlbumRow] = []
    private var devices: [DeviceRow] = []
    private var photos: [PhotoRow] = []
    private var removedPhotos: [(AlbumID, BlobID)] = []
    /// `nil` while more is to follow.
    private var stamp: IndexStamp?

    init(_ part: ProjectionQueue.Part, catalog: Catalog, log: BatchLog) {
        stamp = part.isLast ? IndexStamp(catalog: catalog, log: log) : nil
        albums = part.albums.sorted().compactMap { catalog.albumRow($0) }
        devices = part.devices.sorted().compactMap { catalog.deviceRow($0) }
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
            albums: albums, devices: devices, photos: photos, removedPhotos: removedPhotos, stamp: stamp)
    }
}

extension IndexStamp {
    init(catalog: Catalog, log: BatchLog) {
        self.init(foldLevel: Catalog.level, vector: log.vector.encoded())
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
            id: id, name: name, updated: album.updated.microseconds, digest: album.digest, cover: cover,
            usualOffsetMinutes: album.usualOffsetMinutes,
            cameraClocks: album.cameraClocks.compactMapValues { $0.shown?.value })
    }

    /// `nil` for a device that has not said its name.
    fileprivate func deviceRow(_ device: DeviceID) -> DeviceRow? {
        deviceName(device).map { DeviceRow(id: device, name: $0) }
    }

    /// `nil` for a photo that is not in the album any longer.
    fileprivate func photoRow(_ key: PhotoKey) -> PhotoRow? {
        guard let photo = photo(key), let first = photo.adds.first else { return nil }
        return PhotoRow(
            album: key.album, blob: key.blob, name: photo.shownName, mediaType: first.mediaType,
            byteCount: first.byteCount, contributors: photo.contributors, added: first.order.microseconds,
            modified: first.modified, details: PhotoDetails(facts: photo.facts),
            remarks: PhotoRemarks(
                caption: photo.caption.shown?.value ?? "", tags: photo.tags, favouredBy: photo.favouredBy))
    }
}
