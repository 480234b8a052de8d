/// What is known of guests: their names, who was revoked, and which epoch links belong to.
///
/// A function of the set of changes like everything that is folded, its bounds included.
struct GuestBook: Sendable {
    private var names = LatestWrites<String>(countMax: CatalogLimits.namedGuestCountMax)
    private var revocations = LatestWrites<Bool>(countMax: CatalogLimits.revokedGuestCountMax)
    private(set) var epoch: UInt64 = 0
    /// Only the device itself writes here, so there are as many as devices.
    private var doors: [DeviceID: (time: ChangeTime, port: UInt16)] = [:]

    func name(of guest: GuestID) -> String? { names[guest] }

    var allNames: [GuestID: String] { names.values }

    func isRevoked(_ guest: GuestID) -> Bool { revocations[guest] == true }

    var revoked: Set<GuestID> { Set(revocations.values.keys) }

    mutating func name(_ guest: GuestID, _ name: String, at time: ChangeTime) {
        names.write(name, for: guest, at: time)
    }

    mutating func revoke(_ guest: GuestID, at time: ChangeTime) { revocations.write(true, for: guest, at: time) }

    /// `nil` while a device lets no guests in.
    func door(of device: DeviceID) -> UInt16? { doors[device].flatMap { $0.port == 0 ? nil : $0.port } }

    mutating func moveDoor(of device: DeviceID, to port: UInt16, at time: ChangeTime) {
        // An older word may arrive late.
        if let known = doors[device], time < known.time { return }
        doors[device] = (time, port)
    }

    /// - Returns: whether it is a new one.
    mutating func raiseEpoch(_ other: UInt64) -> Bool {
        defer { epoch = max(epoch, other) }
        return other > epoch
    }
}

/// The latest value that was written for each guest, of as many guests as are kept: those written last.
///
/// Whom a bound leaves out depends on no order: whoever was left out had no later write than those who stayed, so only a
/// later one brings them back.
private struct LatestWrites<Value: Sendable>: Sendable {
    private struct Write {
        var time: ChangeTime
        var value: Value
    }

    private struct Place: Comparable, SortKeyed {
        var time: ChangeTime
        var guest: GuestID

        var sortKey: Place { self }

        static func < (left: Place, right: Place) -> Bool { (left.time, left.guest) < (right.time, right.guest) }
    }

    private let countMax: Int
    private var writes: [GuestID: Write] = [:]
    private var order = SortedChunks<Place>()

    init(countMax: Int) {
        self.countMax = countMax
    }

    subscript(guest: GuestID) -> Value? { writes[guest]?.value }

    var values: [GuestID: Value] { writes.mapValues(\.value) }

    mutating func write(_ value: Value, for guest: GuestID, at time: ChangeTime) {
        if let known = writes[guest] {
            guard known.time < time else { return }
            order.remove(Place(time: known.time, guest: guest))
        }
        writes[guest] = Write(time: time, value: value)
        order.insert(Place(time: time, guest: guest))
        guard order.count > countMax, let oldest = order.first else { return }
        order.remove(oldest)
        writes[oldest.guest] = nil
    }
}
