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
    init(_ view: GatheringView, of services: Services, _ membership: Membership) {
        let files = services.folder.files
        let held = view.engine.held
        self.init(
            engine: view.engine, membership: membership, index: services.parts.index,
            indexPool: services.parts.indexPool, folderPath: { files?.path(album: $0, blob: $1) },
            // What came after that moment is missing by the view, and is not counted twice.
            toPlace: services.folder.photosToPlace.filter { held.contains($0.blob) },
            incoming: files?.incoming(), lastSeen: services.network.peers.lastSeen, now: services.parts.clock.wall,
            isOffline: false)
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

    func peers() -> PeersReport {
        let connected = engine.connectedDevices
        let counts = photoCounts()
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

    /// Distinct photos that each device is known to hold; 0 for one whose word does not count any more.
    private func photoCounts() -> [DeviceID: Int] {
        let silent = Dictionary(uniqueKeysWithValues: engine.holdings.devices.map { ($0, 0) })
        return silent.merging(copies.counts(of: Array(liveBlobs())).devices) { $1 }
    }

    func liveBlobs() -> Set<BlobID> {
        Set(catalog.albums.values.flatMap { $0.livePhotos.map(\.key) })
    }

    func status(
        folder: String?, rate: UInt64?, problems: [String], skipped: [PotluckAPI.SkippedFile]?, all: Bool
    ) -> StatusReport {
        var report = StatusReport(
            device: .init(id: engine.device.hex, name: ownName),
            gathering: .init(name: gatheringName, tag: Hexadecimal.text(membership.tag)),
            agent: isOffline ? .stopped : .running, folder: folder, missing: missing(all: all), rate: rate,
            atRisk: atRisk(), connected: engine.connectedDevices.count, problems: problems, skipped: skipped)
        report.leftOut = leftOut()
        report.notCounted = notCounted
        report.incoming = incoming.map { amount($0) }
        return report
    }

    /// A name that this laptop got while no agent ran is told to the others by the next one.
    var ownName: String {
        isOffline ? membership.deviceName : catalog.deviceName(engine.device) ?? membership.deviceName
    }

    var gatheringName: String? { catalog.gatheringName.shown?.value ?? membership.gatheringName }

    private func atRisk() -> StatusReport.Amount {
        let here = liveBlobs().filter { engine.held.contains($0) }
        var amount = StatusReport.Amount(photos: 0, bytes: 0)
        for (blob, count) in zip(here, copies.counts(of: Array(here)).photos) where count == 0 {
            amount.photos += 1
            amount.bytes += catalog.newestAdd(of: blob)?.byteCount ?? 0
        }
        return amount
    }

    private func missing(all: Bool) -> StatusReport.Missing {
        let wanted = engine.wantedPhotos.map { ($0, catalog.newestAdd(of: $0)) }
            .sorted { left, right in
                let (first, second) = (left.1?.order, right.1?.order)
                if first != second { return (first?.microseconds ?? 0) > (second?.microseconds ?? 0) }
                return left.0 < right.0
            }
        let count = MissingCount(engine)
        let unreachable = wanted.count { !engine.hasConnectedHolder($0.0) }
        let countMax = all ? Int.max : StatusReport.Missing.itemCountMax
        let arriving = wanted.prefix(countMax).compactMap { item($0.0) }
        let arrived = toPlace.sorted().prefix(countMax - arriving.count).compactMap { key in
            item(key, reason: "here, and being put into the folder")
        }
        return StatusReport.Missing(
            photos: count.photos + toPlace.count, bytes: count.bytes, unreachable: isOffline ? nil : unreachable,
            heldUp: isOffline ? nil : heldUpCount, items: arriving + arrived)
    }

    private func item(_ blob: BlobID) -> StatusReport.Item? {
        catalog.liveAlbums(of: blob, max: 1).first.flatMap { album in
            item(PhotoKey(album: album, blob: blob), reason: reason(blob))
        }
    }

    private func item(_ key: PhotoKey, reason: String) -> StatusReport.Item? {
        catalog.photo(key).map { photo in
            StatusReport.Item(
                id: key.blob.hex, album: catalog.shownName(key.album) ?? "", name: photo.shownName, reason: reason)
        }
    }

    /// Why a photo is not here, in words.
    private func reason(_ blob: BlobID) -> String {
        if isOffline { return "the agent is stopped" }
        switch engine.missingReason(blob) {
        case .asking(let devices): return "coming from \(devices.map(name).joined(separator: " and "))"
        case .nobodyConnected:
            let lately = holders(of: blob)
            let holders = lately.isEmpty ? engine.formerHolders(of: blob, wall: now) : lately
            guard !holders.isEmpty else {
                return isFromHere(blob)
                    ? "it was on this laptop only, as far as is known, and its bytes are gone; put the file into the folder again if there is a copy"
                    : "nobody who is connected has it"
            }
            return "nobody here has it; last seen on \(holders.map(name).joined(separator: " and "))"
        case .paused(let sentence): return sentence
        case .heldUp(let hold): return Self.words(hold)
        case .rejected: return "its description turned out to be wrong; whoever added it should add it again"
        case .queued, nil: return "waiting for its turn"
        }
    }

    /// Only this laptop added it, in this life or an earlier one.
    private func isFromHere(_ blob: BlobID) -> Bool {
        catalog.liveAdds(of: blob).allSatisfy { catalog.isOwn(author: $0.author, of: engine.device) }
    }
}

/// How much is still on its way.
struct MissingCount {
    private(set) var photos = 0
    private(set) var bytes: UInt64 = 0

    init(_ engine: Engine) {
        for blob in engine.wantedPhotos {
            photos += 1
            let byteCount = engine.catalog.newestAdd(of: blob)?.byteCount ?? 0
            bytes += byteCount - min(byteCount, engine.heldByteCount(of: blob))
        }
    }
}
