import AlbumModel
import PhotoStore

/// What the disk shows otherwise than folder state, until it is judged.
///
/// Folder state keeps the records meanwhile, so a restart finds the same differences again. One entry for each path that
/// differs: the files on disk and in folder state bound it.
struct PendingChanges: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// A photo at a path that held another one, or that may be where a vanished file went.
    struct Found: Hashable, Sendable {
        var id: BlobID
        /// `nil` where the bytes were compared only; taken into the store when an edit needs them.
        var blob: IngestedBlob?
        var mediaType: String
        var signature: FileSignature
        var isShort: Bool
        var isLive: Bool
    }

    enum Now: Hashable, Sendable {
        case absent
        /// Something that is no photo.
        case other(FileSignature)
        case photo(Found)

        var found: Found? {
            if case .photo(let found) = self { found } else { nil }
        }

        var signature: FileSignature? {
            switch self {
            case .absent: nil
            case .other(let signature): signature
            case .photo(let found): found.signature
            }
        }
    }

    private(set) var paths: [FolderPath: Now] = [:]
    /// The paths of which an event told, while somebody watched, what became of them.
    private(set) var explained: Set<FolderPath> = []
    /// Files that were made anew with the bytes that they had, and when that was seen.
    private var renewed: [FolderPath: Instant] = [:]
    /// The brake is on: what is lost waits for a person. Its group, as the host was told.
    var held: HeldGroup?
    /// The paths of the held group; those of a group that a restart brought are not known before it is judged.
    var heldPaths: Set<FolderPath> = []
    /// The paths of which a person said that their loss is meant.
    var confirmed: Set<FolderPath> = []

    init(heldID: UInt64?) {
        held = heldID.map {
            HeldGroup(id: $0, reason: .manyVanished, vanished: 0, rewritten: 0, of: 0, paths: [], sentence: "")
        }
    }

    /// Whether that is news.
    mutating func insert(_ path: FolderPath, _ now: Now, isExplained: Bool) -> Bool {
        let isNews = paths[path]?.signature != now.signature || paths[path] == nil
        paths[path] = now
        if isNews {
            confirmed.remove(path)
            explained.remove(path)
        }
        return isExplained && explained.insert(path).inserted || isNews
    }

    /// Whether it was there.
    @discardableResult
    mutating func remove(_ path: FolderPath) -> Bool {
        confirmed.remove(path)
        explained.remove(path)
        return paths.removeValue(forKey: path) != nil
    }

    /// Takes out what was judged, unless it changed meanwhile.
    mutating func remove(judged: [FolderPath: Now]) {
        for (path, now) in judged where paths[path] == now { remove(path) }
    }

    /// Forgets what nobody can look at now: it is found once more when somebody can.
    mutating func remove(unknown: some Sequence<FolderPath>) {
        for path in unknown { remove(path) }
    }

    /// Whether a path was found like this before and waits.
    func isWaiting(_ path: FolderPath, _ signature: FileSignature) -> Bool {
        paths[path]?.signature == signature
    }

    mutating func renew(_ path: FolderPath, now: Instant) {
        renewed[path] = now
    }

    /// The files that were made anew since then; others are forgotten.
    mutating func renewed(since time: Instant) -> Set<FolderPath> {
        renewed = renewed.filter { $0.value >= time }
        return Set(renewed.keys)
    }
}

extension PendingChanges.Found {
    init(_ taken: Inspector.Taken, isLive: Bool) {
        var blob = taken.blob
        // Many may wait, and nobody asks for them.
        blob.firstBytes = []
        self.init(
            id: blob.id, blob: blob, mediaType: taken.type.name, signature: taken.signature, isShort: taken.isShort,
            isLive: isLive)
    }
}
