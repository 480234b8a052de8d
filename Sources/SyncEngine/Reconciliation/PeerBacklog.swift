import AlbumModel
import DequeModule
import WireFormat

/// Batches that one peer lacks: places in the log, not lists, and few of those that are pushed. What is under way is
/// remembered until it is acknowledged, so that nothing leaves twice.
struct PeerBacklog: Sendable {
    private enum Task {
        case cursor(BatchCursor)
        case batch(BatchLog.Reference)
    }

    /// In the order in which they are sent: no batch may overtake one that it follows.
    private var tasks: Deque<Task> = []
    /// What did not fit into the last page: everything that it follows was sent.
    private var next: BatchLog.Reference?
    private var sampleCount = 0
    /// Pages sent and not acknowledged, by their numbers.
    private var unacknowledged: [UInt64: [BatchID]] = [:]
    private var underWay: Set<BatchID> = []
    private var nextPage: UInt64 = 1
    /// Something did not fit: nothing more is pushed, since it might follow that, and vectors are to be compared once the
    /// peer has what is under way.
    private(set) var isCut = false
    private let limits: EngineLimits

    init(limits: EngineLimits) { self.limits = limits }

    var unacknowledgedCount: Int { unacknowledged.count }

    /// How many places and batches wait.
    var waitingCount: Int { tasks.count }

    /// Nothing waits to be sent.
    var isEmpty: Bool { tasks.isEmpty && next == nil }

    /// Nothing is left to send, as far as this side knows.
    var isDrained: Bool { isEmpty && unacknowledged.isEmpty }

    /// The peer told what it knows: what waited is part of what it lacks.
    mutating func replace(by cursor: BatchCursor?) {
        isCut = false
        tasks.removeAll { task in
            if case .cursor(let other) = task { !other.isSample } else { true }
        }
        if let cursor { tasks.append(.cursor(cursor)) }
    }

    /// The peer told what it knows of a forked replica.
    ///
    /// - Returns: false if there are too many that wait.
    mutating func append(following cursor: BatchCursor) -> Bool {
        guard sampleCount < limits.samplesPerPeerMax else {
            isCut = true
            return false
        }
        sampleCount += 1
        tasks.append(.cursor(cursor))
        return true
    }

    /// What the peer lacks of some replicas came to be known.
    mutating func append(_ cursor: BatchCursor) {
        guard mayAppend() else { return }
        tasks.append(.cursor(cursor))
    }

    /// Batches that were just stored.
    mutating func append(_ batches: [BatchLog.Reference]) {
        for reference in batches {
            guard mayAppend() else { return }
            tasks.append(.batch(reference))
        }
    }

    private mutating func mayAppend() -> Bool {
        if tasks.count >= limits.pushedBatchCountMax { isCut = true }
        return !isCut
    }

    /// - Returns: false for a page that was not sent.
    mutating func acknowledge(_ page: UInt64) -> Bool {
        guard let ids = unacknowledged.removeValue(forKey: page) else { return false }
        underWay.subtract(ids)
        return true
    }

    /// The next page, if the window has room for it and something is left to send.
    mutating func nextPage(_ log: BatchLog) -> (ids: [BatchID], page: UInt64)? {
        guard unacknowledged.count < limits.pageWindow else { return nil }
        var ids: [BatchID] = []
        var byteCount = 0
        while ids.count < WireLimits.pageBatchCountMax, let reference = takeNext(log) {
            byteCount += reference.byteCount
            // At least one.
            guard ids.isEmpty || byteCount <= WireLimits.pageByteCountMax else {
                next = reference
                break
            }
            ids.append(reference.id)
            underWay.insert(reference.id)
        }
        guard !ids.isEmpty else { return nil }
        defer { nextPage += 1 }
        unacknowledged[nextPage] = ids
        return (ids, nextPage)
    }

    private mutating func takeNext(_ log: BatchLog) -> BatchLog.Reference? {
        if let reference = next.take() { return reference }
        while let task = tasks.popFirst() {
            switch task {
            case .batch(let reference): if !underWay.contains(reference.id) { return reference }
            case .cursor(var cursor):
                while let reference = cursor.next(log) {
                    guard !underWay.contains(reference.id) else { continue }
                    tasks.prepend(.cursor(cursor))
                    return reference
                }
                if cursor.isSample { sampleCount -= 1 }
            }
        }
        return nil
    }
}
