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

    private func next(_ queue: inout PlacementQueue, large: Set<PhotoKey> = []) -> [PhotoKey] {
        queue.next { large.contains($0) }
    }

    /// So many photos are placed at a time, in groups, each waits once, and one that failed waits for the next attempt, of
    /// which one is planned for all.
    @Test func placementsAreQueued() {
        var queue = PlacementQueue()
        let (most, size) = (PlacementQueue.concurrency, PlacementQueue.groupCountMax)
        let photos = (0..<most + 4).map { photo($0) }
        #expect(photos.map { queue.add($0) } == [Bool](repeating: true, count: photos.count))
        #expect(photos.map { queue.add($0) } == [Bool](repeating: false, count: photos.count))
        let groups = (0..<most / size).map { _ in next(&queue) }
        #expect(groups.allSatisfy { $0.count == size } && groups.flatMap { $0 } == Array(photos.prefix(most)))
        #expect(next(&queue).isEmpty)
        // A group has its place until all of it have ended.
        for done in groups[0].dropLast() { queue.finish(done, isPlaced: true) }
        #expect(next(&queue).isEmpty)
        queue.finish(groups[0].last!, isFailed: true)
        #expect((0..<2).map { _ in queue.beginRetry() } == [true, false])
        #expect(next(&queue) == Array(photos.suffix(4)))
        #expect(next(&queue).isEmpty)
        #expect(queue.pending == Set(photos).subtracting(groups[0].dropLast()))
        for done in groups[1] { queue.finish(done, isPlaced: true) }
        queue.retry()
        #expect(next(&queue) == [groups[0].last!])
        #expect(next(&queue).isEmpty)
        #expect((0..<2).map { _ in queue.beginRetry() } == [true, false])
    }

    /// A film is a group of its own, keeps its place in the order, and takes no group's place; with groups it counts for
    /// the bound on photos.
    @Test func filmsAreAlone() {
        var queue = PlacementQueue()
        let photos = (0..<7).map { photo($0) }
        let films: Set<PhotoKey> = [photos[2], photos[3], photos[6]]
        for photo in photos { _ = queue.add(photo) }
        let groups = (0..<6).map { _ in next(&queue, large: films) }
        #expect(groups == [0...1, 2...2, 3...3, 4...5, 6...6].map { Array(photos[$0]) } + [[]])

        queue = PlacementQueue()
        let many = (0..<PlacementQueue.concurrency + 1).map { photo($0) }
        for film in many { _ = queue.add(film) }
        for film in many.dropLast() { #expect(next(&queue, large: Set(many)) == [film]) }
        #expect(next(&queue, large: Set(many)).isEmpty)
        queue.finish(many[0], isPlaced: true)
        #expect(next(&queue, large: Set(many)) == [many.last!])
    }

    /// A photo that comes alone is placed alone and at once, as long as there is a place; those that come while all places
    /// are taken are a group once one is free.
    @Test func groupsAreWhatWaits() {
        var queue = PlacementQueue()
        let most = PlacementQueue.groupConcurrency
        let photos = (0..<most + 3).map { photo($0) }
        for (number, photo) in photos.enumerated() {
            _ = queue.add(photo)
            #expect(next(&queue) == (number < most ? [photo] : []))
        }
        queue.finish(photos[1], isPlaced: true)
        #expect(next(&queue) == Array(photos.suffix(3)))
    }

    /// A photo that is asked for while it is being placed, in vain, is tried once more: its bytes may have come meanwhile.
    @Test func placementsAreTriedAgain() {
        var queue = PlacementQueue()
        for isPlaced in [false, true] {
            _ = queue.add(photo(1))
            #expect(next(&queue) == [photo(1)])
            #expect(!queue.add(photo(1)) && next(&queue).isEmpty)
            queue.finish(photo(1), isPlaced: isPlaced)
            #expect(queue.pending == (isPlaced ? [] : [photo(1)]))
            guard !isPlaced else { continue }
            #expect(next(&queue) == [photo(1)])
            queue.finish(photo(1))
            #expect(queue.pending.isEmpty && next(&queue).isEmpty)
        }
    }

    /// A folder that is slow is given so many groups at a time by the running services, and what came meanwhile together,
    /// but for a film; however often each photo is asked for: once, and once more where it was asked for while nothing came
    /// of it. Of a group one that fails is given again after a while, alone.
    @Test func placementsAreBounded() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home, retryInterval: .milliseconds(1)) { running in
                running.folder.shut()
                var photos: Set<PhotoKey> = []
                let (most, size) = (PlacementQueue.groupConcurrency, PlacementQueue.groupCountMax)
                for number in 0..<most + 3 * size {
                    photos.insert(try await running.add([UInt8(number)], name: "\(number).jpg", to: "Beach"))
                }
                let film = [UInt8](repeating: 1, count: Int(Pieces.byteCount) + 1)
                let large = try await running.add(film, name: "film.mp4", to: "Beach")
                photos.insert(large)
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
                let groups = running.folder.groups
                #expect(groups.prefix(most).allSatisfy { $0.count == 1 } && groups.map(\.count).max() == size)
                #expect(groups.filter { $0.contains(large.blob) } == [[large.blob]])

                running.folder.shut()
                var group: [PhotoKey] = []
                for number in 200..<202 + most {
                    group.append(try await running.add([UInt8(number)], name: "\(number).jpg", to: "Beach"))
                }
                let late = group.suffix(2).map(\.blob)
                running.folder.setFailure("The disk is full.", of: [late[1]])
                #expect(await running.waits { running.services.folder.photosToPlace == Set(group) })
                running.folder.open()
                #expect(await running.waits { running.folder.groups.contains([late[1]]) })
                // Photos that were asked for twice may have joined them.
                #expect(running.folder.groups.contains { Set(late).isSubset(of: $0) })
                #expect(await running.waits { running.services.folder.photosToPlace == [group.last!] })
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
