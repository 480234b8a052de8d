import AlbumModel
public import PotluckAPI
import Synchronization
import WebGallery

/// The doors for browsers, as the owner keeps them.
extension Gallery: DoorKeeping {
    public func openGuestDoor(_ order: GuestDoorOrder) async throws -> GuestLinkReport {
        await entrance.begun.wait()
        var albums: [AlbumID]?
        if let named = order.albums { albums = try await self.albums(named: named) }
        if let until = order.until, until.millisecondsSince1970 <= entrance.clock.wall() {
            throw PotluckError(.usage, "The link would have ended already: \(until.text) is past.")
        }
        guard await !host.standing().revoked.isEverybody else {
            throw PotluckError(
                .failed,
                "More guests were shown out of this gathering than can be remembered, so no guest is let in any more. Photos stay as they are; whoever is to take part can join with a laptop."
            )
        }
        await entrance.doorGate.enter()
        do {
            try await entrance.openDoor()
        } catch {
            await entrance.doorGate.leave()
            throw error
        }
        entrance.update(.doors) { [albums] state in
            state.doors.isOpen = true
            var generator = SystemRandomNumberGenerator()
            var link = state.doors.link ?? GuestLink(token: SecretToken(using: &generator))
            if let albums { link.albums = albums.isEmpty ? nil : albums.map(\.hex) }
            link.isLookOnly = order.lookOnly ?? link.isLookOnly
            link.needsApproval = order.approve ?? link.needsApproval
            link.hidesPlaces = order.hidesPlaces ?? link.hidesPlaces
            if order.forever ?? false { link.expires = nil }
            if let until = order.until { link.expires = until.millisecondsSince1970 }
            state.doors.link = link
            if order.renew ?? false { Entrance.renewLink(&state) }
        }
        await entrance.doorGate.leave()
        entrance.tellReview()
        try await entrance.keepChanges()
        tell(.guests)
        await tellLinkIfChanged()
        guard let link = try await linkReport() else {
            throw entrance.noLink(PotluckError(.tryAgain, "The door was closed meanwhile; try again."))
        }
        return link
    }

    /// By names or IDs, as the owner's commands name them.
    private func albums(named texts: [String]) async throws -> [AlbumID] {
        let known = try await albumNames()
        return try texts.map { try AlbumLookup.find($0, among: known) }
    }

    private func albumNames() async throws -> [(id: AlbumID, name: String)] {
        guard let agent else { throw PotluckError(.tryAgain, "The agent is starting; try again in a moment.") }
        return try await agent.albums().albums.compactMap { album in
            AlbumID(hex: album.id).map { (id: $0, name: album.name) }
        }
    }

    public func closeGuestDoor(everywhere: Bool) async throws {
        await entrance.begun.wait()
        if everywhere {
            try await host.raiseEpoch()
            await entrance.heed(await host.standing())
        }
        await entrance.doorGate.enter()
        entrance.update(.doors) { $0.doors.isOpen = false }
        await entrance.closeDoor()
        await entrance.doorGate.leave()
        try await entrance.keepChanges()
        tell(.guests)
        await tellLinkIfChanged()
    }

    // MARK: Who is here

    public func guests() async throws -> GuestsReport {
        let (document, standing, arrivals) = entrance.state.withLock { ($0.guests, $0.standing, $0.arrivals) }
        var guests = document.guests.map { guest in
            GuestsReport.Guest(
                id: guest.id.hex, name: standing.names[guest.id] ?? guest.name,
                joined: Instant(millisecondsSince1970: guest.joined), seen: Instant(millisecondsSince1970: guest.seen),
                photos: guest.photos, revoked: standing.revoked.contains(guest.id))
        }
        let here = Set(document.guests.map(\.id))
        for (id, name) in standing.names.sorted(by: { $0.key < $1.key }) where !here.contains(id) {
            guests.append(
                GuestsReport.Guest(
                    id: id.hex, name: name, joined: nil, seen: nil, photos: 0, revoked: standing.revoked.contains(id)))
        }
        let link = try await linkReport()
        let closed = PotluckError(.badSetting, "The door for guests is closed; `potluck guests on` opens it.")
        return GuestsReport(
            link: link, isOpen: entrance.isGuestDoorOpen, noLink: link == nil ? entrance.noLink(closed).message : nil,
            guests: guests, waiting: try await waiting(document, standing, arrivals))
    }

    /// What is not in its album any more waits for nothing; what is not yet still does.
    private func waiting(
        _ document: GuestsDocument, _ standing: GuestStanding, _ arrivals: Entrance.Arrivals
    ) async throws -> [GuestsReport.Waiting] {
        guard !document.waiting.isEmpty else { return [] }
        let names = Dictionary(try await albumNames().map { ($0.id, $0.name) }) { first, _ in first }
        var (found, gone): ([GuestsReport.Waiting], Set<GuestsDocument.Waiting>) = ([], [])
        for waiting in document.waiting {
            guard let album = AlbumID(hex: waiting.album), let photo = BlobID(hex: waiting.photo),
                let name = names[album], await host.albums(of: photo).contains(album)
            else {
                gone.insert(waiting)
                continue
            }
            let by = standing.names[waiting.guest] ?? document.guest(waiting.guest)?.name ?? "A guest"
            found.append(
                GuestsReport.Waiting(
                    album: name, albumID: waiting.album, photo: waiting.photo, by: by, name: waiting.name))
        }
        if !gone.isEmpty, arrivals.begun == arrivals.ended {
            entrance.update(.guests) { [gone] state in
                // Since this began, one of them may have come after all.
                guard state.arrivals == arrivals else { return }
                _ = state.guests.release { gone.contains($0) }
            }
        }
        return found
    }

    /// `nil` while the door is closed, and while phones have no address of this laptop.
    func linkReport() async throws -> GuestLinkReport? {
        guard let addresses = await entrance.linkAddresses(), let link = entrance.state.withLock({ $0.doors.link })
        else { return nil }
        var names: [String]?
        if let albums = link.albums {
            let known = try await albumNames()
            names = albums.map { id in known.first { $0.id.hex == id }?.name ?? id }
        }
        return GuestLinkReport(
            link: addresses.first, others: addresses.others,
            expires: link.expires.map { Instant(millisecondsSince1970: $0) }, albums: names,
            lookOnly: link.isLookOnly, approve: link.needsApproval, hidesPlaces: link.hidesPlaces)
    }

    public func revoke(guest text: String) async throws -> GuestsReport {
        await entrance.begun.wait()
        try await host.revoke(try Self.guest(text, among: try await guests().guests))
        await entrance.heed(await host.standing())
        try await entrance.keepChanges()
        tell(.guests)
        return try await guests()
    }

    /// The one guest of this ID, of this name, or whose ID begins so.
    private static func guest(_ text: String, among known: [GuestsReport.Guest]) throws -> GuestID {
        if let named = GuestID(hex: text), known.contains(where: { $0.id == named.hex }) { return named }
        let (key, beginning) = (AlbumName.key(text), text.lowercased())
        let isBeginning = beginning.utf8.count >= idBeginningCountMin
        // A name counts as well as a beginning: who is meant has to be clear, since nothing brings a guest back.
        let fitting = known.filter { guest in
            AlbumName.key(guest.name) == key || isBeginning && guest.id.hasPrefix(beginning)
        }
        let found = fitting.filter { !$0.revoked }
        guard let first = found.first, let only = GuestID(hex: first.id) else {
            if !fitting.isEmpty { throw PotluckError(.notFound, "“\(text)” was shown out already.") }
            throw PotluckError(.notFound, "There is no guest called “\(text)”. `potluck guests list` lists them.")
        }
        guard found.count == 1 else {
            let named = found.map { "\($0.name) (\($0.id))" }.joined(separator: ", ")
            throw PotluckError(.usage, "“\(text)” could be \(found.count) guests; name one by its ID: \(named).")
        }
        return only
    }

    /// Fewer digits of an ID are more likely a slip.
    private static let idBeginningCountMin = 4

    public func approve(album: String, photos: [String]) async throws -> GuestsReport {
        let id = try AlbumLookup.find(album, among: try await albumNames())
        let wanted = Set(photos)
        let released = entrance.update(.guests) { state in
            state.guests.release { $0.album == id.hex && wanted.contains($0.photo) }
        }
        try await entrance.keepChanges()
        for photo in released {
            if let blob = BlobID(hex: photo.photo) { tell(.wall(PhotoKey(album: id, blob: blob))) }
        }
        tell(.guests)
        return try await guests()
    }

    // MARK: The owner

    public func ownerLink() async throws -> OwnerLinkReport { OwnerLinkReport(url: try await entrance.ownerLink()) }

    public func ownerLinkWaits(code: String) async -> Bool { entrance.ownerLinkWaits(code: code) }

    public func ownerPass() async throws -> OwnerLinkReport { OwnerLinkReport(url: try await entrance.ownerPass()) }

    public func phones() async throws -> PhonesReport {
        PhonesReport(
            phones: entrance.phones().map { digest, session in
                PhonesReport.Phone(
                    id: digest.shortName, since: Instant(millisecondsSince1970: session.since),
                    seen: Instant(millisecondsSince1970: session.lastUsed),
                    expires: Instant(millisecondsSince1970: session.expires ?? session.since))
            })
    }

    public func endPhone(_ phone: String) async throws -> PhonesReport {
        await entrance.begun.wait()
        try await entrance.endPhone(phone)
        return try await phones()
    }
}
