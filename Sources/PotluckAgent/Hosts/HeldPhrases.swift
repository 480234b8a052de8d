import AlbumModel
import PeerTransport
import PhotoStore
import PotluckAPI
import SyncEngine
import WireFormat

/// A phrase that a person typed here, and what scrypt made of it.
struct TypedPhrase: Hashable, Sendable {
    let phrase: InvitePhrase
    let secrets: GatheringSecrets

    init(_ phrase: InvitePhrase, _ secrets: GatheringSecrets) { (self.phrase, self.secrets) = (phrase, secrets) }

    /// Derives the secrets: blocks for about 100 ms.
    ///
    /// - Throws: when there is no memory for it.
    init(_ phrase: InvitePhrase) throws { self.init(phrase, try GatheringSecrets(phrase)) }

    /// As ``IdentityKey/joining`` keeps it.
    var bytes: [UInt8] { secrets.bytes + Array(phrase.text.utf8) }

    init?(bytes: [UInt8]) {
        guard let secrets = GatheringSecrets(bytes: Array(bytes.prefix(GatheringSecrets.byteCount))),
            let phrase = try? InvitePhrase(
                parsing: String(decoding: bytes.dropFirst(GatheringSecrets.byteCount), as: UTF8.self))
        else { return nil }
        self.init(phrase, secrets)
    }
}

/// The phrases that a home has: the one that it entered by, those of epochs that it was told, and one that was typed later.
struct HeldPhrases: Sendable {
    /// An epoch whose seed is here.
    struct Epoch: Sendable {
        let ruling: RulingID
        let seed: Seed
        let secrets: GatheringSecrets
        /// When an agent first ran with the epoch as its newest, in microseconds since 1970; `nil` before.
        let since: UInt64?

        /// Blocks for about 100 ms.
        ///
        /// - Throws: when there is no memory for it.
        func phrase() throws -> InvitePhrase { try InvitePhrase(seed: seed, ruling: ruling) }
    }

    let entry: TypedPhrase
    /// Typed in a home that is behind, until a laptop was met that knows its epoch.
    let joining: TypedPhrase?
    /// Valid ones, the newest first; and after them those that do not count, under which somebody may have begun to sign.
    let epochs: [Epoch]
    /// The epoch that the gathering began with; `nil` where the founding is not known.
    let founding: RulingID?
    /// The epoch that members use, as far as is known here; `nil` where the founding is not known.
    let inForce: RulingID?
    /// What another laptop said of the newest, until one is linked.
    let news: PhraseNews?

    /// - Throws: what the journal throws.
    init(_ journal: Journal, entry: TypedPhrase) throws {
        self.entry = entry
        news = try journal.identityText(.phraseNews).flatMap(PhraseNews.init(rawValue:))
        joining = try journal.identity(.joining).flatMap(TypedPhrase.init(bytes:))
        let rulings = try journal.rulings().statements.map {
            (RulingID(content: $0.content), try? Ruling(decoding: $0.content))
        }
        let readable = Dictionary(rulings) { first, _ in first }.compactMapValues { $0 }
        let roll = Roll(rulings: readable, proofs: [:], lineage: Lineage())
        let held = try journal.heldEpochs()
        let valid = roll.newestFirst(Set(held.keys))
        epochs = (valid + Set(held.keys).subtracting(valid).sorted()).map { held[$0]! }
        (founding, inForce) = (roll.epochs.first, roll.inForce)
    }

    /// Members use an epoch whose seed is not here.
    var isBehind: Bool { inForce != nil && epochs.first?.ruling != inForce }

    /// Notes that an agent begins with the newest epoch, the first time that it does: whoever is linked after that has the
    /// phrase, too. `nil` where there is nothing to note.
    func begun(wall: UInt64) -> FactChange? {
        guard let newest = epochs.first, newest.since == nil, newest.ruling != founding else { return nil }
        return .epoch(newest, since: wall)
    }

    /// Of the newest epoch whose seed is here; of the phrase of entry without any.
    var newestHeld: GatheringSecrets { epochs.first?.secrets ?? entry.secrets }

    /// The one that was typed last first.
    var typed: [TypedPhrase] { [joining, entry].compactMap { $0 } }

    /// What was typed and is of no epoch that is known.
    var pending: [TypedPhrase] { typed.filter { typed in !epochs.contains { $0.secrets == typed.secrets } } }

    var keyring: Keyring {
        let named = epochs.map { Keyring.Epoch(ruling: $0.ruling, secrets: $0.secrets) }
        let pending = pending
        func unnamed(_ typed: [TypedPhrase]) -> [Keyring.Epoch] {
            typed.map { Keyring.Epoch(ruling: nil, secrets: $0.secrets) }
        }
        // What was typed later counts before what was told: it is why the person typed it. The phrase of entry may be of an
        // epoch that does not count any more.
        let all = unnamed(pending.filter { $0 == joining }) + named + unnamed(pending.filter { $0 != joining })
        return Keyring(newest: all[0], earlier: Array(all.dropFirst()))
    }

    /// What is wrong, as the rulings have it, in a sentence; `nil` for nothing.
    func problem(_ roll: Roll) -> String? {
        if roll.inForce.map({ !roll.isOpen($0) }) == true { return Self.closedSentence }
        if joining != nil, pending.first == joining {
            return "The new phrase was typed in; this laptop waits for one that has it, too."
        }
        return isBehind ? "The phrase has changed; this laptop gets it from the next one that has it." : nil
    }

    /// Asks whether a newcomer is to be told ``newest()``.
    ///
    /// - Throws: where it would let nobody in, as far as is known here.
    func checkInvites() throws(PotluckError) {
        guard joining == nil, isBehind else { return }
        throw PotluckError(
            .tryAgain,
            "The phrase has changed, and this laptop does not have the new one yet. Ask for it on another one: `potluck invite`."
        )
    }

    static let closedSentence =
        "The phrase was changed twice at one time. Nobody new gets in until a host says `potluck new-phrase`."

    /// Whether a phrase is one that was typed here, or of the newest epoch. May block for about 100 ms.
    func has(_ phrase: InvitePhrase) throws(PotluckError) -> Bool {
        if typed.contains(where: { $0.phrase == phrase }) { return true }
        return try HomeSetup.reading { try epochs.first?.phrase() } == phrase
    }

    /// What is to be kept where a person types a phrase in a home that has a gathering; nothing where all stays as it is.
    /// May block for about 200 ms.
    ///
    /// - Parameter isMeant: the person, other laptops or hosts say that the phrase has changed.
    /// - Throws: where they do not, and the phrase is not known here.
    func facts(typing phrase: InvitePhrase, isMeant: Bool) throws(PotluckError) -> [FactChange] {
        if try has(phrase) {
            // Another one that was typed before is not meant any longer.
            return joining == nil || joining?.phrase == phrase ? [] : FactChange.joiningForgotten
        }
        guard isMeant else { throw HomeSetup.otherGatheringError }
        return FactChange.joining(try HomeSetup.reading { try TypedPhrase(phrase) })
    }

    /// The phrase that lets others in. Blocks for about 100 ms where it was never typed here.
    ///
    /// - Throws: when there is no memory for it.
    func newest() throws -> InvitePhrase {
        let secrets = keyring.newest.secrets
        if let typed = typed.first(where: { $0.secrets == secrets }) { return typed.phrase }
        return try epochs[0].phrase()
    }
}
