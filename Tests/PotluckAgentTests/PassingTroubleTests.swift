import AlbumModel
import Glibc
import NIOCore
import PhotoStore
import SyncEngine
import Synchronization
import TestSupport
import Testing
import WireFormat

@testable import PotluckAgent

/// What a disk or a peer refuses for a while: once that has passed, nothing stays behind.
@Suite(.timeLimit(.minutes(1))) struct PassingTroubleTests {
    /// The store has lost a photo while the disk is too full for its bytes to be taken from the folder again: they are taken
    /// once there is room. Catches an attempt that nothing repeats before the next start.
    @Test func lostBytesAreTakenFromTheFolderLater() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home, retryInterval: .milliseconds(20)) { running in
                let key = try await running.add(SamplePhoto.jpeg(1), name: "1.jpg", to: "Beach")
                try #require(unlink(running.parts.blobs.path(of: key.blob)) == 0)
                await running.services.recovery.examine(key.blob)
                let isMissed = await running.services.host.ask { !$0.held.contains(key.blob) }
                #expect(isMissed)
                let taken = try running.parts.blobs.ingest(bytes: SamplePhoto.jpeg(1))
                #expect(taken == key.blob)
                running.folder.setGivenBack([key.blob])
                try await eventually("the folder is asked again", within: .seconds(10)) {
                    .when(await running.services.host.ask { $0.held.contains(key.blob) }, "it is still missed")
                }
            }
        }
    }

    /// The disk refused a ruling, and takes it later: nobody is told any longer that it refuses. Catches a sentence that
    /// only the next batch ends, which may not come for days.
    @Test func aStoredRulingEndsTheProblem() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let problems = running.services.problems
                problems.set(.storage, "What others share cannot be stored: the disk is full.")
                running.services.journal.store([], seeds: [:])
                try await eventually("the problem ends", within: .seconds(10)) {
                    .when(problems.all.isEmpty, "\(problems.all)")
                }
            }
        }
    }

    /// A disk does not give back a photo's bytes for a while: nobody is told that the photo is damaged. A process's own memory
    /// stands for a file that cannot be read. Catches a problem that is told for good whatever the disk says, and photos
    /// without one that are hashed once more.
    @Test func whatTheDiskRefusesIsNoProblemOfThePhoto() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let key = try await running.add(SamplePhoto.jpeg(1), name: "1.jpg", to: "Beach")
                let file = running.parts.blobs.path(of: key.blob)
                var facts = PhotoFacts(readerVersion: 1, kind: .photo)
                try #require(rename(file, home + "/away") == 0)
                try #require(symlink("/proc/self/mem", file) == 0)
                #expect(await running.services.reading.isReliable(facts, of: key.blob))
                facts.problem = "It cannot be read: it is damaged or cut short."
                #expect(await !running.services.reading.isReliable(facts, of: key.blob))
                try #require(unlink(file) == 0)
                try #require(rename(home + "/away", file) == 0)
                #expect(await running.services.reading.isReliable(facts, of: key.blob))
            }
        }
    }

    /// A peer refuses a piece that was asked of another one: that one's answer is still expected. Catches a refusal that
    /// counts whoever sends it.
    @Test func onlyWhoWasAskedRefuses() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let network = running.services.network
                let (asked, other) = (LinkID(number: 901), LinkID(number: 902))
                let request = PieceRequest(
                    number: 7, blob: blobID([1]), piece: 0, byteCount: 1, blobClass: .original)
                network.state.withLock { $0.expected[7] = (asked, request, isWhole: true) }
                let refusal = NetworkService.Arrival.message(.refused(number: 7, isPassing: false))
                await network.take([refusal], from: other, on: running.services.host)
                #expect(network.state.withLock { $0.expected[7]?.link } == asked)
                await network.take([refusal], from: asked, on: running.services.host)
                #expect(network.state.withLock { $0.expected[7] == nil })
            }
        }
    }

    /// Catches a folder that is asked all day long for what it does not have, and two attempts at one time.
    @Test func attemptsBecomeRare() {
        var retry = RecoveryRetry(interval: .seconds(10))
        var waits: [Int64] = []
        for _ in 0..<8 {
            let wait = retry.plan()
            waits.append((wait ?? .zero).nanoseconds / 1_000_000_000)
            #expect(retry.plan() == nil)
            retry.begin()
        }
        #expect(waits == [10, 20, 40, 80, 160, 320, 640, 640])
        retry.reset()
        #expect(retry.plan() == .seconds(10))
    }
}
