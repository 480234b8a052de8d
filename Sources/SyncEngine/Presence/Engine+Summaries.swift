import AlbumModel
import WireFormat

/// Signed summaries of what devices hold, which are passed on: by them copies on laptops that are away are counted.
extension Engine {
    mutating func tellSummaries(_ link: LinkID, _ versions: SummaryVersions) {
        if let number = versions.numbers[sessions[link]!.device.prefix] { sessions[link]!.noteOlder(number) }
        for newer in holdings.summaries(newerThan: versions) {
            sessions[link]!.outbox.addSummary(of: newer.device, base: newer.base)
        }
        let own = holdings.summaryNumbers
        // The other side asks back for what it lacks.
        let older = versions.numbers.filter { own[$0.key] ?? 0 < $0.value && $0.key != device.prefix }
        guard versions.isWhole else { return }
        ask(for: Dictionary(uniqueKeysWithValues: older.keys.map { ($0, own[$0] ?? 0) }), link)
    }

    /// Summaries of devices that are not known here would be passed over: they are asked for once batches came.
    private mutating func ask(for numbers: [UInt64: UInt64], _ link: LinkID) {
        let known = numbers.filter { log.knowsDevice(prefix: $0.key) }
        if known.count < numbers.count { sessions[link]!.hasPassedOverSummaries = true }
        sessions[link]!.outbox.ask(known)
    }

    mutating func signSummary(now: MonotonicInstant) {
        let before = holdings.summary(of: device)?.number
        guard let number = holdings.nextNumber(wall: wall) else {
            news.awaitNumbers()
            return
        }
        let summary = PresenceSummary(
            device: device, number: number, presence: presence.whole(log, limits: limits),
            position: PresencePosition(run: run, counter: presence.counter))
        let statement = signing.sign(summary.encoded(), .summary)
        guard holdings.take(summary, statement, wall: wall) else { return }
        news.summaryTold(byteCount: statement.content.count)
        for link in treeLinks { sessions[link]!.outbox.addSummary(of: device, base: before) }
    }

    mutating func summariesArrived(_ statements: [SignedStatement], _ link: LinkID, now: MonotonicInstant) {
        var fresh: [(device: DeviceID, base: UInt64?)] = []
        for statement in statements {
            guard let summary = try? PresenceSummary(decoding: statement.content) else { continue }
            if summary.device == sessions[link]?.device { sessions[link]!.noteOlder(summary.number) }
            let before = holdings.newestNumber(of: summary.device)
            guard summary.number > before ?? 0 else { continue }
            guard let publicKey = log.publicKey(of: summary.device) else {
                sessions[link]?.hasPassedOverSummaries = true
                continue
            }
            guard signing.isSigned(statement, .summary, by: publicKey) else { continue }
            // Somebody has a newer one of this device than itself: its number must grow beyond that.
            if summary.device == device { news.needSummary(now: now) }
            guard statement.content.count <= limits.summaryByteCountMax else {
                // Not asked for again.
                holdings.drop(summary)
                continue
            }
            // Whoever holds nothing that anybody knows is nobody's copy. Who held something says by this that it is gone:
            // those who heard so over a connection still pass the older summary on.
            guard
                presence.names(summary.presence, in: catalog) || holdings.claimsAnything(summary.device)
                    || holdings.summary(of: summary.device) != nil
            else {
                sessions[link]?.hasPassedOverSummaries = true
                continue
            }
            if holdings.take(summary, statement, wall: wall), holdings.summary(of: summary.device) != nil {
                fresh.append((summary.device, before))
            }
        }
        guard !PlantedFault.isPlanted(.summariesNotPassedOn) else { return }
        for other in treeLinks where other != link {
            for summary in fresh { sessions[other]!.outbox.addSummary(of: summary.device, base: summary.base) }
        }
    }

    /// Summaries may have come before the batches that they speak of, and were passed over: now that everything is known
    /// that the peer knew, they are asked for again, once.
    mutating func askForPassedOverSummaries(_ link: LinkID) {
        guard sessions[link]?.hasPassedOverSummaries == true, sessions[link]?.hasAskedAgain == false else { return }
        sessions[link]!.hasAskedAgain = true
        sessions[link]!.outbox.asksForSummaries = true
    }

    /// Puts summaries together, and asks for those of which another one than the base is here.
    mutating func summaryDifferencesArrived(
        _ differences: [SummaryDifference], _ link: LinkID, now: MonotonicInstant
    ) {
        let known = holdings.summaryNumbers
        let newer = differences.filter { known[$0.device] ?? 0 < $0.number }
        let statements = newer.map { holdings.statement($0) }
        summariesArrived(statements.compactMap(\.self), link, now: now)
        let taken = holdings.summaryNumbers
        var asked: [UInt64: UInt64] = [:]
        for (difference, statement) in zip(newer, statements) where taken[difference.device] ?? 0 < difference.number {
            // What cannot be put together of the base that is here, or is not signed like that, had another base of the
            // same number, as copies of a home make them: it is asked for whole.
            let isOtherBase = statement == nil && known[difference.device] ?? 0 != difference.base
            asked[difference.device] = isOtherBase ? taken[difference.device] ?? 0 : 0
        }
        ask(for: asked, link)
    }
}
