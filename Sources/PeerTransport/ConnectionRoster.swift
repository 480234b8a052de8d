import AlbumModel

/// The admitted connections that others opened: how many there may be, and which makes room for another.
///
/// Members that are not connected come before second connections of others, and those that have said something before
/// those that have not. A value type without I/O; randomness is an argument.
struct ConnectionRoster: Sendable {
    /// Names a connection; never used again.
    typealias Number = UInt64

    /// ungreeted → greeted → closing; each may be followed by closing, and by the end.
    private enum Phase: Hashable, Sendable {
        /// Its first message has not come.
        case ungreeted
        case greeted
        /// This end has ended it; the other end may take its time.
        case closing
    }

    private struct Entry: Sendable {
        let number: Number
        let device: DeviceID
        var phase = Phase.ungreeted
    }

    private let limits: TransportLimits
    /// In the order in which they came.
    private var entries: [Entry] = []
    private var nextNumber: Number = 0

    init(limits: TransportLimits) {
        self.limits = limits
    }

    var count: Int { entries.count }

    /// Takes a connection of `device` in; `nil` where there is no room for it.
    ///
    /// - Returns: its number, and the connections that are to be closed for it: they are in the roster no longer.
    mutating func enter(
        _ device: DeviceID, using random: inout some RandomNumberGenerator
    ) -> (number: Number, insteadOf: [Number])? {
        var leaving: [Number] = []
        let own = entries.filter { $0.device == device && $0.phase != .closing }
        if own.count >= limits.connectionCountMaxPerDevice {
            // Of an agent that was started anew the oldest is the dead one.
            leaving.append((own.first { $0.phase == .ungreeted } ?? own[0]).number)
        }
        let ungreeted = entries.filter { $0.phase == .ungreeted && !leaving.contains($0.number) }
        if ungreeted.count >= limits.ungreetedCountMax {
            let second = ungreeted.filter { isSecond($0) }
            leaving.append((second.isEmpty ? ungreeted : second).randomElement(using: &random)!.number)
        }
        if leaving.isEmpty, entries.count >= limits.connectionCountMax {
            guard let other = dispensable(isSecond: !own.isEmpty, using: &random) else { return nil }
            leaving.append(other)
        }
        for number in leaving { leave(number) }
        entries.append(Entry(number: nextNumber, device: device))
        defer { nextNumber += 1 }
        return (nextNumber, leaving)
    }

    /// Its first message has come.
    mutating func noteGreeted(_ number: Number) { set(.greeted, number) }

    /// This end has closed it.
    mutating func noteClosing(_ number: Number) { set(.closing, number) }

    /// It is over; nothing for one that made room.
    mutating func leave(_ number: Number) { entries.removeAll { $0.number == number } }

    private mutating func set(_ phase: Phase, _ number: Number) {
        guard let index = entries.firstIndex(where: { $0.number == number }) else { return }
        entries[index].phase = phase
    }

    /// - Parameter isSecond: the newcomer's device has a connection already.
    private func dispensable(
        isSecond isNewcomerSecond: Bool, using random: inout some RandomNumberGenerator
    ) -> Number? {
        let closing = entries.filter { $0.phase == .closing }
        if let entry = closing.randomElement(using: &random) { return entry.number }
        guard !isNewcomerSecond else { return nil }
        let second = entries.filter { self.isSecond($0) }
        if let entry = second.randomElement(using: &random) { return entry.number }
        return entries.filter { $0.phase == .ungreeted }.randomElement(using: &random)?.number
    }

    /// Its device has a better one: a greeted one, or an older one of the same kind.
    private func isSecond(_ entry: Entry) -> Bool {
        entries.contains { other in
            guard other.device == entry.device, other.number != entry.number, other.phase != .closing else {
                return false
            }
            if other.phase != entry.phase { return other.phase == .greeted }
            return other.number < entry.number
        }
    }
}
