import AlbumModel
import HTTPTypes
import Synchronization
import WebGallery

/// What guests may do in a while, and how their changes become few: each is kept by every laptop for ever.
final class TalkDesk: Sendable {
    enum Act: Sendable {
        case like, write, comment, withdraw

        /// Tokens of a guest's bucket, into which one a second runs: a comment every ten seconds for hours, twenty at once.
        fileprivate var cost: Int64 {
            switch self {
            case .like: 2
            case .write, .withdraw: 5
            case .comment: 10
            }
        }
    }

    private typealias Budget = RequestBudget<GuestID>
    private static let each = TokenBucket.Rate(capacity: 200, refill: 1)
    private static let all = TokenBucket.Rate(capacity: 4000, refill: 50)
    /// Milliseconds in which toggles of one person on one photo become one change.
    private static let togglePause: Int64 = 2000

    private struct ToggleKey: Hashable {
        var guest: GuestID?
        var photo: PhotoKey
    }

    private struct Toggle {
        /// What the gathering was told last.
        var isOn: Bool
        /// When it was told, by the steady clock.
        var told: Int64
        /// The number of the wish that counts; earlier ones are answered without a change.
        var wish: UInt64
    }

    private struct State {
        var budget: Budget
        var toggles: [ToggleKey: Toggle] = [:]
        var wishCount: UInt64 = 0
    }

    private let state: Mutex<State>
    private let clock: GalleryClock
    private let work: BackgroundWork

    init(clock: GalleryClock, work: BackgroundWork) {
        self.clock = clock
        self.work = work
        state = Mutex(State(budget: Budget(each: Self.each, all: Self.all, now: clock.steady())))
    }

    /// - Parameter guest: `nil` for the owner, who is not limited.
    /// - Throws: ``Problem`` with 429.
    func take(_ act: Act, by guest: GuestID?) throws(Problem) {
        guard let guest else { return }
        let now = clock.steady()
        switch state.withLock({ $0.budget.take(act.cost, of: guest, now: now) }) {
        case .allowed: return
        case .wait(let milliseconds):
            throw Problem(
                .tooManyRequests, "too_many", "That was a lot at once; try again in a moment.",
                retryAfter: Int((milliseconds + 999) / 1000))
        case .tooMuch: throw Problem(.tooManyRequests, "too_many", "That is too much at once.", retryAfter: 60)
        }
    }

    /// Turns a person's like on or off: at once, and what follows within two seconds as one change at their end.
    ///
    /// Returns when it is done, or a later wish took its place; it is done also where the browser has gone.
    func toggle(
        _ photo: PhotoKey, _ isOn: Bool, by guest: GuestID?, _ tell: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await work.run { try await self.settle(ToggleKey(guest: guest, photo: photo), isOn, tell) }
    }

    private func settle(
        _ key: ToggleKey, _ isOn: Bool, _ tell: @Sendable () async throws -> Void
    ) async throws {
        let now = clock.steady()
        let (wish, delay) = state.withLock { state in
            state.toggles = state.toggles.filter { $0.key == key || now - $0.value.told < Self.togglePause }
            state.wishCount += 1
            let wish = state.wishCount
            let pause = state.toggles[key].map { max(0, $0.told + Self.togglePause - now) } ?? 0
            state.toggles[key, default: Toggle(isOn: !isOn, told: now, wish: wish)].wish = wish
            return (wish, pause)
        }
        if delay > 0 {
            // Where the agent ends, the wish is told at once.
            await clock.pause(delay)
        }
        let told = clock.steady()
        let isNeeded = state.withLock { state in
            guard let toggle = state.toggles[key], toggle.wish == wish, toggle.isOn != isOn else { return false }
            state.toggles[key]?.isOn = isOn
            state.toggles[key]?.told = told
            return true
        }
        guard isNeeded else { return }
        do {
            try await tell()
        } catch {
            // Nothing is known of what the gathering was told.
            state.withLock { $0.toggles[key] = nil }
            throw error
        }
    }
}
