import AlbumModel
import Logging
import NIOPosix
import PeerTransport
import PhotoStore
import SyncEngine
import Synchronization
import WireFormat

/// What hosts decided, and whether a founding fits the phrase that was typed here.
extension JournalService {
    /// Makes rulings durable, and the seeds that came with them; only then says so, and the engine tells them.
    func store(_ rulings: [SignedStatement], seeds: [RulingID: Seed]) {
        jobs.add { [self] in
            do {
                let typed = admissions.phrases.typed
                // What is written from here on, until the agent begins anew, does not take the replica up again.
                if admissions.phrases.joining != nil, !seeds.isEmpty { state.withLock { $0.isReplicaGivenUp = true } }
                let epochs = try await parts.commitPool.perform { [admissions] in
                    try seeds.sorted { $0.key < $1.key }.map { ruling, seed in
                        try NewEpoch(ruling, seed, admissions.secrets(of: ruling, seed), typed: typed)
                    }
                }
                let phrases = try await parts.journalPool.perform { [journal = parts.journal] in
                    try journal.keep(rulings, epochs)
                    return try journal.phrases()
                }
                if let phrases { admissions.note(phrases) }
                problems.note(.storage, nil)
                await host.feed(.rulingsStored)
            } catch {
                await host.feed(.rulingsNotStored("\(error)"))
            }
        }
    }

    /// Tells the engine whether a founding is the one that this home's phrase was made of.
    func judge(_ founding: RulingID, _ seed: Seed) {
        jobs.add { [host, admissions] in
            let fits = await admissions.isPending(seed, founding)
            await host.feed(.foundingJudged(founding, fits: fits))
        }
    }
}

/// An epoch whose seed has come, with what is made of its phrase.
struct NewEpoch: Sendable {
    let ruling: RulingID
    let seed: Seed
    let secrets: GatheringSecrets

    /// Blocks for about 200 ms, unless `secrets` are known.
    ///
    /// - Parameter typed: phrases of which it is known what was made.
    /// - Throws: when there is no memory for it.
    init(_ ruling: RulingID, _ seed: Seed, _ secrets: GatheringSecrets?, typed: [TypedPhrase]) throws {
        (self.ruling, self.seed) = (ruling, seed)
        if let secrets {
            self.secrets = secrets
            return
        }
        let phrase = try InvitePhrase(seed: seed, ruling: ruling)
        self.secrets = try typed.first { $0.phrase == phrase }?.secrets ?? GatheringSecrets(phrase)
    }
}

extension Journal {
    /// Keeps rulings and epochs in one transaction. Where one of these is what a person typed in a home that was behind,
    /// its next replica begins under it: whoever was not listed as a member is one by that.
    fileprivate func keep(_ rulings: [SignedStatement], _ epochs: [NewEpoch]) throws {
        var facts = rulings.map { FactChange.ruling($0) } + epochs.map { .epoch($0.ruling, $0.seed, $0.secrets) }
        let joining = try identity(.joining).flatMap(TypedPhrase.init(bytes:))
        if let joining, epochs.contains(where: { $0.secrets == joining.secrets }) {
            facts += [IdentityKey.joining, .phraseNews, .replica].map {
                FactChange(kind: .identity, key: $0.bytes, value: nil)
            }
        }
        try setFacts(facts)
    }

    /// `nil` where the home has no gathering.
    fileprivate func phrases() throws -> HeldPhrases? { try Membership.load(self)?.phrases }
}
