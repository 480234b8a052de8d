import AlbumModel

/// Facts and words: nothing is said that is known already, and nothing that would be without effect.
extension BatchDraft {
    mutating func takeWords(_ contribution: Contribution) {
        switch contribution {
        case .photoFacts(let album, let blob, let facts): take(facts, PhotoKey(album: album, blob: blob))
        case .caption(let album, let blob, let text): take(caption: text, PhotoKey(album: album, blob: blob))
        case .tag(let album, let blob, let tag):
            let dots = catalog.photo(PhotoKey(album: album, blob: blob))?.tagDots(tag) ?? []
            guard dots.isEmpty, isKnown(PhotoKey(album: album, blob: blob)) else { return }
            let tidy = TagName.tidy(tag)
            say(.photoTagged(album, blob, tidy), [tidy], dots: 0)
        case .untag(let album, let blob, let tag):
            let dots = catalog.photo(PhotoKey(album: album, blob: blob))?.tagDots(tag) ?? []
            guard !dots.isEmpty else { return }
            let tidy = TagName.tidy(tag)
            say(.photoUntagged(album, blob, tidy, adds: dots), [tidy], dots: dots.count)
        case .favourite(let album, let blob, let guest):
            guard favours(album, blob, of: guest?.id).isEmpty, isKnown(PhotoKey(album: album, blob: blob)) else {
                return
            }
            introduce(guest)
            say(.photoFavoured(album, blob, guest: guest?.id), dots: 0)
        case .unfavourite(let album, let blob, let guest):
            // What the photo took the place of counts as well.
            for key in catalog.favouredKeys(of: PhotoKey(album: album, blob: blob)) {
                let dots = favours(key.album, key.blob, of: guest?.id)
                guard !dots.isEmpty else { continue }
                say(.photoUnfavoured(key.album, key.blob, adds: dots, guest: guest?.id), dots: dots.count)
            }
        case .comment(let album, let blob, let text, let guest):
            let change = Change.photoCommented(album, blob, text, guest: guest?.id)
            guard isKnown(PhotoKey(album: album, blob: blob)), CatalogLimits.isValid(change) else { return }
            introduce(guest)
            say(change, [text], dots: 0)
        case .uncomment(let album, let blob, let comments):
            let photo = catalog.photo(PhotoKey(album: album, blob: blob))
            let dots = comments.filter { photo?.comment($0) != nil }
            if !dots.isEmpty { say(.photoUncommented(album, blob, comments: dots), dots: dots.count) }
        case .cover(let album, let blob): take(cover: blob, album)
        case .cameraClock(let album, let camera, let seconds): take(clock: seconds, camera, album)
        case .replacement(let former, let photo):
            guard isKnown(former), isKnown(photo), !catalog.isReplaced(former, by: photo) else { return }
            say(.photoReplaced(former, by: photo), dots: 0)
        case .photo, .photoInAlbum, .albumName, .photoName, .deviceName, .gatheringName, .photoRemoval,
            .photoWithdrawal, .guestPhotoWithdrawal, .guestRevocation, .guestEpochRaise, .guestDoor:
            break
        }
    }

    private mutating func take(_ facts: PhotoFacts, _ key: PhotoKey) {
        let facts = facts.clipped()
        if let thumbnail = facts.thumbnail { blobs.append(thumbnail.blob) }
        if let known = catalog.photo(key)?.facts, !facts.isBetter(than: known) { return }
        let texts = [facts.contentIdentifier, facts.burstIdentifier, facts.problem, facts.camera.texts]
        let byteCount = texts.reduce(0) { $0 + $1.utf8.count }
        guard isKnown(key), CatalogLimits.isValid(.photoRead(key.album, key.blob, facts)) else { return }
        append(.photoRead(key.album, key.blob, facts), dots: 0, textByteCount: byteCount)
    }

    private mutating func take(caption: String, _ key: PhotoKey) {
        guard isKnown(key) else { return }
        let register = catalog.photo(key)?.caption ?? Register()
        guard register.isNews(caption, none: "") else { return }
        let dots = register.currentDots
        say(.photoCaptioned(key.album, key.blob, caption, replaces: dots), [caption], dots: dots.count)
    }

    private mutating func take(cover: BlobID?, _ album: AlbumID) {
        guard let register = catalog.albums[album]?.cover, register.isNews(cover, none: nil) else { return }
        let dots = PlantedFault.isPlanted(.coverReplacesNothing) ? [] : register.currentDots
        say(.coverChosen(album, cover, replaces: dots), dots: dots.count)
    }

    private mutating func take(clock seconds: Int64, _ camera: CameraKey, _ album: AlbumID) {
        guard let known = catalog.albums[album] else { return }
        let register = known.cameraClocks[camera] ?? Register()
        guard register.isNews(seconds, none: 0) else { return }
        let dots = register.currentDots
        say(
            .cameraClockSet(album, camera, seconds: seconds, replaces: dots),
            [camera.make, camera.model, camera.serial], dots: dots.count)
    }

    /// - Parameter guest: `nil` for this device's own person.
    private func favours(_ album: AlbumID, _ blob: BlobID, of guest: GuestID?) -> [Dot] {
        guard let photo = catalog.photo(PhotoKey(album: album, blob: blob)) else { return [] }
        // Guests go from door to door, and remain who they are.
        if let guest { return photo.favourDots(of: guest) }
        return photo.favourDots { isOwn($0) || PlantedFault.isPlanted(.favourTakenFromEverybody) }
    }

    /// - Parameter texts: that the change has in it.
    private mutating func say(_ change: Change, _ texts: [String] = [], dots: Int) {
        guard CatalogLimits.isValid(change) else { return }
        append(change, dots: dots, textByteCount: texts.reduce(0) { $0 + $1.utf8.count })
    }
}

/// What a register or a set is about. A batch speaks once of each.
enum Topic: Hashable {
    case albumName(AlbumID)
    case photoName(PhotoKey)
    case gatheringName
    case facts(PhotoKey)
    case caption(PhotoKey)
    case tag(PhotoKey, String)
    case favour(PhotoKey, GuestID?)
    case revocation(GuestID)
    case epoch
    case door
    case cover(AlbumID)
    case clock(AlbumID, CameraKey)

    /// `nil` for what needs no knowledge of what the same batch says.
    init?(_ contribution: Contribution) {
        switch contribution {
        case .photo, .photoInAlbum, .deviceName, .photoRemoval, .photoWithdrawal, .replacement,
            .guestPhotoWithdrawal, .comment, .uncomment:
            return nil
        case .albumName(let album, _): self = .albumName(album)
        case .photoName(let album, let blob, _): self = .photoName(PhotoKey(album: album, blob: blob))
        case .gatheringName: self = .gatheringName
        case .photoFacts(let album, let blob, _): self = .facts(PhotoKey(album: album, blob: blob))
        case .caption(let album, let blob, _): self = .caption(PhotoKey(album: album, blob: blob))
        case .tag(let album, let blob, let tag), .untag(let album, let blob, let tag):
            self = .tag(PhotoKey(album: album, blob: blob), TagName.key(tag))
        case .favourite(let album, let blob, let guest), .unfavourite(let album, let blob, let guest):
            self = .favour(PhotoKey(album: album, blob: blob), guest?.id)
        case .guestRevocation(let guest): self = .revocation(guest)
        case .guestEpochRaise: self = .epoch
        case .guestDoor: self = .door
        case .cover(let album, _): self = .cover(album)
        case .cameraClock(let album, let camera, _): self = .clock(album, camera)
        }
    }
}

extension Register {
    /// Whether to write the value changes anything: it is another one than the only one, or settles a disagreement.
    ///
    /// - Parameter none: what counts as shown where nothing was ever written.
    fileprivate func isNews(_ value: Value, none: Value) -> Bool {
        writes.count > 1 || (shown?.value ?? none) != value
    }
}

extension PhotoFacts {
    /// Whether they are worth telling: a newer reader's, or the same one's where it could read more.
    fileprivate func isBetter(than known: PhotoFacts) -> Bool {
        if readerVersion != known.readerVersion { return readerVersion > known.readerVersion }
        let gains = thumbnail != nil && known.thumbnail == nil || problem.isEmpty && !known.problem.isEmpty
        let losses = thumbnail == nil && known.thumbnail != nil || !problem.isEmpty && known.problem.isEmpty
        return gains && !losses
    }
}

extension Camera {
    fileprivate var texts: String { make + model + lens + serial }
}
