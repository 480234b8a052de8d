import AlbumModel
import WireFormat

/// What this device tells of what it holds, and what others tell of theirs.
extension Engine {
    mutating func noteHeld(_ blob: BlobID, _ directives: inout [EngineDirective]) {
        guard held.insert(blob).inserted else { return }
        Self.emit(scheduler.forget(blob), &directives)
        presence.set(catalog.namingDots(of: blob), isHeld: true)
        news.blobs.insert(blob)
        directives.append(.notify(.blobHeld(blob)))
    }

    mutating func noteLost(_ blob: BlobID) {
        guard held.remove(blob) != nil else { return updateWant(blob) }
        presence.set(catalog.namingDots(of: blob), isHeld: false)
        if !PlantedFault.isPlanted(.ownLossesUnannounced) { news.blobs.insert(blob) }
        if !PlantedFault.isPlanted(.lostBlobNotWanted) { updateWant(blob) }
    }

    /// A peer that was just greeted learns what is held here: what changed since it last heard, or everything. Where
    /// nothing changed it learns that: until then, what it knows may be a month old.
    mutating func tellPresence(_ link: LinkID, known: PresencePosition?, _ directives: inout [EngineDirective]) {
        let device = sessions[link]!.device
        if let known, known.run == run, let changes = presence.changes(since: known.counter) {
            for change in presenceChanges(changes, since: known.counter) {
                directives.append(.send(link, .presenceChanged(change)))
            }
        } else {
            directives.append(.send(link, .presence(presence.whole(log), counter: presence.counter)))
        }
        // What it said it held is asked of it until it says otherwise.
        scheduler.setHolders(link) { holdings.claims(device, $0, dots: catalog.mentions(of: $0).dots) }
        for part in scheduler.parts { tellPart(part, link, &directives) }
    }

    /// In messages of bounded length, each with the count after what it says: who is cut off after one of them asks for
    /// the rest. At least one.
    ///
    /// - Parameter counter: the count before them.
    private func presenceChanges(_ blobs: [BlobID], since counter: UInt64) -> [PresenceChange] {
        stride(from: 0, to: max(blobs.count, 1), by: WireLimits.heldCountMax).map { start in
            let end = min(start + WireLimits.heldCountMax, blobs.count)
            let part = Set(blobs[start..<end]).sorted()
            let told = PlantedFault.isPlanted(.lastCounterInEachPart) ? blobs.count : end
            return PresenceChange(
                held: part.filter { held.contains($0) }, lost: part.filter { !held.contains($0) },
                counter: counter + UInt64(told))
        }
    }

    /// Tells the peers what has gathered, at most once an interval.
    mutating func tellNews(now: MonotonicInstant, _ directives: inout [EngineDirective]) {
        guard !sessions.isEmpty else {
            if !news.blobs.isEmpty { _ = countChangedBlobs(now: now) }
            return
        }
        if news.isSummaryDue(now: now) { tellOwnSummary(now: now, &directives) }
        let hasNews = scheduler.hasChangedParts || !news.blobs.isEmpty || !news.heads.isEmpty
        guard hasNews, news.isDue(now: now) else { return }
        let parts = scheduler.takeChangedParts()
        for link in greetedLinks {
            for part in parts { tellPart(part, link, &directives) }
        }
        tellChangedBlobs(now: now, &directives)
        for (link, entries) in news.told(now: now) { directives.append(.send(link, .announced(entries))) }
    }

    private mutating func tellChangedBlobs(now: MonotonicInstant, _ directives: inout [EngineDirective]) {
        guard !news.blobs.isEmpty else { return }
        // First of all: as an argument of the next call it would be counted after the engine was read.
        let counter = presence.counter
        let blobs = countChangedBlobs(now: now)
        let changes = presenceChanges(blobs, since: counter)
        for link in greetedLinks {
            for change in changes { directives.append(.send(link, .presenceChanged(change))) }
        }
    }

    /// Takes what has gathered into account, whether or not anybody is there to be told: whoever connects later is told
    /// everything that changed.
    private mutating func countChangedBlobs(now: MonotonicInstant) -> [BlobID] {
        let blobs = news.blobs.sorted()
        news.blobs.removeAll(keepingCapacity: true)
        news.needSummary(now: now)
        presence.count(blobs, limits: limits)
        return blobs
    }

    /// Whoever pulls the same blob may take pieces from here already.
    private func tellPart(_ part: PartHeld, _ link: LinkID, _ directives: inout [EngineDirective]) {
        let dots = catalog.mentions(of: part.blob).dots
        guard !holdings.claims(sessions[link]!.device, part.blob, dots: dots) else { return }
        directives.append(.send(link, .partHeld(part)))
    }

    // MARK: What others hold

    mutating func presenceArrived(_ presence: Presence, _ counter: UInt64, _ link: LinkID) {
        sessions[link]?.hasSpoken = true
        guard let session = sessions[link], let hello = session.hello else { return }
        let position = PresencePosition(run: hello.run, counter: counter)
        holdings.replace(
            session.device, presence, position: position, summaryNumber: hello.summaryNumber, wall: wall)
        scheduler.setHolders(link) { holdings.claims(session.device, $0, dots: catalog.mentions(of: $0).dots) }
    }

    mutating func presenceChanged(_ change: PresenceChange, _ link: LinkID) {
        guard let session = sessions[link], let hello = session.hello else { return }
        let isTaken = holdings.change(
            session.device, change, run: hello.run, base: session.base, summaryNumber: hello.summaryNumber, wall: wall
        ) { catalog.contains($0) }
        if isTaken { sessions[link]!.hasSpoken = true }
        for blob in change.held { scheduler.setHolder(link, of: blob, true) }
        for blob in change.lost { scheduler.setHolder(link, of: blob, false) }
    }

    /// A right piece came: who sent it has what it may have denied.
    mutating func pieceArrived(_ number: UInt32, _ link: LinkID) {
        guard let blob = scheduler.requests[number]?.blob, let device = sessions[link]?.device else { return }
        holdings.retractDenial(device, blob)
    }
}
