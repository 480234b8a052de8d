import AlbumModel
import WireFormat

/// Turns contributions into the changes of one batch, in the light of what is known.
struct BatchDraft {
    private(set) var changes: [Change] = []
    /// The album that each contribution concerns.
    private(set) var albums: [UInt64: AlbumID] = [:]
    /// Blobs that the contributions say are held.
    var blobs: [BlobID] = []
    /// Those of them whose piece lists are short enough to be pushed.
    private(set) var listedBlobs: [BlobID] = []

    let catalog: Catalog
    private let device: DeviceID
    /// The device that this one goes on from, as the batch in the making is the first to say.
    private let formerDevice: DeviceID?
    private var newAlbums: [String: AlbumID] = [:]
    private var newPhotos: Set<PhotoKey> = []
    /// Photos of which the batch in the making withdraws adds.
    private var removedPhotos: Set<PhotoKey> = []
    /// What the batch speaks of already, of that where a later word has to name the earlier one.
    private var topics: Set<Topic> = []
    private var byteCount = 0

    init(catalog: Catalog, device: DeviceID, formerDevice: DeviceID? = nil) {
        self.catalog = catalog
        self.device = device
        self.formerDevice = formerDevice
    }

    /// - Returns: those that did not fit.
    mutating func take(_ waiting: [StoreIntake.Waiting]) -> [StoreIntake.Waiting] {
        for (index, next) in waiting.enumerated() {
            // Captions are at most 4 KiB, so one more always fits below this, however many dots it names.
            if byteCount > CatalogLimits.batchByteCountMax / 2 { return Array(waiting[index...]) }
            // A second word on one topic waits for the next batch, which knows the first one's dot.
            if let topic = Topic(next.contribution), !topics.insert(topic).inserted { return Array(waiting[index...]) }
            if undoesWhatIsNew(next.contribution) { return Array(waiting[index...]) }
            take(next.contribution, token: next.token)
        }
        return []
    }

    private mutating func take(_ contribution: Contribution, token: UInt64) {
        switch contribution {
        case .photo(let name, let file):
            let album = albumID(named: name)
            albums[token] = album
            add(file, to: album)
        case .photoInAlbum(let album, let file):
            albums[token] = album
            add(file, to: album)
        case .albumName(let album, let name):
            albums[token] = album
            let dots = catalog.albums[album]?.name.currentDots ?? []
            append(.albumNamed(album, name: name, replaces: capped(dots)), dots: dots.count)
        case .photoName(let album, let blob, let name):
            albums[token] = album
            let dots = catalog.photo(PhotoKey(album: album, blob: blob))?.name.currentDots ?? []
            append(.photoNamed(album, blob, name: name, replaces: capped(dots)), dots: dots.count)
        case .deviceName(let name):
            if catalog.deviceName(device) != name { append(.deviceNamed(name), dots: 0) }
        case .gatheringName(let name):
            let dots = PlantedFault.isPlanted(.gatheringNameReplacesNothing) ? [] : catalog.gatheringName.currentDots
            append(.gatheringNamed(name, replaces: capped(dots)), dots: dots.count)
        case .photoRemoval(let album, let blob):
            albums[token] = album
            remove(PhotoKey(album: album, blob: blob), ownOnly: false)
        case .photoWithdrawal(let album, let blob):
            albums[token] = album
            remove(PhotoKey(album: album, blob: blob), ownOnly: true)
        case .photoFacts(let album, _, _), .caption(let album, _, _), .tag(let album, _, _), .untag(let album, _, _),
            .favourite(let album, _), .unfavourite(let album, _), .cover(let album, _), .cameraClock(let album, _, _):
            albums[token] = album
            takeWords(contribution)
        case .replacement(_, let photo):
            albums[token] = photo.album
            takeWords(contribution)
        }
    }

    /// Whether it takes away what the same batch adds, or adds what that takes away: it would find nothing to do, since
    /// the adds are not known yet, or still are.
    private func undoesWhatIsNew(_ contribution: Contribution) -> Bool {
        switch contribution {
        case .photoRemoval(let album, let blob), .photoWithdrawal(let album, let blob):
            return newPhotos.contains(PhotoKey(album: album, blob: blob))
        case .photoInAlbum(let album, let file):
            return removedPhotos.contains(PhotoKey(album: album, blob: file.blob))
        case .photo(let name, let file):
            let album = newAlbums[AlbumName.key(name)] ?? catalog.albumID(named: name)
            return removedPhotos.contains(PhotoKey(album: album, blob: file.blob))
        default: return false
        }
    }

    private mutating func remove(_ key: PhotoKey, ownOnly: Bool) {
        let takesAll = !ownOnly || PlantedFault.isPlanted(.withdrawalTakesEverybodysAdds)
        let adds = (catalog.photo(key)?.adds ?? []).filter { takesAll || isOwn($0.author) }.map(\.dot)
        guard !adds.isEmpty, removedPhotos.insert(key).inserted else { return }
        append(.photoRemoved(key.album, key.blob, adds: capped(adds)), dots: adds.count)
    }

    private mutating func albumID(named name: String) -> AlbumID {
        let key = AlbumName.key(name)
        if let album = newAlbums[key] { return album }
        let album = catalog.albumID(named: name)
        if catalog.albums[album] == nil {
            newAlbums[key] = album
            let tidy = AlbumName.composed(AlbumName.trimmed(name))
            append(.albumNamed(album, name: tidy, replaces: []), dots: 0)
        }
        return album
    }

    private mutating func add(_ file: PhotoFile, to album: AlbumID) {
        blobs.append(file.blob)
        if let list = file.pieceList, list.hashes.count <= WireLimits.pushedListPieceCountMax {
            listedBlobs.append(file.blob)
        }
        let key = PhotoKey(album: album, blob: file.blob)
        let isAdded = catalog.photo(key)?.adds.contains { isOwn($0.author) } ?? false
        guard !isAdded, newPhotos.insert(key).inserted else { return }
        let addition = PhotoAddition(
            album: album, blob: file.blob, byteCount: file.byteCount, pieceListHash: file.pieceList?.listHash,
            name: file.name, mediaType: file.mediaType, modified: file.modified)
        append(.photoAdded(addition), dots: 0)
    }

    /// Known to the catalog, or new in this batch.
    func isKnown(_ key: PhotoKey) -> Bool { catalog.photo(key) != nil || newPhotos.contains(key) }

    func isOwn(_ author: DeviceID) -> Bool {
        [device, formerDevice].contains { $0.map { catalog.isOwn(author: author, of: $0) } ?? false }
    }

    func capped(_ dots: [Dot]) -> [Dot] { Array(dots.prefix(CatalogLimits.dotCountMax)) }

    mutating func append(_ change: Change, dots: Int, textByteCount: Int = CatalogLimits.nameByteCountMax) {
        changes.append(change)
        byteCount += textByteCount + 256 + dots * 40
    }
}
