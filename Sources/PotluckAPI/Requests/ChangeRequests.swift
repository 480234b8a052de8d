// Requests that change something.

/// Contributes files of this laptop.
public struct AddRequest: LongRequest {
    public typealias Answer = AddReport

    /// An ID, a name, or the name of an album to be made.
    public var album: String
    /// Absolute paths. Of directories, all photos and films in them are meant.
    public var files: [String]

    public init(album: String, files: [String]) {
        self.album = album
        self.files = files
    }

    public func answer(
        by agent: any AgentAPI, progress: @Sendable (AddProgress) async -> Void
    ) async throws -> AddReport {
        try await agent.add(album: album, files: files, progress: progress)
    }
}

/// Takes in a pack.
public struct UnpackRequest: LongRequest {
    public typealias Answer = UnpackReport

    /// An absolute path.
    public var directory: String

    public init(directory: String) { self.directory = directory }

    public func answer(
        by agent: any AgentAPI, progress: @Sendable (AddProgress) async -> Void
    ) async throws -> UnpackReport {
        try await agent.unpack(directory: directory, progress: progress)
    }
}

extension VerifyOrder: LongRequest {
    public typealias Answer = VerifyReport

    public func answer(
        by agent: any AgentAPI, progress: @Sendable (VerifyProgress) async -> Void
    ) async throws -> VerifyReport {
        try await agent.verify(self, progress: progress)
    }
}

extension PhotoEdit: APIRequest {
    public func answer(by agent: any AgentAPI) async throws -> PhotosReport { try await agent.edit(self) }

    public func document(_ answer: PhotosReport) throws -> JSONDocument { JSONDocument(photos: answer) }
}

public struct SetCoverRequest: APIRequest {
    public var album: String
    /// An ID or a file name, as ``PhotoLookup`` reads it; `nil` leaves the album without a chosen cover.
    public var photo: String?

    public init(album: String, photo: String?) {
        self.album = album
        self.photo = photo
    }

    public func answer(by agent: any AgentAPI) async throws -> CoverReport {
        try await agent.setCover(album: album, photo: photo)
    }
}

extension ClockEdit: APIRequest {
    public func answer(by agent: any AgentAPI) async throws -> ClocksReport { try await agent.setClocks(self) }
}

/// Decides which originals of an album are pulled from now on.
public struct SetOriginalsRequest: APIRequest {
    public var album: String
    public var originals: OriginalsReport.Policy

    public init(album: String, _ originals: OriginalsReport.Policy) {
        self.album = album
        self.originals = originals
    }

    public func answer(by agent: any AgentAPI) async throws -> OriginalsReport {
        try await agent.setOriginals(album: album, originals)
    }
}

/// Gets photos that the policy of their album leaves out.
public struct FetchRequest: APIRequest {
    public var album: String
    /// IDs or file names, as ``PhotoLookup`` reads them; none for all that the album has now.
    public var photos: [String]?

    public init(album: String, photos: [String] = []) {
        self.album = album
        self.photos = photos
    }

    public func answer(by agent: any AgentAPI) async throws -> OriginalsReport {
        try await agent.fetch(album: album, photos: photos ?? [])
    }
}

extension TransferEdit: APIRequest {
    public func answer(by agent: any AgentAPI) async throws -> TransfersReport { try await agent.transfers(self) }
}

extension RemovalOrder: APIRequest {
    public func answer(by agent: any AgentAPI) async throws -> RemovalReport { try await agent.remove(self) }
}

extension TrashOrder: APIRequest {
    public func answer(by agent: any AgentAPI) async throws -> RemovalReport { try await agent.emptyTrash(self) }
}

/// Decides what becomes of the files that wait for a person's word.
public struct DecideRequest: APIRequest {
    public var decision: BrakeDecision
    /// Of what the person saw wait, ``BrakeReport/Held/version``: only that is confirmed, and nothing where other files wait
    /// by now. `nil` where they saw that nothing waits. Without a meaning for ``BrakeDecision/undo``, which takes all.
    public var version: UInt64?

    public init(_ decision: BrakeDecision, version: UInt64? = nil) {
        self.decision = decision
        self.version = version
    }

    public func answer(by agent: any AgentAPI) async throws -> BrakeReport {
        try await agent.decide(decision, version: version)
    }
}

/// Ends the agent.
public struct DownRequest: APIRequest {
    public init() {}

    public func answer(by agent: any AgentAPI) async throws -> Done {
        await agent.stop()
        return Done()
    }
}
