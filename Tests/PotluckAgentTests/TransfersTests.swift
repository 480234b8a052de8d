import AlbumModel
import DiskIO
import FoundationEssentials
import Glibc
import PhotoStore
import PotluckAPI
import SyncEngine
import Testing

@testable import PotluckAgent

/// What a person decides about transfers, and what is left free of the disk.
@Suite struct TransfersTests {
    private func withJournal(_ body: (Journal) throws -> Void) throws {
        let home = FileManager.default.temporaryDirectory.appendingPathComponent("potluck-transfers-\(UUID())").path
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
        defer {
            // A leftover in /tmp is no reason to fail.
            try? FileManager.default.removeItem(atPath: home)
        }
        try body(Journal(home: home))
    }

    /// Amounts are read as people write them, and written so that they can be read.
    @Test func amountsAreRead() {
        let read: [(String, UInt64?)] = [
            ("0", 0), ("500", 500), ("500 kB", 500_000), ("1.5GB", 1_500_000_000), ("1 GiB", 1 << 30),
            ("2m", 2_000_000),
            ("", nil), ("GB", nil), ("1,5 GB", nil), ("-1", nil), ("1 XB", nil), ("1e9", nil), (".5 GB", nil),
            ("99999999 TB", nil),
        ]
        for (text, byteCount) in read { #expect(ByteAmount.parse(text) == byteCount, "\(text)") }
        let written: [(UInt64, String)] = [
            (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (1_073_741_824, "1.0 GB"), (9_950_000, "9.9 MB"),
            (12_600_000_000, "12 GB"), (999_999, "999 kB"),
        ]
        for (byteCount, text) in written { #expect(ByteAmount.text(byteCount) == text) }
    }

    /// A reserve is an amount, a share, or the greater of both; what is free beyond it is room.
    @Test func theReserveIsTheGreaterOfBoth() {
        let cases: [(String, UInt64?)] = [
            ("2 GB", 2_000_000_000), ("10%", 10_000_000_000), ("1 GB, 0.5%", 1_000_000_000), ("0", 0),
            ("1GB,5 %", 5_000_000_000), ("101%", nil), ("much", nil), ("1 GB, 5%, 3", nil), ("", nil), ("5%,", nil),
        ]
        for (text, byteCount) in cases {
            #expect(DiskReserve(parsing: text)?.byteCount(ofDisk: 100_000_000_000) == byteCount, "\(text)")
        }
        #expect(DiskReserve.standard.byteCount(ofDisk: 1 << 30) == 1 << 30)
        #expect(DiskReserve.standard.byteCount(ofDisk: 100 << 30) == 5 << 30)
        // A share of a large disk is no more than anybody needs; an amount is what a person said.
        for text in ["5%", "100%", "1 GB, 5%"] {
            #expect(DiskReserve(parsing: text)?.byteCount(ofDisk: 4_000_000_000_000) == 20 << 30, "\(text)")
        }
        #expect(DiskReserve(parsing: "50 GB, 5%")?.byteCount(ofDisk: 4_000_000_000_000) == 50_000_000_000)
        let reserve = DiskReserve(byteCount: 1000, percent: 0)
        #expect(DiskSpace(total: 10_000, free: 1500).room(keeping: reserve) == 500)
        #expect(DiskSpace(total: 10_000, free: 900).room(keeping: reserve) == 0)
        #expect(DiskSpace(path: "/tmp").map { $0.free <= $0.total && $0.total > 0 } == true)
        #expect(DiskSpace(path: "/nowhere at all") == nil)
    }

    /// A file system with absurd numbers, such as somebody's network disk, has as much as a number holds.
    @Test func absurdDisksHaveASize() {
        var status = statvfs()
        status.f_blocks = .max
        status.f_bavail = .max
        status.f_frsize = 4096
        let stat = FileSystemStat(status)
        let space = DiskSpace(total: stat.byteCount, free: stat.freeByteCount)
        #expect(space == DiskSpace(total: .max, free: .max))
        #expect(space.room(keeping: DiskReserve(byteCount: .max, percent: 0)) == 0)
        for percent in [50.0, 100.0] {
            #expect(space.room(keeping: DiskReserve(byteCount: 0, percent: percent)) == UInt64.max - 20 << 30)
        }
    }

    /// A limit is an amount a second that lets something through, or says that there is none.
    @Test func limitsAreRead() {
        let cases: [(String, LimitWord?)] = [
            ("off", .off), ("Default", .standard), ("500 kB", .rate(500_000)), ("2MB/s", .rate(2_000_000)),
            ("9 kB", nil), ("0", nil), ("fast", nil),
        ]
        for (text, word) in cases { #expect(LimitWord(parsing: text) == word, "\(text)") }
        for word in [LimitWord.off, .standard, .rate(20_000)] { #expect(LimitWord(rawValue: word.rawValue) == word) }
        #expect(LimitWord.standard.limit(7) == 7 && LimitWord.off.limit(7) == nil && LimitWord.rate(9).limit(7) == 9)
    }

    /// Choices are read from the journal as they were made, change by change, and what is taken back leaves nothing.
    @Test func choicesSurviveARestart() throws {
        try withJournal { journal in
            var choices = TransferChoices()
            func choose(_ body: (inout TransferChoices) -> Void) throws {
                var new = choices
                body(&new)
                try journal.setFacts(choices.changes(to: new))
                choices = new
                #expect(try TransferChoices(journal) == new)
            }
            let beach = AlbumName.identifier("Beach"), club = AlbumName.identifier("Club")
            let photo = PhotoKey(album: beach, blob: BlobID(bytes: [UInt8](repeating: 7, count: 32))!)
            try choose {
                $0.fetching[beach] = .none
                $0.fetching[club] = .own
                $0.isPaused = true
            }
            try choose {
                $0.fetching.asked.insert(photo)
                $0.up = .rate(500_000)
                $0.down = .off
            }
            try choose {
                $0.fetching[club] = .all
                $0.isPaused = false
            }
            #expect(choices.limits(TransferLimits(up: 1, down: 2)) == TransferLimits(up: 500_000, down: nil))
            try choose { $0 = TransferChoices() }
            for kind in [FactKind.policy, .fetch, .setting] { #expect(try journal.facts(kind).isEmpty) }
        }
    }

    /// What a later version wrote about originals is passed over: everything comes.
    @Test func unknownChoicesAreNone() throws {
        try withJournal { journal in
            let album = AlbumName.identifier("Beach")
            try journal.setFacts([
                FactChange(kind: .policy, key: album.bytes, value: Array("best".utf8)),
                FactChange(kind: .fetch, key: [1, 2, 3], value: [1]),
                FactChange(kind: .setting, key: Array("colour".utf8), value: Array("red".utf8)),
                FactChange(kind: .setting, key: Array("limit_up".utf8), value: Array("fast".utf8)),
            ])
            #expect(try TransferChoices(journal) == TransferChoices())
        }
    }
}
