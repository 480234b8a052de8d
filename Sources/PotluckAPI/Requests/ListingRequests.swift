// Requests that change nothing.

public struct AlbumsRequest: APIRequest {
    public init() {}

    public func answer(by agent: any AgentAPI) async throws -> AlbumsReport { try await agent.albums() }
}

extension PhotoQuery: APIRequest {
    public func answer(by agent: any AgentAPI) async throws -> PhotosReport { try await agent.photos(self) }

    public func document(_ answer: PhotosReport) throws -> JSONDocument {
        JSONDocument(photos: answer, isBrief: isBrief)
    }
}

public struct TagsRequest: APIRequest {
    /// An ID or a name, as ``AlbumLookup`` reads it; `nil` for all albums.
    public var album: String?

    public init(album: String? = nil) { self.album = album }

    public func answer(by agent: any AgentAPI) async throws -> TagsReport { try await agent.tags(album: album) }
}

public struct CoverRequest: APIRequest {
    public var album: String

    public init(album: String) { self.album = album }

    public func answer(by agent: any AgentAPI) async throws -> CoverReport { try await agent.cover(album: album) }
}

public struct ClocksRequest: APIRequest {
    public var album: String
    /// Only cameras whose owner, make, model and serial number contain each of these words; `nil` for all.
    public var camera: String?

    public init(album: String, camera: String? = nil) {
        self.album = album
        self.camera = camera
    }

    public func answer(by agent: any AgentAPI) async throws -> ClocksReport {
        try await agent.clocks(album: album, camera: camera)
    }
}

public struct PeersRequest: APIRequest {
    public init() {}

    public func answer(by agent: any AgentAPI) async throws -> PeersReport { try await agent.peers() }
}

public struct StatusRequest: APIRequest {
    /// Whether the report has its list of skipped files.
    public var skipped: Bool?
    /// Whether more than ``StatusReport/Missing/itemCountMax`` missing photos are listed.
    public var all: Bool?

    public init(skipped: Bool? = nil, all: Bool? = nil) {
        self.skipped = skipped
        self.all = all
    }

    public func answer(by agent: any AgentAPI) async throws -> StatusReport {
        try await agent.status(skipped: skipped ?? false, all: all ?? false)
    }
}

/// Lists the files that wait for a person's word.
public struct HeldRequest: APIRequest {
    public init() {}

    public func answer(by agent: any AgentAPI) async throws -> BrakeReport { try await agent.held() }
}

public struct InviteRequest: APIRequest {
    public init() {}

    public func answer(by agent: any AgentAPI) async throws -> InviteReport { try await agent.invite() }
}

public struct TrashRequest: APIRequest {
    public var album: String?

    public init(album: String? = nil) { self.album = album }

    public func answer(by agent: any AgentAPI) async throws -> TrashReport { try await agent.trash(album: album) }
}

public struct HiddenRequest: APIRequest {
    public var album: String?

    public init(album: String? = nil) { self.album = album }

    public func answer(by agent: any AgentAPI) async throws -> HiddenReport { try await agent.hidden(album: album) }
}

public struct LeftOutRequest: APIRequest {
    public var album: String?

    public init(album: String? = nil) { self.album = album }

    public func answer(by agent: any AgentAPI) async throws -> LeftOutReport { try await agent.leftOut(album: album) }
}

public struct OriginalsRequest: APIRequest {
    public var album: String?

    public init(album: String? = nil) { self.album = album }

    public func answer(by agent: any AgentAPI) async throws -> OriginalsReport {
        try await agent.originals(album: album)
    }
}

/// The limits that are in force.
public struct TransfersRequest: APIRequest {
    public init() {}

    public func answer(by agent: any AgentAPI) async throws -> TransfersReport {
        try await agent.transfers(TransferEdit())
    }
}

public struct LeaveCheckRequest: APIRequest {
    /// On how many other devices a photo should be; at least 1.
    public var others: Int?

    public init(others: Int? = nil) { self.others = others }

    public func answer(by agent: any AgentAPI) async throws -> LeaveReport {
        try await agent.leaveCheck(others: max(1, others ?? 2))
    }
}

/// What a pack is to hold beside all changes.
public struct PackPlanRequest: APIRequest {
    /// Name or ID of a device; blobs that it is known to have are left out.
    public var device: String?

    public init(device: String? = nil) { self.device = device }

    public func answer(by agent: any AgentAPI) async throws -> PackPlan { try await agent.packPlan(for: device) }
}
