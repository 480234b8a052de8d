import AlbumModel

/// What a ``PictureStore`` knows: what is kept, what waits, what is being made and what failed. A value without I/O.
///
/// A rendition is kept, or waits, or is being made, or failed, or is none of these: never two at a time.
struct RenditionLedger: Sendable {
    struct Kept: Sendable {
        var name: RenditionName
        /// Larger than that of those used before.
        var use: UInt64
        /// Whether the bytes are known to be what the name says.
        var isVerified: Bool
    }

    private struct Failure {
        var reason: String
        var end: ContinuousClock.Instant
    }

    enum Answer {
        case kept(Kept)
        case making(progress: Double?)
        /// It waits from now on; whoever makes things of this kind is to be woken.
        case queued
        case failed(reason: String)
        case busy
    }

    private let limits: RenditionLimits
    private var kept: [RenditionKey: Kept] = [:]
    private(set) var byteCount: UInt64 = 0
    private var useCount: UInt64 = 0
    /// In the order in which they were asked for.
    private var waiting: [RenditionKind: [RenditionKey]] = [:]
    private var underway: [RenditionKey: Double?] = [:]
    /// Of those underway, what is not to be kept.
    private var discarded: Set<RenditionKey> = []
    private var failures: [RenditionKey: Failure] = [:]

    init(_ limits: RenditionLimits) { self.limits = limits }

    // MARK: Asking

    mutating func ask(_ key: RenditionKey, now: ContinuousClock.Instant) -> Answer {
        if var found = kept[key] {
            useCount += 1
            found.use = useCount
            kept[key] = found
            return .kept(found)
        }
        if let progress = underway[key] { return .making(progress: progress) }
        let queue = waiting[key.kind, default: []]
        if queue.contains(key) { return .making(progress: nil) }
        if let failure = failures[key] {
            if failure.end > now { return .failed(reason: failure.reason) }
            failures[key] = nil
        }
        guard queue.count < limits.waitingCountMax(key.kind) else { return .busy }
        waiting[key.kind, default: []].append(key)
        return .queued
    }

    /// The bytes are what the name says.
    mutating func verify(_ name: RenditionName) {
        if kept[name.key]?.name == name { kept[name.key]?.isVerified = true }
    }

    /// Forgets a kept file that is gone or torn.
    mutating func drop(_ name: RenditionName) {
        guard kept[name.key]?.name == name else { return }
        kept[name.key] = nil
        byteCount -= name.byteCount
    }

    // MARK: Making

    /// The one to make next; from now on it is underway.
    mutating func next(_ kind: RenditionKind) -> RenditionKey? {
        guard let key = waiting[kind]?.first else { return nil }
        waiting[kind]?.removeFirst()
        underway[key] = .some(nil)
        return key
    }

    mutating func advance(_ key: RenditionKey, to progress: Double) {
        guard let before = underway[key] else { return }
        underway[key] = max(before ?? 0, min(max(0, progress), 1))
    }

    /// A making is over.
    ///
    /// - Returns: whether it is kept, and which files are to be removed to make room.
    mutating func keep(_ name: RenditionName) -> (isKept: Bool, evicted: [RenditionName]) {
        underway[name.key] = nil
        guard discarded.remove(name.key) == nil else { return (false, [name]) }
        let replaced = kept[name.key]?.name
        if let replaced { drop(replaced) }
        let evicted = evict(toFit: name.byteCount)
        add(name, isVerified: true)
        return (true, evicted + [replaced].compactMap { $0 }.filter { $0 != name })
    }

    /// A making is over, for nothing.
    ///
    /// - Parameter isLasting: whether it would end the same when tried again.
    mutating func fail(_ key: RenditionKey, reason: String, isLasting: Bool, now: ContinuousClock.Instant) {
        underway[key] = nil
        guard discarded.remove(key) == nil else { return }
        failures = failures.filter { $0.value.end > now }
        if failures.count >= limits.failureCountMax, let first = failures.min(by: { $0.value.end < $1.value.end }) {
            failures[first.key] = nil
        }
        let end = now.advanced(by: isLasting ? limits.failureMemory : limits.hitchMemory)
        failures[key] = Failure(reason: reason, end: end)
    }

    // MARK: The directory

    /// What a start found, that used last at the end.
    ///
    /// - Returns: files to be removed: too many bytes, or older ones of the same rendition; and what waited and need not
    ///   be made.
    mutating func load(_ found: [RenditionName]) -> (removed: [RenditionName], ready: [RenditionKey]) {
        var removed: [RenditionName] = []
        for name in found {
            if let older = kept[name.key]?.name {
                drop(older)
                removed.append(older)
            }
            guard name.byteCount <= limits.byteCountMax else {
                removed.append(name)
                continue
            }
            removed += evict(toFit: name.byteCount)
            add(name, isVerified: false)
        }
        let ready = waiting.values.joined().filter { kept[$0] != nil }
        for key in ready { waiting[key.kind]?.removeAll { $0 == key } }
        return (removed, ready)
    }

    private mutating func add(_ name: RenditionName, isVerified: Bool) {
        useCount += 1
        kept[name.key] = Kept(name: name, use: useCount, isVerified: isVerified)
        byteCount += name.byteCount
    }

    /// Forgets what was used longest ago until so many bytes have room.
    private mutating func evict(toFit added: UInt64) -> [RenditionName] {
        var evicted: [RenditionName] = []
        while byteCount + added > limits.byteCountMax || kept.count >= limits.fileCountMax,
            let oldest = kept.values.min(by: { $0.use < $1.use })
        {
            drop(oldest.name)
            evicted.append(oldest.name)
        }
        return evicted
    }

    /// Forgets everything of an original.
    ///
    /// - Returns: files to be removed, and what is being made of it: to be ended, and not kept.
    mutating func remove(_ blob: BlobID) -> (files: [RenditionName], underway: [RenditionKey]) {
        var files: [RenditionName] = [], ended: [RenditionKey] = []
        for kind in RenditionKind.allCases {
            let key = RenditionKey(kind: kind, blob: blob)
            if let name = kept[key]?.name {
                drop(name)
                files.append(name)
            }
            waiting[kind]?.removeAll { $0 == key }
            failures[key] = nil
            if underway[key] != nil {
                discarded.insert(key)
                ended.append(key)
            }
        }
        return (files, ended)
    }
}
