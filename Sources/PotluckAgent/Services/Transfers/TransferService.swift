import AlbumModel
import PeerTransport
import PhotoStore
import PotluckAPI
import SyncEngine
import Synchronization

/// What bounds this laptop's transfers at the moment.
struct TransferState: Sendable {
    var choices = TransferChoices()
    /// What the settings say.
    var standardLimits = TransferLimits()
    var reserve = DiskReserve.standard
    /// As it was last looked at.
    var space: DiskSpace?
    /// Photos and thumbnails that leave, and what little goes with them; nothing where only messages do.
    var sent = RateMeter()
    /// Photos and thumbnails that arrive.
    var received = RateMeter()
    /// Choices are stored one after the other, each upon what the one before left.
    var isChanging = false
    var waiting: [CheckedContinuation<Void, Never>] = []

    var limits: TransferLimits { choices.limits(standardLimits) }

    var terms: PullTerms {
        PullTerms(
            isPaused: choices.isPaused, room: space?.room(keeping: reserve), byteRateMax: limits.down)
    }
}

/// Keeps what bounds the transfers, and measures them.
final class TransferService: Sendable {
    private let host: EngineHost
    private let parts: AgentParts
    private let problems: Problems
    private let current: Mutex<TransferState>

    init(_ state: TransferState, host: EngineHost, parts: AgentParts, problems: Problems) {
        self.host = host
        self.parts = parts
        self.problems = problems
        current = Mutex(state)
    }

    var state: TransferState { current.withLock { $0 } }

    /// - Parameter space: `nil` where the disk did not say.
    func measured(_ space: DiskSpace?) async {
        current.withLock { $0.space = space ?? $0.space }
        await applyTerms(on: host)
    }

    func applyTerms(on host: isolated EngineHost) {
        let state = state
        host.feed(.pullTerms(state.terms))
        parts.transport.limitUploads(state.limits.up)
        problems.note(.room, roomSentence(state, host.engine))
    }

    /// Without the free bytes: it is news again whenever it changes.
    private func roomSentence(_ state: TransferState, _ engine: Engine) -> String? {
        guard !state.choices.isPaused, let space = state.space, engine.heldUpPhotos.contains(where: { _ in true })
        else { return nil }
        let kept = ByteAmount.text(state.reserve.byteCount(ofDisk: space.total))
        return
            "The disk is nearly full: \(kept) of it are kept free, and photos that do not fit wait until there is room. Names and thumbnails keep coming. Free some space, or set `reserve` in potluck.toml."
    }

    // MARK: Choices

    /// Makes a choice; it is durable when this returns.
    ///
    /// - Returns: what is in force then.
    @discardableResult
    func choose(_ body: @Sendable (inout TransferChoices) -> Void) async throws -> TransferState {
        let old = await beginChoice()
        var new = old
        body(&new)
        do {
            try await parts.setFacts(old.changes(to: new))
        } catch {
            _ = endChoice(nil)
            throw PotluckError(.failed, "That cannot be stored: \(error)")
        }
        return await take(new, on: host)
    }

    /// Waits until no other choice is being stored.
    private func beginChoice() async -> TransferChoices {
        while true {
            let choices = current.withLock { state -> TransferChoices? in
                guard !state.isChanging else { return nil }
                state.isChanging = true
                return state.choices
            }
            if let choices { return choices }
            await withCheckedContinuation { continuation in
                let waits = current.withLock { state in
                    if state.isChanging { state.waiting.append(continuation) }
                    return state.isChanging
                }
                if !waits { continuation.resume() }
            }
        }
    }

    /// - Parameter new: `nil` if it could not be stored.
    /// - Returns: what was in force before.
    private func endChoice(_ new: TransferChoices?) -> TransferChoices {
        let (former, waiting) = current.withLock { state in
            defer {
                state.isChanging = false
                state.waiting = []
                state.choices = new ?? state.choices
            }
            return (state.choices, state.waiting)
        }
        for continuation in waiting { continuation.resume() }
        return former
    }

    /// In one step, so that the engine is told of choices in the order in which they were stored.
    private func take(_ new: TransferChoices, on host: isolated EngineHost) -> TransferState {
        let former = endChoice(new)
        if new.fetching != former.fetching { host.feed(.fetchPolicy(new.fetching)) }
        applyTerms(on: host)
        return state
    }

    // MARK: Rates

    func received(_ byteCount: Int) { current.withLock { $0.received.count(byteCount, now: parts.clock.now) } }

    /// Takes note of what left over a link since the last time, once it is more than messages make.
    ///
    /// - Returns: how much was taken note of.
    func noteSent(_ byteCount: UInt64) -> UInt64 {
        guard byteCount >= EngineLimits().progressByteCountMin else { return 0 }
        current.withLock { $0.sent.count(Int(byteCount), now: parts.clock.now) }
        return byteCount
    }

    /// Whether those who watch are to be told how far it is: once a second at most, since all that is missing is counted.
    func isReportDue() -> Bool {
        let now = parts.clock.now
        return problems.hub.hasWatchers && current.withLock { $0.received.isReportDue(now: now) }
    }

    /// Tells those who watch how far it is.
    func tellProgress() async {
        let missing = await host.ask { MissingCount($0) }
        problems.hub.send(
            .transferProgress(
                at: Instant(microsecondsSince1970: parts.clock.wall), missingPhotos: missing.photos,
                missingBytes: missing.bytes, rate: state.received.rate(now: parts.clock.now)))
    }
}
