import Glibc
import Logging
import NIOPosix
import PotluckAgent
import Testing

/// A handler that answers with samples and tells what became of its calls.
final class ControlFakeHandler: ControlHandler {
    enum Note: Hashable, Sendable {
        case peersAsked
        case peersCancelled
        case eventsAsked
        case eventsEnded
        case stopped
        /// Something about photos, words or clocks was asked.
        case asked(ControlRequest)
    }

    /// What happened to calls, in order.
    let notes: AsyncStream<Note>
    private let note: AsyncStream<Note>.Continuation
    /// What `events` delivers.
    let sent: [EventRecord]
    private let photos: PhotosReport

    init(sent: [EventRecord] = [], photos: PhotosReport = Sample.photos) {
        (notes, note) = AsyncStream.makeStream()
        self.sent = sent
        self.photos = photos
    }

    func albums() async throws -> AlbumsReport { Sample.albums }

    func photos(_ query: PhotoQuery) async throws -> PhotosReport {
        note.yield(.asked(.photos(query)))
        if let album = query.album, album != "Beach day" {
            throw PotluckError(.notFound, "There is no album called “\(album)”.")
        }
        return photos
    }

    func tags(album: String?) async throws -> TagsReport {
        note.yield(.asked(.tags(album: album)))
        return Sample.tags
    }

    func cover(album: String) async throws -> CoverReport {
        note.yield(.asked(.cover(album: album)))
        return Sample.cover
    }

    func clocks(album: String, camera: String?) async throws -> ClocksReport {
        note.yield(.asked(.clocks(album: album, camera: camera)))
        return Sample.clocks
    }

    func edit(_ edit: PhotoEdit) async throws -> PhotosReport {
        note.yield(.asked(.edit(edit)))
        return photos
    }

    func setCover(album: String, photo: String?) async throws -> CoverReport {
        note.yield(.asked(.setCover(album: album, photo: photo)))
        return Sample.cover
    }

    func setClocks(_ edit: ClockEdit) async throws -> ClocksReport {
        note.yield(.asked(.setClocks(edit)))
        return Sample.clocks
    }

    func trash(album: String?) async throws -> TrashReport {
        note.yield(.asked(.trash(album: album)))
        return TrashReport(trash: [], days: 30)
    }

    func hidden(album: String?) async throws -> HiddenReport {
        note.yield(.asked(.hidden(album: album)))
        return HiddenReport(hidden: [])
    }

    func remove(_ order: RemovalOrder) async throws -> RemovalReport {
        note.yield(.asked(.remove(order)))
        return RemovalReport(album: order.album, albumID: "a1", photos: [])
    }

    func emptyTrash(_ order: TrashOrder) async throws -> RemovalReport {
        note.yield(.asked(.emptyTrash(order)))
        return RemovalReport(album: order.album ?? "", albumID: "", photos: [])
    }

    func decide(_ decision: BrakeDecision) async throws -> BrakeReport {
        note.yield(.asked(.decide(decision)))
        return BrakeReport(held: nil)
    }

    /// Answers only when it is cancelled.
    func peers() async throws -> PeersReport {
        note.yield(.peersAsked)
        let (never, hold) = AsyncStream.makeStream(of: Void.self)
        for await _ in never {}
        hold.finish()
        note.yield(.peersCancelled)
        throw CancellationError()
    }

    func status(skipped: Bool, all: Bool) async throws -> StatusReport {
        skipped ? Sample.stoppedStatus : Sample.status
    }

    func invite() async throws -> InviteReport { Sample.invite }

    func add(
        album: String, files: [String], progress: @Sendable (AddProgress) async -> Void
    ) async throws -> AddReport {
        for done in 1...files.count { await progress(AddProgress(done: done, total: files.count)) }
        let photos = files.map { AddReport.Photo(id: "b1", path: $0, new: true) }
        return AddReport(album: album, albumID: "a1", photos: photos, skipped: [])
    }

    func verify(
        _ order: VerifyOrder, progress: @Sendable (VerifyProgress) async -> Void
    ) async throws -> VerifyReport {
        note.yield(.asked(.verify(order)))
        await progress(Sample.verifyProgress)
        return Sample.verify
    }

    func stop() async { note.yield(.stopped) }

    /// Delivers what was given, and then nothing until the subscriber goes.
    func events() -> AsyncStream<EventRecord> {
        let (stream, continuation) = AsyncStream.makeStream(of: EventRecord.self)
        continuation.onTermination = { [note] _ in note.yield(.eventsEnded) }
        for event in sent { continuation.yield(event) }
        note.yield(.eventsAsked)
        return stream
    }

    /// Waits for a note, dropping those before it.
    func wait(for wanted: Note) async {
        for await note in notes where note == wanted { return }
    }
}

/// A server in a directory of its own while the body runs.
func withControlServer<Result: Sendable>(
    _ handler: ControlFakeHandler, _ body: @Sendable (_ path: String) async throws -> Result
) async throws -> Result {
    let home = try makeTemporaryDirectory()
    defer { removeDirectory(home) }
    let path = try ControlSocket.path(home: home)
    return try await withThrowingTaskGroup { group in
        let server = ControlServer(path: path, handler: handler, logger: Logger(label: "test"))
        try await server.listen()
        group.addTask { try await server.run() }
        let result = try await body(path)
        group.cancelAll()
        try await group.waitForAll()
        #expect(access(path, F_OK) != 0, "the socket stays behind")
        return result
    }
}

func makeTemporaryDirectory() throws -> String {
    var template = Array("/tmp/potluck-control-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// Empty but for what a server leaves.
func removeDirectory(_ path: String) {
    unlink(path + "/control.sock")
    rmdir(path)
}

/// A client that speaks bytes, not requests.
final class RawControlClient: Sendable {
    private let descriptor: Int32

    init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try #require(isConnected, "connect: \(String(cString: strerror(errno)))")
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Which one has something to read first; `nil` after 20 s.
    static func firstReadable(_ clients: [RawControlClient]) async throws -> Int? {
        let descriptors = clients.map(\.descriptor)
        return try await NIOThreadPool.singleton.runIfActive {
            var waiting = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            poll(&waiting, nfds_t(waiting.count), 20_000)
            return waiting.firstIndex { $0.revents != 0 }
        }
    }

    /// What the server takes; less where it closes first.
    func send(_ bytes: [UInt8]) async throws {
        try await NIOThreadPool.singleton.runIfActive { [descriptor] in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// All that the server sends until it closes.
    func receiveAll() async throws -> String {
        try await NIOThreadPool.singleton.runIfActive { [descriptor] in
            var all: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(descriptor, &chunk, chunk.count, 0)
                guard count > 0 else { break }
                all += chunk.prefix(count)
            }
            return String(decoding: all, as: UTF8.self)
        }
    }
}
