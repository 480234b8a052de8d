import WireFormat
import AlbumModel
import PotluckAPI
import SyncEngine

/// Whom each directive and each event concerns: on the host's actor, in the engine's order.
extension Services {
    func perform(_ directive: EngineDirective, on host: isolated EngineHost) {
        switch directive {
        case .send(let link, let message): network.send(message, link)
        case .sendPage(let link, let batches, let lists, let page):
            network.sendPage(.init(batches: batches, lists: lists, page: page), link)
        case .sendPieceList(let link, let blob, let hashes):
            network.sendPieceList(PieceListQuestion(blob: blob, fitting: hashes), link)
        case .request(let link, let request, let isWhole): network.request(request, isWhole: isWhole, link)
        case .cancel(let link, let number): network.cancel(number, link)
        case .serve(let link, let request):
            reading.noteServing(request)
            network.serve(request, from: nil, precedence: host.engine.precedence(of: request.blob), link)
        case .servePart(let link, let request):
            reading.noteServing(request)
            network.serve(
                request, from: staging.partial(request.blob), precedence: host.engine.precedence(of: request.blob), link
            )
        case .cancelServe(let link, let number): network.cancelServe(number, link)
        case .yield(let link, let precedence): network.yield(to: precedence, link)
        case .close(let link, let reason): network.close(link, reason)
        case .store(let batches, let replica): journal.store(batches, ownReplica: replica)
        case .storeRulings(let rulings, let seeds): journal.store(rulings, seeds: seeds)
        case .judgeFounding(let founding, let seed): journal.judge(founding, seed)
        case .beginReceiving(let blob, let byteCount, let list): staging.begin(blob, byteCount, list)
        case .closeStaging(let blob): staging.close(blob)
        case .commit(let blob): staging.commit(blob)
        case .abandon(let blob): staging.abandon(blob)
        case .dial(let dial): network.dial(dial)
        case .cancelDial(let key): network.cancelDial(key)
        case .remember(let device, let address): journal.remember(device, address)
        case .rememberHoldings(let devices): journal.rememberHoldings(devices)
        case .notify(let event): follow(event, on: host)
        }
    }

    private func follow(_ event: EngineEvent, on host: isolated EngineHost) {
        switch event {
        case .contributed(let token, let album): contributions.finish(token, .success(album))
        case .contributionFailed(let token, let reason):
            contributions.finish(token, .failure(PotluckError(.failed, reason)))
        case .ruled(let token): contributions.finish(token, .success(nil))
        case .rulingFailed(let token, let reason):
            contributions.finish(token, .failure(PotluckError(.failed, reason)))
        case .carried(let token, let outcome): contributions.finish(token, outcome)
        case .catalogChanged(let difference): follow(difference, on: host)
        case .blobHeld(let blob):
            staging.forget(blob)
            for album in host.engine.catalog.liveAlbums(of: blob) {
                folder.requestPlacement(PhotoKey(album: album, blob: blob))
                reading.consider(PhotoKey(album: album, blob: blob), on: host)
            }
        case .peerConnected(let device):
            network.saw(device)
            admissions.noteLinked()
        case .peerLost(let device): network.saw(device)
        case .storageFailed(let reason):
            problems.set(.storage, "What others share cannot be stored: \(reason)")
            contributions.noteFailure(reason)
        case .replicaRenewed:
            problems.note(.home, HomeLife.restored.sentence)
            journal.forgetReplica()
        case .peerLevel: network.peers.noteLevel()
        case .rulingsChanged, .epochsChanged: admissions.follow(on: host)
        case .digestMismatch, .peerRefused: break
        }
        announce(event, on: host)
    }

    private func follow(_ difference: CatalogDifference, on host: isolated EngineHost) {
        index.follow(difference)
        removal.follow(difference, on: host)
        folder.followNames(of: difference.albums, on: host)
        // Only those are put in order: of what streams in from others hardly anything is here.
        let here = { (photos: Set<PhotoKey>) in photos.filter { host.engine.held.contains($0.blob) }.sorted() }
        let changed = here(difference.photos)
        for key in changed { folder.requestPlacement(key) }
        folder.followNames(of: changed, on: host)
        let photos = difference.photos.union(difference.readPhotos)
        reading.forget(photos.lazy.filter { !host.engine.held.contains($0.blob) })
        for key in here(photos) { reading.consider(key, on: host) }
    }

    private func announce(_ event: EngineEvent, on host: isolated EngineHost) {
        let at = Instant(microsecondsSince1970: parts.clock.wall)
        news.tell(event, of: host, hub: hub, at: at)
        if hub.hasWatchers {
            let narrator = EventNarrator(engine: host.engine, at: at)
            for record in narrator.records(event) { hub.send(record) }
        }
        EventNarrator.log(event, to: parts.logger)
    }
}
