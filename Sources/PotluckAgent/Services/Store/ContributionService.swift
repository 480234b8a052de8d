import AlbumModel
import PotluckAPI
import SyncEngine
import Synchronization
import WireFormat

/// What this laptop adds to the gathering: whoever adds something waits here until it is durable.
final class ContributionService: Sendable {
    private struct Waiting {
        var continuation: CheckedContinuation<AlbumID?, any Error>
        /// A person waits, who is told when the disk refuses it.
        var isPerson: Bool
    }

    private struct State {
        var waiting: [UInt64: Waiting] = [:]
        var nextToken: UInt64 = 1
        /// Lets those go on whose contributions ended with the input at hand.
        var finished: [@Sendable () -> Void] = []
        var isRefusing = false
        var carried = CarriedPages()
    }

    private let host: EngineHost
    private let state = Mutex(State())

    init(host: EngineHost) { self.host = host }

    /// Adds something to the gathering; returns once it is durable.
    ///
    /// - Parameter forPerson: throws as well where the disk refuses it; the agent goes on trying all the same.
    /// - Returns: the album that it concerned.
    func contribute(_ contribution: Contribution, forPerson isPerson: Bool = false) async throws -> AlbumID? {
        try await wait(isPerson, on: host) { .contribute(token: $0, contribution) }
    }

    /// Decides something as a host; returns once it is durable.
    func rule(_ kind: Ruling.Kind) async throws {
        _ = try await wait(true, on: host) { .rule(token: $0, kind) }
    }

    /// Changes the phrase as a host, or with the recovery code's key, and puts devices out; returns once the new epoch is
    /// durable.
    func beginEpoch(
        _ seed: Seed, puttingOut devices: [DeviceID] = [], recovery: (any BatchSigning)? = nil
    ) async throws {
        _ = try await wait(true, on: host) {
            .newPhrase(token: $0, seed, puttingOut: devices, recovery: recovery)
        }
    }

    /// Lets devices in as a host, or with the recovery code's key; returns once that is durable.
    func letIn(_ devices: [DeviceID], recovery: (any BatchSigning)?) async throws {
        _ = try await wait(true, on: host) { .letIn(token: $0, devices, recovery: recovery) }
    }

    /// Keeps what another laptop knew of rulings and seeds; returns once it is durable.
    func catchUp(_ rulings: [SignedStatement], seeds: [RulingID: Seed]) async throws {
        _ = try await wait(false, on: host) { .caughtUp(token: $0, rulings, seeds: seeds) }
    }

    private func wait(
        _ isPerson: Bool, on host: isolated EngineHost, _ input: (UInt64) -> EngineInput
    ) async throws -> AlbumID? {
        try await withCheckedThrowingContinuation { continuation in
            let token = state.withLock { state -> UInt64? in
                guard !state.isRefusing else { return nil }
                defer { state.nextToken += 1 }
                state.waiting[state.nextToken] = Waiting(continuation: continuation, isPerson: isPerson)
                return state.nextToken
            }
            guard let token else {
                return continuation.resume(throwing: PotluckError(.tryAgain, "The agent stops."))
            }
            host.feed(input(token))
        }
    }

    /// Returns once all of it is durable. They go out together, so that they share a commit.
    func contribute(all contributions: [Contribution], forPerson isPerson: Bool = false) async throws {
        try await withThrowingTaskGroup { group in
            for contribution in contributions {
                group.addTask { _ = try await self.contribute(contribution, forPerson: isPerson) }
            }
            try await group.waitForAll()
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
            guard let waiting = state.waiting.removeValue(forKey: token) else { return }
            state.finished.append { waiting.continuation.resume(with: outcome) }
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
            let people = state.waiting.filter(\.value.isPerson)
            for token in people.keys { state.waiting[token] = nil }
            state.carried.fail(PotluckError(.failed, "The changes cannot be stored: \(reason)"), isFinal: false)
            return people
        }
        for waiting in people.values { waiting.continuation.resume(throwing: error) }
    }

    /// The agent stops: what waits to be added, and what still comes, is added at its next start.
    func refuse() {
        let error = PotluckError(.tryAgain, "The agent stops; the photo is added at its next start.")
        let waiting = state.withLock { state in
            state.isRefusing = true
            defer { state.waiting.removeAll() }
            state.carried.fail(
                PotluckError(.tryAgain, "The agent stops; unpack again when it runs."), isFinal: true)
            return state.waiting
        }
        for one in waiting.values { one.continuation.resume(throwing: error) }
    }
}
