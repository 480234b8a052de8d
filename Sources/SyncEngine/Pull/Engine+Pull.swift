public import AlbumModel
import WireFormat

extension Engine {
    mutating func toPull(_ input: Pull.Input, now: MonotonicInstant) {
        let directives = pull.handle(
            input, catalog: catalog, presence: presence, wall: wall, now: now, using: &dice)
        for directive in directives { perform(directive, now: now) }
    }

    private mutating func perform(_ directive: Pull.Directive, now: MonotonicInstant) {
        switch directive {
        case .pull(let pull): perform(pull)
        case .send(let link, let message): emit(.send(link, message))
        case .sendPieceList(let link, let blob, let hashes): emit(.sendPieceList(link, blob, fitting: hashes))
        case .serve(let link, let request): emit(.serve(link, request))
        case .servePart(let link, let request): emit(.servePart(link, request))
        case .cancelServe(let link, let number): emit(.cancelServe(link, number: number))
        case .yield(let link, let precedence): emit(.yield(link, to: precedence))
        case .denied(let link, let blob): toPresence(.denied(link, blob), now: now)
        case .proved(let link, let blob): toPresence(.proved(link, blob), now: now)
        case .reclaimed(let blob): toPresence(.reclaimed(blob), now: now)
        }
    }

    private mutating func perform(_ pull: PullScheduler.Directive) {
        switch pull {
        case .request(let link, let request):
            emit(.request(link, request, isWhole: self.pull.scheduler.isWhole(request)))
        case .cancel(let link, let number): emit(.cancel(link, number: number))
        case .askForList(let link, let blob): emit(.send(link, .pieceListRequest(blob)))
        case .beginReceiving(let blob, let byteCount, let list):
            emit(.beginReceiving(blob, byteCount: byteCount, list))
        case .closeStaging(let blob): emit(.closeStaging(blob))
        case .commit(let blob): emit(.commit(blob))
        case .abandon(let blob): emit(.abandon(blob))
        }
    }

    // MARK: Questions

    /// Which originals this device pulls.
    public var fetching: FetchPolicy { pull.fetching }

    /// Photos that are not to be seen here.
    public var hidden: Set<PhotoKey> { pull.hidden }

    /// Whether the policies leave a blob out: each album that it is a live photo of does, and it is nobody's thumbnail.
    public func isLeftOut(_ blob: BlobID) -> Bool { pull.isLeftOut(blob, catalog) }

    /// Why a photo's bytes are not here; `nil` if they are, or are not wanted.
    public func missingReason(_ blob: BlobID) -> MissingReason? { pull.scheduler.reason(for: blob) }

    /// Bytes of a wanted blob that are here already.
    public func heldByteCount(of blob: BlobID) -> UInt64 { pull.scheduler.wants[blob]?.heldByteCount ?? 0 }

    public var wantedBlobs: some Sequence<BlobID> { pull.scheduler.wants.blobs }

    /// Those of them that are photos, not thumbnails.
    public var wantedPhotos: some Sequence<BlobID> {
        pull.scheduler.wants.all.lazy.filter { $0.blobClass == .original }.map(\.blob)
    }

    /// What bounds pulling; the room is what is left of it.
    public var pullTerms: PullTerms { pull.scheduler.terms }

    /// Originals that are wanted and kept back on this side.
    public var heldUpPhotos: some Sequence<BlobID> { pull.scheduler.wants.suspended }

    /// Whether some connected peer said that it holds the blob, or a part of it that is not here.
    public func hasConnectedHolder(_ blob: BlobID) -> Bool { pull.scheduler.wants[blob]?.hasSource == true }

    /// Connected devices that would pull a photo which they lack, as far as they said; ordered.
    ///
    /// - Parameter albums: in which the photo is live.
    public func takers(ofPhotoIn albums: [AlbumID]) -> [DeviceID] { pull.takers(ofPhotoIn: albums) }

    /// Which answers to a peer go first: those with more. Photos that were added within the same ten seconds do not
    /// overtake each other: a whole piece can be passed on sooner than two halves.
    public func precedence(of blob: BlobID) -> UInt64 {
        pull.precedence(of: pull.urgency(of: catalog.mentions(of: blob), presence))
    }
}
