import AlbumModel
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
            let judge = FolderJudge(
                root: "/", settings: FolderSettings(), names: .folder,
                state: FolderState(files: [], gone: [], intents: [], fresh: FreshFiles(boot: BootID(bytes: [1]))),
                mounts: KnownMounts(), adoption: .over, heldID: nil, now: .now)
            let queue = WorkQueue(judge, wake: {})
            let worker = Task { await Self.checked(by: queue) }
            _ = queue.handle(.noticed([.touched(Self.appeared), .vanished(Self.gone)]))
            let checked = await worker.value
            #expect(checked == [Self.gone], "round \(round): judged after \(checked)")
        }
    }

    /// Does all that comes up to the judgement, as if nothing of it took any time. Answers with the files of which it was
    /// asked whether they are gone.
    private static func checked(by queue: WorkQueue) async -> [FolderPath] {
        var checked: [FolderPath] = []
        while let work = await queue.next() {
            switch work {
            case .survey: queue.change { $0.schedule.finishScan(isAvailable: true, after: .seconds(3600), now: $1) }
            case .look(let job):
                queue.judgeSoon()
                _ = queue.handle(.finished(.look(job, .settled)))
            case .check(let check):
                checked += check.paths
                _ = queue.handle(.finished(.vanished))
            case .synchronize(_, let noted): _ = queue.handle(.synchronized(noted: noted, missed: []))
            default:
                queue.stop()
                return checked
            }
        }
        return checked
    }
}
