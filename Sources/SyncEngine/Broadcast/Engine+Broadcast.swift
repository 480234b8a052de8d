import AlbumModel
import WireFormat

extension Engine {
    mutating func toBroadcast(_ input: Broadcast.Input, now: MonotonicInstant) {
        for directive in broadcast.handle(input, log: log, now: now, using: &dice) {
            switch directive {
            case .push(let link, let batches, let replicas):
                perform(sessions[link]!.push(batches, replicas: replicas, log: log), link, now: now)
            case .graft(let link): perform(sessions[link]!.graft(log: log), link, now: now)
            case .prune(let link): emit(.send(link, .prune))
            }
        }
    }

    /// Offers batches that are durable now to all who may lack them.
    mutating func spread(_ batches: [AcceptedBatch], sources: [BatchID: LinkID], now: MonotonicInstant) {
        let replicas = Set(batches.map(\.batch.replica))
        let unsettled = Set(sessions.keys.filter { sessions[$0]!.isUnsettled(replicas) })
        toBroadcast(.stored(batches, sources: sources, unsettled: unsettled, isMeshPartial: isMeshPartial), now: now)
    }

    /// Links over which news is pushed, ordered.
    var treeLinks: [LinkID] { broadcast.treeLinks }
}
