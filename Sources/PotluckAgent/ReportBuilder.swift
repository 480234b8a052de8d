import AlbumModel
import NIOPosix
import PeerTransport
import PhotoStore
import PotluckAPI
import SharedFolder
import SyncEngine

/// Answers what can be asked about a home, from one moment's knowledge.
struct ReportBuilder: Sendable {
    let engine: Engine
    let membership: Membership
    let index: Index
    let indexPool: NIOThreadPool
    let folderPath: @Sendable (AlbumID, BlobID) -> String?
    /// Photos whose bytes are here and whose files are still to be made.
    let toPlace: Set<PhotoKey>
    /// When devices were last connected, microseconds since 1970.
    let lastSeen: [DeviceID: UInt64]
    let now: UInt64
    /// No agent runs: nobody is connected, and reasons are other ones.
    let isOffline: Bool
    /// What lies in the folder and is not shared yet; `nil` where no agent looks.
    let incoming: IncomingFiles?
    /// How long it takes until that is shared; `nil` where that is not known.
    var incomingSeconds: UInt64?
    let copies: Copies

    init(
        engine: Engine, membership: Membership, index: Index, indexPool: NIOThreadPool,
        folderPath: @escaping @Sendable (AlbumID, BlobID) -> String?, toPlace: Set<PhotoKey>,
        incoming: IncomingFiles?, lastSeen: [DeviceID: UInt64], now: UInt64, isOffline: Bool
    ) {
        self.engine = engine
        self.membership = membership
        self.index = index
        self.indexPool = indexPool
        self.folderPath = folderPath
        self.toPlace = toPlace
        self.lastSeen = lastSeen
        self.now = now
        self.isOffline = isOffline
        self.incoming = incoming
        copies = engine.copies(wall: now)
    }

    /// What a running agent knows at the moment of the view.
    ///
    /// - Parameter incoming: as it was before that moment.
    init(_ view: GatheringView, of services: Services, _ membership: Membership, incoming: IncomingFiles?) {
        let files = services.folder.files
        let held = view.engine.held
        self.init(
            engine: view.engine, membership: membership, index: services.parts.index,
            indexPool: services.parts.indexPool, folderPath: { files?.path(album: $0, blob: $1) },
            // What came after that moment is missing by the view, and is not counted twice.
            toPlace: services.folder.photosToPlace.filter { held.contains($0.blob) },
            incoming: incoming, lastSeen: services.network.peers.lastSeen, now: services.parts.clock.wall,
            isOffline: false)
        incomingSeconds = incoming.flatMap { services.folder.secondsLeft(of: $0) }
    }

    var catalog: Catalog { engine.catalog }

    /// - Parameter rows: what the index says, which may be a little older than the rest.
    func albums(_ rows: [AlbumListing]) -> AlbumsReport {
        AlbumsReport(rows, catalog: catalog, held: engine.held, copies: copies)
    }

    func holders(of blob: BlobID) -> [DeviceID] { copies.holders(of: blob) }

    func name(_ device: DeviceID) -> String {
        catalog.deviceName(device) ?? "Laptop \(device.hex.prefix(6))"
    }

    /// As people read it: `Lena (at Grandma's laptop)` of a guest.
    func name(_ person: Person) -> String { catalog.shownName(of: person) ?? name(person.device) }

    /// All devices that are known but this one, in order of their IDs.
    var otherLaptops: [DeviceID] {
        Set(catalog.namedDevices).union(engine.holdings.devices).union(lastSeen.keys).subtracting([engine.device])
            .sorted()
    }

    /// How photos are counted. Where the index cannot be read, each file counts: nothing else of a status needs it.
    func momentCounter() async -> MomentCounter {
        let leads = try? await indexPool.perform { [index] in try index.leads() }
        return MomentCounter(leads ?? [:])
    }

    func peers() async -> PeersReport {
        let connected = engine.connectedDevices
        let counts = photoCounts(await momentCounter())
        let hosts = knownHosts.map { Set($0) }
        let out = engine.roll.out
        let peers = otherLaptops.map { device in
            let address = engine.book.address(of: device)
            let seen = connected.contains(device) ? now : lastSeen[device]
            return PeersReport.Peer(
                id: device.hex, name: catalog.deviceName(device), connected: connected.contains(device),
                address: address.map { "\($0.0)" },
                found: address.flatMap { PeersReport.Found(rawValue: $0.1.rawValue) },
                lastSeen: seen.map { Instant(microsecondsSince1970: $0) }, photos: counts[device],
                isHost: hosts?.contains(device), isOut: out.contains(device) ? true : nil)
        }
        return PeersReport(peers: peers)
    }

    /// Distinct photos that each device is known to hold, whether or not it has what belongs to them; 0 for one whose
    /// word does not count any more.
    private func photoCounts(_ counter: MomentCounter) -> [DeviceID: Int] {
        let silent = Dictionary(uniqueKeysWithValues: engine.holdings.devices.map { ($0, 0) })
        return silent.merging(copies.counts(of: Array(counter.leads(of: liveBlobs()))).devices) { $1 }
    }

    func liveBlobs() -> Set<BlobID> {
        Set(catalog.albums.values.flatMap { $0.livePhotos.map(\.key) })
    }

    /// A name that this laptop got while no agent ran is told to the others by the next one.
    var ownName: String {
        isOffline ? membership.deviceName : catalog.deviceName(engine.device) ?? membership.deviceName
    }

    var gatheringName: String? { catalog.gatheringName.shown?.value ?? membership.gatheringName }
}
