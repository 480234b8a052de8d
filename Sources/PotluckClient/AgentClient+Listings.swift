public import PotluckAPI

extension AgentClient: Listings {
    public func albums() async throws -> AlbumsReport { try await ask(AlbumsRequest()) }

    public func photos(_ query: PhotoQuery) async throws -> PhotosReport { try await ask(query) }

    public func tags(album: String?) async throws -> TagsReport { try await ask(TagsRequest(album: album)) }

    public func cover(album: String) async throws -> CoverReport { try await ask(CoverRequest(album: album)) }

    public func clocks(album: String, camera: String?) async throws -> ClocksReport {
        try await ask(ClocksRequest(album: album, camera: camera))
    }

    public func trash(album: String?) async throws -> TrashReport { try await ask(TrashRequest(album: album)) }

    public func hidden(album: String?) async throws -> HiddenReport { try await ask(HiddenRequest(album: album)) }

    public func leftOut(album: String?) async throws -> LeftOutReport { try await ask(LeftOutRequest(album: album)) }

    public func peers() async throws -> PeersReport { try await ask(PeersRequest()) }

    public func hosts() async throws -> HostsReport { try await ask(HostsRequest()) }

    public func status(skipped: Bool, all: Bool) async throws -> StatusReport {
        try await ask(StatusRequest(skipped: skipped, all: all))
    }

    public func invite() async throws -> InviteReport { try await ask(InviteRequest()) }

    public func originals(album: String?) async throws -> OriginalsReport {
        try await ask(OriginalsRequest(album: album))
    }

    public func leaveCheck(others: Int) async throws -> LeaveReport {
        try await ask(LeaveCheckRequest(others: others))
    }
}
