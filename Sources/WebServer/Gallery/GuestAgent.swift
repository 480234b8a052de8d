import AlbumModel
import PotluckAPI

extension AgentAPI {
    /// What a visitor may see of it.
    func asSeen(by visitor: Visitor) -> any AgentAPI {
        visitor.guest == nil ? self : GuestAgent(agent: self, visitor: visitor)
    }
}

/// The agent as a guest knows it: the albums of the link, and nothing that tells of this laptop's disk. Everything else is
/// refused, also where a route would let it through.
private struct GuestAgent: AgentAPI {
    let agent: any AgentAPI
    let visitor: Visitor

    private static let refusal = PotluckError(.notFound, "Guests cannot do that. Ask the person with the laptop.")

    // MARK: What guests see

    func albums() async throws -> AlbumsReport {
        var report = try await agent.albums()
        report.albums = report.albums.filter { album in AlbumID(hex: album.id).map(visitor.sees) ?? false }
            .map { album in
                var album = album
                album.copiesMin = nil
                (album.digest, album.digestLevel) = ("", 0)
                return album
            }
        return report
    }

    /// An album by ID or name, among those that this guest sees: no other one's name is given away.
    private func find(_ text: String) async throws -> AlbumID {
        let albums = try await albums().albums.compactMap { album in
            AlbumID(hex: album.id).map { (id: $0, name: album.name) }
        }
        return try AlbumLookup.find(text, among: albums)
    }

    func photos(_ query: PhotoQuery) async throws -> PhotosReport {
        var query = query
        if let album = query.album { query.album = try await find(album).hex }
        var report = try await agent.photos(query)
        if query.album == nil {
            report.photos.removeAll { photo in
                !(photo.albumID.flatMap { AlbumID(hex: $0) }.map(visitor.sees) ?? false)
            }
        }
        for index in report.photos.indices {
            report.photos[index].hideLaptop()
            if visitor.hidesPlaces { report.photos[index].hidePlace() }
        }
        return report
    }

    func tags(album: String?) async throws -> TagsReport {
        if let album { return try await agent.tags(album: try await find(album).hex) }
        guard let seen = visitor.albums else { return try await agent.tags(album: nil) }
        var counts: [String: TagsReport.Tag] = [:]
        for album in seen.sorted() {
            for tag in try await agent.tags(album: album.hex).tags {
                counts[AlbumName.key(tag.tag), default: TagsReport.Tag(tag: tag.tag, photos: 0)].photos += tag.photos
            }
        }
        let tags = counts.sorted { ($1.value.photos, $0.key) < ($0.value.photos, $1.key) }.map(\.value)
        return TagsReport(album: nil, albumID: nil, tags: tags)
    }

    func cover(album: String) async throws -> CoverReport { try await agent.cover(album: try await find(album).hex) }

    /// The feed tells guests of what happens, each as far as it may know.
    func events() -> AsyncStream<EventRecord> {
        let (stream, continuation) = AsyncStream.makeStream(of: EventRecord.self)
        continuation.finish()
        return stream
    }

    // MARK: What they do not

    var doors: any DoorKeeping { NoDoors() }

    func clocks(album: String, camera: String?) async throws -> ClocksReport { throw Self.refusal }
    func trash(album: String?) async throws -> TrashReport { throw Self.refusal }
    func hidden(album: String?) async throws -> HiddenReport { throw Self.refusal }
    func leftOut(album: String?) async throws -> LeftOutReport { throw Self.refusal }
    func peers() async throws -> PeersReport { throw Self.refusal }
    func hosts() async throws -> HostsReport { throw Self.refusal }
    func status(skipped: Bool, all: Bool) async throws -> StatusReport { throw Self.refusal }
    func invite() async throws -> InviteReport { throw Self.refusal }
    func originals(album: String?) async throws -> OriginalsReport { throw Self.refusal }
    func leaveCheck(others: Int) async throws -> LeaveReport { throw Self.refusal }
    func add(
        album: String, files: [String], progress: @Sendable (AddProgress) async -> Void
    ) async throws -> AddReport { throw Self.refusal }
    func edit(_ edit: PhotoEdit) async throws -> PhotosReport { throw Self.refusal }
    func setCover(album: String, photo: String?) async throws -> CoverReport { throw Self.refusal }
    func setClocks(_ edit: ClockEdit) async throws -> ClocksReport { throw Self.refusal }
    func packPlan(for device: String?) async throws -> PackPlan { throw Self.refusal }
    func unpack(directory: String, progress: @Sendable (AddProgress) async -> Void) async throws -> UnpackReport {
        throw Self.refusal
    }
    func setOriginals(album: String, _ policy: OriginalsReport.Policy) async throws -> OriginalsReport {
        throw Self.refusal
    }
    func fetch(album: String, photos: [String]) async throws -> OriginalsReport { throw Self.refusal }
    func transfers(_ edit: TransferEdit) async throws -> TransfersReport { throw Self.refusal }
    func verify(
        _ order: VerifyOrder, progress: @Sendable (VerifyProgress) async -> Void
    ) async throws -> VerifyReport { throw Self.refusal }
    func remove(_ order: RemovalOrder) async throws -> RemovalReport { throw Self.refusal }
    func move(_ order: MoveOrder) async throws -> MoveReport { throw Self.refusal }
    func addHost(_ device: String) async throws -> HostAddition { throw Self.refusal }
    func newPhrase() async throws -> InviteReport { throw Self.refusal }
    func putOutPlan(_ devices: [String], recoveryCode: String?) async throws -> PutOutPlan { throw Self.refusal }
    func putOut(_ devices: [String], recoveryCode: String?) async throws -> InviteReport { throw Self.refusal }
    func letIn(_ devices: [String], recoveryCode: String?) async throws -> LetInReport { throw Self.refusal }
    func join(phrase: String, again: Bool) async throws -> InviteReport { throw Self.refusal }
    func rename(device name: String) async throws -> DeviceNameReport { throw Self.refusal }
    func rename(album: String, to name: String) async throws -> RenameReport { throw Self.refusal }
    func emptyTrash(_ order: TrashOrder) async throws -> RemovalReport { throw Self.refusal }
    func held() async throws -> BrakeReport { throw Self.refusal }
    func decide(_ decision: BrakeDecision, version: UInt64?) async throws -> BrakeReport { throw Self.refusal }
    func health() async throws -> HealthReport { throw Self.refusal }
    func figures() async throws -> FiguresReport { throw Self.refusal }
    func stop() async {}

    private struct NoDoors: DoorKeeping {
        func openGuestDoor(_ order: GuestDoorOrder) async throws -> GuestLinkReport { throw refusal }
        func closeGuestDoor(everywhere: Bool) async throws { throw refusal }
        func guests() async throws -> GuestsReport { throw refusal }
        func revoke(guest: String) async throws -> GuestsReport { throw refusal }
        func approve(album: String, photos: [String]) async throws -> GuestsReport { throw refusal }
        func ownerLink() async throws -> OwnerLinkReport { throw refusal }
        func ownerLinkWaits(code: String) async -> Bool { false }
        func ownerPass() async throws -> OwnerLinkReport { throw refusal }
        func phones() async throws -> PhonesReport { throw refusal }
        func endPhone(_ phone: String) async throws -> PhonesReport { throw refusal }
    }
}

extension PhotosReport.Photo {
    /// Leaves out where it lies, here and elsewhere, and why a file could not be read, which may name its place.
    fileprivate mutating func hideLaptop() {
        file = nil
        `where` = []
        problem = nil
    }

    /// Leaves out where it was taken.
    fileprivate mutating func hidePlace() { (latitude, longitude, altitude) = (nil, nil, nil) }
}
