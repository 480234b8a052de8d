public import AlbumModel
public import WireFormat

/// What a device wants to say; the engine turns it into changes.
public enum Contribution: Hashable, Sendable {
    /// The album is named as a directory or a person names it; it is created if there is none.
    case photo(albumName: String, PhotoFile)
    case photoInAlbum(AlbumID, PhotoFile)
    case albumName(AlbumID, String)
    case photoName(AlbumID, BlobID, String)
    case deviceName(String)
    case gatheringName(String)
    /// Withdraws every add that is known.
    case photoRemoval(AlbumID, BlobID)
    /// Withdraws the adds of this device and of those that it goes on from; what others added stays.
    case photoWithdrawal(AlbumID, BlobID)
    /// What a reader found; it is told only if it is better than what is known.
    case photoFacts(AlbumID, BlobID, PhotoFacts)
    /// An empty one takes the caption away.
    case caption(AlbumID, BlobID, String)
    case tag(AlbumID, BlobID, String)
    case untag(AlbumID, BlobID, String)
    /// Of a guest here, or of this device's own person.
    case favourite(AlbumID, BlobID, guest: Guest? = nil)
    /// Takes back what this device, or one that it goes on from, said: for the guest, or for its own person.
    case unfavourite(AlbumID, BlobID, guest: Guest? = nil)
    case cover(AlbumID, BlobID?)
    /// What is to be added to the camera's clock.
    case cameraClock(AlbumID, CameraKey, seconds: Int64)
    /// The second photo takes the place of the first, which others may have favoured.
    case replacement(PhotoKey, by: PhotoKey)
    /// Withdraws what this device, or one that it goes on from, added for a guest.
    case guestPhotoWithdrawal(AlbumID, BlobID, GuestID)
    case comment(AlbumID, BlobID, String, guest: Guest?)
    case uncomment(AlbumID, BlobID, [Dot])
    case guestRevocation(GuestID)
    /// Ends all links to open doors: the next epoch begins.
    case guestEpochRaise
    /// At which TCP port this device lets guests in; 0 while it lets none in.
    case guestDoor(port: UInt16)
}

/// A guest at this device's door. Their name is told with the first thing that they contribute, and when it is another one.
public struct Guest: Hashable, Sendable {
    public var id: GuestID
    /// `nil` tells none.
    public var name: String?

    public init(_ id: GuestID, name: String? = nil) {
        self.id = id
        self.name = name
    }
}

/// A file whose bytes are durable in this device's blob store.
public struct PhotoFile: Hashable, Sendable {
    public var blob: BlobID
    public var byteCount: UInt64
    /// Present for blobs of more than one piece.
    public var pieceList: PieceList?
    public var name: String
    public var mediaType: String
    /// Nanoseconds since 1970, UTC.
    public var modified: Int64
    /// Who brought it; `nil` where it is this device's own person's.
    public var guest: Guest?

    public init(
        blob: BlobID, byteCount: UInt64, pieceList: PieceList?, name: String, mediaType: String, modified: Int64,
        guest: Guest? = nil
    ) {
        self.blob = blob
        self.byteCount = byteCount
        self.pieceList = pieceList
        self.name = name
        self.mediaType = mediaType
        self.modified = modified
        self.guest = guest
    }
}

/// What happened, for the engine to judge.
public enum EngineInput: Sendable {
    /// A connection was admitted. `key` is that of the dial that led to it, `nil` if the other side dialled.
    ///
    /// Rulings may have come since the peer's proof was judged: it is turned away if they make it no member.
    case connected(LinkID, AdmittedPeer, address: PeerAddress, key: PeerKey?)
    case disconnected(LinkID)
    case received(LinkID, Message)
    /// A piece came in whole and was checked and written, or was not.
    case pieceStored(LinkID, number: UInt32, PieceOutcome)
    /// So many bytes of whatever arrived on a link since this was last said.
    case heard(LinkID, byteCount: UInt64)
    /// Pieces that came over a link wait for this disk: that nothing more arrives is not the peer's silence.
    case writing(LinkID)
    /// So many bytes of whatever is meant for a link's peer left since this was last said.
    case taken(LinkID, byteCount: UInt64)
    case contribute(token: UInt64, Contribution)
    /// What others hold is kept, and of this device that the numbers of its summaries are reserved up to this one:
    /// ``HoldingsRecord/summaryFloor`` of the record that was written.
    case holdingsRemembered(UInt64)
    /// A wanted blob that a person carried here is durable in the store; whatever of it was on its way may go.
    case blobCarried(BlobID)
    /// Batches that a person carried here, checked like those of a peer; ends in ``EngineEvent/carried(token:_:)``.
    case carried(token: UInt64, BatchPage)
    /// A person carries away what this device holds: ``Engine/ownSummary`` is signed anew, soon after what it takes for that
    /// was remembered (``EngineDirective/rememberHoldings(_:)``).
    case summaryWanted
    /// Signed summaries of what devices hold that a person carried here.
    case carriedSummaries([SignedStatement])
    /// The batches of the outstanding ``EngineDirective/store(_:)`` are durable.
    case stored
    /// They are not, because of what the sentence says.
    case storeFailed(String)
    case receivingBegan(BlobID, held: [Bool])
    case receivingFailed(BlobID, String)
    case committed(BlobID)
    /// All pieces were right, the whole was not.
    case commitRejected(BlobID)
    case commitFailed(BlobID, String)
    /// A held blob turned out to be gone or changed.
    case blobLost(BlobID)
    /// Nobody here wants to see these photos: what they alone need is not pulled.
    case hidden([PhotoKey])
    case unhidden([PhotoKey])
    /// A person waits for a blob: if it is wanted, it is pulled before all others.
    case awaited(BlobID)
    case learned(PeerKey, [PeerAddress], AddressSource)
    case announcementEnded(PeerKey)
    /// This machine's network is another one, or is there again: whoever did not answer is tried anew.
    case networkChanged
    /// Where this machine can be reached, without loopback; the port included.
    case ownAddresses([PeerAddress])
    case dialFailed(PeerKey, isStranger: Bool)
    case deadlineReached
    /// What bounds pulling from now on.
    case pullTerms(PullTerms)
    /// Which originals this device pulls from now on.
    case fetchPolicy(FetchPolicy)
    /// A person here decides something as a host; ends in ``EngineEvent/ruled(token:)`` or
    /// ``EngineEvent/rulingFailed(token:_:)``.
    case rule(token: UInt64, Ruling.Kind)
    /// A person here, who is host, wants a new phrase, and these devices out: an epoch begins, which lists all members that
    /// are known here. The seed must come from a generator that is fit for secrets. Ends as ``rule(token:_:)`` does, once
    /// the ruling and the seed are durable together.
    ///
    /// With the key of the recovery code the founder may be put out, too, and this device becomes a host.
    case newPhrase(token: UInt64, Seed, puttingOut: [DeviceID] = [], recovery: (any BatchSigning)? = nil)
    /// A person here, who is host or has the recovery code, lets devices in that are out or came too late; ends as
    /// ``rule(token:_:)`` does.
    case letIn(token: UInt64, [DeviceID], recovery: (any BatchSigning)? = nil)
    /// What ``CatchUp/Directive/commit(_:seeds:)`` handed over; ends as ``rule(token:_:)`` does.
    case caughtUp(token: UInt64, [SignedStatement], seeds: [RulingID: Seed])
    /// The answer to ``EngineDirective/judgeFounding(_:_:)``.
    case foundingJudged(RulingID, fits: Bool)
    /// The rulings of the outstanding ``EngineDirective/storeRulings(_:seeds:)`` are durable.
    case rulingsStored
    /// They are not, because of what the sentence says.
    case rulingsNotStored(String)
}

extension EngineInput {
    /// Whether the input may change what can be asked of whom: most messages do not, and time is looked at elsewhere.
    var mayMovePulls: Bool {
        switch self {
        case .received(_, let message): message.mayMovePulls
        case .heard, .writing, .taken, .deadlineReached, .holdingsRemembered, .rule, .newPhrase, .letIn, .caughtUp,
            .foundingJudged, .rulingsStored, .rulingsNotStored:
            false
        default: true
        }
    }
}

extension Message {
    fileprivate var mayMovePulls: Bool {
        switch self {
        case .request, .cancelled, .acknowledged, .ping, .pong, .pieceListRequest, .vector, .vectorDifference,
            .vectorReply, .batches, .chainSample, .announced, .graft, .prune, .catalogDigest, .digests, .addresses,
            .summaries, .summaryDifferences, .summaryVersions, .fetching, .rulings, .seeds, .unknown:
            false
        case .hello, .presence, .presenceChanged, .partHeld, .refused, .pieceList, .farewell: true
        }
    }
}

/// What is to be done about it, in this order.
public enum EngineDirective: Hashable, Sendable {
    case send(LinkID, Message)
    /// Read the batches from the journal, and of the lists those that are there, and send them as one page.
    case sendPage(LinkID, [BatchID], lists: [BlobID], page: UInt64)
    /// Make or read a blob's piece list and send it.
    ///
    /// - Parameter fitting: The ``PieceList/listHash`` of each list that contributors name: one of these, where the blob has
    ///   it.
    case sendPieceList(LinkID, BlobID, fitting: [BlobID])
    /// `isWhole`: the piece is all of its blob, of which nothing is in staging. What comes is made durable under the blob's
    /// name at once: ``PieceOutcome/committed(_:)``.
    case request(LinkID, PieceRequest, isWhole: Bool)
    /// Drop what still arrives for a request, and tell the peer.
    case cancel(LinkID, number: UInt32)
    case serve(LinkID, PieceRequest)
    /// Serve a piece of a blob that is being received, from staging.
    case servePart(LinkID, PieceRequest)
    case cancelServe(LinkID, number: UInt32)
    /// Of what the link's peer asked for, originals of less precedence (``Engine/precedence(of:)``) wait until this comes
    /// again; 0 lets all go on.
    case yield(LinkID, to: UInt64)
    case close(LinkID, CloseReason)
    /// Make these durable in one transaction, in their order, and with them the replica that this device continues
    /// from now on, unless it is `nil`. There is one such at a time.
    case store([AcceptedBatch], ownReplica: ReplicaID?)
    /// Open the staging file of a blob of several pieces; to be answered by ``EngineInput/receivingBegan(_:held:)``.
    case beginReceiving(BlobID, byteCount: UInt64, PieceList)
    /// Close the blob's staging file and keep it.
    case closeStaging(BlobID)
    case commit(BlobID)
    case abandon(BlobID)
    case dial(Dial)
    /// A dial that is under way is of no use any longer; its outcome need not be told.
    case cancelDial(PeerKey)
    /// Keep an address of a device for the next run.
    case remember(DeviceID, PeerAddress)
    /// Keep what these devices hold (``Engine/holdingsRecord(of:)``) for the next run; to be answered by
    /// ``EngineInput/holdingsRemembered(_:)`` where this device itself is among them.
    case rememberHoldings([DeviceID])
    /// Make these rulings durable in one transaction, and with them the seeds of epochs that they begin. There is one such
    /// at a time; nobody is told of them before.
    case storeRulings([SignedStatement], seeds: [RulingID: Seed])
    /// Find out whether the phrase by which this home was entered is made of the founding and its seed, which fit each
    /// other. There is one such at a time.
    case judgeFounding(RulingID, Seed)
    case notify(EngineEvent)
}

/// What people and caches may want to know.
public enum EngineEvent: Hashable, Sendable {
    case peerConnected(DeviceID)
    case peerLost(DeviceID)
    /// Both know the same changes.
    case peerLevel(DeviceID)
    case catalogChanged(CatalogDifference)
    case blobHeld(BlobID)
    /// A contribution is durable; `album` is the one that it concerned.
    case contributed(token: UInt64, album: AlbumID?)
    /// It is not: the sentence says why.
    case contributionFailed(token: UInt64, String)
    /// A page that was carried here was looked at, and what was new in it is durable.
    case carried(token: UInt64, CarriedOutcome)
    /// This device's journal was behind what others have of it: it goes on as a new replica.
    case replicaRenewed
    /// Equal vectors and different albums: a bug, healed by a restart, which folds anew.
    case digestMismatch(DeviceID, [AlbumID])
    case peerRefused(DeviceID, CloseReason)
    case storageFailed(String)
    /// A decision of this device is durable.
    case ruled(token: UInt64)
    /// It may not decide that: the sentence says why.
    case rulingFailed(token: UInt64, String)
    /// More rulings or seeds are durable here, whoever made them: what admits others takes ``Engine/roll`` anew.
    case rulingsChanged
    /// Follows ``rulingsChanged`` where the newest epoch whose seed is held is another one than before, or who is out, or
    /// as far as which their batches count; or comes alone, where it turned out that some do not. The agent must begin anew,
    /// since no key changes under a running engine, nothing is unfolded, and no link to who is out may stay.
    case epochsChanged
}
