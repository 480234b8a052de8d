import AlbumModel
import PotluckAPI
import SharedFolder
import Testing

@testable import PotluckAgent

/// Whether a laptop may leave, counted from what others said that they hold.
@Suite(.timeLimit(.minutes(1))) struct LeaveCheckTests {
    private typealias Made = ListedGathering

    private let beach = AlbumName.identifier("Beach day")
    private let club = AlbumName.identifier("Club")

    /// Grandma's laptop holds photos 1 to 3, of which Anna has 2 and 3, and Ben has 3 alone; 3 lies in two albums, and
    /// nobody but Anna has 4.
    private func gathering(_ body: (ReportBuilder) async throws -> Void) async throws {
        try await ListedGathering.with { gathering in
            var anna = gathering.person(1, "Anna")
            let ben = gathering.person(2, "Ben")
            gathering.say(
                &anna,
                [
                    .albumNamed(beach, name: "Beach day", replaces: []), .albumNamed(club, name: "Club", replaces: []),
                    Made.photo(beach, 1, "A.JPG"), Made.photo(beach, 2, "B.JPG"), Made.photo(beach, 3, "C.JPG"),
                    Made.photo(club, 3, "C.JPG"), Made.photo(club, 4, "D.JPG"),
                ])
            gathering.hold([1, 2, 3])
            gathering.tell(anna, holds: [2, 3, 4])
            gathering.tell(ben, holds: [3])
            try await body(gathering.listings)
        }
    }

    /// Each photo counts once, with the others that have it; what is not here is no concern of a laptop that leaves.
    @Test func copiesAreCounted() async throws {
        try await gathering { listings in
            let report = await listings.leaveCheck(others: 2, rate: nil)
            #expect(!report.safe)
            #expect(report.here == .init(photos: 3, bytes: 300))
            #expect(report.alone == .init(photos: 1, bytes: 100))
            #expect(report.short == .init(photos: 2, bytes: 200))
            #expect(report.photos.map(\.name) == ["A.JPG", "B.JPG"])
            #expect(report.photos.map(\.where) == [[], ["Anna"]])
            #expect(report.devices.map { "\($0.name) \($0.photos)" }.sorted() == ["Anna 2", "Ben 1"])
            #expect(
                report.albums == [
                    .init(id: beach.hex, name: "Beach day", here: 3, alone: 1, short: 2, othersMin: 0),
                    .init(id: club.hex, name: "Club", here: 1, alone: 0, short: 0, othersMin: 2),
                ])
            #expect(report.obstacles.count == 1 && report.obstacles[0].contains("potluck up"))
        }
    }

    /// With one other laptop asked for, only what is nowhere else is short; with three, nothing can be safe.
    @Test func theNumberOfOthersIsAsked() async throws {
        try await gathering { listings in
            #expect(await listings.leaveCheck(others: 1, rate: nil).short.photos == 1)
            let report = await listings.leaveCheck(others: 3, rate: nil)
            #expect(report.short.photos == 3 && report.blocked == 3)
        }
    }

    /// A running agent to which nobody is connected says so, and gives no time.
    @Test func companyIsMissed() async throws {
        try await gathering { listings in
            let running = listings.running
            let report = await running.leaveCheck(others: 2, rate: 1000)
            #expect(report.blocked == 2 && report.seconds == nil)
            #expect(report.obstacles[0].contains("no other laptop is connected"), "\(report.obstacles)")
            let more = await running.leaveCheck(others: 5, rate: 1000)
            #expect(more.obstacles[0].contains("only 2 other laptops"), "\(more.obstacles)")
        }
    }

    /// A film that lies in the folder and is not shared yet is on this laptop alone, and a folder that was not looked
    /// through may hold more: nobody is told that all is safe.
    @Test func filesThatAreNotSharedYetAreAlone() async throws {
        try await gathering { listings in
            let film = IncomingFiles(files: 1, bytes: 600_000_000, paths: ["Beach/film.mp4"], isScanComplete: true)
            let before = await listings.running.leaveCheck(others: 1, rate: 1000)
            let report = await listings.running(incoming: film).leaveCheck(others: 1, rate: 1000)
            #expect(!report.safe)
            #expect(report.alone.photos == before.alone.photos + 1)
            #expect(report.alone.bytes == before.alone.bytes + 600_000_000)
            #expect(report.incoming == StatusReport.Amount(photos: 1, bytes: 600_000_000))
            #expect(report.obstacles.contains { $0.contains("Beach/film.mp4") })
            let unseen = IncomingFiles(files: 0, bytes: 0, paths: [], isScanComplete: false)
            #expect(await !listings.running(incoming: unseen).leaveCheck(others: 1, rate: 1000).safe)
            let status = await listings.running(incoming: film).status(
                folder: nil, rate: nil, problems: [], skipped: nil, all: false)
            #expect(status.incoming == StatusReport.Amount(photos: 1, bytes: 600_000_000))
        }
    }

    /// Where the size of a file that is not shared yet is not known, reports say so, and no time is told that could be far
    /// too short.
    @Test func unknownSizesGiveNoTime() async throws {
        try await ListedGathering.with { gathering in
            var anna = gathering.person(1, "Anna")
            gathering.say(
                &anna, [.albumNamed(beach, name: "Beach day", replaces: []), Made.photo(beach, 2, "B.JPG")])
            gathering.hold([2])
            gathering.tell(anna, holds: [2])
            let listings = try gathering.listings
            var files = IncomingFiles(files: 3, bytes: 600_000_000, paths: ["1.mp4"], isScanComplete: true)
            let known = await listings.running(incoming: files).leaveCheck(others: 1, rate: 1_000_000)
            #expect(known.blocked == 0 && known.seconds == 601)
            #expect(known.short == .init(photos: 3, bytes: 600_000_000))
            // Nothing can leave before it is shared.
            var slow = listings.running(incoming: files)
            slow.incomingSeconds = 5000
            let later = await slow.leaveCheck(others: 1, rate: 1_000_000)
            #expect(later.seconds == 5000 && later.incomingSeconds == 5000 && known.incomingSeconds == nil)
            let status = await slow.status(folder: nil, rate: nil, problems: [], skipped: nil, all: false)
            #expect(status.incomingSeconds == 5000)
            files.unmeasured = 2
            let unknown = await listings.running(incoming: files).leaveCheck(others: 1, rate: 1_000_000)
            #expect(unknown.seconds == nil)
            let unshared = StatusReport.Amount(photos: 3, bytes: 600_000_000, unmeasured: 2)
            #expect(unknown.incoming == unshared && unknown.short == unshared && unknown.alone == unshared)
            #expect(unknown.here == .init(photos: 4, bytes: 600_000_100, unmeasured: 2))
        }
    }
}
