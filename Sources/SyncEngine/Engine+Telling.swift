import AlbumModel
import WireFormat

/// What peers are owed without having asked for each of it, told as fast as they read. None of it is a reason to end a
/// connection, however much it is: it waits as names of things, and becomes messages when there is room.
extension Engine {
    /// Tells every peer that reads some of what waits for it.
    mutating func tellOwed(now: MonotonicInstant) {
        for link in sessions.keys.sorted() where sessions[link]!.outbox.isDue(now: now) {
            tellOwed(link, now: now)
        }
    }

    mutating func tellOwed(_ link: LinkID, now: MonotonicInstant) {
        if sessions[link]!.outbox.comparesVectors, sessions[link]!.isReconciling {
            sessions[link]!.outbox.comparesVectors = false
            perform(sessions[link]!.askAgain(log: log), link, now: now)
        }
        let deviceCount = holdings.entries.count
        if let versions = sessions[link]!.outbox.takeVersions(deviceCount: deviceCount, now: now) {
            tellSummaries(link, versions)
        }
        while sessions[link]?.mayTell == true {
            let messages = nextOwed(link, now: now)
            guard !messages.isEmpty else { return }
            for message in messages {
                emit(.send(link, message))
                let question = sessions[link]!.noteTold(message.roughByteCount, now: now)
                if let question { emit(.send(link, question)) }
            }
        }
    }

    /// What a peer is told next: one message, or what belongs into two of different kinds. First what photos wait for.
    private mutating func nextOwed(_ link: LinkID, now: MonotonicInstant) -> [Message] {
        if sessions[link]!.outbox.isPresenceDue { return [nextPresence(link)] }
        while let blob = sessions[link]!.outbox.takePart() {
            if let part = part(of: blob, for: link) { return [.partHeld(part)] }
        }
        if sessions[link]!.outbox.isFetchingDue {
            sessions[link]!.outbox.isFetchingDue = false
            return [.fetching(toldFetching)]
        }
        let addresses = sessions[link]!.outbox.takeAddresses(own: device).compactMap { membership.book.record(of: $0) }
        if !addresses.isEmpty { return [.addresses(addresses)] }
        if let question = nextQuestion(link) { return [question] }
        let heads = sessions[link]!.outbox.takeHeads()
        if !heads.isEmpty { return [.announced(heads)] }
        if let digest = nextDigest(link) { return [digest] }
        return nextSummaries(link, now: now)
    }

    private mutating func nextPresence(_ link: LinkID) -> Message {
        guard let told = sessions[link]!.outbox.presenceTold, let changes = presence.changes(since: told) else {
            sessions[link]!.outbox.presenceTold = presence.counter
            sessions[link]!.outbox.isPresenceDue = false
            return .presence(presence.whole(log, limits: limits), counter: presence.counter)
        }
        // In messages of bounded length, each with the count after what it says: who is cut off after one of them asks
        // for the rest.
        let part = changes.prefix(WireLimits.heldCountMax)
        let end = told + UInt64(part.count)
        sessions[link]!.outbox.presenceTold = end
        sessions[link]!.outbox.isPresenceDue = end < presence.counter
        let blobs = Set(part).sorted()
        return .presenceChanged(
            PresenceChange(
                held: blobs.filter { held.contains($0) }, lost: blobs.filter { !held.contains($0) },
                counter: PlantedFault.isPlanted(.lastCounterInEachPart) ? presence.counter : end))
    }

    /// Whoever pulls the same blob may take pieces from here already.
    private func part(of blob: BlobID, for link: LinkID) -> PartHeld? {
        guard let part = scheduler.part(of: blob) else { return nil }
        let dots = catalog.mentions(of: blob).dots
        return holdings.claims(sessions[link]!.device, blob, dots: dots) ? nil : part
    }

    private mutating func nextQuestion(_ link: LinkID) -> Message? {
        if sessions[link]!.outbox.asksForSummaries {
            sessions[link]!.outbox.asksForSummaries = false
            return .summaryVersions(SummaryVersions(numbers: holdings.summaryNumbers, isWhole: true))
        }
        let numbers = sessions[link]!.outbox.takeAsked()
        return numbers.isEmpty ? nil : .summaryVersions(SummaryVersions(numbers: numbers, isWhole: false))
    }

    private mutating func nextDigest(_ link: LinkID) -> Message? {
        if sessions[link]!.outbox.isDigestDue {
            sessions[link]!.outbox.isDigestDue = false
            return catalogDigest(link)
        }
        guard sessions[link]!.outbox.areDigestsDue else { return nil }
        sessions[link]!.outbox.areDigestsDue = false
        return .digests(albumDigests, vectorHash: vectorHash)
    }

    /// Summaries that fit into one message, the short ones first: long ones of devices that nobody knows must not keep
    /// back what honest laptops say.
    private mutating func nextSummaries(_ link: LinkID, now: MonotonicInstant) -> [Message] {
        guard sessions[link]!.outbox.mayTellSummaries(now: now) else { return [] }
        let waiting = sessions[link]!.outbox.summaries.compactMap { device, base -> NewerSummary? in
            holdings.summary(of: device).map { NewerSummary(device: device, base: base, statement: $0.statement) }
        }.sorted { ($0.byteCount, $0.device) < ($1.byteCount, $1.device) }
        guard !waiting.isEmpty else {
            // What waited is not kept any longer.
            let gone = Array(sessions[link]!.outbox.summaries.keys)
            sessions[link]!.outbox.takeSummaries(gone, byteCount: 0, now: now)
            return []
        }
        var byteCount = 0
        let part = waiting.prefix(WireLimits.statementCountMax).prefix { summary in
            defer { byteCount += summary.byteCount }
            // At least one.
            return byteCount == 0 || byteCount + summary.byteCount <= WireLimits.pageByteCountMax
        }
        let takesDifferences = sessions[link]?.hello?.takesDifferences ?? false
        var whole: [SignedStatement] = []
        var differences: [SummaryDifference] = []
        for summary in part {
            if takesDifferences, let difference = holdings.difference(summary) {
                differences.append(difference)
            } else {
                whole.append(summary.statement)
            }
        }
        var messages: [Message] = []
        if !whole.isEmpty { messages.append(.summaries(whole)) }
        if !differences.isEmpty { messages.append(.summaryDifferences(differences)) }
        sessions[link]!.outbox.takeSummaries(
            part.map(\.device), byteCount: messages.reduce(0) { $0 + $1.roughByteCount }, now: now)
        return messages
    }
}
