import AlbumModel
import WireFormat

/// This device, as it is for one run of its agent.
struct LocalDevice: Sendable {
    let id: DeviceID
    let signing: any BatchSigning
    /// Drawn at start: tells this run of the agent from its earlier ones.
    let run: [UInt8]
    let port: UInt16

    init(signing: any BatchSigning, run: [UInt8], port: UInt16) {
        id = BatchSignature.deviceID(publicKey: signing.publicKey)
        self.signing = signing
        self.run = run
        self.port = port
    }

    /// The first message over a connection.
    ///
    /// - Parameters:
    ///   - vectorBase: names the vector that both may have from earlier connections.
    ///   - known: as far as which point of the peer's changes of presence is known here.
    ///   - summaryNumber: up to which the own summaries are older than what is said now.
    ///   - rulings: the digest of those that are known.
    func hello(
        to device: DeviceID, _ membership: Membership, vectorBase: [UInt8]?, known: PresencePosition?,
        summaryNumber: UInt64, rulings: [UInt8]
    ) -> Hello {
        Hello(
            versions: WireLimits.protocolVersions, run: run, port: port, foldLevel: UInt32(Catalog.level),
            needsLink: membership.book.needsLink, known: known, vectorBase: vectorBase, takesDifferences: true,
            addressesNumber: membership.book.addressesNumber(of: device), summaryNumber: summaryNumber,
            rulings: rulings)
    }
}
