import AlbumModel
import PhotoStore
import PotluckAPI
import SyncEngine

/// What is pulled, how fast, and whether this laptop may leave.
extension AgentControl {
    func originals(album: String?) async throws -> OriginalsReport {
        let builder = await builder()
        return try await builder.originals(album: try album.map { try builder.album($0) })
    }

    func setOriginals(album text: String, _ policy: OriginalsReport.Policy) async throws -> OriginalsReport {
        let album = try await builder().album(text)
        let choice = OriginalsPolicy(rawValue: policy.rawValue) ?? .all
        try await services.transfers.choose { choices in
            choices.fetching[album] = choice
            // Whoever changes the policy decides anew about every photo of the album.
            choices.fetching.asked = choices.fetching.asked.filter { $0.album != album }
        }
        return try await builder().originals(album: album)
    }

    func fetch(album text: String, photos: [String]) async throws -> OriginalsReport {
        let builder = await builder()
        let album = try builder.album(text)
        let blobs: [BlobID]
        if photos.isEmpty {
            blobs = builder.catalog.albums[album]?.livePhotos.map(\.key) ?? []
        } else {
            // A photo comes with what belongs to it.
            blobs = try await builder.entries(named: photos, in: album).flatMap(\.blobs)
        }
        let missing = blobs.filter { !builder.engine.held.contains($0) && builder.engine.isLeftOut($0) }
        try await services.transfers.choose { choices in
            choices.fetching.asked.formUnion(missing.map { PhotoKey(album: album, blob: $0) })
        }
        return try await self.builder().originals(album: album)
    }

    func transfers(_ edit: TransferEdit) async throws -> TransfersReport {
        guard edit != TransferEdit() else { return TransfersReport(services.transfers.state) }
        let state = try await services.transfers.choose { choices in
            choices.isPaused = edit.isPaused ?? choices.isPaused
            choices.up = edit.up ?? choices.up
            choices.down = edit.down ?? choices.down
        }
        return TransfersReport(state)
    }

    func leaveCheck(others: Int) async throws -> LeaveReport {
        let rate = services.transfers.state.sent.rate(now: parts.clock.now)
        return await builder().leaveCheck(others: others, rate: rate)
    }

    /// Adds to a status what bounds the transfers.
    func completed(_ status: StatusReport) async -> StatusReport {
        var status = status
        let state = services.transfers.state
        status.rateUp = state.sent.rate(now: parts.clock.now)
        status.paused = state.choices.isPaused
        status.disk = state.space.map { space in
            var disk = DiskReport(free: space.free, reserve: state.reserve.byteCount(ofDisk: space.total))
            disk.use = self.space?.measured
            return disk
        }
        (status.limitUp, status.limitDown) = (state.limits.up, state.limits.down)
        return status
    }
}

extension TransfersReport {
    fileprivate init(_ state: TransferState) {
        self.init(paused: state.choices.isPaused, limitUp: state.limits.up, limitDown: state.limits.down)
    }
}
