import AlbumModel
import SyncEngine

/// One laptop: a disk that lasts, and an agent that runs or does not.
struct SimulatedDevice {
    let index: Int
    let signing: any BatchSigning
    let id: DeviceID
    var disk = SimulatedDisk()
    /// `nil` while the agent is not running.
    var engine: Engine?
    /// Counts the runs of the agent: what was planned for an earlier one no longer happens.
    var life = 0
    var nextLink: UInt64 = 1
    /// Requests that were sent and whose data may come, by their numbers.
    var expected: [UInt32: (blob: BlobID, piece: Int)] = [:]
    /// Set while the disk refuses writes.
    var isDiskFull = false
    /// Connections of this run, by the engine's names for them: indexes into the network's.
    var connections: [LinkID: Int] = [:]
    /// This laptop's wall clock is ahead of the virtual time by so many microseconds.
    var wallOffset: Int64 = 0

    init(index: Int, signing: any BatchSigning) {
        self.index = index
        self.signing = signing
        id = BatchSignature.deviceID(publicKey: signing.publicKey)
    }

    var address: PeerAddress { PeerAddress(host: "10.0.0.\(index + 1)", port: 4000) }

    /// Starts the agent from what is on the disk.
    mutating func start(using random: inout SeededRandom) throws(BatchRefusal) {
        var fold = JournalFold()
        for row in disk.journal { try fold.add(row.signed, id: row.id, received: row.received) }
        engine = Engine(
            signing: signing, journal: fold, held: disk.blobs, holdings: HoldingsBook(), replica: disk.ownReplica,
            run: random.bytes(16), port: address.port)
        disk.sweep(wanted: Set(engine!.wantedBlobs))
        life += 1
        expected = [:]
        connections = [:]
    }

    mutating func crash(using random: inout SeededRandom) {
        engine = nil
        life += 1
        disk.crash(using: &random)
    }
}
