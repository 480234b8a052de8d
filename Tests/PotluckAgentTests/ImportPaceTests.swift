import AlbumModel
import FolderEngine
import PotluckAPI
import SharedFolder
import Synchronization
import TestSupport
import Testing

@testable import PotluckAgent

/// How long it takes until what lies in the folder is shared.
@Suite(.timeLimit(.minutes(1))) struct ImportPaceTests {
    private static let start = MonotonicInstant(nanoseconds: 1_000_500_000_000)

    /// Ten files a second with 1 MB each, from one moment to another.
    private static func pace(from start: MonotonicInstant = start, seconds: Int) -> ImportPace {
        var pace = ImportPace()
        for tenth in 0...seconds * 10 { pace.count(byteCount: 1_000_000, now: start + .milliseconds(tenth * 100)) }
        return pace
    }

    /// Shows that the time left follows from the files that are left, and from their bytes where these take longer.
    @Test func theRestTakesAsLongAsFilesOrBytes() {
        let pace = Self.pace(seconds: 10)
        let now = Self.start + .seconds(10)
        #expect(pace.seconds(files: 2000, bytes: nil, now: now) == 200)
        #expect(pace.seconds(files: 2000, bytes: 100_000_000, now: now) == 200)
        #expect(pace.seconds(files: 20, bytes: 40_000_000_000, now: now) == 4000)
        #expect(pace.seconds(files: 20, bytes: .max, now: now) == 1_000_000_000)
    }

    /// Shows that nothing is said at first, at the end, and once nothing was done for half a minute. Catches a time that is
    /// told for files that only wait.
    @Test func nothingIsSaidOfNoPace() {
        #expect(ImportPace().seconds(files: 5, bytes: nil, now: Self.start) == nil)
        let brief = Self.pace(seconds: 2)
        #expect(brief.seconds(files: 5, bytes: nil, now: Self.start + .seconds(2)) == nil)
        let pace = Self.pace(seconds: 10)
        #expect(pace.seconds(files: 0, bytes: 0, now: Self.start + .seconds(10)) == nil)
        #expect(pace.seconds(files: 5, bytes: nil, now: Self.start + .seconds(30)) != nil)
        #expect(pace.seconds(files: 5, bytes: nil, now: Self.start + .seconds(41)) == nil)
    }

    /// Shows that only the last half minute counts, and that files after a long break begin anew. Catches a pace that is made
    /// slow by what was long ago.
    @Test func onlyTheLastHalfMinuteCounts() {
        var pace = Self.pace(seconds: 60)
        for second in 61...100 { pace.count(byteCount: 1, now: Self.start + .seconds(second)) }
        let left = pace.seconds(files: 100, bytes: nil, now: Self.start + .seconds(100))
        #expect(left.map { (98...102).contains($0) } == true, "\(left ?? 0)")
        let day = Self.start + .seconds(86_400)
        for tenth in 0...50 { pace.count(byteCount: 1, now: day + .milliseconds(tenth * 100)) }
        #expect(pace.seconds(files: 100, bytes: nil, now: day + .seconds(5)) == 10)
    }

    /// Shows that the pace is that of the folder's files that are shared, that were so already, and that are no photos, and
    /// that a status is asked of it.
    @Test func theFolderFeedsThePace() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let bridge = try FolderBridge(services: running.services, folderRoot: "/nonexistent")
                let folder = running.services.folder
                func seconds() -> UInt64? {
                    let later = running.parts.clock.now + .seconds(10)
                    return folder.state.withLock { $0.pace }.seconds(files: 100, bytes: nil, now: later)
                }
                await bridge.report(.stored(blobID([1]), byteCount: 10))
                #expect(seconds() == nil)
                await bridge.report(.stored(blobID([2]), byteCount: 10))
                let one = try #require(seconds())
                await bridge.report(.skipped(FolderEngine.SkippedFile(path: "a.txt", reason: "it is no photo")))
                let two = try #require(seconds())
                #expect(one >= 1000 && two < one)

                let files = IncomingFiles(files: 100, bytes: 1_000, paths: ["1.jpg"], isScanComplete: true)
                running.folder.setIncoming(files)
                folder.state.withLock { state in
                    state.pace = ImportPace()
                    state.pace.count(byteCount: 10, now: running.parts.clock.now - .seconds(10))
                    state.pace.count(byteCount: 10, now: running.parts.clock.now)
                }
                let status = try await running.control().status(skipped: false, all: false)
                #expect(status.incoming?.photos == 100 && (status.incomingSeconds ?? 0) >= 1000)
            }
        }
    }
}
