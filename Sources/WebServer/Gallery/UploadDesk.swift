import AlbumModel
import HTTPTypes
import HummingbirdCore
import NIOCore
import PotluckAPI
import Synchronization
import WebGallery

/// Files on their way from browsers: ``UploadBook`` decides, the host writes, and what was answered survives a power cut.
final class UploadDesk: Sendable {
    static let documentName = "uploads"

    private struct State {
        var book: UploadBook
        /// Who sends an unfinished upload, by name too: the gathering learns it with the first photo.
        var guests: [UploadID: KnownGuest]
        /// Those that are being taken in; each latch opens when that has ended.
        var taking: [UploadID: Latch] = [:]
        /// Why the last attempt to take one in failed.
        var failures: [UploadID: PotluckError] = [:]
    }

    /// What is written down.
    private struct Document: Codable {
        var uploads: UploadBook.Record
        var guests: [String: KnownGuest]
    }

    /// The state, for the keeper too.
    private final class Shared: Sendable {
        let state: Mutex<State>

        init(_ state: consuming State) {
            self.state = Mutex(state)
        }

        var document: [UInt8] {
            get throws {
                let document = state.withLock { state in
                    state.guests = state.guests.filter { id, _ in
                        state.book.upload(id).map { $0.outcome == nil } ?? false
                    }
                    return Document(
                        uploads: state.book.record,
                        guests: Dictionary(uniqueKeysWithValues: state.guests.map { ($0.key.text, $0.value) }))
                }
                return Array(try ReportJSON.data(document))
            }
        }
    }

    let host: any GalleryHost
    /// Hears of what guests add.
    private let entrance: Entrance
    let clock: GalleryClock
    let additions: GuestAdditions
    let work = BackgroundWork()
    private let shared: Shared
    private let keeper: DocumentKeeper
    /// How often what has had its time is ended, and what could not be taken in is tried again.
    private static let upkeepInterval = Duration.seconds(30)
    /// How long an answer waits for a file to be taken in: less than a page waits for the answer.
    private static let takingPatience = Duration.seconds(90)

    /// - Throws: ``PotluckError`` where what it kept in the home cannot be read.
    init(
        host: any GalleryHost, entrance: Entrance, clock: GalleryClock, limits: UploadLimits = UploadLimits()
    ) async throws {
        self.host = host
        self.entrance = entrance
        self.clock = clock
        additions = try await GuestAdditions(host: host, clock: clock)
        let staged = try await host.staged()
        var state = State(book: UploadBook(limits: limits), guests: [:])
        if let bytes = try await host.document(Self.documentName) {
            guard let document = try? ReportJSON.value(Document.self, from: .init(bytes)) else {
                throw PotluckError(.failed, "The list of uploads in the home, “\(Self.documentName)”, cannot be read.")
            }
            state.book = UploadBook(document.uploads, limits: limits) { staged[$0] ?? 0 }
            for (text, guest) in document.guests {
                if let id = UploadID(parsing: text) { state.guests[id] = guest }
            }
        }
        let book = state.book
        let shared = Shared(state)
        self.shared = shared
        keeper = DocumentKeeper(host, name: Self.documentName) { try shared.document }
        // What no list knows was terminated while the agent ended.
        for id in staged.keys.sorted() where book.upload(id).map({ $0.outcome != nil }) ?? true {
            await host.discard(id)
        }
    }

    // MARK: Upkeep

    /// Ends what has had its time, and takes in what is whole; until cancelled.
    func serve() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.work.serve() }
            group.addTask {
                while !Task.isCancelled {
                    await self.keepUp()
                    // It throws where the task is cancelled.
                    try? await Task.sleep(for: Self.upkeepInterval)
                }
            }
        }
    }

    /// One round of ``serve()``.
    func keepUp() async {
        let now = clock.wall()
        let (expired, unsettled) = shared.state.withLock { ($0.book.expire(now: now), $0.book.unsettled) }
        for id in expired { await host.discard(id) }
        if !expired.isEmpty {
            // The next change is kept, or the next start ends them again.
            try? await keeper.keep()
        }
        // One after the other: nobody waits for them.
        for id in unsettled { await beginTakingIn(id)?.wait() }
    }

    /// Ends all uploads of somebody who is no longer let in.
    func endAll(of holder: SessionStore.Holder) async {
        let ended = shared.state.withLock { $0.book.terminateAll(of: holder) }
        for id in ended { await host.discard(id) }
        // The next change is kept, or the next start ends them again: their holder comes in no more.
        try? await keeper.keep()
    }

    // MARK: Questions

    /// How many are unfinished, and what they still lack.
    var unfinished: (count: Int, bytes: UInt64) {
        shared.state.withLock { ($0.book.count, $0.book.byteCountToCome) }
    }

    func upload(_ id: UploadID, of holder: SessionStore.Holder) throws -> Upload {
        let now = clock.wall()
        return try shared.state.withLock { state throws(UploadRefusal) in
            try state.book.upload(id, holder: holder, now: now)
        }
    }

    /// What a HEAD answers: an offset that is durable, and what became of a file that is whole.
    func standing(of id: UploadID, of holder: SessionStore.Holder) async throws -> Upload {
        var upload = try upload(id, of: holder)
        try await keeper.settle()
        if upload.isComplete, upload.outcome == nil { upload = try await takeIn(id, of: holder) }
        return upload
    }

    /// Milliseconds since 1970.
    func expiry(of upload: Upload) -> Int64 { shared.state.withLock { $0.book.expiry(of: upload) } }

    // MARK: Beginning and ending

    /// Durable when it returns.
    func create(
        _ creation: UploadBook.Creation, holder: SessionStore.Holder, guest: KnownGuest?
    ) async throws -> (UploadID, Upload) {
        var generator = SystemRandomNumberGenerator()
        let id = UploadID(SecretToken(using: &generator))
        let (room, now) = (await host.room(), clock.wall())
        let upload = try shared.state.withLock { state throws(UploadRefusal) in
            let upload = try state.book.create(creation, id: id, holder: holder, room: room, now: now)
            state.guests[id] = guest
            return upload
        }
        do {
            try await keeper.keep()
        } catch {
            // Nobody has learnt its name.
            shared.state.withLock { _ = try? $0.book.terminate(id, holder: holder, now: now) }
            throw error
        }
        return (id, upload)
    }

    func terminate(_ id: UploadID, of holder: SessionStore.Holder) async throws {
        let now = clock.wall()
        let hasFile = try shared.state.withLock { state in
            guard state.taking[id] == nil else { throw Self.isTakenIn }
            return try state.book.terminate(id, holder: holder, now: now)
        }
        if hasFile { await host.discard(id) }
        try await keeper.keep()
    }

    // MARK: Writing

    /// What came of one PATCH.
    private struct Arrival: Sendable {
        /// Bytes that are written, not yet durable.
        var byteCount: UInt64 = 0
        var isIntact = true
        /// Why nothing of it counts.
        var failure: (any Error)?
    }

    /// Takes the bytes of one PATCH; those that came before a cut count.
    func write(
        _ patch: UploadBook.Patch, _ body: RequestBody, to id: UploadID, of holder: SessionStore.Holder
    ) async throws -> Upload {
        let now = clock.wall()
        let order = try shared.state.withLock { state in
            guard state.taking[id] == nil else { throw Self.isTakenIn }
            return try state.book.beginWriting(patch, to: id, holder: holder, now: now)
        }
        let arrival = await receive(body, order, id)
        let isComplete = try await work.run { try await self.finish(id, arrival) }
        guard isComplete else { return try upload(id, of: holder) }
        let upload = try await takeIn(id, of: holder)
        guard upload.isComplete else { throw Self.isUnexpected }
        return upload
    }

    private func receive(_ body: RequestBody, _ order: UploadBook.WriteOrder, _ id: UploadID) async -> Arrival {
        var arrival = Arrival()
        var check = order.checksum.map { UploadChecksum.Check($0) }
        var pieces = PieceCollector(byteCount: PictureBytes.pieceByteCountMax)
        var iterator = body.makeAsyncIterator()
        do {
            var isOpen = true
            while isOpen {
                // A body that is cut ends, or throws: what came counts in both cases, unless it has a checksum.
                let bytes = try? await iterator.next()
                isOpen = bytes != nil
                guard let piece = bytes.map({ pieces.add($0) }) ?? pieces.rest() else { continue }
                guard arrival.byteCount + UInt64(piece.readableBytes) <= order.byteCountMax else {
                    throw UploadBook.beyondEnd
                }
                piece.withUnsafeReadableBytes { check?.update($0) }
                try await host.write(piece, at: order.offset + arrival.byteCount, of: id)
                arrival.byteCount += UInt64(piece.readableBytes)
            }
            arrival.isIntact = check?.matches ?? true
        } catch {
            arrival = Arrival(failure: error)
        }
        return arrival
    }

    /// Makes durable what came; goes on where the browser has gone.
    ///
    /// - Returns: Whether the file is whole.
    private func finish(_ id: UploadID, _ arrival: Arrival) async throws -> Bool {
        var arrival = arrival
        if arrival.byteCount > 0, arrival.isIntact {
            do {
                try await host.makeDurable(id)
            } catch {
                arrival = Arrival(failure: error)
            }
        }
        let now = clock.wall()
        let progress = shared.state.withLock { [arrival] state in
            state.book.endWriting(id, byteCount: arrival.byteCount, isIntact: arrival.isIntact, now: now)
        }
        switch progress {
        case .gone:
            await host.discard(id)
            throw Problem(.notFound, "not_found", "This upload has ended; add the file again.")
        case .damaged: throw Problem(.checksumMismatch, "checksum_mismatch", "The bytes were damaged on their way.")
        case .waiting, .complete:
            if arrival.byteCount > 0 { try await keeper.keep() }
            if let failure = arrival.failure { throw failure }
            return progress == .complete
        }
    }

    // MARK: Taking in

    private static let isTakenIn = Problem(.locked, "locked", "This file is here and is being taken in.", retryAfter: 2)

    private static let isUnexpected = Problem(
        .checksumMismatch, "checksum_mismatch", "Another file arrived than the one that was announced; send it again.")

    /// Waits for a whole file to be taken into its album.
    ///
    /// - Returns: One that is not complete where other bytes came than were announced: it begins anew.
    /// - Throws: ``Problem`` with 503 where that takes long, or a passing trouble holds it up: it is tried again.
    private func takeIn(_ id: UploadID, of holder: SessionStore.Holder) async throws -> Upload {
        if let latch = await beginTakingIn(id) {
            await withTaskGroup { group in
                group.addTask { await latch.wait() }
                // It throws where the task is cancelled.
                group.addTask { try? await Task.sleep(for: Self.takingPatience) }
                await group.next()
                group.cancelAll()
            }
        }
        try Task.checkCancellation()
        let upload = try upload(id, of: holder)
        guard upload.outcome == nil, upload.isComplete else { return upload }
        let failure = shared.state.withLock { $0.failures[id] }
        throw Problem(
            .serviceUnavailable, failure?.status.code ?? "try_again",
            failure?.message ?? "The file is here and is being taken in.", retryAfter: 2)
    }

    /// - Returns: Opens when the attempt has ended; `nil` where there is nothing to take in.
    private func beginTakingIn(_ id: UploadID) async -> Latch? {
        let latch = Latch()
        let (running, upload) = shared.state.withLock { state -> (Latch?, Upload?) in
            if let running = state.taking[id] { return (running, nil) }
            guard let upload = state.book.upload(id), upload.isComplete, upload.outcome == nil else {
                return (nil, nil)
            }
            state.taking[id] = latch
            return (latch, upload)
        }
        guard let upload else { return running }
        let isTaken = work.start {
            let failure = await self.attempt(id, upload)
            self.shared.state.withLock { state in
                state.taking[id] = nil
                state.failures[id] = failure
            }
            latch.open()
        }
        if !isTaken {
            shared.state.withLock { $0.taking[id] = nil }
            latch.open()
        }
        return latch
    }

    /// - Returns: Why it has to be tried again.
    private func attempt(_ id: UploadID, _ upload: Upload) async -> PotluckError? {
        let guest = await sender(of: id, upload)
        do {
            let outcome = try await entrance.whileArriving {
                try await host.takeIn(id, upload, by: guest, expecting: expectation(upload.metadata, by: guest))
            }
            if case .refused = outcome { await host.discard(id) }
            let now = clock.wall()
            shared.state.withLock { $0.book.settle(id, as: outcome, now: now) }
            try await note(outcome, upload.metadata, by: guest)
            try await keeper.keep()
            return nil
        } catch let unexpected as UnexpectedFile {
            await host.discard(id)
            let now = clock.wall()
            shared.state.withLock { $0.book.beginAnew(id, after: unexpected.blob, now: now) }
            // Where it cannot be kept, a start finds no bytes of it: it begins anew there, too.
            try? await keeper.keep()
            return nil
        } catch {
            return PotluckError(describing: error)
        }
    }

    private func sender(of id: UploadID, _ upload: Upload) async -> KnownGuest? {
        if let guest = shared.state.withLock({ $0.guests[id] }) { return guest }
        guard case .guest(let guest) = upload.holder else { return nil }
        return KnownGuest(id: guest, name: await host.standing().names[guest] ?? "")
    }

    /// Has a photo wait for the owner's word before anybody can see it.
    private func expectation(_ metadata: UploadMetadata, by guest: KnownGuest?) -> PhotoExpectation {
        { [entrance] photo in try await entrance.expect(photo, name: metadata.name, by: guest) }
    }

    /// Remembers what somebody added.
    private func note(_ outcome: Upload.Outcome, _ metadata: UploadMetadata, by guest: KnownGuest?) async throws {
        guard case .here(let photo) = outcome, let blob = BlobID(hex: photo) else { return }
        let key = PhotoKey(album: metadata.album, blob: blob)
        guard let guest else { return }
        entrance.added(by: guest.id)
        try await additions.note(key, by: guest.id)
    }

    // MARK: Known files

    /// Adds a photo that is here already, as far as this visitor sees it.
    ///
    /// - Returns: Whether it is in the album now.
    func addKnown(_ blob: BlobID, _ metadata: UploadMetadata, by guest: KnownGuest?) async throws -> Bool {
        let outcome = try await entrance.whileArriving {
            try await host.addKnown(blob, metadata, by: guest, expecting: expectation(metadata, by: guest))
        }
        guard let outcome else { return false }
        try await note(outcome, metadata, by: guest)
        if case .refused = outcome { return false }
        return true
    }
}

/// Puts bytes together that come in small pieces: every write has its price.
private struct PieceCollector {
    let byteCount: Int
    private var collected = ByteBuffer()

    init(byteCount: Int) {
        self.byteCount = byteCount
    }

    /// `nil` while it is too little.
    mutating func add(_ bytes: ByteBuffer) -> ByteBuffer? {
        if collected.readableBytes == 0 {
            collected = bytes
        } else {
            var bytes = bytes
            collected.writeBuffer(&bytes)
        }
        return collected.readableBytes >= byteCount ? rest() : nil
    }

    /// `nil` for nothing.
    mutating func rest() -> ByteBuffer? {
        defer { collected = ByteBuffer() }
        return collected.readableBytes > 0 ? collected : nil
    }
}
