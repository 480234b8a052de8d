public import AlbumModel

/// Why a device could not be connected to. Of several addresses' reasons the most telling one.
public enum DialError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No address answered; the last reason.
    case unreachable(reason: String)
    /// Another device answered.
    case wrongDevice(found: DeviceID)
    /// The device that answered is in another gathering.
    case notAMember
    /// The device that answered is out, or has no phrase that holds.
    case outsider
    /// The device that answered says that hosts put this one out …
    case toldOut
    /// … or that the phrase has changed.
    case toldChanged
    /// The device that answered is of a version that knows the first phrase alone, which holds no longer.
    case earlierVersion(DeviceID)
    /// The device that answers has this device's own key; mostly, because the address is its own.
    case isSelf
    /// Admission did not end in time.
    case timedOut

    public var description: String {
        switch self {
        case .unreachable(let reason): "The laptop cannot be reached: \(reason)."
        case .wrongDevice: "Another laptop answers at this address."
        case .notAMember: "The laptop at this address was not invited with the same phrase."
        case .outsider: "The laptop at this address is no member of the gathering any more."
        case .toldOut: "The laptop at this address says that this one was put out of the gathering."
        case .toldChanged: "The laptop at this address says that the invite phrase has changed."
        case .earlierVersion: "The laptop at this address runs an earlier version of Potluck."
        case .isSelf: "This is the address of this laptop itself."
        case .timedOut: "The laptop did not answer in time."
        }
    }

    /// A higher one says more about what to do.
    var rank: Int {
        switch self {
        case .toldOut, .toldChanged, .earlierVersion: 6
        case .outsider: 5
        case .notAMember: 4
        case .wrongDevice: 3
        case .isSelf: 2
        case .unreachable: 1
        case .timedOut: 0
        }
    }
}

/// Which device a dial is meant for.
public enum DeviceExpectation: Hashable, Sendable {
    case device(DeviceID)
    /// The device ID begins with these bytes.
    case prefix([UInt8])

    func isMet(by device: DeviceID) -> Bool { device.bytes.starts(with: prefix) }

    /// The bytes with which the device's ID must begin.
    var prefix: [UInt8] {
        switch self {
        case .device(let expected): expected.bytes
        case .prefix(let prefix): prefix
        }
    }
}
