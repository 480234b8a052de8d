import AlbumModel
import FoundationEssentials
import NIOPosix
import PhotoStore
import PotluckAPI
import SyncEngine
import Synchronization
import Testing

@testable import PotluckAgent

/// Looks at all blobs that are stopped, gone on with, and that begin by themselves.
@Suite(.timeLimit(.minutes(1))) struct BlobRoundTests {
    /// What a stopped look keeps of itself is read as it was written; what another version wrote begins anew.
    @Test func statesAreKept() {
        var state = RoundState()
        #expect(RoundState(bytes: state.bytes) == state)
        (state.began, state.saved, state.finished) = (1, 2, 3)
        let blobs = (1...3).map { BlobID(bytes: [UInt8](repeating: $0, count: 32))! }
        state.passed(blobs[0], byteCount: 10, isWrong: true)
        state.passed(blobs[1], byteCount: 20, isWrong: false)
        #expect(RoundState(bytes: state.bytes) == state)
        #expect(state.isUnderWay && state.files == 2 && state.byteCount == 30 && state.wrong == [blobs[0]])
        #expect(RoundState(bytes: [2] + state.bytes.dropFirst()) == nil)
        #expect(RoundState(bytes: Array(state.bytes.dropLast())) == nil)
        for _ in 0...RoundState.wrongCountMax { state.passed(blobs[2], byteCount: 1, isWrong: true) }
        #expect(state.wrong.count == RoundState.wrongCountMax)
        for _ in 0..<3 { state.passed(blobs[2], byteCount: 1 << 63, isWrong: false) }
        #expect(state.byteCount == .max, "files of absurd sizes are no trap")
    }

    private static func idle(_ home: SmallHome, _ opened: OpenHome) -> IdleHome {
        IdleHome(
            path: home.path, home: opened, engine: opened.engine(replica: nil, port: 0), folderRoot: nil, shared: nil)
    }

    private static func withPool(_ body: (NIOThreadPool) async throws -> Void) async throws {
        let pool = NIOThreadPool.started(1)
        do {
            try await body(pool)
            try await pool.shutdownGracefully()
        } catch {
            try? await pool.shutdownGracefully()
            throw error
        }
    }

    /// A look that is stopped after each blob in turn reads every blob once, and still reports what its first part found.
    @Test func stoppedLooksGoOn() async throws {
        try await SmallHome.with(photos: 5) { home in
            try SmallHome.damage(home.file(of: try #require(home.blobs.min())))
            for _ in 1..<5 {
                await #expect(throws: CancellationError.self) { try await Self.look(home.path, stopsAfterOne: true) }
            }
            let report = try await Self.look(home.path, stopsAfterOne: false)
            #expect(report.findings.map(\.kind) == [.photoDamaged])
            #expect(report.files == 5)
            #expect(report.resumed == 4)
            // The next one is a new one.
            #expect(try await Self.look(home.path, stopsAfterOne: false).resumed == 0)
        }
    }

    /// In a task of its own, which ends as if a person had pressed Ctrl-C.
    private static func look(_ path: String, stopsAfterOne: Bool) async throws -> VerifyReport {
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await OfflineVerify.run(home: path, VerifyOrder(repair: false, restart: false)) { _ in
                    if stopsAfterOne { withUnsafeCurrentTask { $0?.cancel() } }
                }
            }
            return try #require(try await group.next())
        }
    }

    /// Nothing is due in a new home; after a week it is, what was damaged is mended, and the next is due a week later.
    @Test func scrubsComeOnceAWeek() async throws {
        try await SmallHome.with(photos: 3) { home in
            try await home.opened { opened in
                try await Self.withPool { pool in
                    let upkeep = Upkeep(home: Self.idle(home, opened), pool: pool)
                    let start = SystemClock().wall
                    func scrub(at wall: UInt64) async throws -> [VerifyReport.Finding]? {
                        try await ScrubService.scrubIfDue(upkeep, pace: .quick, wall: wall)
                    }
                    #expect(try await scrub(at: start) == nil)
                    #expect(try await scrub(at: start + ScrubService.interval - 1) == nil)
                    try SmallHome.damage(home.file(of: home.blobs[2]))
                    let findings = try await scrub(at: start + ScrubService.interval)
                    #expect(findings?.map(\.kind) == [.photoDamaged])
                    #expect(!opened.blobs.contains(home.blobs[2]))
                    let ended = try opened.journal.round(.scrub)
                    #expect(ended.finished >= start && !ended.isUnderWay)
                    #expect(try await scrub(at: ended.finished + 1) == nil)
                    // A clock that was set back puts nothing off for more than a week.
                    #expect(try await scrub(at: 1) == nil)
                    #expect(try opened.journal.round(.scrub).finished == 1)
                }
            }
        }
    }

    /// A home that keeps what it is to show.
    private final class NotingHome: CheckedHome {
        private let home: IdleHome
        private let noted = Mutex<[String?]>([])

        init(_ home: IdleHome) { self.home = home }

        /// What was to be shown since this was asked last.
        func takeNotes() -> [String?] {
            noted.withLock { noted in
                defer { noted = [] }
                return noted
            }
        }

        var path: String { home.path }
        var journal: Journal { home.journal }
        var index: Index { home.index }
        var blobs: BlobStore { home.blobs }
        var signing: DeviceSigning { home.signing }
        var folderRoot: String? { nil }
        var folder: (any FolderFiles)? { nil }
        var engine: Engine { home.engine }
        var isOffline: Bool { true }
        func indexIsComplete() async {}
        func rebuildIndex() async throws {}
        func lost(_ blob: BlobID) async {}
        func noteUpkeep(_ sentence: String?) async { noted.withLock { $0.append(sentence) } }
    }

    /// Once a look goes on that could not, nobody is told any longer that it cannot. Catches a sentence that stays until
    /// that look has ended, or for a week where none is due.
    @Test func looksThatGoOnEndTheProblem() async throws {
        try await SmallHome.with(photos: 2) { home in
            try await home.opened { opened in
                try await Self.withPool { pool in
                    let noting = NotingHome(Self.idle(home, opened))
                    let upkeep = Upkeep(home: noting, pool: pool)
                    let start = SystemClock().wall
                    func scrub(at wall: UInt64, afterFailure: Bool) async throws -> [VerifyReport.Finding]? {
                        try await ScrubService.scrubIfDue(
                            upkeep, pace: .quick, wall: wall, afterFailure: afterFailure)
                    }
                    #expect(try await scrub(at: start, afterFailure: true) == nil)
                    #expect(noting.takeNotes() == [nil], "nothing is due, so nothing waits")
                    #expect(try await scrub(at: start + ScrubService.interval, afterFailure: true) == [])
                    #expect(noting.takeNotes() == [nil, nil], "once at the first photo, once at the end")
                    let ended = try opened.journal.round(.scrub).finished
                    #expect(try await scrub(at: ended + ScrubService.interval, afterFailure: false) == [])
                    #expect(noting.takeNotes() == [nil], "what an earlier look left unread is shown until the end")
                }
            }
        }
    }

    /// A person's look that left nothing wrong stands for a weekly one.
    @Test func cleanLooksCountAsScrubs() async throws {
        try await SmallHome.with(photos: 2) { home in
            _ = try await home.verify()
            let finished = try Journal(home: home.path).round(.scrub).finished
            #expect(finished > 0)
            try SmallHome.damage(home.file(of: home.blobs[0]))
            _ = try await home.verify()
            #expect(try Journal(home: home.path).round(.scrub).finished == finished)
        }
    }
}
