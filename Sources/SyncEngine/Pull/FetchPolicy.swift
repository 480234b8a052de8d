public import AlbumModel

/// Which originals of an album this device pulls. What it has, by whatever way, it keeps and serves.
public enum OriginalsPolicy: String, Hashable, Sendable, CaseIterable {
    case all
    /// Names, thumbnails and what people say only.
    case none
    /// What this device contributed, in this life or an earlier one.
    case own
}

/// What a person decided about the originals that this device pulls.
public struct FetchPolicy: Hashable, Sendable {
    /// ``OriginalsPolicy/all`` for albums that are not in it.
    public var albums: [AlbumID: OriginalsPolicy]
    /// Photos that are pulled whatever their album's policy says.
    public var asked: Set<PhotoKey>

    public init(albums: [AlbumID: OriginalsPolicy] = [:], asked: Set<PhotoKey> = []) {
        self.albums = albums.filter { $0.value != .all }
        self.asked = asked
    }

    public subscript(album: AlbumID) -> OriginalsPolicy {
        get { albums[album] ?? .all }
        set { albums[album] = newValue == .all ? nil : newValue }
    }
}

extension Engine {
    /// Whether the policies leave a blob out: each album that it is a live photo of does, and it is nobody's thumbnail.
    public func isLeftOut(_ blob: BlobID) -> Bool {
        // Mostly there is no policy, and this is asked of every blob.
        guard !fetching.albums.isEmpty else { return false }
        // One album more than there are policies has none.
        let albums = catalog.liveAlbums(of: blob, max: fetching.albums.count + 1)
        return !albums.isEmpty && albums.allSatisfy { isLeftOut(PhotoKey(album: $0, blob: blob)) }
            && catalog.photos(ofThumbnail: blob, max: 1).isEmpty
    }

    private func isLeftOut(_ key: PhotoKey) -> Bool {
        guard !fetching.asked.contains(key) else { return false }
        switch fetching[key.album] {
        case .all: return false
        case .none: return true
        case .own: return !(catalog.photo(key).map { catalog.isOwn($0, of: device) } ?? false)
        }
    }

    /// Wants what the new policy asks for, and no longer what it leaves out.
    mutating func setFetching(_ policy: FetchPolicy) {
        let concerned = Set(fetching.albums.keys).union(policy.albums.keys)
        fetching = policy
        for album in concerned.sorted() {
            for blob in (catalog.albums[album]?.livePhotos.map(\.key) ?? []).sorted() {
                updateWantOrForget(blob)
            }
        }
    }

    /// More may be this device's own than before.
    mutating func followSuccession() {
        for (album, policy) in fetching.albums.sorted(by: { $0.key < $1.key }) where policy == .own {
            for blob in (catalog.albums[album]?.livePhotos.map(\.key) ?? []).sorted() {
                updateWantOrForget(blob)
            }
        }
    }

    /// Wants a blob, or gives it up where the policies leave it out.
    mutating func updateWantOrForget(_ blob: BlobID) {
        if isLeftOut(blob) {
            perform(scheduler.forget(blob))
        } else if scheduler.wants[blob] == nil, !PlantedFault.isPlanted(.policyChangeWantsNothing) {
            updateWant(blob)
        }
    }
}
