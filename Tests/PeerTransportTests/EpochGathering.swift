import AlbumModel
import Testing

@testable import PeerTransport

/// A gathering whose founder changed the phrase once: epoch 0 is the first one, epoch 1 the second.
struct EpochGathering {
    let founder = DeviceIdentity()
    /// Listed by the second epoch.
    let member = DeviceIdentity()
    /// Put out by it.
    let outsider = DeviceIdentity()
    private let founding = RulingID(content: [0])
    private let epoch = RulingID(content: [1])

    static let secrets: [GatheringSecrets] = [.test(10), .test(11)]

    func ruling(_ number: Int) -> RulingID { number == 0 ? founding : epoch }

    private func rulings(_ count: Int) -> [RulingID: Ruling] {
        let commitment = SeedCommitment(seed: [UInt8](repeating: 1, count: 32))
        let all = [
            founding: Ruling(
                authorKey: founder.publicKeyDER, after: [],
                kind: .founding(.init(recoveryKey: DeviceIdentity().publicKeyDER, commitment: commitment))),
            epoch: Ruling(
                authorKey: founder.publicKeyDER, after: [founding],
                kind: .epoch(
                    .init(
                        commitment: commitment, out: [.init(device: outsider.deviceID)],
                        members: [founder, member].map { MemberPrefix($0.deviceID) }.sorted()))),
        ]
        return count == 0 ? [:] : all.filter { count == 2 || $0.key == founding }
    }

    /// What a device has and knows.
    ///
    /// - Parameters:
    ///   - rulingCount: how many rulings it knows.
    ///   - epochs: whose phrases it has, the newest first; of those whose ruling it does not know, the phrase alone.
    func standing(rulingCount: Int, epochs: [Int]) -> AdmissionStanding {
        let held = epochs.map { number in
            Keyring.Epoch(ruling: number < rulingCount ? ruling(number) : nil, secrets: Self.secrets[number])
        }
        let proofs = [founder, member, outsider].map { ($0.deviceID, Set<EpochPrefix?>([nil])) }
        return AdmissionStanding(
            keyring: Keyring(newest: held[0], earlier: Array(held.dropFirst())),
            roll: Roll(
                rulings: rulings(rulingCount), proofs: rulingCount == 0 ? [:] : .init(uniqueKeysWithValues: proofs),
                lineage: Lineage()))
    }

    /// Whoever has all.
    var upToDate: AdmissionStanding { standing(rulingCount: 2, epochs: [1, 0]) }
    /// Was away.
    var behind: AdmissionStanding { standing(rulingCount: 1, epochs: [0]) }
    /// Was away, and somebody typed the new phrase.
    var joining: AdmissionStanding { standing(rulingCount: 1, epochs: [1, 0]) }
    /// Was away, and somebody typed a phrase that nobody else knows; its secrets are `GatheringSecrets.test(number)`.
    func typing(_ number: UInt8) -> AdmissionStanding {
        AdmissionStanding(
            keyring: Keyring(newest: .init(ruling: nil, secrets: .test(number)), earlier: behind.keyring.epochs),
            roll: behind.roll)
    }
    /// Has a phrase and knows nothing.
    func newcomer(_ epoch: Int) -> AdmissionStanding { standing(rulingCount: 0, epochs: [epoch]) }
}
