import PeerTransport
import AlbumModel
import NIOCore
import PhotoStore
import PotluckAPI
import SyncEngine
import WebGallery
import WebServer

/// What the doors for browsers need of this agent.
struct AgentGallery: Sendable {
    let control: AgentControl
    let home: String
    let listenHost: String
    let documents: WebDocuments
    let uploads: UploadFiles
    let reserve: DiskReserve
    let recentPictures = RecentPictures()

    init(control: AgentControl, options: AgentOptions) {
        self.control = control
        home = options.home
        listenHost = options.listen?.host ?? ""
        reserve = options.reserve
        documents = WebDocuments(home: options.home, pool: control.parts.commitPool)
        uploads = UploadFiles(home: options.home, pool: control.parts.commitPool)
    }

    var services: Services { control.services }
    var parts: AgentParts { control.parts }
    var membership: Membership { control.membership }
}

extension AgentGallery: GalleryHost {
    var device: String { membership.identity.deviceID.hex }

    func setting() async -> PageSetting {
        let (gathering, laptop) = await services.host.ask { [membership] in $0.names(membership) }
        return PageSetting(gathering: gathering, laptop: laptop)
    }

    func laptops() async -> [OtherLaptop] { await services.host.ask(\.openDoors) }

    func tellDoor(port: Int?) async throws {
        _ = try await services.contributions.contribute(.guestDoor(port: UInt16(clamping: port ?? 0)), forPerson: true)
    }

    func sign(_ message: [UInt8]) async throws -> [UInt8] { membership.signing.signature(over: message) }

    func isSignature(_ signature: [UInt8], over message: [UInt8], by device: String) async -> Bool {
        guard let device = DeviceID(hex: device) else { return false }
        // Who was put out opens no door any more.
        let known = await services.host.ask { $0.roll.isOut(device) ? nil : $0.log.publicKey(of: device) }
        guard let key = known else { return false }
        return membership.signing.isSignature(signature, over: message, by: key)
    }

    func ownAddresses() async -> [String] { OwnAddresses.usable(host: listenHost) }

    func document(_ name: String) async throws -> [UInt8]? { try await documents.document(name) }

    func keep(_ document: [UInt8], as name: String) async throws { try await documents.keep(document, as: name) }
}

extension Engine {
    fileprivate func names(_ membership: Membership) -> (gathering: String, laptop: String) {
        let gathering = catalog.gatheringName.shown?.value ?? membership.gatheringName ?? "Potluck"
        return (gathering, catalog.deviceName(device) ?? membership.deviceName)
    }
}
