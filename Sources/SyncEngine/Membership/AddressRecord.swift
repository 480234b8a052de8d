public import AlbumModel
public import WireFormat

/// Where a device says that it can be dialled.
public struct AddressRecord: Hashable, Sendable {
    public var device: DeviceID
    /// Of two records of a device the one with the greater number holds: microseconds of the signer's wall clock, but
    /// always more than in any record of it before.
    public var number: UInt64
    /// The most promising first; none if the device cannot be dialled.
    public var addresses: [PeerAddress]
    /// What the above was read from, to be passed on as it came.
    public var signed: SignedStatement

    public init(device: DeviceID, number: UInt64, addresses: [PeerAddress], signed: SignedStatement) {
        self.device = device
        self.number = number
        self.addresses = addresses
        self.signed = signed
    }
}

/// Why a record is not taken in.
public enum AddressRecordFlaw: Hashable, Sendable {
    case tooManyAddresses
    /// No numeric address at which another machine may find somebody, or no port.
    case unusable(PeerAddress)
    /// Not newer than what is known: no fault of whoever passed it on.
    case stale
}

extension AddressRecord {
    /// Judges a record whose signature was found right.
    ///
    /// - Parameter known: the number of the newest record of that device so far; `nil` if there is none.
    /// - Returns: `nil` for a good one.
    public func flaw(known: UInt64?, limits: MeshLimits = MeshLimits()) -> AddressRecordFlaw? {
        if addresses.count > limits.recordAddressCountMax { return .tooManyAddresses }
        for address in addresses where address.port == 0 || NumericAddress(address.host)?.isUnicast != true {
            return .unusable(address)
        }
        return known.map { number <= $0 } == true ? .stale : nil
    }
}
