import AlbumModel
import FoundationEssentials
import HTTPTypes
import Logging
import PotluckAPI
import Synchronization
import WebGallery

/// Who may come in: sessions, the guests' link, one-time codes, and the doors that all of them lead through.
///
/// What changes is written down soon, and what ends or lets in before it is answered. Sessions end by what the gathering
/// knows of guests (``GuestStanding``), whichever laptop said so.
final class Entrance: Sendable {
    /// Guests who come by one link, at most.
    static let guestCountMaxOfLink = 500
    /// Milliseconds for which the owner's phone is let in.
    static let ownerPassLifetime: Int64 = 12 * 3_600_000

    struct State {
        var doors: DoorsDocument
        var sessions: SessionStore
        var guests: GuestsDocument
        var standing: GuestStanding
        /// For browsers of this laptop.
        var codes = OneTimeCodes()
        /// For the owner's phone.
        var passCodes = OneTimeCodes()
        var joins: RequestBudget<String>
        var changed: Set<EntranceDocument> = []
        /// Whose sessions have ended since somebody asked.
        var ended: Set<SessionStore.Holder> = []
        var arrivals = Arrivals()
        var opening: (any DoorOpening)?
        /// `nil` where it is not open.
        var loopbackPort: Int?
        var guestPort: Int?
    }

    /// How often photos began to be put into albums, and how often that ended.
    struct Arrivals: Hashable {
        var begun: UInt64 = 0
        var ended: UInt64 = 0
    }

    let host: any GalleryHost
    let clock: GalleryClock
    let logger: Logger
    let state: Mutex<State>
    let tokens: PersonalTokens
    let cookie: SessionCookie
    /// One order to a door at a time.
    let doorGate = Gate()
    /// The doors that are to be open at the start are.
    let begun = Latch()
    private let writing = Gate()
    private let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation
    /// Says that sessions ended, or that something else holds for those that stay. One that waits is enough.
    let reviews: AsyncStream<Void>
    private let review: AsyncStream<Void>.Continuation

    /// - Throws: ``PotluckError`` where what was kept cannot be read.
    init(host: any GalleryHost, logger: Logger, clock: GalleryClock = .system) async throws {
        self.host = host
        self.clock = clock
        self.logger = logger
        let doors = try await EntranceDocument.doors.read(DoorsDocument.self, from: host) {
            var generator = SystemRandomNumberGenerator()
            return DoorsDocument(using: &generator)
        }
        guard let key = doors.keyBytes else {
            throw PotluckError(
                .failed,
                "“doors”, a document of the doors for browsers, is damaged. Move it out of the home and start the agent again; guests then need the new link."
            )
        }
        tokens = PersonalTokens(key: key)
        cookie = SessionCookie(home: host.device)
        let now = clock.steady()
        var state = State(
            doors: doors,
            sessions: try await EntranceDocument.sessions.read(SessionStore.self, from: host) { SessionStore() },
            guests: try await EntranceDocument.guests.read(GuestsDocument.self, from: host) { GuestsDocument() },
            standing: GuestStanding(),
            // 64 phones behind one address scan one code; thousands of guesses a second are work all the same.
            joins: RequestBudget(
                each: .init(capacity: 60, refill: 2), all: .init(capacity: 120, refill: 5), now: now))
        state.changed = [.doors]
        Self.heed(await host.standing(), &state)
        self.state = Mutex(state)
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (reviews, review) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        change.yield()
        review.yield()
    }

    // MARK: State

    /// Changes what is kept, in memory; ``keepChanges()`` writes it.
    func update<Result: Sendable>(
        _ documents: EntranceDocument..., body: (inout State) throws -> Result
    ) rethrows -> Result {
        let result = try state.withLock { state in
            let result = try body(&state)
            state.changed.formUnion(documents)
            return result
        }
        if !documents.isEmpty { change.yield() }
        return result
    }

    /// Writes what has changed; returns once it is durable.
    func keepChanges() async throws {
        await writing.enter()
        do {
            while let (document, bytes) = try nextChanged() {
                do {
                    try await host.keep(bytes, as: document.rawValue)
                } catch {
                    update(document) { _ in }
                    throw error
                }
            }
        } catch {
            await writing.leave()
            throw error
        }
        await writing.leave()
    }

    private func nextChanged() throws -> (EntranceDocument, [UInt8])? {
        try state.withLock { state in
            guard let document = EntranceDocument.allCases.first(where: state.changed.contains) else { return nil }
            let data =
                switch document {
                case .doors: try ReportJSON.data(state.doors)
                case .sessions: try ReportJSON.data(state.sessions)
                case .guests: try ReportJSON.data(state.guests)
                }
            state.changed.remove(document)
            return (document, Array(data))
        }
    }

    /// As ``keepChanges()`` for what is no reason to turn somebody away.
    func keepChangesIfPossible() async {
        do {
            try await keepChanges()
        } catch is CancellationError {
        } catch {
            logger.warning("what the doors know cannot be written", metadata: ["error": "\(error)"])
        }
    }

    /// Writes what changes, soon; until cancelled.
    func keepAllChanges() async {
        for await _ in changes {
            guard (try? await Task.sleep(for: .seconds(2))) != nil else { return }
            await keepChangesIfPossible()
        }
    }

    /// Somebody's sessions have ended, or have other rights.
    func tellReview() { review.yield() }

    /// Whose sessions have ended since this was last asked.
    func takeEnded() -> Set<SessionStore.Holder> {
        state.withLock { state in
            defer { state.ended = [] }
            return state.ended
        }
    }

    // MARK: What the gathering knows of guests

    /// Ends what it ends.
    ///
    /// - Returns: Whether the door for guests is to be closed.
    @discardableResult
    static func heed(_ standing: GuestStanding, _ state: inout State) -> Bool {
        state.standing = standing
        var isClosing = false
        let isLaptopOut = !standing.laptopsOut.isSubset(of: state.doors.laptopsOut ?? [])
        if standing.epoch > state.doors.epoch || standing.revoked.isEverybody || isLaptopOut {
            state.doors.epoch = max(state.doors.epoch, standing.epoch)
            isClosing = state.doors.isOpen
            (state.doors.isOpen, state.doors.link, state.doors.joinedCount) = (false, nil, 0)
            state.sessions.closeAllOfGuests()
            state.ended.formUnion(state.guests.guests.map { .guest($0.id) })
            state.changed.formUnion([.doors, .sessions])
        }
        if state.doors.laptopsOut != standing.laptopsOut {
            state.doors.laptopsOut = standing.laptopsOut
            state.changed.insert(.doors)
        }
        let revoked = standing.revoked.guests.subtracting(state.doors.revoked)
        for guest in revoked {
            state.sessions.closeAll(of: .guest(guest))
            state.ended.insert(.guest(guest))
        }
        if !revoked.isEmpty {
            // Whoever was put out knows the link.
            renewLink(&state)
            state.doors.revoked.formUnion(revoked)
            state.changed.formUnion([.doors, .sessions])
        }
        return isClosing
    }

    static func renewLink(_ state: inout State) {
        var generator = SystemRandomNumberGenerator()
        state.doors.link?.token = SecretToken(using: &generator)
        state.doors.joinedCount = 0
    }

    /// Heeds what the gathering knows now.
    func heed(_ standing: GuestStanding) async {
        let isClosing = update { state in
            let isClosing = Self.heed(standing, &state)
            return isClosing
        }
        change.yield()
        review.yield()
        if isClosing { await closeDoorUnlessOpenedAgain() }
        await keepChangesIfPossible()
    }

    /// A person may open it while this waits for its turn.
    private func closeDoorUnlessOpenedAgain() async {
        await doorGate.enter()
        if !state.withLock({ $0.doors.isOpen }) { await closeDoor() }
        await doorGate.leave()
    }

    // MARK: Who is there

    /// Who comes with this request.
    func visitor(_ request: HTTPRequest, at door: DoorName) -> Visitor? {
        guard let bearer = bearer(request), let digest = SecretToken(parsing: bearer)?.digest else { return nil }
        let now = clock.wall()
        return state.withLock { state -> Visitor? in
            guard let session = state.sessions.session(of: bearer, now: now) else { return nil }
            switch (session.holder, door) {
            case (.owner, .loopback), (.ownerPass, .guests), (.guest, .guests): break
            default: return nil
            }
            if session.lastUsed == now {
                state.changed.insert(.sessions)
                if case .guest(let id) = session.holder {
                    state.guests.change(id) { $0.seen = now }
                    state.changed.insert(.guests)
                }
            }
            return Self.visitor(session.holder, digest, state, now: now)
        }
    }

    /// A follower's rights as they are now; `nil` where nobody lets it in any more.
    func current(_ visitor: Visitor) -> Visitor? {
        guard let session = visitor.session else { return visitor }
        let now = clock.wall()
        return state.withLock { state in
            guard state.sessions.isOpen(session, now: now) else { return nil }
            return Self.visitor(visitor.holder, session, state, now: now)
        }
    }

    private static func visitor(
        _ holder: SessionStore.Holder, _ session: TokenDigest, _ state: State, now: Int64
    ) -> Visitor? {
        switch holder {
        case .owner:
            return Visitor(rights: Set(Right.allCases).subtracting([.govern]), session: session)
        case .ownerPass:
            return Visitor(rights: [.anyone, .see, .take, .add, .talk, .watch], holder: holder, session: session)
        case .guest(let id):
            guard let allowed = restrictions(of: id, state), !allowed.hasEnded(now: now) else { return nil }
            let rights: Set<Right> = [.anyone, .see, .take]
            return Visitor(
                rights: allowed.isLookOnly ? rights : rights.union([.add, .talk]), holder: holder,
                albums: allowed.albums.map { Set($0.compactMap { AlbumID(hex: $0) }) },
                hidesPlaces: allowed.hidesPlaces, session: session)
        }
    }

    /// What the link allows now, not what it allowed when the guest came; for a guest of another laptop, as far as that one
    /// allows it, too.
    ///
    /// - Returns: `nil` where there is no link, and for a guest of whom nothing is known any more: neither is what bounds
    ///   that guest.
    static func restrictions(of guest: GuestID, _ state: State) -> GuestRestrictions? {
        guard let link = state.doors.link, let known = state.guests.guest(guest) else { return nil }
        return known.pass.map { link.restrictions.narrowed(by: $0.restrictions) } ?? link.restrictions
    }

    /// The session's token, of the header or the cookie.
    func bearer(_ request: HTTPRequest) -> String? {
        if let field = request.headerFields[.authorization], field.hasPrefix("Bearer ") {
            return String(field.dropFirst("Bearer ".count))
        }
        return request.headerFields[values: .cookie].lazy.compactMap { self.cookie.value(in: $0) }.first
    }

    /// `nil` for nobody, and for the owner.
    func knownGuest(_ visitor: Visitor?) -> KnownGuest? {
        visitor?.guest.map { id in KnownGuest(id: id, name: state.withLock { Self.name(of: id, $0) }) }
    }

    static func name(of guest: GuestID, _ state: State) -> String {
        state.standing.names[guest] ?? state.guests.guest(guest)?.name ?? "A guest"
    }
}

/// Lets one in at a time, in the order of their coming.
actor Gate {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func enter() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func leave() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
