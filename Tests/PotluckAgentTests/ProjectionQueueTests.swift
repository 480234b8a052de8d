import AlbumModel
import Testing

@testable import PotluckAgent

/// What goes with which write of the index, and who waits for which.
@Suite(.timeLimit(.minutes(1)))
struct ProjectionQueueTests {
    private static let album = AlbumName.identifier("Beach")

    private func difference(_ photos: Range<Int>) -> CatalogDifference {
        var difference = CatalogDifference()
        difference.albums = [Self.album]
        difference.photos = Set(photos.map { PhotoKey(album: Self.album, blob: blob($0)) })
        return difference
    }

    private func blob(_ number: Int) -> BlobID {
        BlobID(bytes: (0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * min($0, 7))) })!
    }

    private func next(_ queue: inout ProjectionQueue) -> ProjectionQueue.Part {
        queue.begin() ? queue.takePart() : ProjectionQueue.Part()
    }

    private func photos(_ numbers: Range<Int>) -> Set<PhotoKey> { difference(numbers).photos }

    // Shows that many photos follow in parts, each once and the first to come first, and that only the last is marked.
    @Test func bulkFollowsInParts() {
        var queue = ProjectionQueue()
        for start in stride(from: 0, to: 5000, by: 1000) { queue.add(difference(start..<start + 1000)) }
        queue.add(difference(0..<1000))
        var parts: [ProjectionQueue.Part] = []
        while queue.begin() {
            parts.append(queue.takePart())
            queue.finish(failed: nil)
        }
        #expect(parts.map(\.photos) == [photos(0..<2000), photos(2000..<4000), photos(4000..<5000)])
        #expect(parts.map(\.isLast) == [false, false, true])
        #expect(parts.map(\.albums) == [[Self.album], [], []])
        #expect(queue.isIdle)
    }

    // Shows that batches which change no row are followed as well: the index gets their stamp, once, and waits for nothing.
    @Test func stampsFollowWhatChangesNothing() {
        var queue = ProjectionQueue()
        queue.addStamp()
        #expect(!queue.isIdle)
        let part = next(&queue)
        #expect(part.isLast && part.albums.isEmpty && part.photos.isEmpty)
        queue.finish(failed: part)
        #expect(next(&queue).isLast)
        queue.finish(failed: nil)
        #expect(queue.isIdle)
    }

    // Shows that what a person does goes with the next part, before all that came in bulk, and not once more.
    @Test func fewPhotosOvertake() {
        var queue = ProjectionQueue()
        queue.add(difference(0..<4000))
        queue.add(difference(3998..<4001))
        let first = next(&queue)
        #expect(first.photos.isSuperset(of: photos(3998..<4001)) && first.photos.count == 2000)
        queue.finish(failed: nil)
        let second = next(&queue)
        #expect(first.photos.isDisjoint(with: second.photos) && !second.isLast)
        queue.finish(failed: nil)
        let third = next(&queue)
        #expect(first.photos.union(second.photos).union(third.photos) == photos(0..<4001) && third.photos.count == 1)
    }

    // Shows that what comes in the middle of an import waits for company, a single photo and what comes in bulk never.
    @Test func importsFollowInPauses() {
        var queue = ProjectionQueue()
        for count in [7, 8] {
            queue.add(difference(0..<count))
            #expect(next(&queue).photos.count == count)
            queue.finish(failed: nil)
            #expect(queue.isPausing == (count == 8) && queue.isIdle)
        }
        queue.add(difference(8..<10))
        queue.addStamp()
        let isBegun = queue.begin()
        #expect(!isBegun && !queue.isIdle)
        queue.endPause()
        let part = next(&queue)
        #expect(part.photos == photos(8..<10) && part.isLast)
        queue.add(difference(10..<30))
        queue.finish(failed: nil)
        #expect(next(&queue).photos == photos(10..<30))
        // Nor does what failed: it is tried again in its own time.
        queue.finish(failed: part)
        #expect(next(&queue).photos == photos(8..<10))
        queue.add(difference(0..<20))
        queue.finish(failed: nil)
        #expect(next(&queue).photos.count == 20)
        queue.finish(failed: nil)
        #expect(queue.isPausing)
        queue.add(difference(100..<1000))
        #expect(next(&queue).photos.count == 900)
    }

    // Shows that whoever asks for a list ends the pause of an import, and finds all that was known.
    @Test func listsWaitForNoPause() async {
        let box = QueueBox()
        for (number, wantsAll) in [false, true].enumerated() {
            await box.queue { $0.add(difference(0..<20)) }
            _ = await box.begin()
            await box.queue { $0.finish(failed: nil) }
            await box.queue { $0.add(difference(20..<21)) }
            #expect(await box.begin() == nil)
            async let answer: Void = box.wait(forAll: wantsAll)
            await box.untilWaiting(number + 1)
            #expect(await box.begin()?.photos == photos(20..<21))
            await box.queue { $0.finish(failed: nil) }
            await answer
        }
    }

    // Shows that nothing is lost when a write fails, and that nobody waits for an index that cannot be written.
    @Test func failuresWaitAgain() async {
        let box = QueueBox()
        await box.queue { $0.add(difference(0..<3)) }
        let part = await box.begin()
        async let prompt: Void = box.whenPrompt()
        async let idle: Void = box.whenIdle()
        await box.untilWaiting(2)
        await box.queue { $0.finish(failed: part) }
        _ = await (prompt, idle)
        #expect(await box.begin()?.photos == photos(0..<3))
    }

    // Shows that whoever asks for a list waits for the write that holds what was known, and for none after it.
    @Test func listsWaitForOneWrite() async {
        let box = QueueBox()
        await box.queue { $0.add(difference(0..<10_000)) }
        _ = await box.begin()
        await box.queue { $0.add(difference(20_000..<20_001)) }
        async let prompt: Void = box.whenPrompt()
        await box.untilWaiting(1)
        await box.queue { $0.finish(failed: nil) }
        #expect(await box.endedCount == 0)
        #expect(await box.begin()?.photos.isSuperset(of: photos(20_000..<20_001)) == true)
        await box.queue { $0.finish(failed: nil) }
        await prompt
        #expect(await !box.isIdle)
    }

    // Shows that an agent that stops keeps nobody waiting.
    @Test func theEndResumesAll() async {
        let box = QueueBox()
        await box.queue { $0.add(difference(0..<3000)) }
        _ = await box.begin()
        async let prompt: Void = box.whenPrompt()
        async let idle: Void = box.whenIdle()
        await box.untilWaiting(2)
        await box.queue { $0.end() }
        _ = await (prompt, idle)
        #expect(await box.begin() == nil)
    }
}

/// A queue that several tasks use, as the agent's jobs do.
private actor QueueBox {
    private var projection = ProjectionQueue()
    private var waitingCount = 0
    private(set) var endedCount = 0

    var isIdle: Bool { projection.isIdle }

    func queue(_ body: @Sendable (inout ProjectionQueue) -> Void) { body(&projection) }

    func begin() -> ProjectionQueue.Part? { projection.begin() ? projection.takePart() : nil }

    func whenPrompt() async {
        waitingCount += 1
        await withCheckedContinuation { projection.whenPrompt($0) }
        endedCount += 1
    }

    func whenIdle() async {
        waitingCount += 1
        await withCheckedContinuation { projection.whenIdle($0) }
        endedCount += 1
    }

    func wait(forAll wantsAll: Bool) async {
        if wantsAll { await whenIdle() } else { await whenPrompt() }
    }

    func untilWaiting(_ count: Int) async {
        while waitingCount < count { await Task.yield() }
    }
}
