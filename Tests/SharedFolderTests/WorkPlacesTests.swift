import Synchronization
import TestSupport
import Testing

@testable import SharedFolder

/// Of many tasks that want one, only so many have a place at a time, and all have theirs.
@Test(.timeLimit(.minutes(1)), arguments: [1, 2, 9])
func placesAreLimited(count: Int) async {
    let places = WorkPlaces(count: count)
    let visits = Visits()
    await withTaskGroup(of: Void.self) { group in
        for _ in 0..<200 {
            group.addTask {
                let place = await places.take()
                visits.begin()
                await Task.yield()
                visits.end()
                place.leave()
            }
        }
    }
    #expect(visits.counts.mostAtOnce <= count)
    #expect(visits.counts.ended == 200)
}

/// A place that is left twice is passed on once, and one that nobody leaves goes with its last reference.
@Test(.timeLimit(.minutes(1))) func placesArePassedOnOnce() async {
    let places = WorkPlaces(count: 1)
    let first = await places.take()
    let second = Taken()
    let third = Visits()
    await withTaskGroup(of: Void.self) { group in
        group.addTask {
            let place = await places.take()
            second.place.withLock { $0 = place }
        }
        group.addTask {
            first.leave()
            first.leave()
        }
        await group.waitForAll()
        group.addTask {
            let place = await places.take()
            third.begin()
            place.leave()
        }
        for _ in 0..<100 { await Task.yield() }
        #expect(third.counts.mostAtOnce == 0)
        second.place.withLock { $0 = nil }
    }
    #expect(third.counts.mostAtOnce == 1)
}

/// How many have a place.
private final class Visits: Sendable {
    struct Counts {
        var inside = 0
        var mostAtOnce = 0
        var ended = 0
    }

    private let state = Mutex(Counts())

    var counts: Counts { state.withLock { $0 } }

    func begin() {
        state.withLock { counts in
            counts.inside += 1
            counts.mostAtOnce = max(counts.mostAtOnce, counts.inside)
        }
    }

    func end() {
        state.withLock { counts in
            counts.inside -= 1
            counts.ended += 1
        }
    }
}

/// A place that somebody took.
private final class Taken: Sendable {
    let place = Mutex<WorkPlace?>(nil)
}
