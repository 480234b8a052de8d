import NIOCore
import Synchronization

/// How many bytes of photos and thumbnails all connections together send a second. Messages are not counted.
///
/// Connections reserve a time for each frame, one frame ahead each: the line that forms is first come, first served, so
/// that no peer is passed over.
final class UploadLimit: Sendable {
    private struct State {
        var byteRate: UInt64?
        /// When the next frame may leave.
        var nextTime = NIODeadline.distantPast
        /// Grows with every change of the rate, so that times that were reserved before it no longer count.
        var generation: UInt64 = 0
    }

    /// Frames that come a little late because an event loop was busy need not lose their share.
    private static let slack = TimeAmount.milliseconds(10)

    private let state = Mutex(State())

    /// - Parameter byteRate: bytes a second, not 0; `nil` for no limit.
    func set(_ byteRate: UInt64?) {
        precondition(byteRate != 0, "a limit lets something through")
        state.withLock { state in
            // What is reserved stays reserved, however often the same is said.
            guard state.byteRate != byteRate else { return }
            state.byteRate = byteRate
            state.nextTime = .distantPast
            state.generation += 1
        }
    }

    /// What a connection has reserved.
    struct Turn: Sendable {
        fileprivate var time: NIODeadline
        fileprivate var generation: UInt64
    }

    enum Answer: Hashable, Sendable {
        case unlimited
        /// One frame may leave now, for which the turn was used up.
        case oneFrame
        /// Ask again after this.
        case wait(TimeAmount)
    }

    /// A connection that waits looks again after this at the latest: the limit may have been raised.
    private static let waitMax = TimeAmount.seconds(1)

    /// Whether the next frame, of `byteCount` bytes, may leave now.
    ///
    /// - Parameter turn: what the connection reserved before; kept by it between calls.
    func ask(_ turn: inout Turn?, byteCount: Int, now: NIODeadline) -> Answer {
        state.withLock { state in
            guard let rate = state.byteRate else {
                turn = nil
                return .unlimited
            }
            if turn.map({ $0.generation != state.generation }) ?? true {
                turn = Turn(time: max(state.nextTime, now - Self.slack), generation: state.generation)
                let nanoseconds = Int64(Double(byteCount) / Double(rate) * 1e9)
                state.nextTime = turn!.time + .nanoseconds(nanoseconds)
            }
            guard turn!.time > now else {
                turn = nil
                return .oneFrame
            }
            return .wait(min(turn!.time - now, Self.waitMax))
        }
    }
}
