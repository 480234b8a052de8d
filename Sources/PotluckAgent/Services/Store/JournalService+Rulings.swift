import AlbumModel
import Logging
import NIOPosix
import PeerTransport
import PhotoStore
import SyncEngine
import WireFormat

/// What hosts decided, and whether a founding fits the phrase that was typed here.
extension JournalService {
    /// Makes rulings durable, and the seeds that came with them; only then says so, and the engine tells them.
    ///
    /// - Parameter seeds: only of the epoch that this home's own phrase is of.
    func store(_ rulings: [SignedStatement], seeds: [RulingID: Seed]) {
        jobs.add { [host, parts] in
            do {
                try await parts.journalPool.perform { try parts.journal.keep(rulings, seeds: seeds) }
                await host.feed(.rulingsStored)
            } catch {
                await host.feed(.rulingsNotStored("\(error)"))
            }
        }
    }

    /// Tells the engine whether a founding is the one that this home's phrase was made of.
    func judge(_ founding: RulingID, _ seed: Seed) {
        jobs.add { [host, parts] in
            let fits: Bool
            do {
                fits = try await parts.commitPool.perform {
                    try InvitePhrase(seed: seed, ruling: founding).text == parts.journal.identityText(.phrase)
                }
            } catch {
                // Without memory, or with a journal that cannot be read now: the next connection tells it again.
                parts.logger.debug("founding not judged", metadata: ["error.message": "\(error)"])
                fits = false
            }
            await host.feed(.foundingJudged(founding, fits: fits))
        }
    }
}

extension Journal {
    fileprivate func keep(_ rulings: [SignedStatement], seeds: [RulingID: Seed]) throws {
        var facts = rulings.map { FactChange.ruling($0) }
        if !seeds.isEmpty, let secrets = try identity(.secrets).flatMap(GatheringSecrets.init(bytes:)) {
            facts += seeds.sorted { $0.key < $1.key }.map { FactChange.epoch($0, $1, secrets) }
        }
        try setFacts(facts)
    }
}
