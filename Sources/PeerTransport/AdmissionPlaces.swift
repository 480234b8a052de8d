import AlbumModel
import NIOCore

/// The places that accepted connections have until they are admitted.
///
/// Strangers share most of them; where all are taken one at random makes room, preferably of a network that tries more
/// often than the newcomer's, else one that had its time. Whoever was admitted before has a reserve. A value type without
/// I/O; time and randomness are arguments.
struct AdmissionPlaces: Sendable {
    /// Names a place; never used again.
    typealias Number = UInt64

    enum Entry: Hashable, Sendable {
        /// The connection in the other place, if one is named, is to be closed: it has none any more.
        case taken(Number, insteadOf: Number?)
        /// The connection is to be closed.
        case refused
    }

    private enum Kind: Hashable, Sendable {
        case stranger
        /// Comes from an address from which somebody was admitted.
        case knownHost
        /// Has shown the key of a device that was admitted before.
        case knownDevice(DeviceID)
    }

    private struct Holder: Sendable {
        let number: Number
        let source: Source
        let since: NIODeadline
        var kind = Kind.stranger
    }

    /// Connections of one network, forgotten one by one.
    private struct Attempts: Sendable {
        var level: Double
        var last: NIODeadline

        func level(at now: NIODeadline, _ limits: TransportLimits) -> Double {
            max(0, level - Double((now - last).nanoseconds) / Double(TimeAmount(limits.attemptMemory).nanoseconds))
        }
    }

    private let limits: TransportLimits
    /// In the order in which they came.
    private var holders: [Holder] = []
    private var nextNumber: Number = 0
    /// By ``Source/network``.
    private var attempts: [[UInt8]: Attempts] = [:]
    private var newcomers: RateAllowance
    private var insistent: RateAllowance
    /// By ``Source/host``, and in the order in which they were learnt.
    private var knownHosts: Set<[UInt8]> = []
    private var knownHostsInOrder = CircularBuffer<[UInt8]>()

    init(limits: TransportLimits) {
        self.limits = limits
        newcomers = RateAllowance(perSecond: limits.strangerRate, burst: limits.strangerBurst)
        insistent = RateAllowance(perSecond: limits.insistentRate, burst: limits.insistentRate)
    }

    /// Connections that have a place.
    var count: Int { holders.count }

    /// Networks whose attempts are counted.
    var attemptNetworkCount: Int { attempts.count }

    // MARK: - Coming and going

    /// Takes a place for a connection from `source`. Give it back with ``leave(_:)``.
    mutating func enter(
        _ source: Source, now: NIODeadline, using random: inout some RandomNumberGenerator
    ) -> Entry {
        if knownHosts.contains(source.host), let entry = enterReserve(source, now: now, using: &random) { return entry }
        let level = noteAttempt(of: source.network, now: now)
        // Networks that insist have an allowance of their own, so that they use up nobody else's.
        let isWithinRate =
            level > Double(limits.unadmittedCountMaxPerAddress)
            ? insistent.take(now: now) : newcomers.take(now: now)
        guard isWithinRate else { return .refused }
        let strangers = holders.filter { $0.kind == .stranger }
        let own = strangers.filter { $0.source.network == source.network }
        var instead: Number?
        if own.count >= limits.unadmittedCountMaxPerAddress {
            instead = own.filter { isSlow($0, now: now) }.randomElement(using: &random)?.number
            guard instead != nil else { return .refused }
        } else if strangers.count >= limits.unadmittedCountMax {
            let busier = strangers.filter { attempts[$0.source.network]?.level(at: now, limits) ?? 0 > level }
            let candidates = busier.isEmpty ? strangers.filter { isSlow($0, now: now) } : busier
            instead = candidates.randomElement(using: &random)?.number
            guard instead != nil else { return .refused }
        }
        return take(source, .stranger, insteadOf: instead, now: now)
    }

    /// Moves a connection that has shown a known device's key to the reserve, where no stranger's takes its place.
    ///
    /// - Returns: a connection that is to be closed for it.
    mutating func recognise(
        _ number: Number, as device: DeviceID, using random: inout some RandomNumberGenerator
    ) -> Number? {
        guard let index = holders.firstIndex(where: { $0.number == number }) else { return nil }
        let others = holders.filter { $0.number != number }
        holders[index].kind = .knownDevice(device)
        let same = others.filter { $0.kind == .knownDevice(device) }
        var instead: Number?
        if same.count >= limits.connectionCountMaxPerDevice {
            instead = same.first?.number
        } else if others.count(where: { $0.kind != .stranger }) >= limits.reservedCountMax {
            let hosts = others.filter { $0.kind == .knownHost }
            let candidates = hosts.isEmpty ? others.filter { $0.kind != .stranger } : hosts
            instead = candidates.randomElement(using: &random)?.number
        }
        if let instead { leave(instead) }
        return instead
    }

    /// Gives a place back, when its connection is about to be admitted or over: no newcomer has it closed from now on.
    ///
    /// - Returns: false for one that made room, which is being closed.
    @discardableResult
    mutating func leave(_ number: Number) -> Bool {
        guard let index = holders.firstIndex(where: { $0.number == number }) else { return false }
        holders.remove(at: index)
        return true
    }

    /// Somebody was admitted from there: later connections of that address have the reserve.
    mutating func noteKnown(_ source: Source) {
        attempts[source.network] = nil
        guard knownHosts.insert(source.host).inserted else { return }
        knownHostsInOrder.append(source.host)
        if knownHostsInOrder.count > limits.knownHostCountMax { knownHosts.remove(knownHostsInOrder.removeFirst()) }
    }

    // MARK: - Helpers

    /// `nil` where the reserve is full of those who had not their time yet: then the place is one of the strangers'.
    private mutating func enterReserve(
        _ source: Source, now: NIODeadline, using random: inout some RandomNumberGenerator
    ) -> Entry? {
        let reserved = holders.filter { $0.kind != .stranger }
        let own = reserved.filter { $0.source.host == source.host }
        guard own.count >= limits.unadmittedCountMaxPerAddress || reserved.count >= limits.reservedCountMax else {
            return take(source, .knownHost, insteadOf: nil, now: now)
        }
        let full = own.count >= limits.unadmittedCountMaxPerAddress ? own : reserved
        let slow = full.filter { $0.kind == .knownHost && isSlow($0, now: now) }
        return slow.randomElement(using: &random).map {
            take(source, .knownHost, insteadOf: $0.number, now: now)
        }
    }

    private mutating func take(_ source: Source, _ kind: Kind, insteadOf: Number?, now: NIODeadline) -> Entry {
        if let insteadOf { leave(insteadOf) }
        holders.append(Holder(number: nextNumber, source: source, since: now, kind: kind))
        defer { nextNumber += 1 }
        return .taken(nextNumber, insteadOf: insteadOf)
    }

    /// A member would have been admitted by now, even by a busy laptop.
    private func isSlow(_ holder: Holder, now: NIODeadline) -> Bool {
        now - holder.since >= TimeAmount(limits.admissionPatience)
    }

    /// - Returns: how many there were lately, this one included.
    private mutating func noteAttempt(of network: [UInt8], now: NIODeadline) -> Double {
        let level = (attempts[network]?.level(at: now, limits) ?? 0) + 1
        attempts[network] = Attempts(level: level, last: now)
        if attempts.count > limits.attemptNetworkCountMax {
            attempts = attempts.filter { $0.value.level(at: now, limits) > 0 }
            // So many at one time are no laptops that try again.
            if attempts.count > limits.attemptNetworkCountMax { attempts = [:] }
        }
        return level
    }
}

/// How often something may happen.
private struct RateAllowance: Sendable {
    private let perSecond: Int
    private let burst: Int
    private var level: Double
    private var last: NIODeadline?

    init(perSecond: Int, burst: Int) {
        self.perSecond = perSecond
        self.burst = burst
        level = Double(burst)
    }

    mutating func take(now: NIODeadline) -> Bool {
        let elapsed = last.map { Double((now - $0).nanoseconds) / 1e9 } ?? 0
        level = min(Double(burst), level + elapsed * Double(perSecond))
        last = now
        guard level >= 1 else { return false }
        level -= 1
        return true
    }
}
