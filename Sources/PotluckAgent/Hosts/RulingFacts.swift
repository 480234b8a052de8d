import AlbumModel
import PeerTransport
import PhotoStore
import SyncEngine
import WireFormat

extension FactKind {
    /// A ruling as it was signed; the key is its `RulingID`.
    static let ruling = FactKind(rawValue: "ruling")
    /// What the phrase of an epoch is made of, what was made of the phrase, and since when an agent runs with it; the key is
    /// the `RulingID` that begins the epoch.
    static let epoch = FactKind(rawValue: "epoch")
}

extension FactChange {
    private static let rulingVersion: UInt8 = 1

    static func ruling(_ ruling: SignedStatement) -> FactChange {
        FactChange(
            kind: .ruling, key: RulingID(content: ruling.content).bytes,
            value: [rulingVersion] + ruling.signature + ruling.content)
    }

    /// A phrase that was typed in a home that is behind.
    static func joining(_ typed: TypedPhrase) -> [FactChange] {
        [
            FactChange(kind: .identity, key: IdentityKey.joining.bytes, value: typed.bytes),
            FactChange(kind: .identity, key: IdentityKey.phraseNews.bytes, value: nil),
        ]
    }

    /// Such a phrase is not meant any longer.
    static var joiningForgotten: [FactChange] {
        [FactChange(kind: .identity, key: IdentityKey.joining.bytes, value: nil)]
    }

    /// - Parameter since: as ``HeldPhrases/Epoch/since``; 8 more bytes.
    static func epoch(
        _ ruling: RulingID, _ seed: Seed, _ secrets: GatheringSecrets, since: UInt64? = nil
    ) -> FactChange {
        FactChange(
            kind: .epoch, key: ruling.bytes,
            value: seed.bytes + secrets.bytes + (since.map { BigEndian.bytes($0) } ?? []))
    }

    /// The epoch with the time since when an agent runs with it.
    static func epoch(_ epoch: HeldPhrases.Epoch, since: UInt64) -> FactChange {
        .epoch(epoch.ruling, epoch.seed, epoch.secrets, since: since)
    }

    /// `nil` for what ``ruling(_:)`` did not make.
    fileprivate static func ruling(of fact: [UInt8]) -> SignedStatement? {
        let content = 1 + DeviceIdentity.signatureByteCount
        guard fact.count > content, fact[0] == rulingVersion else { return nil }
        return SignedStatement(content: Array(fact[content...]), signature: Array(fact[1..<content]))
    }
}

extension Journal {
    /// The rulings that were kept, and the seeds of their epochs.
    ///
    /// What cannot be read is passed over: it is told again by whoever has it.
    func rulings() throws(StoreError) -> (statements: [SignedStatement], seeds: [RulingID: Seed]) {
        let statements = try facts(.ruling).compactMap { FactChange.ruling(of: $0.value) }
        return (statements, try heldEpochs().mapValues(\.seed))
    }

    /// Epochs whose seeds are here, whatever became of them.
    func heldEpochs() throws(StoreError) -> [RulingID: HeldPhrases.Epoch] {
        var epochs: [RulingID: HeldPhrases.Epoch] = [:]
        for (key, value) in try facts(.epoch) {
            let secretsEnd = Seed.byteCount + GatheringSecrets.byteCount
            guard let ruling = RulingID(bytes: key), value.count >= secretsEnd,
                let seed = Seed(bytes: Array(value[..<Seed.byteCount])),
                let secrets = GatheringSecrets(bytes: Array(value[Seed.byteCount..<secretsEnd]))
            else { continue }
            let since = value.count == secretsEnd + 8 ? BigEndian.word(value[secretsEnd...]) : nil
            epochs[ruling] = HeldPhrases.Epoch(ruling: ruling, seed: seed, secrets: secrets, since: since)
        }
        return epochs
    }
}
