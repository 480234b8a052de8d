import AlbumModel
import FoundationEssentials
import HTTPTypes
import PotluckAPI
import Synchronization
import WebGallery

/// Coming in and going.
extension Entrance {
    /// Somebody who has been let in.
    struct Arrival: Sendable {
        /// The session's token.
        let bearer: SecretToken
        /// `nil` for the owner.
        let guest: KnownGuest?
    }

    // MARK: Guests

    /// Lets a guest in by the link's token, or by a guest's own one.
    ///
    /// - Parameters:
    ///   - name: `nil` where none was given, which a guest's own token needs not.
    ///   - address: Of the asker, for the budget.
    func join(token: String, name: String?, from address: String) async throws -> Arrival {
        let now = clock.wall()
        let arrival = try update { state in
            try self.spend(address, &state)
            guard state.doors.isOpen, let link = state.doors.link else { throw Self.wrongToken }
            let renewal = Int(clamping: state.doors.epoch)
            let revoked = state.standing.revoked
            guard !revoked.isEverybody else { throw Self.ended }
            let known = state.guests.guests.filter { !revoked.contains($0.id) }
            if let guest = self.tokens.guest(for: token, among: known.map { (guest: $0.id, renewal: renewal) }) {
                if Self.restrictions(of: guest, state)?.hasEnded(now: now) ?? true { throw Self.ended }
                return self.admit(guest, nil, &state, now: now)
            }
            switch link.admission(token, now: now) {
            case .wrong: throw Self.wrongToken
            case .ended: throw Self.ended
            case .admitted: break
            }
            guard let name = name.flatMap({ GuestName.cleaned($0) }) else {
                throw Problem(.badRequest, "name", "Tell the others your name.")
            }
            guard state.doors.joinedCount < Self.guestCountMaxOfLink else { throw Self.full }
            state.doors.joinedCount += 1
            var generator = SystemRandomNumberGenerator()
            return self.admit(GuestID(using: &generator), name, &state, now: now)
        }
        await keepChangesIfPossible()
        return arrival
    }

    /// Lets a guest of another laptop in.
    func join(ticket text: String, from address: String) async throws -> Arrival {
        try update { state in try self.spend(address, &state) }
        guard let (ticket, signed, signature) = Ticket.reading(text),
            await host.isSignature(signature, over: signed, by: ticket.laptop)
        else { throw Self.wrongToken }
        await heed(await host.standing())
        let now = clock.wall()
        let arrival = try update { state in
            guard state.doors.isOpen, let link = state.doors.link, ticket.epoch == state.standing.epoch,
                !state.standing.revoked.contains(ticket.guest)
            else { throw Self.ended }
            let pass = Self.pass(of: ticket, state)
            let allowed = pass.map { link.restrictions.narrowed(by: $0.restrictions) } ?? link.restrictions
            if allowed.hasEnded(now: now) { throw Self.ended }
            if state.guests.guest(ticket.guest) == nil {
                guard state.doors.joinedCount < Self.guestCountMaxOfLink else { throw Self.full }
                state.doors.joinedCount += 1
            }
            return self.admit(ticket.guest, GuestName.cleaned(ticket.name), pass: pass, &state, now: now)
        }
        // It may allow more or less than what the guest brought along before.
        tellReview()
        await keepChangesIfPossible()
        return arrival
    }

    /// What bounds a guest besides this laptop's link, now that this ticket is here.
    ///
    /// Of two tickets the later one counts, so that nobody comes back with one of before a link was narrowed. Whoever came
    /// in by this laptop's own link keeps what that gives: coming home takes nothing away.
    private static func pass(of ticket: Ticket, _ state: State) -> GuestsDocument.Pass? {
        let brought = GuestsDocument.Pass(restrictions: ticket.restrictions, issued: ticket.issued)
        guard let known = state.guests.guest(ticket.guest) else { return brought }
        return known.pass.map { $0.issued > brought.issued ? $0 : brought }
    }

    private static let wrongToken = Problem(
        .unauthorized, "wrong_token",
        "This code is not right any more. Scan the newest one, or ask whoever invited you.")
    private static let ended = Problem(.gone, "ended", "This link has ended. Ask whoever invited you for a new one.")
    private static let full = Problem(
        .tooManyRequests, "too_many",
        "This link has let in as many guests as it may. Ask whoever invited you for a new one.",
        retryAfter: 3600)

    private func spend(_ address: String, _ state: inout State) throws {
        guard case .wait(let milliseconds) = state.joins.take(of: address, now: clock.steady()) else { return }
        throw Self.tooSoon(milliseconds)
    }

    private static func tooSoon(_ milliseconds: Int64) -> Problem {
        Problem(
            .tooManyRequests, "too_many", "Many people are joining at this moment. Wait a little, then try again.",
            retryAfter: Int(clamping: max(1, (milliseconds + 999) / 1000)))
    }

    /// - Parameters:
    ///   - name: `nil` for a guest who is known here.
    ///   - pass: What bounds the guest from now on; `nil` leaves it as it is.
    private func admit(
        _ id: GuestID, _ name: String?, pass: GuestsDocument.Pass? = nil, _ state: inout State, now: Int64
    ) -> Arrival {
        if state.guests.guest(id) == nil {
            state.guests.put(
                GuestsDocument.Guest(
                    id: id, name: name ?? Self.name(of: id, state), joined: now, seen: now, pass: pass))
        } else {
            state.guests.change(id) { guest in
                guest.seen = now
                if let pass { guest.pass = pass }
            }
        }
        var generator = SystemRandomNumberGenerator()
        let bearer = SecretToken(using: &generator)
        state.sessions.open(.guest(id), token: bearer, now: now)
        state.changed.formUnion(EntranceDocument.allCases)
        return Arrival(bearer: bearer, guest: KnownGuest(id: id, name: Self.name(of: id, state)))
    }

    /// The link by which this guest comes back.
    func personalLink(of guest: GuestID, at origin: String) -> String {
        let renewal = state.withLock { Int(clamping: $0.doors.epoch) }
        return PersonalTokens.address(of: tokens.token(of: guest, renewal: renewal), at: origin)
    }

    // MARK: The owner

    /// Lets a browser in by a one-time code.
    ///
    /// - Parameter door: Codes of the owner's browser are of no use at the guests' door, nor the other way round.
    func redeem(_ code: String, at door: DoorName) async throws -> Arrival {
        let now = clock.wall()
        let steady = clock.steady()
        let arrival = try update { state in
            let answer =
                switch door {
                case .loopback: state.codes.redeem(code, now: steady)
                case .guests: state.passCodes.redeem(code, now: steady)
                }
            switch answer {
            case .accepted: break
            case .wrong:
                throw Problem(
                    .unauthorized, "wrong_code",
                    "This link was used already, or is older than a minute. Ask the laptop for a new one.")
            case .tooMany(let wait): throw Self.tooSoon(wait)
            }
            var generator = SystemRandomNumberGenerator()
            let bearer = SecretToken(using: &generator)
            switch door {
            case .loopback: state.sessions.open(.owner, token: bearer, now: now)
            case .guests:
                state.sessions.open(.ownerPass, token: bearer, now: now, lifetime: Self.ownerPassLifetime)
            }
            state.changed.insert(.sessions)
            return Arrival(bearer: bearer, guest: nil)
        }
        await keepChangesIfPossible()
        return arrival
    }

    /// The owner's phones that are signed in.
    func phones() -> [(digest: TokenDigest, session: SessionStore.Session)] {
        let now = clock.wall()
        return state.withLock { $0.sessions.sessions(of: .ownerPass, now: now) }
    }

    /// Signs one of the owner's phones out; durable when it returns.
    ///
    /// - Parameter text: The beginning of its name.
    func endPhone(_ text: String) async throws {
        let now = clock.wall()
        try update(.sessions) { state in
            let names = state.sessions.sessions(of: .ownerPass, now: now)
            let found = names.filter { !text.isEmpty && $0.digest.shortName.hasPrefix(text.lowercased()) }
            guard let phone = found.first else {
                throw PotluckError(.notFound, "There is no phone “\(text)”. `potluck phones` lists them.")
            }
            guard found.count == 1 else {
                let ids = found.map(\.digest.shortName).joined(separator: ", ")
                throw PotluckError(.usage, "“\(text)” could be \(found.count) phones; name one of them: \(ids).")
            }
            state.sessions.close(phone.digest)
        }
        tellReview()
        try await keepChanges()
    }

    /// Signs out whoever sent this request.
    func leave(_ request: HTTPRequest) async throws {
        guard let bearer = bearer(request) else { return }
        update(.sessions) { _ = $0.sessions.close(bearer) }
        tellReview()
        try await keepChanges()
    }

    // MARK: Tickets

    /// By which a guest goes on at another laptop, as far as this one lets that guest.
    ///
    /// - Returns: `nil` for whoever is no guest, and where the link names more albums than a ticket has room for.
    func ticket(of visitor: Visitor) async throws -> String? {
        guard let guest = knownGuest(visitor) else { return nil }
        let (epoch, restrictions) = state.withLock { ($0.standing.epoch, Self.restrictions(of: guest.id, $0)) }
        guard let restrictions else { return nil }
        var generator = SystemRandomNumberGenerator()
        let ticket = Ticket(
            guest: guest.id, name: guest.name, epoch: epoch, laptop: host.device, restrictions: restrictions,
            issued: clock.wall(),
            random: Base64URL.text((0..<8).map { _ in UInt8.random(in: 0...255, using: &generator) }))
        let text = try await ticket.text { try await host.sign($0) }
        return text.utf8.count <= Ticket.byteCountMax ? text : nil
    }

    // MARK: What guests add

    /// Puts photos into albums. Until that has ended, none of those that wait is taken for one that has left its album.
    func whileArriving<Result: Sendable>(_ body: () async throws -> Result) async rethrows -> Result {
        state.withLock { $0.arrivals.begun += 1 }
        defer { state.withLock { $0.arrivals.ended += 1 } }
        return try await body()
    }

    /// A guest's photo is about to be in an album: where the owner's word is needed, it waits from here on, so that no wall
    /// shows it before. Durable when it returns. What waits and never comes goes when the owner looks.
    ///
    /// - Parameter guest: `nil` for the owner, whose photos need nobody's word.
    func expect(_ photo: PhotoKey, name: String, by guest: KnownGuest?) async throws {
        guard let guest else { return }
        let waits = state.withLock { state in
            guard state.doors.link?.needsApproval ?? false else { return false }
            state.guests.wait(.init(album: photo.album.hex, photo: photo.blob.hex, guest: guest.id, name: name))
            state.changed.insert(.guests)
            return true
        }
        if waits { try await keepChanges() }
    }

    /// A guest's photo is in an album.
    func added(by guest: GuestID) {
        update(.guests) { state in state.guests.change(guest) { $0.photos += 1 } }
    }

    /// A guest took a photo back.
    func withdrawn(_ photo: PhotoKey, by guest: GuestID) {
        update(.guests) { state in
            state.guests.change(guest) { $0.photos = max(0, $0.photos - 1) }
            _ = state.guests.release { $0.album == photo.album.hex && $0.photo == photo.blob.hex && $0.guest == guest }
        }
    }

    /// Photos that the wall does not show yet, by album.
    func waiting() -> Set<PhotoKey> {
        state.withLock { state in
            Set(
                state.guests.waiting.compactMap { waiting in
                    guard let album = AlbumID(hex: waiting.album), let photo = BlobID(hex: waiting.photo) else {
                        return nil
                    }
                    return PhotoKey(album: album, blob: photo)
                })
        }
    }
}

/// What a guest's page takes along to another laptop.
package struct Ticket: Codable, Hashable, Sendable {
    /// Tickets of version 1 said nothing of what their guest may: nobody takes them any more, and laptops that write them
    /// take none of these, whose restrictions they would not heed.
    private static let label = "potluck ticket 2\n"
    /// Of a text: a name of 240 bytes, some 60 albums of 35 bytes, everything else, and a signature, in base64url. Pages
    /// take no longer ones along.
    static let byteCountMax = 4000

    var guest: GuestID
    var name: String
    var epoch: UInt64
    /// The `DeviceID` of the laptop that signs it.
    var laptop: String
    /// What the laptop that signs it lets the guest do.
    var restrictions: GuestRestrictions
    /// Milliseconds since 1970, by the clock of that laptop.
    var issued: Int64
    /// Makes no two tickets alike.
    var random: String

    /// What is signed: no other message of a laptop begins like this.
    private static func signed(_ payload: [UInt8]) -> [UInt8] { Array(label.utf8) + payload }

    func text(_ sign: ([UInt8]) async throws -> [UInt8]) async throws -> String {
        let payload = Array(try ReportJSON.data(self))
        return Base64URL.text(payload) + "." + Base64URL.text(try await sign(Self.signed(payload)))
    }

    /// `nil` for what is no ticket.
    package static func reading(_ text: String) -> (ticket: Ticket, signed: [UInt8], signature: [UInt8])? {
        guard text.utf8.count <= byteCountMax else { return nil }
        let halves = text.split(separator: ".", omittingEmptySubsequences: false)
        guard halves.count == 2, let payload = Base64URL.bytes(halves[0]), let signature = Base64URL.bytes(halves[1]),
            let ticket = try? ReportJSON.value(Ticket.self, from: Data(payload))
        else { return nil }
        return (ticket, signed(payload), signature)
    }
}
