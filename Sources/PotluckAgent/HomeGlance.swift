import AlbumModel
import PeerTransport
import PhotoStore
public import PotluckAPI
import SyncEngine

/// What a home tells without being opened: no lock is taken, no folder looked at, and an agent may be running.
public struct HomeGlance: Sendable {
    /// What DNS-SD shows of its gathering and of its device, in hexadecimal digits.
    public var tag: String
    public var device: String
    /// The port that the home drew for its agent; `nil` before the first start.
    public var port: UInt16?
    /// What is wrong with its phrase, as far as it was noted.
    public var phraseTrouble: StatusReport.PhraseTrouble?
    /// Devices that it was connected to, with their last address, and when; names are not looked up.
    public var peers: [PeersReport.Peer]

    /// Blocks.
    ///
    /// - Returns: `nil` where the home has no gathering.
    /// - Throws: ``PotluckError`` where the journal cannot be read.
    public init?(home: String) throws(PotluckError) {
        guard HomeSetup.hasGathering(home: home) else { return nil }
        let read = try HomeSetup.reading {
            let journal = try Journal(home: home)
            return (
                membership: try Membership.load(journal), port: try journal.identityText(.port),
                addresses: try journal.addresses(),
                seen: try journal.facts(.holdings).compactMap { key, value in
                    HoldingsMemory(bytes: value).map { (key, $0.seenAt) }
                }
            )
        }
        guard let membership = read.membership else { return nil }
        tag = Hexadecimal.text(membership.tag)
        device = membership.identity.deviceID.hex
        phraseTrouble = membership.phrases.news?.trouble ?? (membership.phrases.isBehind ? .behind : nil)
        port = read.port.flatMap { UInt16($0) }
        let seen = Dictionary(read.seen) { first, _ in first }
        peers = read.addresses.map { device, addresses in
            let seenAt = seen[device.bytes].flatMap { $0 == 0 ? nil : $0 }
            return PeersReport.Peer(
                id: device.hex, name: nil, connected: false, address: addresses.first.map(\.description), found: nil,
                lastSeen: seenAt.map { Instant(microsecondsSince1970: $0) }, photos: nil)
        }.sorted { $0.id < $1.id }
    }
}
