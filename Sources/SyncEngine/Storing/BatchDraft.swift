import AlbumModel
import WireFormat

/// Turns contributions into the changes of one batch, in the light of what is known.
struct BatchDraft {
    private var list = ChangeList()
    /// The album that each contribution concerns.
    private(set) var albums: [UInt64: AlbumID] = [:]
    /// Blobs that the contributions say are held.
    var blobs: [BlobID] = []
    /// Those of them whose piece lists are short enough to be pushed.
    private(set) var listedBlobs: [BlobID] = []
    /// Contributions that the next batch takes up, in their order.
    private(set) var rest: [StoreIntake.Waiting] = []

    let catalog: Catalog
    private let device: DeviceID
    /// This device and those that it goes on from, the one included of which the batch in the making is the first to say
    /// that; ordered.
    private let ownDevices: [DeviceID]
    private var effects = DraftEffects()

    init(catalog: Catalog, device: DeviceID, formerDevice: DeviceID? = nil) {
        self.catalog = catalog
        self.device = device
        let lives = [device, formerDevice].compactMap(\.self)
        ownDevices = lives.reduce(into: Set(lives)) { $0.formUnion(catalog.formerDevices(of: $1)) }.sorted()
    }

    var changes: [Change] { list.changes }

    /// Takes contributions until one does not fit, or only in part: that one and those after it are ``rest``.
    mutating func take(_ waiting: [StoreIntake.Waiting]) {
        let index = waiting.firstIndex { !takes($0) }
        rest = index.map { Array(waiting[$0...]) } ?? []
    }

    /// - Returns: false where the next batch has to take it up.
    private mutating func takes(_ next: StoreIntake.Waiting) -> Bool {
        guard !list.isFull, effects.allow(next.contribution, catalog) else { return false }
        take(next.contribution, token: next.token)
        return !list.isUnfinished
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
            append(.albumNamed(album, name: name, replaces: dots), dots: dots.count)
        case .photoName(let album, let blob, let name):
            albums[token] = album
            let dots = catalog.photo(PhotoKey(album: album, blob: blob))?.name.currentDots ?? []
            append(.photoNamed(album, blob, name: name, replaces: dots), dots: dots.count)
        case .deviceName(let name):
            if catalog.deviceName(device) != name { append(.deviceNamed(name), dots: 0) }
        case .gatheringName(let name):
            let dots = PlantedFault.isPlanted(.gatheringNameReplacesNothing) ? [] : catalog.gatheringName.currentDots
            append(.gatheringNamed(name, replaces: dots), dots: dots.count)
        case .photoRemoval(let album, let blob):
            albums[token] = album
            remove(PhotoKey(album: album, blob: blob), ownOnly: false)
        case .photoWithdrawal(let album, let blob):
            albums[token] = album
            remove(PhotoKey(album: album, blob: blob), ownOnly: true)
        case .guestPhotoWithdrawal(let album, let blob, let guest):
            albums[token] = album
            remove(PhotoKey(album: album, blob: blob), ownOnly: true, guest: guest)
        case .photoFacts(let album, _, _), .caption(let album, _, _), .tag(let album, _, _), .untag(let album, _, _),
            .favourite(let album, _, _), .unfavourite(let album, _, _), .cover(let album, _),
            .cameraClock(let album, _, _), .comment(let album, _, _, _), .uncomment(let album, _, _):
            albums[token] = album
            takeWords(contribution)
        case .replacement(_, let photo):
            albums[token] = photo.album
            takeWords(contribution)
        case .guestRevocation(let guest):
            if !catalog.isRevoked(guest) { append(.guestRevoked(guest), dots: 0) }
        case .guestEpochRaise:
            let epoch = catalog.guestEpoch + 1
            if epoch <= CatalogLimits.guestEpochMax { append(.guestEpochRaised(epoch), dots: 0) }
        case .guestDoor(let port):
            if catalog.guestDoor(of: device) ?? 0 != port { append(.guestDoorMoved(port: port), dots: 0) }
        }
    }

    /// - Parameter guest: whose adds are meant, where not everybody's are; `nil` for this device's own person's.
    private mutating func remove(_ key: PhotoKey, ownOnly: Bool, guest: GuestID? = nil) {
        guard let photo = catalog.photo(key) else { return }
        let countMax = CatalogLimits.dotCountMax
        let takesAll = !ownOnly || PlantedFault.isPlanted(.withdrawalTakesEverybodysAdds)
        let own = takesAll ? [] : ownPeople(guest).flatMap { photo.adds(by: $0, max: countMax) }
        let adds = takesAll ? Array(photo.adds.prefix(countMax)) : own
        let oldest = adds.sorted { ($0.clock, $0.dot) < ($1.clock, $1.dot) }.prefix(countMax).map(\.dot)
        let dots = effects.withdraw(oldest, of: key)
        guard !dots.isEmpty else { return }
        append(.photoRemoved(key.album, key.blob, adds: dots), dots: dots.count)
    }

    private mutating func albumID(named name: String) -> AlbumID {
        if let album = effects.album(named: name) { return album }
        let album = catalog.albumID(named: name)
        if catalog.albums[album] == nil {
            effects.addAlbum(album, named: name)
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
        let guest = file.guest?.id
        let isAdded = catalog.photo(key).map { photo in
            ownPeople(guest).contains { !photo.adds(by: $0, max: 1).isEmpty }
        }
        guard isAdded != true, effects.addPhoto(key, for: guest) else { return }
        introduce(file.guest)
        let addition = PhotoAddition(
            album: album, blob: file.blob, byteCount: file.byteCount, pieceListHash: file.pieceList?.listHash,
            name: file.name, mediaType: file.mediaType, modified: file.modified, guest: guest)
        append(.photoAdded(addition), dots: 0)
    }

    /// Tells a guest's name, unless everybody knows it.
    mutating func introduce(_ guest: Guest?) {
        guard let guest, let name = guest.name, (effects.name(of: guest.id) ?? catalog.guestName(guest.id)) != name,
            CatalogLimits.isValid(.guestNamed(guest.id, name: name))
        else { return }
        effects.name(guest.id, name)
        append(.guestNamed(guest.id, name: name), dots: 0, textByteCount: CatalogLimits.guestNameByteCountMax)
    }

    /// This device's lives, with the guest or as their own person.
    func ownPeople(_ guest: GuestID?) -> [Person] { ownDevices.map { Person($0, guest: guest) } }

    /// Known to the catalog, or new in this batch.
    func isKnown(_ key: PhotoKey) -> Bool { catalog.photo(key) != nil || effects.adds(key) }

    func isOwn(_ author: DeviceID) -> Bool { ownDevices.contains(author) }

    mutating func append(_ change: Change, dots: Int, textByteCount: Int = CatalogLimits.nameByteCountMax) {
        list.append(change, dots: dots, textByteCount: textByteCount)
    }
}
