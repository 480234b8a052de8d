/// What is known of guests: their names, who was revoked, and which epoch links belong to.
///
/// A function of the set of changes like everything that is folded, its bounds included.
struct GuestBook: Sendable {
    private var names = LatestNames()
    private(set) var revoked = RevokedGuests()
    private(set) var epoch: UInt64 = 0
    /// Only the device itself writes here, so there are as many as devices.
    private var doors: [DeviceID: (time: ChangeTime, port: UInt16)] = [:]

    func name(of guest: GuestID) -> String? { names[guest] }

    var allNames: [GuestID: String] { names.values }

    mutating func name(_ guest: GuestID, _ name: String, at time: ChangeTime) {
        names.write(name, of: guest, at: time)
    }

    mutating func revoke(_ guest: GuestID) { revoked.insert(guest) }

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

/// The latest name of each guest, of as many guests as are kept: those named last.
///
/// Whom a bound leaves out depends on no order: whoever was left out had no later name than those who stayed, so only a
/// later one brings them back.
private struct LatestNames: Sendable {
    private struct Write {
        var time: ChangeTime
        var name: String
    }

    private struct Place: Comparable, SortKeyed {
        var time: ChangeTime
        var guest: GuestID

        var sortKey: Place { self }

        static func < (left: Place, right: Place) -> Bool { (left.time, left.guest) < (right.time, right.guest) }
    }

    private var writes: [GuestID: Write] = [:]
    private var order = SortedChunks<Place>()

    subscript(guest: GuestID) -> String? { writes[guest]?.name }

    var values: [GuestID: String] { writes.mapValues(\.name) }

    mutating func write(_ name: String, of guest: GuestID, at time: ChangeTime) {
        if let known = writes[guest] {
            guard known.time < time else { return }
            order.remove(Place(time: known.time, guest: guest))
        }
        writes[guest] = Write(time: time, name: name)
        order.insert(Place(time: time, guest: guest))
        guard order.count > CatalogLimits.namedGuestCountMax, let oldest = order.first else { return }
        order.remove(oldest)
        writes[oldest.guest] = nil
    }
}
