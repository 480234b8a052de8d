import FolderEngine
import Testing

@testable import SharedFolder

@Suite(.timeLimit(.minutes(5)))
struct WorkQueueTests {
    private static let appeared = FolderPath("Beach/new.jpg")
    private static let gone = FolderPath("Beach/old.jpg")
    private static let roundCount = 500

    // Shows that a file that appeared is not judged before what vanished with it is known, though it is looked at while
    // the watcher still tells.
    @Test func whatIsNoticedTogetherIsJudgedTogether() async {
        for round in 0..<Self.roundCount {
            let queue = WorkQueue(settings: FolderSettings(), wake: {})
            let worker = Task { await Self.works(of: queue) }
            queue.noticed(touched: [Self.appeared], vanished: [Self.gone], isLive: true)
            let works = await worker.value
            let vanished = works.firstIndex(of: .vanished([Self.gone: true]))
            #expect(vanished != nil, "round \(round): judged after \(works)")
        }
    }

    /// Does all that comes up to the judgement, as if nothing of it took any time.
    private static func works(of queue: WorkQueue) async -> [WorkSchedule.Work] {
        var works: [WorkSchedule.Work] = []
        while let work = await queue.next() {
            switch work {
            case .scan: queue.finishScan(isAvailable: true, after: .seconds(3600))
            case .look(let job):
                queue.judgeSoon()
                queue.finish(job.path, .settled)
            case .vanished: queue.finishVanished()
            case .synchronize: queue.finishSync(isWantedAgain: false)
            case .judge:
                queue.stop()
                return works
            }
            works.append(work)
        }
        return works
    }
}
