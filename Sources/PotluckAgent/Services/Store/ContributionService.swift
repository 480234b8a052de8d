import AlbumModel
import PotluckAPI
import SyncEngine
import Synchronization
import WireFormat

/// What this laptop adds to the gathering: whoever adds something waits here until it is durable.
final class ContributionService: Sendable {
    /// A caller, who waits for all that it added at one time.
    private struct Waiter {
        var continuation: CheckedContinuation<[AlbumID?], any Error>
        /// A person waits, who is told when the disk refuses it.
        var isPerson: Bool
        /// Of each contribution, in their order.
        var albums: [AlbumID?]
        /// How many have not ended.
        var leftCount: Int
        /// Why the first that failed did.
        var failure: (any Error)?

        mutating func note(_ outcome: Result<AlbumID?, any Error>, at place: Int) {
            leftCount -= 1
            switch outcome {
            case .success(let album): albums[place] = album
            case .failure(let error): failure = failure ?? error
            }
        }

        func resume() {
            if let failure { continuation.resume(throwing: failure) } else { continuation.resume(returning: albums) }
        }
    }

    private struct State {
        /// By the first of their tokens, which follow each other.
        var waiters: [UInt64: Waiter] = [:]
        /// The first token of whoever waits for a token.
        var firstTokens: [UInt64: UInt64] = [:]
        var nextToken: UInt64 = 1
        /// Lets those go on whose contributions ended with the input at hand.
        var finished: [@Sendable () -> Void] = []
        var isRefusing = false
        var carried = CarriedPages()

        /// - Returns: the first of the waiter's tokens; `nil` where the agent stops.
        mutating func add(_ waiter: Waiter) -> UInt64? {
            guard !isRefusing else { return nil }
            let first = nextToken
            nextToken += UInt64(waiter.leftCount)
            for token in first..<nextToken { firstTokens[token] = first }
            waiters[first] = waiter
            return first
        }

        /// - Returns: whoever waits for nothing else any more.
        mutating func finish(_ token: UInt64, _ outcome: Result<AlbumID?, any Error>) -> Waiter? {
            guard let first = firstTokens.removeValue(forKey: token) else { return nil }
            waiters[first]?.note(outcome, at: Int(token - first))
            return waiters[first]?.leftCount == 0 ? waiters.removeValue(forKey: first) : nil
        }

        /// Whoever has this first token waits no longer.
        mutating func remove(_ first: UInt64) {
            guard let waiter = waiters.removeValue(forKey: first) else { return }
            for token in first..<first + UInt64(waiter.albums.count) { firstTokens[token] = nil }
        }
    }

    private let host: EngineHost
    private let state = Mutex(State())

    init(host: EngineHost) { self.host = host }

    /// Adds something to the gathering; returns once it is durable.
    ///
    /// - Parameter forPerson: throws as well where the disk refuses it; the agent goes on trying all the same.
    /// - Returns: the album that it concerned.
    func contribute(_ contribution: Contribution, forPerson isPerson: Bool = false) async throws -> AlbumID? {
        try await contribute(all: [contribution], forPerson: isPerson)[0]
    }

    /// Adds all of it, and returns once it is durable. The engine is given it at one time and in this order, so that it
    /// shares transactions, and costs one judgement and not one each.
    ///
    /// - Parameter forPerson: as of one.
    /// - Returns: the album that each concerned.
    /// - Throws: what the first one failed by, once all have ended.
    @discardableResult
    func contribute(all contributions: [Contribution], forPerson isPerson: Bool = false) async throws -> [AlbumID?] {
        if contributions.isEmpty { return [] }
        return try await wait(isPerson, for: contributions.count, on: host) { first in
            zip(first..., contributions).map { .contribute(token: $0, $1) }
        }
    }

    /// Decides something as a host; returns once it is durable.
    func rule(_ kind: Ruling.Kind) async throws {
        _ = try await wait(true, on: host) { [.rule(token: $0, kind)] }
    }

    /// Changes the phrase as a host, or with the recovery code's key, and puts devices out; returns once the new epoch is
    /// durable.
    func beginEpoch(
        _ seed: Seed, puttingOut devices: [DeviceID] = [], recovery: (any BatchSigning)? = nil
    ) async throws {
        _ = try await wait(true, on: host) {
            [.newPhrase(token: $0, seed, puttingOut: devices, recovery: recovery)]
        }
    }

    /// Lets devices in as a host, or with the recovery code's key; returns once that is durable.
    func letIn(_ devices: [DeviceID], recovery: (any BatchSigning)?) async throws {
        _ = try await wait(true, on: host) { [.letIn(token: $0, devices, recovery: recovery)] }
    }

    /// Keeps what another laptop knew of rulings and seeds; returns once it is durable.
    func catchUp(_ rulings: [SignedStatement], seeds: [RulingID: Seed]) async throws {
        _ = try await wait(false, on: host) { [.caughtUp(token: $0, rulings, seeds: seeds)] }
    }

    /// - Parameter inputs: from the first of so many tokens, which follow each other.
    private func wait(
        _ isPerson: Bool, for count: Int = 1, on host: isolated EngineHost, _ inputs: (UInt64) -> [EngineInput]
    ) async throws -> [AlbumID?] {
        try await withCheckedThrowingContinuation { continuation in
            let waiter = Waiter(
                continuation: continuation, isPerson: isPerson, albums: [AlbumID?](repeating: nil, count: count),
                leftCount: count)
            guard let first = state.withLock({ $0.add(waiter) }) else {
                return continuation.resume(throwing: PotluckError(.tryAgain, "The agent stops."))
            }
            host.feed(inputs(first))
        }
    }

    /// Stores a page that a person carried here, as far as it is new and right.
    func carry(_ page: BatchPage) async throws -> CarriedOutcome { try await carry(page, on: host) }

    private func carry(_ page: BatchPage, on host: isolated EngineHost) async throws -> CarriedOutcome {
        try await withCheckedThrowingContinuation { continuation in
            guard let token = state.withLock({ $0.carried.wait(continuation) }) else { return }
            host.feed(.carried(token: token, page))
        }
    }

    // MARK: What became of it

    func finish(_ token: UInt64, _ outcome: Result<AlbumID?, any Error>) {
        state.withLock { state in
            guard let waiter = state.finish(token, outcome) else { return }
            state.finished.append { waiter.resume() }
        }
    }

    /// Lets those go on whose contributions ended with the input at hand: once all that it directed is performed, so that
    /// they find index, trash and folder told of it.
    func resumeFinished() {
        let finished = state.withLock { state in
            defer { state.finished = [] }
            return state.finished
        }
        for resume in finished { resume() }
    }

    func finish(_ token: UInt64, _ outcome: CarriedOutcome) {
        state.withLock { state in
            guard let continuation = state.carried.finish(token) else { return }
            state.finished.append { continuation.resume(returning: outcome) }
        }
    }

    /// The disk refuses what is to be stored: people are told, all others wait until it does not.
    func noteFailure(_ reason: String) {
        let error = PotluckError(
            .failed,
            "It cannot be written down yet: \(reason) While the agent runs there is no need to say it again.")
        let people = state.withLock { state in
            let people = state.waiters.filter(\.value.isPerson)
            for first in people.keys { state.remove(first) }
            state.carried.fail(PotluckError(.failed, "The changes cannot be stored: \(reason)"), isFinal: false)
            return people
        }
        for waiter in people.values { waiter.continuation.resume(throwing: error) }
    }

    /// The agent stops: what waits to be added, and what still comes, is added at its next start.
    func refuse() {
        let error = PotluckError(.tryAgain, "The agent stops; the photo is added at its next start.")
        let waiters = state.withLock { state in
            state.isRefusing = true
            defer {
                state.waiters.removeAll()
                state.firstTokens.removeAll()
            }
            state.carried.fail(
                PotluckError(.tryAgain, "The agent stops; unpack again when it runs."), isFinal: true)
            return state.waiters
        }
        for waiter in waiters.values { waiter.continuation.resume(throwing: error) }
    }
}
