import AlbumModel
import Dispatch
import Glibc
import NIOPosix
import PhotoStore
import PotluckAPI
import SyncEngine
import Synchronization
import TestSupport
import Testing

@testable import PotluckAgent

/// What comes in between the decision to delete from the trash and the deletion.
@Suite(.timeLimit(.minutes(1))) struct DeletionRaceTests {
    /// A photo is being deleted from the trash while another album comes to name it: with its bytes, as from a guest's
    /// phone, or without, as from another laptop. Once that is durable the bytes stay, since the file that brought them is
    /// gone, and the other laptop may have none. Catches a deletion that goes by what was so when it was decided.
    @Test(arguments: [true, false]) func bytesThatAreNamedWhileTheyAreDeletedStay(_ withBytes: Bool) async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let pier = try await running.add([7], name: "x.jpg", to: "Pier")
                _ = try await running.control().remove(RemovalOrder(.remove, album: "Pier", photos: ["x.jpg"]))
                await running.services.removal.isSettled()
                let gate = BlobPoolGate(running.parts.blobPool)
                async let emptied = running.control().emptyTrash(
                    TrashOrder(album: "Pier", photos: ["x.jpg"], lastCopies: true))
                defer { gate.open() }
                let records = running.services.removal.records
                try await eventually("the deletion is decided") {
                    .when(records.state.withLock { $0.discarding.contains(pier.blob) }, "it is not")
                }
                let quay = try await running.add([7], name: "x.jpg", to: "Quay", withBytes: withBytes)
                gate.open()
                let outcomes = try await emptied.photos.map(\.outcome)
                #expect(outcomes == [.kept])
                #expect(await running.isLive(quay))
                #expect(running.parts.blobs.contains(quay.blob))
                #expect(await running.services.host.ask { $0.held.contains(quay.blob) })
                // Later it may go, as any other.
                let order = RemovalOrder(.remove, album: "Quay", photos: ["x.jpg"])
                _ = try await running.control().remove(order)
                let report = try await running.control().emptyTrash(TrashOrder(album: nil, lastCopies: true))
                #expect(Set(report.photos.map(\.outcome)) == [.deleted])
                #expect(!running.parts.blobs.contains(quay.blob))
            }
        }
    }

    /// Of two restorations of a photo one ends without success: the other still keeps it from being deleted. Catches a
    /// mark that two have set and the first takes away.
    @Test func aFailedRestorationFreesNothing() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let key = try await running.add([8], name: "x.jpg", to: "Pier")
                _ = try await running.control().remove(RemovalOrder(.remove, album: "Pier", photos: ["x.jpg"]))
                let removal = running.services.removal
                await removal.isSettled()
                // A restoration asks the blob pool for the list of pieces.
                let gate = BlobPoolGate(running.parts.blobPool)
                async let restored: Void = removal.restore([key])
                defer { gate.open() }
                try await eventually("the restoration has begun") {
                    .when(removal.records.state.withLock { $0.restoring[key.blob] != nil }, "it has not")
                }
                let absent = PhotoKey(album: key.album, blob: blobID([9]))
                await #expect(throws: PotluckError.self) { try await removal.restore([absent, key]) }
                let isMarked = removal.records.state.withLock { $0.restoring[key.blob] != nil }
                // Else a deletion would wait for the pool.
                try #require(isMarked)
                let gone = try await removal.discard([key], evenLastCopies: true)
                #expect(gone == [])
                gate.open()
                try await restored
                #expect(await running.isLive(key))
                #expect(running.parts.blobs.contains(key.blob))
                let isFree = removal.records.state.withLock { $0.restoring.isEmpty }
                #expect(isFree)
            }
        }
    }

    /// A file that cannot be removed keeps no other photo in the trash, and people are told of it until it goes. Catches a
    /// loop that ends with the first error, and a problem that any other success ends.
    @Test func whatCannotBeRemovedKeepsNothingElse() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                var keys: [PhotoKey] = []
                for number in UInt8(1)...3 {
                    keys.append(try await running.add([number], name: "\(number).jpg", to: "Pier"))
                }
                _ = try await running.control().remove(
                    RemovalOrder(.remove, album: "Pier", photos: ["1.jpg", "2.jpg", "3.jpg"]))
                await running.services.removal.isSettled()
                // The first in order: a directory in its file's place cannot be unlinked.
                let stuck = try #require(keys.min())
                let path = running.parts.blobs.path(of: stuck.blob)
                try #require(unlink(path) == 0)
                try #require(mkdir(path, 0o700) == 0)
                let removal = running.services.removal
                await #expect(throws: BlobError.self) {
                    try await removal.discard(keys.sorted(), evenLastCopies: true)
                }
                for key in keys where key != stuck { #expect(!running.parts.blobs.contains(key.blob)) }
                #expect(Array(removal.removedPhotos.trash.keys) == [stuck])
                let isTold = { running.services.problems.all.contains { $0.hasPrefix("1 photo cannot be deleted") } }
                #expect(isTold())
                // What goes well elsewhere does not end it.
                try await running.services.removal.hide([stuck])
                await removal.isSettled()
                #expect(isTold())
                try #require(rmdir(path) == 0)
                let gone = try await removal.discard([stuck], evenLastCopies: true)
                #expect(gone == [stuck])
                #expect(!isTold())
            }
        }
    }

    /// Each blob has one deletion at a time, and none while it is about to join an album. Catches a second deletion, which
    /// the end of the first would leave unmarked.
    @Test func deletionsAndReturnsExcludeEachOther() {
        let (x, y) = (blobID([1]), blobID([2]))
        var state = RemovalRecords.State(removedPhotos: RemovedPhotos())
        let deletions = [state.beginDiscarding([x]), state.beginDiscarding([y, x]), state.beginRestoring([y, x])]
        #expect(deletions == [true, false, false])
        #expect(state.discarding == [x])
        #expect(state.restoring.isEmpty)
        let returns = [state.beginRestoring([y]), state.beginRestoring([y, y])]
        #expect(returns == [true, true])
        state.endRestoring([y, y])
        let isEarly = state.beginDiscarding([y])
        #expect(!isEarly)
        state.endRestoring([y])
        let isBegun = state.beginDiscarding([y])
        #expect(isBegun)
    }
}

/// Keeps all threads of a pool busy until it is opened.
private final class BlobPoolGate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    init(_ pool: NIOThreadPool) {
        let semaphore = semaphore
        // More than it has threads.
        for _ in 0..<16 {
            pool.submit { _ in
                semaphore.wait()
                semaphore.signal()
            }
        }
    }

    func open() { semaphore.signal() }
}
