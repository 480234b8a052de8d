import AlbumModel
import WireFormat

/// Where a device can be dialled by others on its machine.
///
/// It is sent without a signature, to peers on that machine alone, and they do not pass it on: signed records reach other
/// machines too, where a loopback address leads to somebody else.
struct LoopbackAddress: Hashable, Sendable {
    let device: DeviceID
    let address: PeerAddress

    /// `nil` where the address leads to another machine, or has no port.
    init?(device: DeviceID, address: PeerAddress) {
        guard address.isLoopback, address.port != 0 else { return nil }
        self.device = device
        self.address = address
    }

    /// `nil` for what is signed, cannot be read, or does not consist of one such address.
    init?(_ statement: SignedStatement) {
        guard statement.signature.isEmpty, let content = try? AddressStatement(decoding: statement.content),
            content.addresses.count == 1
        else { return nil }
        let address = content.addresses[0]
        self.init(device: content.device, address: PeerAddress(host: address.host, port: address.port))
    }

    /// As it is sent. Earlier versions pass it over, like everything whose signature is wrong.
    var statement: SignedStatement {
        let content = AddressStatement(
            device: device, number: 0, addresses: [.init(host: address.host, port: address.port)])
        return SignedStatement(content: content.encoded(), signature: [])
    }
}
