import AlbumModel
import Crypto
import WireFormat

extension Engine {
    mutating func received(_ message: Message, _ link: LinkID, now: MonotonicInstant) {
        // In place: a session may hold a long queue, which a copy would double at every message.
        guard let outcome = sessions[link]?.received(message, log: log, own: replica, now: now) else { return }
        perform(outcome, link, now: now)
    }

    mutating func perform(_ outcome: [PeerSession.Directive], _ link: LinkID, now: MonotonicInstant) {
        for directive in outcome { perform(directive, link, now: now) }
    }

    private mutating func perform(_ directive: PeerSession.Directive, _ link: LinkID, now: MonotonicInstant) {
        switch directive {
        case .send(let message): emit(.send(link, message))
        case .sendPage(let ids, let page):
            emit(.sendPage(link, ids, lists: intake.listsToPush(ids), page: page))
        case .store(let page):
            if !intake.append(page, from: link) { close(link, .unexpectedMessage, now: now) }
            if PlantedFault.isPlanted(.acknowledgedBeforeDurable), let session = sessions[link] {
                perform(session.pageStored(page.page), link, now: now)
            }
        case .greeted(let hello):
            toPresence(.greeted(link, hello), now: now)
            greeted(link, hello, now: now)
        case .deliver(let message): deliver(message, link, now: now)
        case .caughtUp: sessions[link]!.outbox.isDigestDue = true
        case .levelWithPeer:
            sessions[link]!.outbox.isDigestDue = true
            emit(.notify(.peerLevel(sessions[link]!.device)))
        case .exchanged(let vector, let isPeers):
            toBroadcast(.compared(link, isPeersVector: isPeers), now: now)
            sharedVectors.keep(vector, of: sessions[link]!.device)
        case .ownReplicaDiverged(let diverged):
            // Somebody has changes of this replica that this journal does not: it was restored from a backup.
            guard replica == diverged, !PlantedFault.isPlanted(.forkedReplicaContinued) else { return }
            replica = nil
            emit(.notify(.replicaRenewed))
        case .close(let reason):
            toMembership(.closing(link, reason), now: now)
            toBroadcast(.closing(link), now: now)
            toPresence(.closing(link), now: now)
            toPull(.closing(link), now: now)
            emit(.close(link, reason))
            if let device = sessions[link]?.device, reason.isPeersFault {
                emit(.notify(.peerRefused(device, reason)))
            }
        }
    }

    /// A message that is not about batches.
    private mutating func deliver(_ message: Message, _ link: LinkID, now: MonotonicInstant) {
        switch message {
        case .announced(let entries): toBroadcast(.announced(link, entries), now: now)
        case .graft: toBroadcast(.grafted(link), now: now)
        case .prune: toBroadcast(.pruned(link), now: now)
        case .presence(let presence, let counter):
            toPresence(.told(link, presence, counter: counter), now: now)
        case .presenceChanged(let change): toPresence(.changed(link, change), now: now)
        case .partHeld(let part): toPull(.part(link, part), now: now)
        case .request(let request): toPull(.requested(link, request), now: now)
        case .refused(let number, let isPassing):
            toPull(.refused(link, number: number, isPassing: isPassing), now: now)
        case .cancelled(let number): toPull(.cancelled(link, number: number), now: now)
        case .pieceListRequest(let blob): toPull(.listRequested(link, blob), now: now)
        case .pieceList(let blob, let list): toPull(.list(link, blob, list), now: now)
        case .catalogDigest(let root, let vectorHash):
            compare(root, at: vectorHash, link)
            toPresence(.level(link), now: now)
        case .digests(let digests, let vectorHash): compare(digests, at: vectorHash, link)
        case .addresses(let statements): addressesArrived(statements, link, now: now)
        case .summaries(let statements):
            toPresence(.summaries(link, statements, tree: treeLinks), now: now)
        case .summaryDifferences(let differences):
            toPresence(.summaryDifferences(link, differences, tree: treeLinks), now: now)
        case .summaryVersions(let versions): toPresence(.asked(link, versions), now: now)
        case .fetching(let notice): toPull(.fetching(link, notice), now: now)
        default: break
        }
    }

    // MARK: Digests

    private func isComparable(_ link: LinkID) -> Bool {
        sessions[link]?.hello?.foldLevel == UInt32(Catalog.level) && catalog.albums.count <= WireLimits.digestCountMax
    }

    mutating func catalogDigest(_ link: LinkID) -> Message {
        .catalogDigest(root: isComparable(link) ? digestRoot : [], vectorHash: vectorHash)
    }

    var albumDigests: [AlbumDigest] {
        catalog.albums.values.sorted { $0.id < $1.id }.map { AlbumDigest(album: $0.id, digest: $0.digest) }
    }

    private var digestRoot: [UInt8] {
        mutating get {
            refreshDigests()
            if let root = digests.root { return root }
            var hasher = SHA256()
            for digest in albumDigests {
                hasher.update(data: digest.album.bytes)
                hasher.update(data: digest.digest)
            }
            digests.root = Array(hasher.finalize())
            return digests.root!
        }
    }

    /// What digests were taken of: at another vector they say nothing.
    var vectorHash: [UInt8] {
        mutating get {
            refreshDigests()
            if digests.vectorHash.isEmpty {
                digests.vectorHash = Array(SHA256.hash(data: log.vector.encoded()))
            }
            return digests.vectorHash
        }
    }

    private mutating func refreshDigests() {
        if digests.batchCount != log.batchCount { digests = Digests(batchCount: log.batchCount) }
    }

    private mutating func compare(_ root: [UInt8], at theirHash: [UInt8], _ link: LinkID) {
        guard theirHash == vectorHash else { return }
        emit(.notify(.peerLevel(sessions[link]!.device)))
        guard isComparable(link), !root.isEmpty, root != digestRoot else { return }
        sessions[link]!.outbox.areDigestsDue = true
    }

    private mutating func compare(_ digests: [AlbumDigest], at theirHash: [UInt8], _ link: LinkID) {
        guard let session = sessions[link], isComparable(link), theirHash == vectorHash else { return }
        let theirs = Dictionary(digests.map { ($0.album, $0.digest) }) { first, _ in first }
        let all = Set(theirs.keys).union(catalog.albums.keys)
        let wrong = all.filter { theirs[$0] != catalog.albums[$0]?.digest }
        guard !wrong.isEmpty else { return }
        emit(.notify(.digestMismatch(session.device, wrong.sorted())))
    }
}

/// What was computed of all that is known, for as long as nothing is added: whoever asks again costs nothing.
struct Digests: Sendable {
    var batchCount = -1
    var vectorHash: [UInt8] = []
    var root: [UInt8]?
}
