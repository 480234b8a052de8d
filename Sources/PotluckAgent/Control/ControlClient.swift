import Glibc
import NIOCore
import NIOPosix

/// Asks a running agent; each call is a connection of its own.
///
/// Every call throws a ``PotluckError``: what the agent answered, or `.notRunning` where nobody listens.
public struct ControlClient: Listings {
    private let path: String

    public init(path: String) {
        self.path = path
    }

    /// - Throws: `.badSetting` where no control socket can be had for this home.
    public init(home: String) throws(PotluckError) {
        path = try ControlSocket.path(home: home)
    }

    public func albums() async throws -> AlbumsReport { try await ask(.albums) }

    public func photos(_ query: PhotoQuery) async throws -> PhotosReport { try await ask(.photos(query)) }

    /// The photos as the JSON document that the agent wrote, which for thousands of them is quicker to pass on than to
    /// read and to write again.
    public func photosDocument(_ query: PhotoQuery) async throws -> String {
        let document = try await exchange(.photos(query)) { line in
            if let document = ReportJSON.result(in: line) { return document }
            throw try ReportJSON.value(ControlReply<Done>.self, in: line).error ?? PotluckError.notUnderstood
        }
        guard let document else { throw PotluckError.endedEarly }
        return document
    }

    public func tags(album: String?) async throws -> TagsReport { try await ask(.tags(album: album)) }

    public func cover(album: String) async throws -> CoverReport { try await ask(.cover(album: album)) }

    public func clocks(album: String, camera: String?) async throws -> ClocksReport {
        try await ask(.clocks(album: album, camera: camera))
    }

    public func peers() async throws -> PeersReport { try await ask(.peers) }

    public func status(skipped: Bool, all: Bool) async throws -> StatusReport {
        try await ask(.status(skipped: skipped, all: all))
    }

    public func originals(album: String?) async throws -> OriginalsReport { try await ask(.originals(album: album)) }

    public func setOriginals(album: String, _ policy: OriginalsReport.Policy) async throws -> OriginalsReport {
        try await ask(.setOriginals(album: album, policy))
    }

    public func fetch(album: String, photos: [String]) async throws -> OriginalsReport {
        try await ask(.fetch(album: album, photos: photos))
    }

    public func transfers(_ edit: TransferEdit) async throws -> TransfersReport { try await ask(.transfers(edit)) }

    public func leaveCheck(others: Int) async throws -> LeaveReport { try await ask(.leaveCheck(others: others)) }

    public func invite() async throws -> InviteReport { try await ask(.invite) }

    /// `files` are absolute paths.
    public func add(
        album: String, files: [String], progress: @escaping @Sendable (AddProgress) async -> Void
    ) async throws -> AddReport {
        try await ask(.add(album: album, files: files), progress: progress)
    }

    public func edit(_ edit: PhotoEdit) async throws -> PhotosReport { try await ask(.edit(edit)) }

    public func setCover(album: String, photo: String?) async throws -> CoverReport {
        try await ask(.setCover(album: album, photo: photo))
    }

    public func setClocks(_ edit: ClockEdit) async throws -> ClocksReport { try await ask(.setClocks(edit)) }

    public func packPlan(for device: String?) async throws -> PackPlan { try await ask(.packPlan(device: device)) }

    /// `directory` is an absolute path.
    public func unpack(
        directory: String, progress: @escaping @Sendable (AddProgress) async -> Void
    ) async throws -> UnpackReport {
        try await ask(.unpack(directory: directory), progress: progress)
    }
    public func trash(album: String?) async throws -> TrashReport { try await ask(.trash(album: album)) }

    public func hidden(album: String?) async throws -> HiddenReport { try await ask(.hidden(album: album)) }

    public func remove(_ order: RemovalOrder) async throws -> RemovalReport { try await ask(.remove(order)) }

    public func emptyTrash(_ order: TrashOrder) async throws -> RemovalReport { try await ask(.emptyTrash(order)) }

    public func decide(_ decision: BrakeDecision) async throws -> BrakeReport { try await ask(.decide(decision)) }

    /// Hands over events until `body` throws or the agent ends.
    public func events(_ body: @escaping @Sendable (EventRecord) async throws -> Void) async throws {
        let _: Done? = try await replies(.events) { (reply: ControlReply<Done>) in
            if let event = reply.event { try await body(event) }
            return nil
        }
    }

    /// Ends the agent and returns when it is gone.
    public func down() async throws {
        try await withThrowingTaskGroup { group in
            group.addTask {
                do {
                    // The connection's end, clean or not, is the agent's.
                    let _: Done? = try await replies(.down) { (_: ControlReply<Done>) in nil }
                } catch let error as PotluckError where error == .endedEarly {}
            }
            group.addTask {
                try await Task.sleep(for: .seconds(ControlLimits.stopSeconds))
                throw PotluckError(
                    .tryAgain, "The agent is still stopping after \(ControlLimits.stopSeconds) seconds; try again.")
            }
            try await group.next()
            group.cancelAll()
        }
    }

    private func ask<Result: Codable & Sendable>(
        _ request: ControlRequest, progress: @escaping @Sendable (AddProgress) async -> Void = { _ in }
    ) async throws -> Result {
        let result = try await replies(request) { (reply: ControlReply<Result>) in
            if let step = reply.progress { await progress(step) }
            return reply.result
        }
        guard let result else { throw PotluckError.endedEarly }
        return result
    }

    /// Sends a request and hands over what is answered until `body` returns something; throws an error that is answered.
    func replies<Payload: Codable & Sendable, Result: Sendable>(
        _ request: ControlRequest,
        _ body: @escaping @Sendable (ControlReply<Payload>) async throws -> Result?
    ) async throws -> Result? {
        try await exchange(request) { line in
            let reply = try ReportJSON.value(ControlReply<Payload>.self, in: line)
            if let error = reply.error { throw error }
            return try await body(reply)
        }
    }

    /// Sends a request and hands over the lines of its answer until `body` returns something.
    ///
    /// - Returns: `nil` where the agent closed the connection first.
    private func exchange<Result: Sendable>(
        _ request: ControlRequest, _ body: @escaping @Sendable (ByteBuffer) async throws -> Result?
    ) async throws -> Result? {
        do {
            return try await connect().executeThenClose { inbound, outbound in
                try await outbound.write(ReportJSON.line(request))
                var lines = LineBuffer()
                for try await chunk in inbound {
                    lines.append(chunk)
                    while let line = lines.nextLine() {
                        if let result = try await body(line) { return result }
                    }
                    guard lines.byteCount <= ControlLimits.replyByteCountMax else { throw PotluckError.notUnderstood }
                }
                return nil
            }
        } catch let error as IOError {
            throw Self.failure(error, path)
        } catch let error as ChannelError {
            throw PotluckError(.tryAgain, "The connection to the agent broke: \(error). Try again.")
        } catch is DecodingError {
            throw PotluckError.notUnderstood
        }
    }

    private func connect() async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            // Answers are up to megabytes long.
            .channelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 65_536, maximum: 1 << 20)
            )
            .connect(unixDomainSocketPath: path) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel(wrappingChannelSynchronously: channel)
                }
            }
    }

    private static func failure(_ error: IOError, _ path: String) -> PotluckError {
        switch error.errnoCode {
        case ENOENT, ECONNREFUSED, ENOTDIR: .notRunning
        case EACCES:
            PotluckError(.failed, "The control socket \(path) belongs to somebody else: run this as its owner.")
        case ECONNRESET, EPIPE: .endedEarly
        default: PotluckError(.failed, "The agent cannot be asked at \(path): \(error).")
        }
    }
}

extension PotluckError {
    /// Nobody listens at the control socket.
    public static let notRunning = PotluckError(.notRunning, "No agent runs in this home. Start it with `potluck up`.")

    static let notUnderstood = PotluckError(
        .failed, "The agent's answer is not understood. Stop it and start it again if Potluck has been updated.")

    static let endedEarly = PotluckError(.tryAgain, "The agent ended before it answered; try again.")
}
