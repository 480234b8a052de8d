/// In which albums a blob lies. Nearly always in one, so one is what it costs.
enum BlobAlbums: Sendable {
    struct Several: Sendable {
        var all = SortedChunks<AlbumID>()
        /// Those in which it is a live photo.
        var live = SortedChunks<AlbumID>()
    }

    /// Whether it is live there the album knows.
    case one(AlbumID)
    indirect case several(Several)

    /// The album that is the only one so far.
    var sole: AlbumID? {
        if case .one(let album) = self { album } else { nil }
    }

    /// - Parameter isSoleLive: whether the blob is a live photo of ``sole``.
    mutating func insert(_ album: AlbumID, isSoleLive: Bool) {
        switch self {
        case .one(let known):
            guard known != album else { return }
            var several = Several()
            several.all.insert(known)
            several.all.insert(album)
            if isSoleLive { several.live.insert(known) }
            self = .several(several)
        case .several: update { $0.all.insert(album) }
        }
    }

    mutating func setLive(_ album: AlbumID, _ isLive: Bool) {
        update {
            if isLive { $0.live.insert(album) } else { $0.live.remove(album) }
        }
    }

    /// Changes nothing where there is one album.
    private mutating func update(_ body: (inout Several) -> Void) {
        guard var several = takeSeveral() else { return }
        body(&several)
        self = .several(several)
    }

    /// Takes the albums out, so that nobody else refers to their arrays while they change: else they would be copied.
    private mutating func takeSeveral() -> Several? {
        guard case .several(let several) = self, let any = several.all.first else { return nil }
        self = .one(any)
        return several
    }
}
