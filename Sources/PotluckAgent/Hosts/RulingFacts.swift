import AlbumModel
import PeerTransport
import PhotoStore
import SyncEngine
import WireFormat

extension FactKind {
    /// A ruling as it was signed; the key is its `RulingID`.
    static let ruling = FactKind(rawValue: "ruling")
    /// What the phrase of an epoch is made of, and what was made of the phrase; the key is the `RulingID` that begins the
    /// epoch.
    static let epoch = FactKind(rawValue: "epoch")
}

extension FactChange {
    private static let rulingVersion: UInt8 = 1

    static func ruling(_ ruling: SignedStatement) -> FactChange {
        FactChange(
            kind: .ruling, key: RulingID(content: ruling.content).bytes,
            value: [rulingVersion] + ruling.signature + ruling.content)
    }

    static func epoch(_ ruling: RulingID, _ seed: Seed, _ secrets: GatheringSecrets) -> FactChange {
        FactChange(kind: .epoch, key: ruling.bytes, value: seed.bytes + secrets.bytes)
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
        var seeds: [RulingID: Seed] = [:]
        for (key, value) in try facts(.epoch) {
            guard let ruling = RulingID(bytes: key), let seed = Seed(bytes: Array(value.prefix(Seed.byteCount)))
            else { continue }
            seeds[ruling] = seed
        }
        return (statements, seeds)
    }
}
