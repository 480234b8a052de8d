/// Somebody who adds, likes or writes something: a device's own person, or a guest at its door.
///
/// What a guest does is signed by the device at whose door it is done, so one guest at two doors is two people here.
public struct Person: Hashable, Comparable, Sendable {
    public var device: DeviceID
    /// `nil` for the device's own person.
    public var guest: GuestID?

    public init(_ device: DeviceID, guest: GuestID? = nil) {
        self.device = device
        self.guest = guest
    }

    /// A device's own person comes before its guests.
    public static func < (left: Person, right: Person) -> Bool {
        if left.device != right.device { return left.device < right.device }
        guard let guest = right.guest else { return false }
        return left.guest.map { $0 < guest } ?? true
    }
}
