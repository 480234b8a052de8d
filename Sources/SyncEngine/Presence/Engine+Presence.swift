import AlbumModel
import WireFormat

/// What this device tells of what it holds, and what others tell of theirs.
extension Engine {
    mutating func noteHeld(_ blob: BlobID) {
        guard held.insert(blob).inserted else { return }
        perform(scheduler.forget(blob))
        presence.set(catalog.namingDots(of: blob), isHeld: true)
        news.blobs.insert(blob)
        emit(.notify(.blobHeld(blob)))
    }

    mutating func noteLost(_ blob: BlobID) {
        if !intake.isIdle { lostMeanwhile.insert(blob) }
        guard held.remove(blob) != nil else { return updateWant(blob) }
        if !PlantedFault.isPlanted(.lossLeftInRuns) { presence.set(catalog.namingDots(of: blob), isHeld: false) }
        if !PlantedFault.isPlanted(.ownLossesUnannounced) { news.blobs.insert(blob) }
        if !PlantedFault.isPlanted(.lostBlobNotWanted) { updateWant(blob) }
    }

    /// A peer that was just greeted learns what is held here: what changed since it last heard, or everything. Where
    /// nothing changed it learns that: until then, what it knows may be a month old.
    mutating func owePresence(_ link: LinkID, known: PresencePosition?) {
        let isUntold = PlantedFault.isPlanted(.changesMeanwhileUntold)
        let told = known.flatMap { $0.run == run ? $0.counter : nil }
        sessions[link]!.outbox.presenceTold = isUntold ? told.map { _ in presence.counter } : told
        sessions[link]!.outbox.isPresenceDue = true
        // What it said it held is asked of it until it says otherwise.
        setHolders(link)
        owe(scheduler.parts, link)
    }

    private mutating func owe(_ parts: [PartHeld], _ link: LinkID) {
        for part in parts { sessions[link]!.outbox.addPart(part.blob) { scheduler.wants[$0] != nil } }
    }

    /// Tells the peers what has gathered, at most once an interval, and what waits for them to read.
    mutating func tellNews(now: MonotonicInstant) {
        guard !sessions.isEmpty else {
            if !news.blobs.isEmpty { countChangedBlobs(now: now) }
            return
        }
        if news.isSummaryDue(now: now) { signSummary(now: now) }
        let hasNews = scheduler.hasChangedParts || !news.blobs.isEmpty || broadcast.hasAnnouncements
        if hasNews, news.isDue(now: now) {
            let parts = scheduler.takeChangedParts()
            for link in greetedLinks { owe(parts, link) }
            if !news.blobs.isEmpty {
                countChangedBlobs(now: now)
                for link in greetedLinks { sessions[link]!.outbox.isPresenceDue = true }
            }
            news.told(now: now)
            for (link, heads) in broadcast.takeAnnouncements() { sessions[link]?.outbox.announce(heads) }
        }
        tellOwed(now: now)
    }

    /// Takes what has gathered into account, whether or not anybody is there to be told: whoever connects later is told
    /// everything that changed.
    private mutating func countChangedBlobs(now: MonotonicInstant) {
        let blobs = news.blobs.sorted()
        news.blobs.removeAll(keepingCapacity: true)
        news.needSummary(now: now)
        presence.count(blobs, limits: limits)
    }

    // MARK: What others hold

    private mutating func setHolders(_ link: LinkID) {
        let device = sessions[link]!.device
        scheduler.setHolders(link) { holdings.claims(device, $0, dots: catalog.mentions(of: $0).dots) }
    }

    /// Looks through all wants for what the link's peer said that it holds: at once, or a while after it was last done.
    private mutating func refreshHolders(_ link: LinkID, now: MonotonicInstant) {
        sessions[link]!.areHoldersStale = now < sessions[link]!.holdersAt
        guard !sessions[link]!.areHoldersStale else { return }
        sessions[link]!.holdersAt = now + limits.secondsPerEntry * Double(scheduler.wants.count)
        setHolders(link)
    }

    /// - Returns: whether what is wanted may be asked of others now.
    mutating func refreshStaleHolders(now: MonotonicInstant) -> Bool {
        let links = sessions.keys.sorted().filter { sessions[$0]!.areHoldersStale && sessions[$0]!.holdersAt <= now }
        for link in links { refreshHolders(link, now: now) }
        return !links.isEmpty
    }

    mutating func presenceArrived(_ presence: Presence, _ counter: UInt64, _ link: LinkID, now: MonotonicInstant) {
        sessions[link]?.hasSpoken = true
        guard let session = sessions[link], let hello = session.hello else { return }
        let position = PresencePosition(run: hello.run, counter: counter)
        holdings.replace(
            session.device, presence.cut(to: limits.presenceByteCountMax), position: position,
            summaryNumber: session.summaryFloor, wall: wall)
        refreshHolders(link, now: now)
    }

    mutating func presenceChanged(_ change: PresenceChange, _ link: LinkID) {
        guard let session = sessions[link], let hello = session.hello else { return }
        let isTaken = holdings.change(
            session.device, change, run: hello.run, base: session.base, summaryNumber: session.summaryFloor, wall: wall
        ) { catalog.contains($0) }
        if isTaken { sessions[link]!.hasSpoken = true }
        for blob in change.held where !PlantedFault.isPlanted(.holderNewsIgnored) {
            scheduler.setHolder(link, of: blob, true)
        }
        for blob in change.lost { scheduler.setHolder(link, of: blob, false) }
    }

    /// A right piece came: who sent it has what it may have denied.
    mutating func pieceArrived(_ number: UInt32, _ link: LinkID) {
        guard let blob = scheduler.blob(asked: number), let device = sessions[link]?.device else { return }
        holdings.retractDenial(device, blob)
    }
}
