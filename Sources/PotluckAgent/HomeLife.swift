import AlbumModel
import PeerTransport
import PhotoStore
import SharedFolder

/// What a home is, compared with the last time that an agent ran in it.
enum HomeLife: Hashable, Sendable {
    /// No agent ran in it before.
    case first
    case goesOn
    /// The file system has another number, as some have after each start of the machine; or it is a copy of it.
    case renumbered
    /// The journal is another file on the same machine: restored from a copy, or moved.
    case restored
    /// The home came from another machine, or runs on one too.
    case copied

    static func judge(last: JournalPlace?, now: JournalPlace, runsTwice: Bool) -> HomeLife {
        guard let last else { return .first }
        if runsTwice || now.isOnAnotherMachine(than: last) { return .copied }
        if now.inode != last.inode { return .restored }
        return now == last ? .goesOn : .renumbered
    }

    /// Judges, and notes what follows, before anything else is written: neither the numbers of a replica nor a device's
    /// key may be used in two places.
    ///
    /// - Parameters:
    ///   - runsTwice: another agent was met that has this home's key.
    ///   - name: what a copy calls itself.
    static func begin(
        _ journal: Journal, now: JournalPlace, runsTwice: Bool, name: String
    ) throws -> HomeLife {
        let last = try journal.identity(.journalStamp).flatMap(JournalPlace.init(bytes:))
        let life = judge(last: last, now: now, runsTwice: runsTwice)
        if life == .goesOn { return life }
        // In one transaction: at no moment does the new place go with the old replica or the old key.
        var facts = [
            FactChange(kind: .identity, key: IdentityKey.journalStamp.bytes, value: now.bytes),
            FactChange(kind: .identity, key: IdentityKey.replica.bytes, value: nil),
        ]
        // The journal may lack what was removed meanwhile, so files must not be added as if they were new. A journal that
        // knows no folder will look at the one that it is given.
        if life == .restored || life == .copied, try SharedFolder.isNamed(in: journal) {
            facts.append(SharedFolder.adoptionFact)
        }
        if life == .copied { facts += try newDevice(journal, name: name) }
        try journal.setFacts(facts)
        return life
    }

    /// A new key; the former one is kept until its word is in the journal.
    private static func newDevice(_ journal: Journal, name: String) throws -> [FactChange] {
        var facts = [
            FactChange(
                kind: .identity, key: IdentityKey.deviceKey.bytes, value: DeviceIdentity().rawPrivateKey),
            FactChange(kind: .identity, key: IdentityKey.deviceName.bytes, value: Array(name.utf8)),
        ]
        // A copy of a copy that has not said anything yet goes on from the first: nobody knows the one between.
        if try journal.identity(.formerKey) == nil {
            let key = try journal.identity(.deviceKey)
            facts.append(FactChange(kind: .identity, key: IdentityKey.formerKey.bytes, value: key))
        }
        return facts
    }

    /// What a person should know about it; `nil` for nothing.
    var sentence: String? {
        switch self {
        case .first, .goesOn, .renumbered: nil
        case .restored:
            "This home was restored from an older copy, or moved: it goes on under a new journal, and what it had forgotten comes back from the other laptops."
        case .copied:
            "This home and another laptop's are copies of each other: this laptop goes on as one of its own, under a new key. What was added before stays its own as well, and the other laptop loses nothing."
        }
    }
}
