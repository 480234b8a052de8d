import PotluckAPI
import Synchronization

/// What is wrong at the moment, for people who ask and for those who watch.
final class Problems: Sendable {
    let hub: EventHub
    private let clock: SystemClock
    private let board = Mutex(ProblemBoard())

    init(hub: EventHub, clock: SystemClock) {
        self.hub = hub
        self.clock = clock
    }

    /// `nil` says that it is over.
    func note(_ kind: ProblemBoard.Kind, _ sentence: String?) {
        guard set(kind, sentence), let sentence else { return }
        hub.send(.problem(at: Instant(microsecondsSince1970: clock.wall), message: sentence))
    }

    /// The same where those who watch are told otherwise.
    ///
    /// - Returns: whether this is news.
    @discardableResult
    func set(_ kind: ProblemBoard.Kind, _ sentence: String?) -> Bool { board.withLock { $0.set(kind, sentence) } }

    var current: ProblemBoard { board.withLock { $0 } }
    var all: [String] { board.withLock { $0.all } }
}
