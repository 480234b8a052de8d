import AlbumModel
import GRDB
import NIOCore
import PhotoStore
import PotluckAPI
import TestSupport
import Testing

@testable import PotluckAgent

/// The disk refuses what the index should learn: `status` says that lists may be out of date for as long as they are, and
/// what was refused is in them once there is room, without anything new.
@Suite(.timeLimit(.minutes(2))) struct RefusedIndexTests {
    private static let sentence = "Listings may be out of date"

    /// That a photo is here is a row of the store's, which nothing that is said in the gathering repeats.
    @Test func photosThatTheIndexRefusedAreListedLater() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home, retryInterval: .milliseconds(20)) { running in
                var configuration = Configuration()
                // The agent tries again and again, and may just be writing.
                configuration.busyMode = .timeout(10)
                let index = try DatabaseQueue(path: home + "/" + Index.fileName, configuration: configuration)
                try await index.write { database in
                    try database.execute(
                        sql: "CREATE TRIGGER full BEFORE INSERT ON blob BEGIN SELECT RAISE(ABORT, 'no room'); END")
                }
                _ = try await running.add([1, 2, 3], name: "a.jpg", to: "Beach")
                try await eventually("status says that lists may be wrong") {
                    .when(Self.isTold(running), "\(running.services.problems.all)")
                }
                try await index.write { try $0.execute(sql: "DROP TRIGGER full") }
                try await eventually("the photo is listed as here") {
                    let albums = try running.parts.index.albums()
                    return .when(albums.map(\.hereCount) == [1] && !Self.isTold(running), "\(albums)")
                }
            }
        }
    }

    private static func isTold(_ running: RunningAgent) -> Bool {
        running.services.problems.all.contains { $0.contains(sentence) }
    }
}
