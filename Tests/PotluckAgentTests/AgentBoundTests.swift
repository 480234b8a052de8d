import AlbumModel
import NIOCore
import PeerTransport
import PotluckAPI
import SyncEngine
import Testing

@testable import PotluckAgent

/// Tables and queues of the agent, filled to their limits and beyond.
@Suite(.timeLimit(.minutes(1))) struct AgentBoundTests {
    private func photo(_ number: Int) -> PhotoKey {
        PhotoKey(
            album: AlbumName.identifier("Beach"),
            blob: BlobID(bytes: BigEndian.bytes(UInt64(number)) + [UInt8](repeating: 0, count: 24))!)
    }

    /// Keys of so many devices are kept as they were read. One more takes the place of all, which are read again, and
    /// what is no key takes none.
    @Test func keysAreBounded() {
        let cache = PublicKeyCache(countMax: 3)
        let devices = (0..<4).map { _ in DeviceIdentity() }
        let message = Array("sea".utf8)
        func isRight(_ device: DeviceIdentity) -> Bool {
            cache.isSignature(device.sign(message), over: message, by: device.publicKeyDER)
        }
        for (count, device) in zip([1, 2, 3], devices) {
            #expect(isRight(device) && cache.count == count)
        }
        #expect(isRight(devices[0]) && cache.count == 3)
        #expect(!cache.isSignature(devices[0].sign(message), over: message, by: [1, 2, 3]) && cache.count == 3)
        #expect(isRight(devices[3]) && cache.count == 1)
        #expect(isRight(devices[0]) && cache.count == 2)
        let isForged = cache.isSignature(devices[1].sign(message), over: message, by: devices[0].publicKeyDER)
        #expect(!isForged)
    }

    /// A watcher that reads nothing loses the oldest record with the 1,025th; another one loses none.
    @Test func slowWatchersLoseTheOldest() async {
        let hub = EventHub()
        func send(_ numbers: ClosedRange<Int>) {
            for number in numbers {
                var record = EventRecord(at: Instant(microsecondsSince1970: 1), event: .problem)
                record.message = "\(number)"
                hub.send(record)
            }
        }
        func messages(_ events: AsyncStream<EventRecord>) async -> [String?] {
            var messages: [String?] = []
            for await record in events { messages.append(record.message) }
            return messages
        }
        let slow = hub.events()
        send(1...1)
        let late = hub.events()
        send(2...1025)
        hub.finish()
        let expected = (2...1025).map { "\($0)" }
        #expect(await messages(slow) == expected)
        #expect(await messages(late) == expected)
        #expect(!hub.hasWatchers)
    }

    /// Sixteen photos are placed at a time, each waits once, and one that failed waits for the next attempt, of which one
    /// is planned for all.
    @Test func placementsAreQueued() {
        var queue = PlacementQueue()
        let most = PlacementQueue.concurrency
        let photos = (0..<most + 4).map { photo($0) }
        #expect(photos.map { queue.add($0) } == [Bool](repeating: true, count: photos.count))
        #expect(photos.map { queue.add($0) } == [Bool](repeating: false, count: photos.count))
        #expect((0..<most).map { _ in queue.next() } == Array(photos.prefix(most)))
        let oneMore = queue.next()
        #expect(oneMore == nil)
        queue.finish(photos[3], isPlaced: true)
        #expect((0..<2).map { _ in queue.next() } == [photos[most], nil])
        for failed in photos.prefix(2) { queue.finish(failed, isFailed: true) }
        #expect((0..<2).map { _ in queue.beginRetry() } == [true, false])
        #expect((0..<3).map { _ in queue.next() } == [photos[most + 1], photos[most + 2], nil])
        #expect(queue.pending == Set(photos).subtracting([photos[3]]))
        for done in photos[4..<8] { queue.finish(done, isPlaced: true) }
        #expect((0..<2).map { _ in queue.next() } == [photos[most + 3], nil])
        queue.retry()
        #expect((0..<3).map { _ in queue.next() } == [photos[0], photos[1], nil])
        #expect((0..<2).map { _ in queue.beginRetry() } == [true, false])
    }

    /// A photo that is asked for while it is being placed, in vain, is tried once more: its bytes may have come meanwhile.
    @Test func placementsAreTriedAgain() {
        var queue = PlacementQueue()
        for isPlaced in [false, true] {
            _ = queue.add(photo(1))
            #expect(queue.next() == photo(1))
            #expect(!queue.add(photo(1)) && queue.next() == nil)
            queue.finish(photo(1), isPlaced: isPlaced)
            #expect(queue.pending == (isPlaced ? [] : [photo(1)]))
            guard !isPlaced else { continue }
            #expect(queue.next() == photo(1))
            queue.finish(photo(1))
            #expect(queue.pending.isEmpty && queue.next() == nil)
        }
    }

    /// A folder that is slow is given so many photos at a time by the running services, however often each is asked for:
    /// once, and once more where it was asked for while nothing came of it. One that fails is given the photo again after a
    /// while.
    @Test func placementsAreBounded() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home, retryInterval: .milliseconds(1)) { running in
                running.folder.shut()
                var photos: Set<PhotoKey> = []
                let most = PlacementQueue.concurrency
                for number in 0..<most + 4 {
                    photos.insert(try await running.add([UInt8(number)], name: "\(number).jpg", to: "Beach"))
                }
                #expect(await running.waits { running.folder.waitingCountMax >= most })
                for photo in photos.shuffled() + photos.shuffled() {
                    running.services.folder.requestPlacement(photo)
                }
                #expect(running.services.folder.photosToPlace == photos)
                running.folder.open()
                #expect(await running.waits { running.services.folder.photosToPlace.isEmpty })
                #expect(running.folder.waitingCountMax == most)
                #expect(running.folder.notes.count == photos.count + most)
                #expect(Set(running.folder.notes) == Set(photos.map { .placed($0) }))

                running.folder.setFailure("The disk is full.")
                let late = try await running.add([99], name: "late.jpg", to: "Beach")
                #expect(await running.waits { running.folder.notes.count { $0 == .placed(late) } >= 2 })
                #expect(running.services.folder.photosToPlace == [late])
                running.folder.setFailure(nil)
                #expect(await running.waits { running.services.folder.photosToPlace.isEmpty })
            }
        }
    }
}

extension RunningAgent {
    /// Waits at most 20 s; false if it never came true.
    fileprivate func waits(_ condition: () async -> Bool) async -> Bool {
        let deadline = ContinuousClock.now + .seconds(20)
        while await !condition() {
            guard ContinuousClock.now < deadline else { return false }
            await Task.yield()
        }
        return true
    }
}
