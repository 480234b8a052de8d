/// What can be asked about a home, with an agent or without one.
///
/// Every call throws a ``PotluckError`` for what a person has to know.
public protocol Listings: Sendable {
    func albums() async throws -> AlbumsReport
    /// `album` is an ID or a name; ``AlbumLookup`` says which album that is.
    func photos(album: String) async throws -> PhotosReport
    func peers() async throws -> PeersReport
    /// - Parameters:
    ///   - skipped: Whether the report has its list of skipped files.
    ///   - all: Whether more than ``StatusReport/Missing/itemCountMax`` missing photos are listed.
    func status(skipped: Bool, all: Bool) async throws -> StatusReport
    func invite() async throws -> InviteReport
}

/// What the control socket serves: the agent.
public protocol ControlHandler: Listings {
    /// Contributes files, which are absolute paths; `album` is an ID, a name, or the name of an album to be made.
    func add(
        album: String, files: [String], progress: @Sendable (AddProgress) async -> Void
    ) async throws -> AddReport
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
