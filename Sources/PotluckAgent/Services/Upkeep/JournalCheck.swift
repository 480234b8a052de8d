import AlbumModel
import PhotoStore
import PotluckAPI
import SyncEngine
import WireFormat

/// Looks through a journal: the file as SQLite sees it, and every batch as its author signed it. Blocks.
struct JournalCheck {
    private static let findingCountMax = 100

    let journal: Journal
    let home: String

    private(set) var findings: [VerifyReport.Finding] = []
    private(set) var batches = 0

    init(journal: Journal, home: String) {
        self.journal = journal
        self.home = home
    }

    mutating func checkFile() throws {
        for complaint in try journal.complaints() {
            add(.journalDamaged, message: "The journal \(journal.path) is damaged: \(complaint).")
        }
    }

    mutating func checkBatches(_ log: BatchLog, _ signing: DeviceSigning) throws {
        var found: [VerifyReport.Finding] = []
        var count = 0
        var laterKeys: [ReplicaID: [UInt8]] = [:]
        try journal.forEachBatch { row in
            count += 1
            // A laptop that is new since the log was asked: its first batch names its key.
            if log.author(of: row.replica) == nil, let proof = try? Batch(decoding: row.batch.content).proof {
                laterKeys[row.replica] = proof.publicKey
            }
            let key = log.author(of: row.replica).flatMap { log.publicKey(of: $0) } ?? laterKeys[row.replica]
            guard let fault = Self.fault(row, key, signing) else { return }
            found.append(
                VerifyReport.Finding(
                    .batchWrong, message: "In the journal, \(fault).", remedy: Self.remedy(home: home)))
        }
        batches = count
        findings += found.prefix(Self.findingCountMax)
    }

    private static func fault(_ row: JournalBatch, _ key: [UInt8]?, _ signing: DeviceSigning) -> String? {
        let name = "what a laptop wrote as number \(row.firstSequence) of its journal \(row.replica.hex.prefix(8))"
        guard BatchSignature.batchID(row.batch.content) == row.id else { return "\(name) is not as it was stored" }
        guard let key else { return "\(name) has no author" }
        let isSigned = signing.isSignature(row.batch.signature, over: BatchSignature.message(row.id), by: key)
        return isSigned ? nil : "the signature of \(name) is wrong"
    }

    private mutating func add(_ kind: VerifyReport.Kind, message: String) {
        findings.append(VerifyReport.Finding(kind, message: message, remedy: Self.remedy(home: home)))
    }

    /// A journal is never mended by guessing.
    static func remedy(home: String) -> String {
        "Copy \(home) somewhere else first. If there is a backup, `potluck restore DIR` makes a home of it. Otherwise move journal.sqlite, journal.sqlite-wal and journal.sqlite-shm out of the home and enter the gathering again with `potluck join PHRASE`: the photos here are used as they are, and the rest comes from the other laptops."
    }
}
