import AlbumModel
import NIOPosix
import PhotoStore
import PotluckAPI
import SyncEngine
import Synchronization
import Testing

@testable import PotluckAgent

/// A change that comes while `potluck verify` looks at the index is no reason for an alarm.
@Suite(.timeLimit(.minutes(1))) struct VerifyRaceTests {
    /// A home in which a batch arrives just when the check asks for the second time what is known. The index follows when
    /// it is waited for.
    private final class ArrivingHome: CheckedHome {
        let path: String
        private let home: OpenHome
        private let engines: [Engine]
        private let looks = Mutex(0)

        init(path: String, home: OpenHome, engines: [Engine]) {
            (self.path, self.home, self.engines) = (path, home, engines)
        }

        var journal: Journal { home.journal }
        var index: Index { home.index }
        var blobs: BlobStore { home.blobs }
        var signing: DeviceSigning { home.membership.signing }
        var folderRoot: String? { nil }
        var folder: (any FolderFiles)? { nil }
        var isOffline: Bool { false }
        var engine: Engine {
            looks.withLock { looks in
                defer { looks += 1 }
                return engines[min(looks, engines.count - 1)]
            }
        }

        func noteUpkeep(_ sentence: String?) async {}
        func indexIsComplete() async {
            let engine = engines[min(looks.withLock { $0 - 1 }, engines.count - 1)]
            do {
                try index.follow(engine.catalog, log: engine.log)
            } catch {
                Issue.record(error)
            }
        }

        func rebuildIndex() async throws {}
        func lost(_ blob: BlobID) async {}
    }

    @Test func arrivalsAreNoAlarm() async throws {
        try await SmallHome.with(photos: 1) { small in
            try await small.opened { home in
                let before = home.engine(replica: try home.replicaToContinue(), port: 0)
                var after = before
                let album = try #require(before.catalog.albums.keys.first)
                try SmallHome.contribute(.tag(album, small.blobs[0], "sun"), to: &after, home)
                #expect(before.log.vector != after.log.vector)
                let arriving = ArrivingHome(path: small.path, home: home, engines: [before, after])
                var report = VerifyReport()
                try await HomeCheck(home: arriving, repair: false, pool: .singleton).run(&report)
                #expect(!report.findings.contains { $0.kind == .indexStale })
            }
        }
    }

    /// The journal has the first batches of a laptop that is not known yet.
    @Test func newcomersAreNoAlarm() async throws {
        try await SmallHome.with(photos: 1) { small in
            try await small.opened { home in
                let before = home.engine(replica: try home.replicaToContinue(), port: 0)
                var guest = Guest(home.membership)
                for name in ["Anna", "Anne"] {
                    let said = guest.say([.deviceNamed(name)])
                    let dot = said.dots[0]
                    try home.journal.append([
                        JournalBatch(
                            id: BatchSignature.batchID(said.signed.content), replica: dot.replica,
                            firstSequence: dot.sequence, lastSequence: dot.sequence, batch: said.signed,
                            received: SystemClock().wall)
                    ])
                }
                var check = JournalCheck(journal: home.journal, home: small.path)
                try check.checkBatches(before.log, home.membership.signing)
                #expect(check.findings.map(\.message) == [])
            }
        }
    }
}
