import Synchronization

/// Hands events from discovery to one reader, who may be slow: what is newer about the same device, or about discovery
/// itself, takes the place of what was not read yet. It holds at most one event per device told.
final class EventMailbox: Sendable {
    private enum Subject: Hashable { case discovery, network, device([UInt8]) }

    private struct State {
        /// In the order in which the subjects came up.
        var waiting: [(subject: Subject, event: DiscoveryEvent)] = []
        var reader: CheckedContinuation<DiscoveryEvent?, Never>?
        var isFinished = false
    }

    private let state = Mutex(State())

    func put(_ event: DiscoveryEvent) {
        let subject = Self.subject(of: event)
        let reader = state.withLock { state -> CheckedContinuation<DiscoveryEvent?, Never>? in
            guard !state.isFinished else { return nil }
            if let reader = state.reader {
                state.reader = nil
                return reader
            }
            if let index = state.waiting.firstIndex(where: { $0.subject == subject }) {
                state.waiting[index].event = event
            } else {
                state.waiting.append((subject, event))
            }
            return nil
        }
        reader?.resume(returning: event)
    }

    /// The next event; `nil` once finished and read to the end, or when the reading task is cancelled.
    ///
    /// - Precondition: nobody else is waiting.
    func next() async -> DiscoveryEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> DiscoveryEvent?? in
                    if !state.waiting.isEmpty { return .some(state.waiting.removeFirst().event) }
                    if state.isFinished || Task.isCancelled { return .some(nil) }
                    precondition(state.reader == nil, "discovery events have one reader")
                    state.reader = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            takeReader()?.resume(returning: nil)
        }
    }

    /// Nothing is taken from now on; what waits can still be read.
    func finish() {
        state.withLock { $0.isFinished = true }
        takeReader()?.resume(returning: nil)
    }

    private func takeReader() -> CheckedContinuation<DiscoveryEvent?, Never>? {
        state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
    }

    private static func subject(of event: DiscoveryEvent) -> Subject {
        switch event {
        case .available, .unavailable: .discovery
        case .networkChanged: .network
        case .found(let prefix, _), .lost(let prefix): .device(prefix)
        }
    }
}
