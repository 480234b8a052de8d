/// What readers found and what people said: kept for photos that are not live, too, since either may come first.
extension Catalog {
    mutating func applyWords(_ change: Change, _ origin: Origin, _ difference: inout CatalogDifference) {
        switch change {
        case .photoRead(let album, let blob, let facts):
            read(PhotoKey(album: album, blob: blob), facts, origin, &difference)
        case .photoCaptioned(let album, let blob, let caption, let replaces):
            updateWords(album, blob, origin, &difference) {
                let isAlone = PlantedFault.isPlanted(.captionConflictDropped)
                let replaced = isAlone ? $0.caption.currentDots : origin.resolved(replaces)
                $0.caption.write(caption, dot: origin.dot, clock: origin.clock, replaces: replaced)
            }
        case .photoTagged(let album, let blob, let tag):
            updateWords(album, blob, origin, &difference) {
                $0.tags.insert(PhotoWords.TagAdd(dot: origin.dot, clock: origin.clock, tag: tag))
            }
        case .photoUntagged(let album, let blob, _, let adds):
            updateWords(album, blob, origin, &difference) {
                let takesAll = PlantedFault.isPlanted(.tagWithdrawalTakesAll)
                $0.tags.withdraw(takesAll ? $0.tags.adds.map(\.dot) : origin.resolved(adds))
            }
        case .photoFavoured(let album, let blob, let guest?):
            updateWords(album, blob, origin, &difference) {
                let person = Person(origin.author, guest: guest)
                $0.guestFavours.insert(PhotoWords.GuestFavour(dot: origin.dot, clock: origin.clock, person: person))
            }
        case .photoUnfavoured(let album, let blob, let adds, .some):
            updateWords(album, blob, origin, &difference) { $0.guestFavours.withdraw(origin.resolved(adds)) }
        case .photoFavoured(let album, let blob, nil):
            updateWords(album, blob, origin, &difference) {
                $0.favours.insert(PhotoWords.Favour(dot: origin.dot, clock: origin.clock, author: origin.author))
            }
        case .photoUnfavoured(let album, let blob, let adds, nil):
            updateWords(album, blob, origin, &difference) { $0.favours.withdraw(origin.resolved(adds)) }
        case .coverChosen(let album, let blob, let replaces):
            updateAlbum(album, origin, &difference) {
                $0.cover.write(blob, dot: origin.dot, clock: origin.clock, replaces: origin.resolved(replaces))
            }
        case .cameraClockSet(let album, let camera, let seconds, let replaces):
            updateAlbum(album, origin, &difference) {
                $0.setClock(of: camera.composed) {
                    $0.write(seconds, dot: origin.dot, clock: origin.clock, replaces: origin.resolved(replaces))
                }
            }
        case .photoReplaced(let former, let photo): replace(former, by: photo, &difference)
        case .albumNamed, .photoAdded, .photoRemoved, .photoNamed, .deviceNamed, .gatheringNamed, .photoCommented,
            .photoUncommented, .guestNamed, .guestRevoked, .guestEpochRaised, .guestDoorMoved, .unknown:
            break
        }
    }

    mutating func updateWords(
        _ album: AlbumID, _ blob: BlobID, _ origin: Origin, _ difference: inout CatalogDifference,
        _ body: (inout PhotoWords) -> Void
    ) {
        updatePhoto(PhotoKey(album: album, blob: blob), origin, &difference, in: \.wordedPhotos) {
            $0.updateWords(body)
        }
    }

    private mutating func read(
        _ key: PhotoKey, _ facts: PhotoFacts, _ origin: Origin, _ difference: inout CatalogDifference
    ) {
        var facts = facts
        // Composed, so that equal texts have equal bytes, whoever's came first.
        facts.camera = shared(facts.camera.composed)
        var superseded: PhotoFacts?
        updatePhoto(key, origin, &difference, in: \.readPhotos) { superseded = $0.read(facts, origin) }
        if let superseded { release(superseded.camera) }
    }

    /// An equal camera that has its texts already, once more.
    private mutating func shared(_ camera: Camera) -> Camera {
        guard let index = cameras.index(forKey: camera) else {
            cameras[camera] = 1
            return camera
        }
        cameras.values[index] += 1
        return cameras[index].key
    }

    private mutating func release(_ camera: Camera) {
        guard let count = cameras[camera] else { return }
        cameras[camera] = count > 1 ? count - 1 : nil
    }
}

extension Camera {
    fileprivate var composed: Camera {
        Camera(
            make: AlbumName.composed(make), model: AlbumName.composed(model), lens: AlbumName.composed(lens),
            serial: AlbumName.composed(serial))
    }
}

extension CameraKey {
    fileprivate var composed: CameraKey {
        CameraKey(
            contributor: contributor, make: AlbumName.composed(make), model: AlbumName.composed(model),
            serial: AlbumName.composed(serial))
    }
}

// MARK: - Questions

/// A photo about which people said different things at once.
public struct PhotoConflict: Hashable, Sendable {
    public var blob: BlobID
    /// The shown one first, then the others, the latest first; one where all agree, none where there is none.
    public var captions: [String]
    /// The same of its names.
    public var names: [String]
}

extension Catalog {
    /// The live photos of an album whose captions or names differ, in the album's order.
    public func conflicts(_ album: AlbumID) -> [PhotoConflict] {
        guard let album = albums[album] else { return [] }
        let conflicts = album.livePhotos.compactMap { blob, photo -> (AlbumOrder, PhotoConflict)? in
            guard photo.caption.writes.count > 1 || photo.name.writes.count > 1 else { return nil }
            let conflict = PhotoConflict(
                blob: blob, captions: photo.caption.distinctValues, names: photo.name.distinctValues)
            guard conflict.captions.count > 1 || conflict.names.count > 1 else { return nil }
            return album.order(blob).map { ($0, conflict) }
        }
        return conflicts.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
