public import AlbumModel
import WireFormat

extension Engine {
    mutating func toStoring(_ input: Storing.Input, now: MonotonicInstant) {
        for directive in storing.handle(input, now: now, wall: wall, using: &dice) { perform(directive, now: now) }
    }

    private mutating func perform(_ directive: Storing.Directive, now: MonotonicInstant) {
        switch directive {
        case .store(let batches, let replica): emit(.store(batches, ownReplica: replica))
        case .close(let link, let reason): close(link, reason, now: now)
        case .broughtNothing(let link):
            toBroadcast(.broughtNothing(link, isMeshPartial: isMeshPartial), now: now)
        case .replicaRenewed: emit(.notify(.replicaRenewed))
        case .named(let blobs): toPresence(.named(blobs), now: now)
        case .succeeded(let former): toPresence(.succeeded(former), now: now)
        case .renamed(let blob, let claims):
            toPresence(.renamed(blob), now: now)
            toPull(.named(blob, claims: claims), now: now)
        case .successionsChanged: toPull(.succeeded, now: now)
        case .misjudged: emit(.notify(.epochsChanged))
        case .catalogChanged(let difference): emit(.notify(.catalogChanged(difference)))
        case .pageStored(let link, let page): toReconciliation(.pageStored(link, page: page), now: now)
        case .list(let blob, let list): toPull(.list(nil, blob, list), now: now)
        case .spread(let batches, let sources): spread(batches, sources: sources, now: now)
        case .held(let blob):
            toPresence(.held(blob), now: now)
            toPull(.added(blob), now: now)
        case .lacking(let blob): toPull(.lacking(blob), now: now)
        case .carried(let token, let outcome): emit(.notify(.carried(token: token, outcome)))
        case .contributed(let token, let album): emit(.notify(.contributed(token: token, album: album)))
        case .failed(let reason): emit(.notify(.storageFailed(reason)))
        }
    }

    // MARK: Questions

    /// The fold of all batches that are known, …
    public var catalog: Catalog { storing.catalog }

    /// … and these.
    public var log: BatchLog { storing.log }
}
