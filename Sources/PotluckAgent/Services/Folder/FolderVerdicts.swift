import AlbumModel
import FolderEngine
import SyncEngine

/// What one judged group of edits in the folder means for the gathering.
///
/// First a photo is added that has to be there, then it gets its words, and only then the one goes whose place it takes:
/// whatever ends this in between, nothing is lost, and to do it once more does no harm.
struct FolderVerdicts: Sendable {
    /// A photo that takes another's place: what was said of that one is said of it too.
    struct Succession: Hashable, Sendable {
        var old: PhotoKey
        var drop: Drop
        /// It is the same photo in another album, not another photo.
        var isMove: Bool
    }

    private(set) var successions: [Succession] = []
    private(set) var names: [Contribution] = []
    /// Photos whose files are gone.
    private(set) var removed: [PhotoKey] = []

    init(_ edits: [FolderEdit], device: DeviceID, catalog: Catalog) {
        for edit in edits {
            switch edit {
            case .removed(let album, let blob, _): removed.append(PhotoKey(album: album, blob: blob))
            case .renamed(let album, let blob, let name, _):
                // Only a photo of one's own is renamed for everyone; what others added is called here as one likes.
                let photo = catalog.photo(PhotoKey(album: album, blob: blob))
                let isOwn = photo?.adds.contains { catalog.isOwn($0, of: device) } ?? false
                if isOwn, photo?.shownName != name { names.append(.photoName(album, blob, name)) }
            case .moved(let album, let blob, let drop):
                let key = PhotoKey(album: album, blob: blob)
                successions.append(Succession(old: key, drop: drop, isMove: true))
            case .replaced(let album, let old, let drop):
                let key = PhotoKey(album: album, blob: old)
                successions.append(Succession(old: key, drop: drop, isMove: false))
            }
        }
    }

    /// Old photos that leave their albums for everyone together with what takes their place.
    ///
    /// - Parameter successors: of the successions, in their order.
    func withdrawn(successors: [PhotoKey], device: DeviceID, catalog: Catalog) -> Set<PhotoKey> {
        // What the group puts somewhere goes nowhere before all of that is said: at no time is it in no album.
        let kept = Set(successors.map(\.blob))
        return Set(successions.map(\.old)).filter { old in
            !kept.contains(old.blob) && RemovalVerdict(catalog.photo(old), of: device, in: catalog) == .withdraw
        }
    }

    /// What is said of each succession: that the successor is there, what was said of the old photo, and that this one has
    /// left its album, where it does so at once. Other laptops hear of all of it at one time, and the old photo's file has
    /// mostly given its name free when the edit comes.
    ///
    /// - Parameters:
    ///   - successors: of the successions, in their order.
    ///   - withdrawn: ``withdrawn(successors:device:catalog:)``
    func contributions(
        successors: [PhotoKey], withdrawn: Set<PhotoKey>, device: DeviceID, catalog: Catalog
    ) -> [Contribution] {
        names
            + zip(successions, successors).flatMap { succession, new in
                let old = succession.old
                return [Contribution(succession.drop, to: new.album)]
                    + Self.words(from: old, to: new, facts: succession.isMove, device: device, catalog: catalog)
                    + (withdrawn.contains(old) ? [.photoWithdrawal(old.album, old.blob)] : [])
            }
    }

    /// What goes once the successors are there: never a photo that some other edit of the group has just put there, nor one
    /// that was withdrawn already, which somebody may have brought back since.
    func leaving(successors: [PhotoKey], withdrawn: Set<PhotoKey>) -> [PhotoKey] {
        let kept = withdrawn.union(successors)
        return (successions.map(\.old) + removed).filter { !kept.contains($0) }
    }

    /// What is said of the old photo and has to be said of its successor. Of favours only this device's can be said again;
    /// others' count for the successor since it takes the old photo's place.
    ///
    /// - Parameter facts: whether what readers found goes along: the bytes are the same.
    static func words(
        from old: PhotoKey, to new: PhotoKey, facts: Bool, device: DeviceID, catalog: Catalog
    ) -> [Contribution] {
        guard old != new, let photo = catalog.photo(old) else { return [] }
        let successor = catalog.photo(new)
        var words: [Contribution] = []
        if facts, let facts = photo.facts { words.append(.photoFacts(new.album, new.blob, facts)) }
        if let caption = photo.caption.shown?.value, !caption.isEmpty, successor?.caption.shown == nil {
            words.append(.caption(new.album, new.blob, caption))
        }
        words += photo.tags.map { .tag(new.album, new.blob, $0) }
        words.append(.replacement(old, by: new))
        if catalog.favourers(of: old).contains(where: { catalog.isOwn(author: $0, of: device) }) {
            // For laptops of before, which do not know what a replacement is.
            words.append(.favourite(new.album, new.blob))
        }
        if old.album == new.album, catalog.albums[old.album]?.cover.shown?.value == old.blob {
            words.append(.cover(new.album, new.blob))
        }
        return words
    }
}
