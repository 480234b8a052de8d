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
    public static let level = 4

    public private(set) var albums: [AlbumID: Album] = [:]
    public private(set) var gatheringName = Register<String>()
    private var deviceNames: [DeviceID: Register<String>.Write] = [:]
    /// Which devices go on from which others.
    public private(set) var lineage = Lineage()
    private var albumsOfBlob: [BlobID: BlobAlbums] = [:]
    /// Albums by the key of their own name.
    private var albumsOfName: [String: SortedChunks<AlbumID>] = [:]
    /// No part of any digest, like the names of devices.
    var guests = GuestBook()
    /// Of live and removed photos alike.
    var thumbnails = ThumbnailOwners()
    /// No part of any digest: devices that do not know this kind of change yet have equal ones.
    var replacements = Replacements()
    /// Each camera once, so that its photos share the texts, and how many photos are shown to be of it.
    var cameras: [Camera: Int] = [:]

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
            if PlantedFault.isPlanted(.ownReferencesUnresolved) { return dots }
            return dots.map {
                $0.branch == 0 ? Dot(replica: $0.replica, sequence: $0.sequence, branch: dot.branch) : $0
            }
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
        case .photoCommented, .photoUncommented, .guestNamed, .guestRevoked, .guestEpochRaised,
            .guestDoorMoved:
            applyGuests(change, origin, &difference)
        case .unknown:
            break
        }
    }
}

extension Catalog {
    mutating func updateAlbum(
        _ id: AlbumID, _ origin: Origin, _ difference: inout CatalogDifference, _ body: (inout Album) -> Void
    ) {
        difference.albums.insert(id)
        let isNew = albums[id] == nil
        // In its place, so that nothing of it is copied.
        let (before, after) = { (album: inout Album) in
            let before = album.ownName
            body(&album)
            album.updated = max(album.updated, origin.order)
            return (before, album.ownName)
        }(&albums[id, default: Album(id: id)])
        guard isNew || before != after else { return }
        let keys = (before: AlbumName.key(before), after: AlbumName.key(after))
        guard isNew || keys.before != keys.after else { return }
        if !isNew {
            noteSharers(of: keys.before, with: id, &difference)
            albumsOfName[keys.before]?.remove(id)
            if albumsOfName[keys.before]?.isEmpty == true { albumsOfName[keys.before] = nil }
        }
        albumsOfName[keys.after, default: SortedChunks()].insert(id)
        noteSharers(of: keys.after, with: id, &difference)
    }

    /// An album came to share a name, or is about to share it no longer: others may have another number.
    private func noteSharers(of key: String, with id: AlbumID, _ difference: inout CatalogDifference) {
        let numberedCount = CatalogLimits.numberedAlbumCountMax
        guard let sharers = albumsOfName[key], sharers.rank(of: id, below: numberedCount) != nil else { return }
        // One more has a number now, or has none any longer.
        difference.albums.formUnion(sharers.prefix(numberedCount + 1))
    }

    /// - Parameter part: where the difference takes note of the photo.
    mutating func updatePhoto(
        _ key: PhotoKey, _ origin: Origin, _ difference: inout CatalogDifference,
        in part: WritableKeyPath<CatalogDifference, Set<PhotoKey>> = \.photos, _ body: (inout Photo) -> Void
    ) {
        if albums[key.album] == nil {
            // The photo came before the change that names its album.
            updateAlbum(key.album, origin, &difference) { _ in }
        }
        let update = albums[key.album]!.updatePhoto(key.blob, at: origin.order, body)
        if update.isNew { insertAlbum(of: key) }
        difference.albums.insert(key.album)
        difference[keyPath: part].insert(key)
        noteReplacements(of: key, &difference)
        followThumbnail(of: key, update, &difference)
        guard update.before.isLive != update.after.isLive else { return }
        albumsOfBlob[key.blob]?.setLive(key.album, update.after.isLive)
        if update.after.isLive { difference.addedPhotos.insert(key) } else { difference.removedPhotos.insert(key) }
    }

    private mutating func insertAlbum(of key: PhotoKey) {
        // One look where it is new, as it mostly is.
        guard var albums = albumsOfBlob.updateValue(.one(key.album), forKey: key.blob) else { return }
        let isSoleLive = albums.sole.map { isLive(PhotoKey(album: $0, blob: key.blob)) } ?? false
        albums.insert(key.album, isSoleLive: isSoleLive)
        albumsOfBlob[key.blob] = albums
    }

    private mutating func followThumbnail(
        of key: PhotoKey, _ update: Album.PhotoUpdate, _ difference: inout CatalogDifference
    ) {
        let (before, after) = (update.before.thumbnail, update.after.thumbnail)
        let isLive = update.after.isLive
        if before != after {
            if let before { thumbnails.remove(key, of: before) }
            if let after {
                let isSoleLive = thumbnails.sole(of: after).map { self.isLive($0) } ?? false
                thumbnails.insert(key, of: after, isLive: isLive, isSoleLive: isSoleLive)
            }
            difference.thumbnails.formUnion([before, after].compactMap { $0 })
        } else if let after, update.before.isLive != isLive {
            thumbnails.setLive(key, of: after, isLive)
            difference.thumbnails.insert(after)
        }
    }
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

    /// Whether the photo is in its album.
    public func isLive(_ key: PhotoKey) -> Bool { photo(key)?.isLive == true }

    /// Whether a device added the photo, or one did that it goes on from: for its own person or for a guest.
    public func isOwn(_ photo: Photo, of device: DeviceID) -> Bool {
        photo.isTakenIn(by: device) || formerDevices(of: device).contains { photo.isTakenIn(by: $0) }
    }

    /// Whether an add is that of `device`'s own person, in this life of the device or an earlier one. What guests added
    /// there is theirs.
    public func isOwn(_ add: Photo.Add, of device: DeviceID) -> Bool {
        add.guest == nil && isOwn(author: add.author, of: device)
    }

    /// The albums that name `blob`, live or removed; ordered.
    public func albums(of blob: BlobID) -> [AlbumID] {
        switch albumsOfBlob[blob] {
        case nil: []
        case .one(let album): [album]
        case .several(let several): Array(several.all)
        }
    }

    /// The only album that names `blob`, live or removed; `nil` where several do.
    public func soleAlbum(of blob: BlobID) -> AlbumID? { albumsOfBlob[blob]?.sole }

    /// The albums in which `blob` is a live photo, ordered; the first `max` of them.
    public func liveAlbums(of blob: BlobID, max: Int = .max) -> [AlbumID] {
        switch albumsOfBlob[blob] {
        case nil: []
        case .one(let album): isLive(PhotoKey(album: album, blob: blob)) ? [album] : []
        case .several(let several): Array(several.live.prefix(max))
        }
    }

    /// The live adds of a blob in all albums, the newest first. Of more than `max` some that stand for all of them.
    public func liveAdds(of blob: BlobID, max: Int = .max) -> [Photo.Add] {
        var adds: [Photo.Add] = []
        for album in liveAlbums(of: blob, max: max) where adds.count < max {
            adds += photo(PhotoKey(album: album, blob: blob))?.sampleAdds(max: max - adds.count) ?? []
        }
        return adds.sorted { ($0.order, $0.dot) > ($1.order, $1.dot) }
    }

    /// The newest of the live adds of a blob, of many among those that stand for all.
    public func newestAdd(of blob: BlobID) -> Photo.Add? {
        liveAdds(of: blob, max: CatalogLimits.sampleAddCountMax).first
    }

    /// Live photos whose shown facts name the blob as their thumbnail, ordered; the first `max` of them.
    public func photos(ofThumbnail blob: BlobID, max: Int = .max) -> [PhotoKey] {
        if let photos = thumbnails.livePhotos(ofShared: blob, max: max) { return photos }
        return thumbnails.sole(of: blob).map { isLive($0) ? [$0] : [] } ?? []
    }

    /// Whether some album names the blob, live or removed, as a photo or as a photo's thumbnail.
    public func contains(_ blob: BlobID) -> Bool { albumsOfBlob[blob] != nil || thumbnails.contains(blob) }

    /// Every blob that some album names as a photo, live or removed.
    public var blobs: some Sequence<BlobID> { albumsOfBlob.keys }

    /// Every blob that some photo's facts name as its thumbnail, the photo being live or removed.
    public var thumbnailBlobs: some Sequence<BlobID> { thumbnails.blobs }

    /// The album's name as it is listed: `Name (2)` where an album with a smaller ID has the same name, and the name with
    /// the whole ID where ``CatalogLimits/numberedAlbumCountMax`` have.
    public func shownName(_ id: AlbumID) -> String? {
        guard let name = albums[id]?.ownName else { return nil }
        guard let sharers = albumsOfName[AlbumName.key(name)], sharers.count > 1 else { return name }
        guard let rank = sharers.rank(of: id, below: CatalogLimits.numberedAlbumCountMax) else {
            return "\(name) (\(id.hex))"
        }
        return rank == 0 ? name : "\(name) (\(rank + 1))"
    }

    /// The album that a directory or a person means by `name`: the one listed so, else the one that is to be created.
    public func albumID(named name: String) -> AlbumID {
        let key = AlbumName.key(name)
        if let known = albumsOfName[key]?.first ?? albumWithSuffix(key) { return known }
        var ordinal = 1
        while true {
            let id = AlbumName.identifier(name, ordinal: ordinal)
            if albums[id] == nil { return id }
            ordinal += 1
        }
    }

    /// The album that is listed so among several of one name.
    private func albumWithSuffix(_ key: String) -> AlbumID? {
        guard key.last == ")", let start = key.lastIndex(of: "("),
            let sharers = albumsOfName[AlbumName.key(key[..<start])]
        else { return nil }
        let suffix = key[key.index(after: start)...].dropLast()
        // An ID may consist of digits alone.
        let album =
            AlbumID(hex: suffix)
            ?? Int(suffix).flatMap { number in
                (2...CatalogLimits.numberedAlbumCountMax).contains(number) ? sharers.element(at: number - 1) : nil
            }
        return album.flatMap { AlbumName.key(shownName($0) ?? "") == key ? $0 : nil }
    }
}
