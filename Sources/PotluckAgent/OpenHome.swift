import AlbumModel
import PeerTransport
import PhotoStore
import SyncEngine
import WireFormat

/// A home with its lock taken: journal folded, index brought up to date, blobs counted. Making one blocks.
struct OpenHome {
    let lock: HomeLock
    let journal: Journal
    /// `nil` where no agent begins to run.
    let life: HomeLife?
    let membership: Membership
    let index: Index
    let blobs: BlobStore
    let fold: JournalFold
    let holdings: HoldingsBook
    let lastSeen: [DeviceID: UInt64]
    let transfers: TransferChoices
    let shelf: Shelf

    /// Why a home is opened.
    enum Purpose {
        case listing
        /// An agent begins to run. `runsTwice`: its last run met another agent that has this home's key.
        case run(runsTwice: Bool)
    }

    /// - Throws: ``PotluckError``.
    init(home: String, waitMilliseconds: Int, for purpose: Purpose = .listing) throws {
        guard HomeSetup.hasGathering(home: home) else { throw HomeSetup.noGathering(home: home) }
        lock = try HomeAccess.lock(home, waitMilliseconds: waitMilliseconds)
        Restore.removeLeftover(in: home)
        journal = try Journal(home: home)
        switch purpose {
        case .listing: life = nil
        case .run(let runsTwice):
            life = try HomeLife.begin(
                journal, now: JournalPlace(home: home), runsTwice: runsTwice,
                name: DeviceName.standard(besides: journal.identityText(.deviceName)))
        }
        guard let membership = try Membership.load(journal) else { throw HomeSetup.noGathering(home: home) }
        self.membership = membership
        var fold = JournalFold()
        var shelf = try Shelf(journal)
        try journal.forEachBatch { row in
            let number = fold.log.batchCount
            shelf.note(try fold.add(row.batch, id: row.id, received: row.received), ofBatch: number)
        }
        self.fold = fold
        self.shelf = shelf
        index = try Index(home: home)
        try index.follow(fold.catalog, log: fold.log)
        blobs = try BlobStore(home: home, index: index)
        (holdings, lastSeen) = try Self.readHoldings(journal)
        transfers = try TransferChoices(journal)
    }

    private static func readHoldings(
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
            signing: membership.signing, journal: fold, held: Set(blobs.held().keys), holdings: holdings,
            replica: replica, run: (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) },
            port: port, fetching: transfers.fetching, hidden: Set(shelf.hidden.keys))
    }

    /// Addresses of devices that were connected in earlier runs.
    func addresses() throws -> [(DeviceID, [PeerAddress])] { try journal.addresses() }
}
