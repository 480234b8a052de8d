import AlbumModel
import WireFormat

/// Messages to a peer: whoever is owed several kinds of things asks for the next of each in the order of their urgency.
extension PresenceExchange {
    /// Whether anything of it may be told as far as time is concerned.
    func isTellingDue(_ link: LinkID, now: MonotonicInstant) -> Bool { peers[link]?.isDue(now: now) ?? false }

    /// How many things wait to be told to a peer.
    func owedCount(_ link: LinkID) -> Int { peers[link]?.owedCount ?? 0 }

    /// What is held here, if something is to be said of it: in messages of bounded length, each with the count after what
    /// it says: who is cut off after one of them asks for the rest.
    mutating func nextPresence(for link: LinkID, log: BatchLog) -> Message? {
        guard let peer = peers[link], peer.isPresenceDue else { return nil }
        guard let told = peer.told, let changes = own.changes(since: told) else {
            peers[link]!.told(upTo: own.counter, newest: own.counter)
            return .presence(own.whole(log, limits: limits), counter: own.counter)
        }
        let part = changes.prefix(WireLimits.heldCountMax)
        let end = told + UInt64(part.count)
        peers[link]!.told(upTo: end, newest: own.counter)
        let blobs = Set(part).sorted()
        return .presenceChanged(
            PresenceChange(
                held: blobs.filter { held.contains($0) }, lost: blobs.filter { !held.contains($0) },
                counter: PlantedFault.isPlanted(.lastCounterInEachPart) ? own.counter : end))
    }

    /// What a peer is to be asked for.
    mutating func nextQuestion(for link: LinkID) -> Message? {
        if peers[link]?.summaries.asksForAll == true {
            peers[link]!.summaries.asksForAll = false
            return .summaryVersions(SummaryVersions(numbers: holdings.summaryNumbers, isWhole: true))
        }
        guard let numbers = peers[link]?.summaries.takeAsked(), !numbers.isEmpty else { return nil }
        return .summaryVersions(SummaryVersions(numbers: numbers, isWhole: false))
    }

    /// Summaries that fit into one message, the short ones first: long ones of devices that nobody knows must not keep
    /// back what honest laptops say.
    mutating func nextSummaries(for link: LinkID, now: MonotonicInstant) -> [Message] {
        guard peers[link]?.summaries.mayTell(now: now) == true else { return [] }
        let takesDifferences = peers[link]!.hello?.takesDifferences ?? false
        let waiting = peers[link]!.summaries.waiting.compactMap { device, base -> NewerSummary? in
            holdings.summary(of: device).map { NewerSummary(device: device, base: base, statement: $0.statement) }
        }.sorted { ($0.byteCount, $0.device) < ($1.byteCount, $1.device) }
        guard !waiting.isEmpty else {
            // What waited is not kept any longer.
            let gone = Array(peers[link]!.summaries.waiting.keys)
            peers[link]!.summaries.take(gone, byteCount: 0, now: now)
            return []
        }
        var byteCount = 0
        let part = waiting.prefix(WireLimits.statementCountMax).prefix { summary in
            defer { byteCount += summary.byteCount }
            // At least one.
            return byteCount == 0 || byteCount + summary.byteCount <= WireLimits.pageByteCountMax
        }
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
        peers[link]!.summaries.take(
            part.map(\.device), byteCount: messages.reduce(0) { $0 + $1.roughByteCount }, now: now)
        return messages
    }
}
