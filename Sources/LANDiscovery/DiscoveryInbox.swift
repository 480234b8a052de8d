/// Requests that wait for the discovery queue; equal ones are kept once, so that it stays small while the queue is
/// blocked.
struct DiscoveryInbox: Sendable {
    enum Request: Hashable, Sendable {
        case start
        case refresh
        case resolve(devicePrefix: [UInt8])
        /// The latest one counts.
        case look(except: Set<[UInt8]>)
        /// The latest one counts.
        case follow(FollowedRecords)
    }

    /// More devices than this are not asked for at once; the rest is asked for when it next fails to answer.
    static let deviceCountMax = 64

    private var starts = false
    private var refreshes = false
    private var devicePrefixes: Set<[UInt8]> = []
    private var spared: Set<[UInt8]>?
    private var followed: FollowedRecords?

    private var isEmpty: Bool {
        !starts && !refreshes && devicePrefixes.isEmpty && spared == nil && followed == nil
    }

    /// - Returns: whether somebody has to be sent to take it, since nobody is on the way.
    mutating func put(_ request: Request) -> Bool {
        let wasEmpty = isEmpty
        switch request {
        case .start: starts = true
        case .refresh: refreshes = true
        case .resolve(let prefix): if devicePrefixes.count < Self.deviceCountMax { devicePrefixes.insert(prefix) }
        case .look(let spared): self.spared = spared
        case .follow(let records): followed = records
        }
        return wasEmpty
    }

    mutating func takeAll() -> [DiscoveryModel.Input] {
        defer { self = DiscoveryInbox() }
        var inputs: [DiscoveryModel.Input] = []
        if let followed { inputs.append(.followed(followed)) }
        if starts { inputs.append(.start) }
        if refreshes { inputs.append(.refreshRequested) }
        if let spared { inputs.append(.lookRequested(except: spared)) }
        let sorted = devicePrefixes.sorted { $0.lexicographicallyPrecedes($1) }
        return inputs + sorted.map { .resolveRequested(devicePrefix: $0) }
    }
}
