/// What can be asked about a home, with an agent or without one.
///
/// Every call throws a ``PotluckError`` for what a person has to know.
public protocol Listings: Sendable {
    func albums() async throws -> AlbumsReport
    func photos(_ query: PhotoQuery) async throws -> PhotosReport
    /// The tags of an album, or of all for `nil`. `album` is an ID or a name, as ``AlbumLookup`` reads it; everywhere.
    func tags(album: String?) async throws -> TagsReport
    func cover(album: String) async throws -> CoverReport
    /// Compares the cameras of an album.
    ///
    /// - Parameter camera: Only those whose owner, make, model and serial number contain each of its words; `nil` for all.
    func clocks(album: String, camera: String?) async throws -> ClocksReport
    /// What is in the trash of this laptop, of one album or of all.
    func trash(album: String?) async throws -> TrashReport
    /// What is hidden on this laptop, of one album or of all.
    func hidden(album: String?) async throws -> HiddenReport
    /// What laptops that were put out added since, to one album or to all: it is in none.
    func leftOut(album: String?) async throws -> LeftOutReport
    func peers() async throws -> PeersReport
    func hosts() async throws -> HostsReport
    /// - Parameters:
    ///   - skipped: Whether the report has its list of skipped files.
    ///   - all: Whether more than ``StatusReport/Missing/itemCountMax`` missing photos are listed.
    func status(skipped: Bool, all: Bool) async throws -> StatusReport
    func invite() async throws -> InviteReport
    /// Which originals are pulled of an album, or of each for `nil`.
    func originals(album: String?) async throws -> OriginalsReport
    /// Whether each photo that is here is on `others` other devices; at least 1.
    func leaveCheck(others: Int) async throws -> LeaveReport
}

extension Listings {
    /// All photos of an album.
    public func photos(album: String) async throws -> PhotosReport { try await photos(PhotoQuery(album: album)) }
}

/// Everything that can be asked of a running agent.
public protocol AgentAPI: Listings {
    /// The doors for browsers.
    var doors: any DoorKeeping { get }
    /// Contributes files and what is in directories, which are absolute paths; `album` is an ID, a name, or the name of an album to be made.
    func add(
        album: String, files: [String], progress: @Sendable (AddProgress) async -> Void
    ) async throws -> AddReport
    /// Gives words to photos, or takes them away.
    ///
    /// - Returns: the photos as they are then.
    func edit(_ edit: PhotoEdit) async throws -> PhotosReport
    /// - Parameter photo: An ID or a file name, as ``PhotoLookup`` reads it; `nil` for no chosen cover.
    func setCover(album: String, photo: String?) async throws -> CoverReport
    /// - Returns: the cameras that were set, as they are then.
    func setClocks(_ edit: ClockEdit) async throws -> ClocksReport
    /// What a pack is to hold beside all changes.
    ///
    /// - Parameter device: Name or ID of a device, for what that one is not known to have; `nil` for everything.
    func packPlan(for device: String?) async throws -> PackPlan
    /// Takes in the pack in a directory, which is an absolute path.
    func unpack(directory: String, progress: @Sendable (AddProgress) async -> Void) async throws -> UnpackReport
    /// Decides which originals of an album are pulled from now on.
    func setOriginals(album: String, _ policy: OriginalsReport.Policy) async throws -> OriginalsReport
    /// Gets photos that the policy of their album leaves out.
    ///
    /// - Parameter photos: IDs or file names, as ``PhotoLookup`` reads them; empty for all that the album has now.
    func fetch(album: String, photos: [String]) async throws -> OriginalsReport
    /// Pauses and limits transfers, or ends that.
    ///
    /// - Returns: what is in force then.
    func transfers(_ edit: TransferEdit) async throws -> TransfersReport
    /// Looks through the home; ends where the task is cancelled, and goes on there the next time.
    func verify(
        _ order: VerifyOrder, progress: @Sendable (VerifyProgress) async -> Void
    ) async throws -> VerifyReport
    /// Takes photos from an album, brings them back or takes in what is left out, on every laptop or on this one.
    func remove(_ order: RemovalOrder) async throws -> RemovalReport
    /// Adds photos of one album to another one, on every laptop, and takes them from the first unless they are copied.
    func move(_ order: MoveOrder) async throws -> MoveReport
    /// Makes another laptop a host, which only a host can.
    ///
    /// - Parameter device: Name or ID of it.
    func addHost(_ device: String) async throws -> HostAddition
    /// Changes the invite phrase, which only a host can. The agent begins anew soon after.
    func newPhrase() async throws -> InviteReport
    /// What it means to put laptops out, which only a host can, or whoever has the recovery code.
    ///
    /// - Parameters:
    ///   - devices: Names or IDs.
    ///   - recoveryCode: As the paper has it; `nil` where this laptop is a host.
    func putOutPlan(_ devices: [String], recoveryCode: String?) async throws -> PutOutPlan
    /// Puts laptops out, changes the invite phrase, and ends all links of guests. The agent begins anew soon after.
    ///
    /// - Parameters: as of ``putOutPlan(_:recoveryCode:)``.
    func putOut(_ devices: [String], recoveryCode: String?) async throws -> InviteReport
    /// Lets laptops in that were put out, or that know an earlier phrase alone; which only a host can, or whoever has the
    /// recovery code. The agent may begin anew soon after.
    ///
    /// - Parameters: as of ``putOutPlan(_:recoveryCode:)``; of laptops that were not put out IDs alone.
    func letIn(_ devices: [String], recoveryCode: String?) async throws -> LetInReport
    /// Takes the phrase to which the gathering changed while this laptop was away. The agent begins anew soon after.
    ///
    /// - Parameter again: Without it, such a phrase is taken only where other laptops said that the phrase has changed.
    func join(phrase: String, again: Bool) async throws -> InviteReport
    /// Gives this laptop another name, on every laptop.
    func rename(device name: String) async throws -> DeviceNameReport
    /// Gives an album another name, on every laptop.
    func rename(album: String, to name: String) async throws -> RenameReport
    /// Deletes photos from the trash before their time.
    func emptyTrash(_ order: TrashOrder) async throws -> RemovalReport
    /// The files that wait for a person's word. Just after a start it waits until that is known.
    func held() async throws -> BrakeReport
    /// Decides what becomes of the files that wait for a person's word.
    ///
    /// - Parameter version: As of ``DecideRequest/version``.
    /// - Returns: what waited until now.
    func decide(_ decision: BrakeDecision, version: UInt64?) async throws -> BrakeReport
    /// What is wrong at the moment, after a look at the disk.
    func health() async throws -> HealthReport
    /// How much of everything there is, for monitoring.
    func figures() async throws -> FiguresReport
    /// Begins the agent's graceful end and returns at once, so that the answer still leaves.
    func stop() async
    /// What happens from now on. Bounded: a reader that is too slow loses the oldest.
    func events() -> AsyncStream<EventRecord>
}

/// How far an `add` is.
public struct AddProgress: Codable, Hashable, Sendable {
    /// Files that are done, skipped ones included.
    public var done: Int
    public var total: Int

    public init(done: Int, total: Int) {
        self.done = done
        self.total = total
    }
}
