import Synchronization

@testable import WebServer

/// Clocks that a test moves.
final class TestClock: Sendable {
    private let milliseconds = Mutex<Int64>(0)
    /// Pauses that a test ends; `nil` where each lasts as long as it says.
    private let held = Mutex<[CheckedContinuation<Void, Never>]?>(nil)

    var clock: GalleryClock {
        GalleryClock(
            wall: { 1_795_268_669_250 + self.milliseconds.withLock { $0 } },
            steady: { self.milliseconds.withLock { $0 } }, pause: { await self.pause($0) })
    }

    func advance(_ seconds: Int64) { advance(milliseconds: seconds * 1000) }

    func advance(hours: Int64) { advance(milliseconds: hours * 3_600_000) }

    func advance(milliseconds count: Int64) { milliseconds.withLock { $0 += count } }

    // MARK: Pauses

    var heldPauseCount: Int { held.withLock { $0?.count ?? 0 } }

    /// From now on pauses last until ``endPauses()``.
    func holdPauses() { held.withLock { $0 = [] } }

    func endPauses() {
        let ended = held.withLock { held in
            defer { held = nil }
            return held ?? []
        }
        for pause in ended { pause.resume() }
    }

    private func pause(_ milliseconds: Int64) async {
        guard held.withLock({ $0 != nil }) else {
            try? await Task.sleep(for: .milliseconds(milliseconds))
            return
        }
        await withCheckedContinuation { pause in
            let isOver = held.withLock { held in
                held?.append(pause)
                return held == nil
            }
            if isOver { pause.resume() }
        }
    }
}
