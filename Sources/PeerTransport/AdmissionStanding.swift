public import AlbumModel

/// What a device knows of its gathering when it meets somebody: the phrases that it has, and who is in.
public struct AdmissionStanding: Sendable {
    public let keyring: Keyring
    public let roll: Roll

    public init(keyring: Keyring, roll: Roll) {
        self.keyring = keyring
        self.roll = roll
    }

    /// What is shown of the phrases. Whoever does not know the ruling of its newest one is told, before anything else.
    var held: HeldEpochs {
        let knowledge: HeldEpochs.Knowledge =
            if keyring.newest.ruling != nil { .ruling } else { roll.founder == nil ? .phraseAlone : .typed }
        return HeldEpochs(
            keyring.epochs.map { HeldEpochs.Epoch(ruling: $0.ruling, tag: $0.secrets.tag) }, knowledge)
    }

    /// Whether laptops of earlier versions are equals, which have the first phrase alone: as far as is known here that one
    /// lets everybody in.
    var isInFirstEpoch: Bool {
        guard let founding = roll.epochs.first else { return keyring.newest.ruling == nil }
        return keyring.newest.ruling == founding && roll.isOpen(founding)
    }
}
