import AlbumModel
import Glibc
import PeerTransport
import PhotoStore
import SyncEngine
import WireFormat

/// A home with its lock taken: journal folded, index brought up to date, blobs counted. Making one blocks.
struct OpenHome {
    let lock: HomeLock
    let journal: Journal
    let membership: Membership
    let index: Index
    let blobs: BlobStore
    let fold: JournalFold
    let holdings: HoldingsBook
    let lastSeen: [DeviceID: UInt64]

    /// - Throws: ``PotluckError``.
    init(home: String, waitMilliseconds: Int) throws {
        guard HomeSetup.hasGathering(home: home) else { throw HomeSetup.noGathering }
        lock = try HomeAccess.lock(home, waitMilliseconds: waitMilliseconds)
        journal = try Journal(home: home)
        guard let membership = try Membership.load(journal) else { throw HomeSetup.noGathering }
        self.membership = membership
        var fold = JournalFold()
        try journal.forEachBatch { row in try fold.add(row.batch, id: row.id, received: row.received) }
        self.fold = fold
        index = try Index(home: home)
        try index.follow(fold.catalog, log: fold.log)
        blobs = try BlobStore(home: home, index: index)
        (holdings, lastSeen) = try Self.readHoldings(journal)
    }

    private static func readHoldings(
        _ journal: Journal
    ) throws -> (holdings: HoldingsBook, lastSeen: [DeviceID: UInt64]) {
        var holdings = HoldingsBook()
        var lastSeen: [DeviceID: UInt64] = [:]
        for (key, value) in try journal.facts(.holdings) {
            guard let device = DeviceID(bytes: key), let memory = HoldingsMemory(bytes: value) else { continue }
            if memory.seenAt != 0 { lastSeen[device] = memory.seenAt }
            guard let statement = memory.statement, let summary = try? PresenceSummary(decoding: statement.content)
            else { continue }
            holdings.remember(summary, statement, at: memory.saidAt)
        }
        return (holdings, lastSeen)
    }

    /// The replica to go on with: none for a new home, and none where the home is not where it was when its replica was
    /// last continued. A copied or restored home must not go on with numbers that the other copy uses too.
    func replicaToContinue(home: String) throws -> ReplicaID? {
        let stamp = try Self.journalStamp(home)
        if try journal.identity(.journalStamp) == stamp {
            return try journal.identity(.replica).flatMap { ReplicaID(bytes: $0) }
        }
        // In one transaction: at no moment does the new place go with the old replica.
        try journal.setFacts([
            FactChange(kind: .identity, key: IdentityKey.journalStamp.bytes, value: stamp),
            FactChange(kind: .identity, key: IdentityKey.replica.bytes, value: nil),
        ])
        return nil
    }

    private static func journalStamp(_ home: String) throws -> [UInt8] {
        let stat = try FileStat(path: home + "/" + Journal.fileName)
        return Array("\(machineID) \(stat.device) \(stat.inode)".utf8)
    }

    /// Empty where the system has none; device and inode still tell a copy.
    private static var machineID: String {
        guard let file = fopen("/etc/machine-id", "r") else { return "" }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 64)
        guard fgets(&line, Int32(line.count), file) != nil else { return "" }
        return String(decoding: line.prefix { $0 > 32 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func engine(replica: ReplicaID?, port: UInt16) -> Engine {
        var random = SystemRandomNumberGenerator()
        return Engine(
            signing: membership.signing, journal: fold, held: Set(blobs.held().keys), holdings: holdings,
            replica: replica, run: (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) },
            port: port)
    }

    /// Addresses of devices that were connected in earlier runs.
    func addresses() throws -> [(DeviceID, [PeerAddress])] {
        try journal.facts(.address).compactMap { key, value in
            guard let device = DeviceID(bytes: key) else { return nil }
            let lines = String(decoding: value, as: UTF8.self).split(separator: "\n")
            return (device, lines.compactMap { PeerAddress(parsing: String($0)) })
        }
    }
}
