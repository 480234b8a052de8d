public import SyncEngine

/// What discovery learned. A hint where to dial, never a proof that a device is there, is gone, or is who it says.
public enum DiscoveryEvent: Hashable, Sendable {
    /// A device of this gathering (``FollowedRecords``), and where it may be dialled: at most 16 addresses, the most promising
    /// first, loopback last. Comes again whenever the addresses or the port change. `devicePrefix` has 8 bytes, and
    /// is never this device's own.
    case found(devicePrefix: [UInt8], addresses: [PeerAddress])
    /// The device is no longer announced on any interface. Its addresses may still work.
    case lost(devicePrefix: [UInt8])
    /// Discovery does not work, in a sentence that tells what to do. Said once per outage; devices found before are
    /// kept, and everything is tried again by itself.
    case unavailable(reason: String)
    /// This device is announced and others are looked for: said at the start and after each outage.
    case available
    /// This machine's addresses or links changed, or it woke up, and the network had a second to calm down: whoever did
    /// not answer before may answer now. Devices are looked up again at once only where
    /// ``LANDiscovery/lookAgain(except:)`` asks for it.
    case networkChanged
}
