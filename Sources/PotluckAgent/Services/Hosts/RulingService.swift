import AlbumModel
import Logging
import NIOPosix
import PeerTransport
import PhotoStore
import PotluckAPI
import SyncEngine
import WireFormat

/// What hosts decide: kept in the journal before anybody is told, and of a joined home's founding, whether it fits the
/// phrase that was typed there.
final class RulingService: Sendable {
    private let host: EngineHost
    private let parts: AgentParts
    private let jobs: JobQueue

    init(host: EngineHost, parts: AgentParts, jobs: JobQueue) {
        self.host = host
        self.parts = parts
        self.jobs = jobs
    }

    /// Makes rulings durable, and the seeds that came with them.
    ///
    /// - Parameter seeds: only of the epoch that this home's own phrase is of.
    func store(_ rulings: [SignedStatement], seeds: [RulingID: Seed]) {
        jobs.add { [host, parts] in
            do {
                try await parts.journalPool.perform {
                    let secrets = try parts.journal.identity(.secrets).flatMap(GatheringSecrets.init(bytes:))
                    let epochs = seeds.sorted { $0.key < $1.key }.compactMap { ruling, seed in
                        secrets.map { FactChange.epoch(ruling, seed, $0) }
                    }
                    try parts.journal.setFacts(rulings.map { FactChange.ruling($0) } + epochs)
                }
                await host.feed(.rulingsStored)
            } catch {
                await host.feed(.rulingsNotStored("\(error)"))
            }
        }
    }

    /// Whether a founding is the one that this home's phrase was made of.
    func judge(_ founding: RulingID, _ seed: Seed) {
        jobs.add { [host, parts] in
            let fits: Bool
            do {
                fits = try await parts.commitPool.perform {
                    try InvitePhrase(seed: seed, ruling: founding).text == parts.journal.identityText(.phrase)
                }
            } catch {
                // Without memory, or with a journal that cannot be read now: the next link tells it again.
                parts.logger.debug("founding not judged", metadata: ["error.message": "\(error)"])
                fits = false
            }
            await host.feed(.foundingJudged(founding, fits: fits))
        }
    }
}
