import AlbumModel
import NIOPosix
import PhotoStore
import PotluckAPI
import SharedFolder
import SyncEngine

/// Answers the API's requests.
struct AgentControl: AgentAPI {
    let services: Services
    let membership: Membership
    let folderRoot: String
    let upkeep: Upkeep
    let trashDays: Int
    let requestStop: @Sendable () -> Void
    /// How others reach this agent.
    let network: StatusReport.Network
    let monitoring: Monitoring
    var space: SpaceService?
    /// Set before anybody asks.
    var doorKeeper: (any DoorKeeping)?

    var parts: AgentParts { services.parts }

    var doors: any DoorKeeping {
        guard let doorKeeper else { preconditionFailure("the doors are made before the server that asks for them") }
        return doorKeeper
    }

    func builder() async -> ReportBuilder {
        await services.index.isCurrent()
        return await snapshot()
    }

    /// All that is known at this moment.
    private func snapshot() async -> ReportBuilder {
        // Before the view: what is shared in between counts twice, and not nowhere.
        let incoming = services.folder.files?.incoming()
        return ReportBuilder(await services.host.view, of: services, membership, incoming: incoming)
    }

    /// The same of what only the catalog says.
    var knowledge: (catalog: Catalog, device: DeviceID) {
        get async {
            let view = await services.host.view
            return (view.engine.catalog, view.engine.device)
        }
    }

    func albums() async throws -> AlbumsReport {
        await services.index.isCurrent()
        // Before the view is taken: as long as one is kept, the engine copies what it changes.
        let rows = try await parts.indexPool.perform { [parts] in try parts.index.albums() }
        return await snapshot().albums(rows)
    }

    func photos(_ query: PhotoQuery) async throws -> PhotosReport { try await builder().photos(query) }

    func tags(album: String?) async throws -> TagsReport { try await builder().tags(album: album) }

    func cover(album: String) async throws -> CoverReport { try await builder().cover(album: album) }

    func clocks(album: String, camera: String?) async throws -> ClocksReport {
        try await builder().clocks(album: album, camera: camera)
    }

    func peers() async throws -> PeersReport { await builder().peers() }

    func hosts() async throws -> HostsReport {
        let builder = await builder()
        var report = builder.hosts()
        report.waiting = builder.waiting(services.admissions.outsiders)
        return report
    }

    func addHost(_ text: String) async throws -> HostAddition {
        let builder = await builder()
        let (device, isNew) = try builder.newHost(text)
        if isNew { try await services.contributions.rule(.host(device, goesOn: false)) }
        return HostAddition(id: device.hex, name: builder.name(device), isNew: isNew)
    }

    func status(skipped: Bool, all: Bool) async throws -> StatusReport {
        let files = services.folder.files?.skippedFiles().map {
            PotluckAPI.SkippedFile(path: $0.path, reason: $0.reason)
        }
        let rate = services.transfers.state.received.rate(now: parts.clock.now)
        var report = await completed(
            builder().status(
                folder: folderRoot, rate: rate, problems: services.recovery.currentProblems,
                skipped: skipped ? files ?? [] : nil,
                all: all))
        report.held = services.folder.heldGroup.map { .init($0) }
        report.notPlaced = services.folder.notPlaced(await services.host.view, all: all)
        report.network = network
        report.phrase = services.admissions.trouble
        report.earlierVersions = services.admissions.outdated.isEmpty ? nil : services.admissions.outdated
        return report
    }

    func invite() async throws -> InviteReport {
        try services.admissions.phrases.checkInvites()
        let report = try await inviteReportWithNews()
        let roll = await services.host.ask(\.roll)
        // Whoever knows it comes in nowhere.
        guard roll.inForce.map({ roll.isOpen($0) }) ?? true else {
            throw PotluckError(.badSetting, HeldPhrases.closedSentence)
        }
        return report
    }

    func stop() async { requestStop() }

    func events() -> AsyncStream<EventRecord> { services.hub.events() }

    func add(
        album: String, files: [String], progress: @Sendable (AddProgress) async -> Void
    ) async throws -> AddReport {
        let target = try await target(album)
        let named = try await parts.commitPool.perform { NamedFiles(files) }
        var report = AddReport(
            album: album, albumID: "", photos: [], skipped: named.unreadable, leftOut: named.leftOut)
        for (index, file) in named.files.enumerated() {
            do {
                let photo = try await add(file.path, to: target)
                report.albumID = photo.album.hex
                report.photos.append(.init(id: photo.blob.hex, path: file.path, new: photo.isNew))
            } catch let error as PotluckError {
                report.skipped.append(PotluckAPI.SkippedFile(path: file.path, reason: error.message))
            } catch let error as NoMedia {
                let skipped = PotluckAPI.SkippedFile(path: file.path, reason: error.reason)
                // Who names a directory means its photos; who names a file means that file.
                if file.isFound { report.leftOut.append(skipped) } else { report.skipped.append(skipped) }
            } catch {
                report.skipped.append(PotluckAPI.SkippedFile(path: file.path, reason: "\(error)"))
            }
            await progress(AddProgress(done: index + 1, total: named.files.count))
        }
        if let id = AlbumID(hex: report.albumID) {
            report.album = await services.host.ask({ $0.catalog.shownName(id) }) ?? album
        }
        return report
    }

    enum Target: Hashable {
        case existing(AlbumID)
        case named(String)
    }

    /// An album's ID or name; a name that nobody uses yet makes an album.
    func target(_ text: String) async throws -> Target {
        let catalog = await knowledge.catalog
        let names = catalog.albums.keys.sorted().map { (id: $0, name: catalog.shownName($0) ?? "") }
        do {
            return .existing(try AlbumLookup.find(text, among: names))
        } catch {
            guard error.status == .notFound else { throw error }
        }
        guard AlbumName.usable(text) != nil else {
            throw PotluckError(.usage, "An album needs a name of at most 1,000 letters.")
        }
        return .named(text)
    }

    private func add(
        _ path: String, to target: Target
    ) async throws -> (album: AlbumID, blob: BlobID, isNew: Bool) {
        let file = try await parts.commitPool.perform { [parts] in try TakenFile.take(path, into: parts.blobs) }
        let contribution: Contribution
        switch target {
        case .existing(let album): contribution = .photoInAlbum(album, file)
        case .named(let name): contribution = .photo(albumName: name, file)
        }
        let before = await services.host.ask { $0.catalog.liveAlbums(of: file.blob) }
        guard let album = try await services.contributions.contribute(contribution, forPerson: true) else {
            throw PotluckError(.failed, "The photo was not added.")
        }
        services.folder.requestPlacement(PhotoKey(album: album, blob: file.blob))
        return (album, file.blob, !before.contains(album))
    }
}
