import AlbumModel
import NIOPosix
import Synchronization

/// Commits facts, grouped: what comes while a commit is under way shares the next one, and a lone fact never waits.
///
/// Each has the value that is known when its commit begins, so that it does not matter which task is first. What a commit
/// that failed has left goes with the next one: what follows in memory must not be ahead of it for good.
///
/// Each waiting entry is a caller's, so callers bound the queue.
final class FactQueue: Sendable {
    private enum Turn: Sendable {
        case done
        case failed(FolderError)
        /// The commit before is over, and this caller does the next.
        case lead
    }

    private struct Entry {
        var changes: [FactChange]
        /// `nil` for the caller that leads.
        var continuation: CheckedContinuation<Turn, Never>?
    }

    private struct State {
        var isCommitting = false
        var entries: [Entry] = []
        /// What commits that failed were to write, in the order in which facts first came; each fact once.
        var unwritten: [FactChange] = []
    }

    private let write: @Sendable ([FactChange]) throws -> Void
    private let pool: NIOThreadPool
    private let newest: @Sendable ([FactChange]) -> [FactChange]
    private let state = Mutex(State())

    /// - Parameters:
    ///   - pool: on which facts are written.
    ///   - write: Makes facts durable, all or none; blocks.
    ///   - newest: The same facts with the values that are known now.
    init(
        pool: NIOThreadPool, write: @escaping @Sendable ([FactChange]) throws -> Void,
        newest: @escaping @Sendable ([FactChange]) -> [FactChange]
    ) {
        self.write = write
        self.pool = pool
        self.newest = newest
    }

    /// Returns once the changes are durable.
    func commit(_ changes: [FactChange]) async throws(FolderError) {
        if changes.isEmpty { return }
        let turn = await withCheckedContinuation { continuation in
            let mayLead = state.withLock { state in
                let mayLead = !state.isCommitting
                state.isCommitting = true
                state.entries.append(Entry(changes: changes, continuation: mayLead ? nil : continuation))
                return mayLead
            }
            if mayLead { continuation.resume(returning: .lead) }
        }
        switch turn {
        case .done: return
        case .failed(let error): throw error
        case .lead: try await lead()
        }
    }

    /// Commits all that waits, the caller's own among it, and hands over to one of those that came meanwhile.
    private func lead() async throws(FolderError) {
        let (group, unwritten) = state.withLock { state in
            defer { state.entries = [] }
            return (state.entries, state.unwritten)
        }
        let changes = unwritten + group.flatMap(\.changes)
        let values = newest(changes)
        var failure: FolderError?
        do {
            try await pool.perform { [write] in try write(values) }
        } catch {
            failure = FolderError(error)
        }
        let left = failure == nil ? [] : Self.once(changes)
        let next = state.withLock { state in
            state.unwritten = left
            state.isCommitting = !state.entries.isEmpty
            guard state.isCommitting else { return nil as CheckedContinuation<Turn, Never>? }
            defer { state.entries[0].continuation = nil }
            return state.entries[0].continuation
        }
        for entry in group { entry.continuation?.resume(returning: failure.map { .failed($0) } ?? .done) }
        next?.resume(returning: .lead)
        if let failure { throw failure }
    }

    /// The last change of each fact.
    private static func once(_ changes: [FactChange]) -> [FactChange] {
        var places: [FactChange: Int] = [:]
        var last: [FactChange] = []
        for change in changes {
            let fact = FactChange(kind: change.kind, key: change.key, value: nil)
            if let place = places[fact] {
                last[place] = change
            } else {
                places[fact] = last.count
                last.append(change)
            }
        }
        return last
    }
}
