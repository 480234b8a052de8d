/// A photo in one album.
public struct PhotoKey: Hashable, Comparable, Sendable {
    public var album: AlbumID
    public var blob: BlobID

    public init(album: AlbumID, blob: BlobID) {
        self.album = album
        self.blob = blob
    }

    public static func < (left: PhotoKey, right: PhotoKey) -> Bool {
        (left.album, left.blob) < (right.album, right.blob)
    }
}

/// Albums and photos as a set of batches describes them.
///
/// The fold is a function of the set of batches: neither the order in which they are applied nor any wall clock
/// changes it. Applying a batch twice is a mistake of the caller's; ``BatchLog`` sees to it.
public struct Catalog: Sendable {
    /// Grows when the fold of the same batches comes to mean something else.
    public static let level = 2

    public private(set) var albums: [AlbumID: Album] = [:]
    public private(set) var gatheringName = Register<String>()
    private var deviceNames: [DeviceID: Register<String>.Write] = [:]
    private var lineage = Lineage()
    /// In which albums a blob lies, live or removed; ordered.
    private var albumsOfBlob: [BlobID: [AlbumID]] = [:]
    /// Albums by the key of their shown name; ordered.
    private var albumsOfName: [String: [AlbumID]] = [:]
    /// Of live and removed photos alike.
    var thumbnails = ThumbnailOwners()
    /// No part of any digest: devices that do not know this kind of change yet have equal ones.
    var replacements = Replacements()
    /// Each camera once, so that its photos share the texts.
    var cameras: Set<Camera> = []

    public init() {}

    /// Merges a batch that was not applied before.
    ///
    /// - Parameters:
    ///   - id: the batch's own identifier.
    ///   - author: the device that signed it.
    ///   - received: when this device learned of it, microseconds since 1970; bounds readings for display and order only.
    ///   - difference: takes note of what changed.
    public mutating func apply(
        _ batch: Batch, id: BatchID, author: DeviceID, received: UInt64, noting difference: inout CatalogDifference
    ) {
        if let succession = batch.proof?.succession, !PlantedFault.isPlanted(.successionIgnored) {
            lineage.add(author, from: succession.formerDevice)
            difference.devices.insert(author)
        }
        for (offset, change) in batch.changes.enumerated() {
            let dot = Dot(replica: batch.replica, sequence: batch.firstSequence + UInt64(offset), branch: id.prefix)
            let origin = Origin(dot: dot, clock: batch.clock, author: author, received: received)
            apply(change, origin, &difference)
        }
    }

    /// The same for a batch of which nobody follows the changes one by one.
    @discardableResult
    public mutating func apply(_ batch: Batch, id: BatchID, author: DeviceID, received: UInt64) -> CatalogDifference {
        var difference = CatalogDifference()
        apply(batch, id: id, author: author, received: received, noting: &difference)
        return difference
    }

    struct Origin {
        var dot: Dot
        var clock: ClockReading
        var author: DeviceID
        var received: UInt64

        /// The clock, but never later than this device learned of the change.
        var order: ClockReading { min(clock, ClockReading(microseconds: received)) }

        /// References inside one batch leave the branch open.
        func resolved(_ dots: [Dot]) -> [Dot] {
            dots.map { $0.branch == 0 ? Dot(replica: $0.replica, sequence: $0.sequence, branch: dot.branch) : $0 }
        }
    }

    private mutating func apply(_ change: Change, _ origin: Origin, _ difference: inout CatalogDifference) {
        guard CatalogLimits.isValid(change) else { return }
        switch change {
        case .albumNamed(let id, let name, let replaces):
            updateAlbum(id, origin, &difference) {
                $0.name.write(name, dot: origin.dot, clock: origin.clock, replaces: origin.resolved(replaces))
            }
        case .photoAdded(let addition):
            updatePhoto(PhotoKey(album: addition.album, blob: addition.blob), origin, &difference) {
                $0.add(addition, origin)
            }
        case .photoRemoved(let album, let blob, let adds):
            updatePhoto(PhotoKey(album: album, blob: blob), origin, &difference) {
                $0.withdraw(origin.resolved(adds), origin)
            }
        case .photoNamed(let album, let blob, let name, let replaces):
            updatePhoto(PhotoKey(album: album, blob: blob), origin, &difference) {
                $0.name.write(name, dot: origin.dot, clock: origin.clock, replaces: origin.resolved(replaces))
            }
        case .deviceNamed(let name):
            let write = Register<String>.Write(dot: origin.dot, clock: origin.clock, value: name)
            // Only the device itself writes here, so its latest word stands; an older one may arrive late.
            let isLater = deviceNames[origin.author].map { write.isShown(before: $0) } ?? true
            if isLater || PlantedFault.isPlanted(.deviceNameByArrival) {
                deviceNames[origin.author] = write
            }
            difference.devices.insert(origin.author)
        case .gatheringNamed(let name, let replaces):
            gatheringName.write(name, dot: origin.dot, clock: origin.clock, replaces: origin.resolved(replaces))
            difference.gatheringNamed = true
        case .photoRead, .photoCaptioned, .photoTagged, .photoUntagged, .photoFavoured, .photoUnfavoured,
            .coverChosen, .cameraClockSet, .photoReplaced:
            applyWords(change, origin, &difference)
        case .unknown:
            break
        }
    }
}

extension Catalog {
    mutating func updateAlbum(
        _ id: AlbumID, _ origin: Origin, _ difference: inout CatalogDifference, _ body: (inout Album) -> Void
    ) {
        let before = albums[id].map { AlbumName.key($0.ownName) }
        body(&albums[id, default: Album(id: id)])
        albums[id]!.updated = max(albums[id]!.updated, origin.order)
        difference.albums.insert(id)
        let after = AlbumName.key(albums[id]!.ownName)
        guard before != after else { return }
        if let before {
            albumsOfName[before]?.removeAll { $0 == id }
            difference.albums.formUnion(albumsOfName[before] ?? [])
        }
        difference.albums.formUnion(albumsOfName[after] ?? [])
        albumsOfName[after, default: []].insert(inOrder: id)
    }

    /// - Parameter part: where the difference takes note of the photo.
    @discardableResult
    mutating func updatePhoto(
        _ key: PhotoKey, _ origin: Origin, _ difference: inout CatalogDifference,
        in part: WritableKeyPath<CatalogDifference, Set<PhotoKey>> = \.photos, _ body: (inout Photo) -> Void
    ) -> Album.PhotoUpdate {
        if albums[key.album] == nil {
            // The photo came before the change that names its album.
            updateAlbum(key.album, origin, &difference) { _ in }
        }
        let update = albums[key.album]!.updatePhoto(key.blob, at: origin.order, body)
        if update.isNew { albumsOfBlob[key.blob, default: []].insert(inOrder: key.album) }
        difference.albums.insert(key.album)
        difference[keyPath: part].insert(key)
        noteReplacements(of: key, &difference)
        guard update.before.isLive != update.after.isLive else { return update }
        if update.after.isLive { difference.addedPhotos.insert(key) } else { difference.removedPhotos.insert(key) }
        if let thumbnail = update.after.thumbnail { difference.thumbnails.insert(thumbnail) }
        return update
    }
}

extension [AlbumID] {
    fileprivate mutating func insert(inOrder id: AlbumID) { insert(id, at: firstIndex { id < $0 } ?? endIndex) }
}

// MARK: - Questions

extension Catalog {
    /// The name that a device gave itself; `nil` until it is known.
    public func deviceName(_ device: DeviceID) -> String? { deviceNames[device]?.value }

    /// Every device that named itself.
    public var namedDevices: [DeviceID] { deviceNames.keys.sorted() }

    /// Every device that another goes on from: it may be the same laptop.
    public var formerDevices: Set<DeviceID> { lineage.allFormers }

    /// The devices that `device` goes on from, however far back.
    public func formerDevices(of device: DeviceID) -> Set<DeviceID> { lineage.formerDevices(of: device) }

    /// Whether what `author` added is `device`'s own: it is that device, or one that the device goes on from.
    public func isOwn(author: DeviceID, of device: DeviceID) -> Bool {
        author == device || lineage.contains(author, before: device)
    }

    public func photo(_ key: PhotoKey) -> Photo? { albums[key.album]?.photos[key.blob] }

    /// The albums that name `blob`, live or removed; ordered.
    public func albums(of blob: BlobID) -> [AlbumID] { albumsOfBlob[blob] ?? [] }

    /// The albums in which `blob` is a live photo, ordered.
    public func liveAlbums(of blob: BlobID) -> [AlbumID] {
        albums(of: blob).filter { albums[$0]?.photos[blob]?.isLive == true }
    }

    /// The live adds of a blob in all albums, the newest first.
    public func liveAdds(of blob: BlobID) -> [Photo.Add] {
        albums(of: blob).flatMap { albums[$0]?.photos[blob]?.adds ?? [] }
            .sorted { ($0.order, $0.dot) > ($1.order, $1.dot) }
    }

    /// Live photos whose shown facts name the blob as their thumbnail, ordered.
    public func photos(ofThumbnail blob: BlobID) -> [PhotoKey] {
        var keys: [PhotoKey] = []
        for original in thumbnails.originals(of: blob) {
            for album in albums(of: original) {
                let key = PhotoKey(album: album, blob: original)
                if let photo = photo(key), photo.isLive, photo.facts?.thumbnail?.blob == blob { keys.append(key) }
            }
        }
        return keys.sorted()
    }

    /// Whether some album names the blob, live or removed, as a photo or as a photo's thumbnail.
    public func contains(_ blob: BlobID) -> Bool { albumsOfBlob[blob] != nil || thumbnails.contains(blob) }

    /// Every blob that some album names as a photo, live or removed.
    public var blobs: some Sequence<BlobID> { albumsOfBlob.keys }

    /// Every blob that some photo's facts name as its thumbnail, the photo being live or removed.
    public var thumbnailBlobs: some Sequence<BlobID> { thumbnails.blobs }

    /// The album's name as it is listed: `Name (2)` where an album with a smaller ID has the same name.
    public func shownName(_ id: AlbumID) -> String? {
        guard let album = albums[id] else { return nil }
        let sharers = albumsOfName[AlbumName.key(album.ownName)] ?? []
        let rank = sharers.firstIndex(of: id) ?? 0
        return rank == 0 ? album.ownName : "\(album.ownName) (\(rank + 1))"
    }

    /// The album that a directory or a person means by `name`: the one listed so, else the one that is to be created.
    public func albumID(named name: String) -> AlbumID {
        let key = AlbumName.key(name)
        if let first = albumsOfName[key]?.first { return first }
        if let listed = albums.keys.sorted().first(where: { AlbumName.key(shownName($0)!) == key }) { return listed }
        var ordinal = 1
        while true {
            let id = AlbumName.identifier(name, ordinal: ordinal)
            if albums[id] == nil { return id }
            ordinal += 1
        }
    }
}
