import AlbumModel
import PeerTransport
import PhotoStore
import SyncEngine
import WireFormat

/// A home with its lock taken and its journal open, of which nothing is folded yet. Making one blocks.
struct EnteredHome {
    let path: String
    let lock: HomeLock
    let journal: Journal
    /// `nil` where no agent begins to run.
    let life: HomeLife?
    let membership: Membership

    /// Why a home is opened.
    enum Purpose {
        case listing
        /// An agent begins to run. `runsTwice`: its last run met another agent that has this home's key.
        case run(runsTwice: Bool)
    }

    /// - Throws: ``PotluckError``.
    init(home: String, waitMilliseconds: Int, for purpose: Purpose = .listing) throws {
        guard HomeSetup.hasGathering(home: home) else { throw HomeSetup.noGathering(home: home) }
        path = home
        lock = try HomeAccess.lock(home, waitMilliseconds: waitMilliseconds)
        Restore.removeLeftover(in: home)
        journal = try Journal(home: home)
        switch purpose {
        case .listing: life = nil
        case .run(let runsTwice):
            guard try journal.identity(.left) == nil else { throw HomeSetup.hasLeftError(home: home) }
            life = try HomeLife.begin(
                journal, now: JournalPlace(home: home), runsTwice: runsTwice,
                name: DeviceName.standard(besides: journal.identityText(.deviceName)))
        }
        guard let membership = try Membership.load(journal) else { throw HomeSetup.noGathering(home: home) }
        if case .run = purpose, let begun = membership.phrases.begun(wall: SystemClock().wall) {
            try journal.setFacts([begun])
            self.membership = try Membership.load(journal) ?? membership
        } else {
            self.membership = membership
        }
    }
}

/// A home with its lock taken: journal folded, index brought up to date, blobs counted. Making one blocks.
struct OpenHome {
    let lock: HomeLock
    let journal: Journal
    /// `nil` where no agent begins to run.
    let life: HomeLife?
    let membership: Membership
    /// What hosts decided, as far as it is known here.
    let rulings: RulingBook
    let index: Index
    let blobs: BlobStore
    let fold: JournalFold
    let holdings: HoldingsBook
    let lastSeen: [DeviceID: UInt64]
    let transfers: TransferChoices
    let removedPhotos: RemovedPhotos

    /// - Throws: ``PotluckError``.
    init(home: String, waitMilliseconds: Int, for purpose: EnteredHome.Purpose = .listing) throws {
        try self.init(EnteredHome(home: home, waitMilliseconds: waitMilliseconds, for: purpose))
    }

    init(_ entered: EnteredHome) throws {
        (lock, journal, life, membership) = (entered.lock, entered.journal, entered.life, entered.membership)
        let kept = try journal.rulings()
        rulings = RulingBook(kept.statements, seeds: kept.seeds, using: membership.signing)
        // The names of all blobs and what is remembered of them are read while the journal is folded.
        let store = Beside { [path = entered.path] in
            let index = try Index(home: path)
            return (index, try BlobStore(home: path, index: index))
        }
        do {
            (fold, removedPhotos) = try Self.fold(
                entered.journal, cuts: rulings.cuts(on: membership.identity.deviceID))
        } catch {
            // Nobody uses the home any more once it could not be opened.
            _ = try? store.wait()
            throw error
        }
        (index, blobs) = try store.wait()
        try index.follow(fold.catalog, log: fold.log)
        (holdings, lastSeen) = try Self.readHoldings(journal)
        transfers = try TransferChoices(journal)
    }

    /// Folds the journal.
    ///
    /// - Parameter cuts: as far as which the batches of laptops that are out count here.
    static func fold(_ journal: Journal, cuts: Cuts) throws -> (JournalFold, RemovedPhotos) {
        let (fold, removedPhotos) = try fill(JournalFold(cuts: cuts), of: journal)
        guard let corrected = fold.corrected else { return (fold, removedPhotos) }
        return try fill(corrected, of: journal)
    }

    /// Reads and decodes ahead meanwhile, a page at a time.
    private static func fill(_ empty: JournalFold, of journal: Journal) throws -> (JournalFold, RemovedPhotos) {
        var fold = empty
        var removedPhotos = try RemovedPhotos(journal)
        var ahead = Beside { try ReadPage(journal, after: 0) }
        while let page = try ahead.wait() {
            ahead = Beside { try ReadPage(journal, after: page.last) }
            do {
                for (batch, received) in page.batches {
                    let number = fold.log.batchCount
                    removedPhotos.note(try fold.add(batch, received: received), ofBatch: number)
                }
            } catch {
                _ = try? ahead.wait()
                throw error
            }
        }
        return (fold, removedPhotos)
    }

    /// A page of the journal, decoded.
    private struct ReadPage: Sendable {
        let batches: [(batch: ReadBatch, received: UInt64)]
        let last: Int64

        /// `nil` at the end.
        init?(_ journal: Journal, after number: Int64) throws {
            guard let page = try journal.page(after: number) else { return nil }
            batches = try page.batches.map { (try ReadBatch($0.batch, id: $0.id), $0.received) }
            last = page.last
        }
    }

    /// What the journal remembers of other devices.
    static func readHoldings(
        _ journal: Journal
    ) throws -> (holdings: HoldingsBook, lastSeen: [DeviceID: UInt64]) {
        var holdings = HoldingsBook()
        var lastSeen: [DeviceID: UInt64] = [:]
        for (key, value) in try journal.facts(.holdings) {
            guard let device = DeviceID(bytes: key), let memory = HoldingsMemory(bytes: value) else { continue }
            if memory.seenAt != 0 { lastSeen[device] = memory.seenAt }
            if let record = memory.record { holdings.remember(device, record) }
        }
        return (holdings, lastSeen)
    }

    /// The replica to go on with: none for a new home, and none where the home is not where it was when its replica was
    /// last continued.
    func replicaToContinue() throws -> ReplicaID? {
        try journal.identity(.replica).flatMap { ReplicaID(bytes: $0) }
    }

    func engine(replica: ReplicaID?, port: UInt16) -> Engine {
        var random = SystemRandomNumberGenerator()
        return Engine(
            signing: membership.signing, journal: fold, held: blobs.heldIDs, holdings: holdings,
            replica: replica, run: (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) },
            port: port, fetching: transfers.fetching, hidden: Set(removedPhotos.hidden.keys), rulings: rulings)
    }

    /// By which whoever comes is judged.
    var standing: AdmissionStanding {
        AdmissionStanding(
            keyring: membership.phrases.keyring, roll: RollEvidence(fold, using: membership.signing).roll(rulings))
    }

    /// Addresses of devices that were connected in earlier runs.
    func addresses() throws -> [(DeviceID, [PeerAddress])] { try journal.addresses() }
}
