import AlbumModel
import WireFormat

/// What is wanted.
extension Pull {
    /// Wants a blob that some album has and this device lacks.
    mutating func want(_ blob: BlobID, _ catalog: Catalog, _ presence: PresenceExchange) -> [Directive] {
        // All that is said of it: the only claim that is right may be one of many.
        let mentions = catalog.mentions(of: blob, max: .max)
        guard !mentions.dots.isEmpty, !presence.held.contains(blob), !isLeftOut(blob, catalog),
            !isHidden(blob, catalog)
        else { return [] }
        return want(blob, mentions, urgency: urgency(of: mentions, presence), presence)
    }

    private mutating func want(
        _ blob: BlobID, _ mentions: BlobMentions, urgency: ClockReading, _ presence: PresenceExchange
    ) -> [Directive] {
        let isReclaimed = scheduler.want(
            blob, blobClass: mentions.blobClass, urgency: urgency, claims: mentions.claims)
        for (link, peer) in peers where peer.isThere {
            scheduler.setHolder(link, of: blob, presence.claims(peer.device, blob, dots: mentions.dots))
        }
        return isReclaimed ? [.reclaimed(blob)] : []
    }

    /// What names a blob changed.
    mutating func named(
        _ blob: BlobID, _ claims: [BlobClaim], _ catalog: Catalog, _ presence: PresenceExchange
    ) -> [Directive] {
        var mentions = catalog.mentions(of: blob)
        for claim in claims { mentions.claim(claim) }
        let urgency = urgency(of: mentions, presence)
        if mentions.blobClass == .original { urgencyMax = max(urgencyMax, urgency) }
        if mentions.dots.isEmpty {
            backlog.remove(blob)
            return Self.pulls(scheduler.forget(blob))
        }
        if presence.held.contains(blob) { return [] }
        if isLeftOut(blob, catalog) || isHidden(blob, catalog) { return Self.pulls(scheduler.forget(blob)) }
        return want(blob, mentions, urgency: urgency, presence)
    }

    // MARK: Policies

    /// Whether the policies leave a blob out: each album that it is a live photo of does, and it is nobody's thumbnail.
    func isLeftOut(_ blob: BlobID, _ catalog: Catalog) -> Bool {
        // Mostly there is no policy, and this is asked of every blob.
        guard !fetching.albums.isEmpty else { return false }
        // One album more than there are policies has none.
        let albums = catalog.liveAlbums(of: blob, max: fetching.albums.count + 1)
        return !albums.isEmpty && albums.allSatisfy { isLeftOut(PhotoKey(album: $0, blob: blob), catalog) }
            && catalog.photos(ofThumbnail: blob, max: 1).isEmpty
    }

    private func isLeftOut(_ key: PhotoKey, _ catalog: Catalog) -> Bool {
        guard !fetching.asked.contains(key) else { return false }
        switch fetching[key.album] {
        case .all: return false
        case .none: return true
        case .own: return !(catalog.photo(key).map { catalog.isOwn($0, of: scheduler.own) } ?? false)
        }
    }

    /// Wants what the new policy asks for, and no longer what it leaves out.
    mutating func setPolicy(
        _ policy: FetchPolicy, _ catalog: Catalog, _ presence: PresenceExchange
    ) -> [Directive] {
        let concerned = Set(fetching.albums.keys).union(policy.albums.keys)
        fetching = policy
        let directives = concerned.sorted().flatMap { wantOrForget($0, catalog, presence) }
        oweFetchingIfChanged()
        return directives
    }

    mutating func followSuccession(_ catalog: Catalog, _ presence: PresenceExchange) -> [Directive] {
        let albums = fetching.albums.filter { $0.value == .own }.keys.sorted()
        return albums.flatMap { wantOrForget($0, catalog, presence) }
    }

    /// Wants the photos of an album, or gives them up where the policies leave them out.
    private mutating func wantOrForget(
        _ album: AlbumID, _ catalog: Catalog, _ presence: PresenceExchange
    ) -> [Directive] {
        var directives: [Directive] = []
        for blob in (catalog.albums[album]?.livePhotos.map(\.key) ?? []).sorted() {
            if isLeftOut(blob, catalog) {
                directives += Self.pulls(scheduler.forget(blob))
            } else if scheduler.wants[blob] == nil, !PlantedFault.isPlanted(.policyChangeWantsNothing) {
                directives += want(blob, catalog, presence)
            }
        }
        return directives
    }

    mutating func setTerms(_ terms: PullTerms) -> [Directive] {
        let directives = Self.pulls(scheduler.setTerms(terms))
        oweFetchingIfChanged()
        return directives
    }

    // MARK: Hidden photos

    /// Photos that the person at this laptop does not want to see: they stay in their albums, and are not pulled.
    mutating func hide(_ photos: [PhotoKey], _ catalog: Catalog) -> [Directive] {
        hidden.formUnion(photos)
        let blobs = Set(photos.map(\.blob)).sorted()
        return blobs.flatMap { isHidden($0, catalog) ? Self.pulls(scheduler.forget($0)) : [] }
    }

    mutating func unhide(_ photos: [PhotoKey], _ catalog: Catalog, _ presence: PresenceExchange) -> [Directive] {
        hidden.subtract(photos)
        guard !PlantedFault.isPlanted(.unhiddenNotWanted) else { return [] }
        return Set(photos.map(\.blob)).sorted().flatMap { want($0, catalog, presence) }
    }

    /// Whether no album here shows the blob, neither as a photo nor as the thumbnail of one. Thumbnails are small, and
    /// whoever looks through what is hidden sees them: they are pulled all the same.
    private func isHidden(_ blob: BlobID, _ catalog: Catalog) -> Bool {
        guard !hidden.isEmpty, !PlantedFault.isPlanted(.hiddenStillWanted) else { return false }
        // One album more than there are hidden photos shows it.
        let albums = catalog.liveAlbums(of: blob, max: hidden.count + 1)
        return !albums.isEmpty && albums.allSatisfy { hidden.contains(PhotoKey(album: $0, blob: blob)) }
            && catalog.photos(ofThumbnail: blob, max: 1).isEmpty
    }

    // MARK: Urgency

    /// When a photo counts as added, by the second: those of one second spread best together, the small first. One of an
    /// import counts as older than it is: else each of its photos would overtake a single one that somebody added a
    /// moment before. By the second they would be too many for one that follows at once.
    func urgency(of mentions: BlobMentions, _ presence: PresenceExchange) -> ClockReading {
        guard mentions.blobClass == .original, let dot = mentions.dots.first,
            presence.own.isImported(dot, limits: limits)
        else { return ClockReading(microseconds: mentions.order.microseconds / 1_000_000 * 1_000_000) }
        return mentions.order.earlier(by: limits.importLag)
    }

    /// Which answers to a peer go first: those with more. Photos that were added within the same ten seconds do not
    /// overtake each other: a whole piece can be passed on sooner than two halves.
    func precedence(of urgency: ClockReading) -> UInt64 {
        urgency.microseconds / UInt64(limits.precedenceInterval * 1e6)
    }

    /// The precedence of the newest of all photos.
    var precedenceMax: UInt64 { precedence(of: urgencyMax) }
}

extension ClockReading {
    func earlier(by seconds: Double) -> ClockReading {
        ClockReading(microseconds: microseconds - min(microseconds, UInt64(seconds * 1e6)))
    }

    /// 0 where `other` is later.
    func seconds(since other: ClockReading) -> Double {
        Double(microseconds - min(microseconds, other.microseconds)) / 1e6
    }
}
