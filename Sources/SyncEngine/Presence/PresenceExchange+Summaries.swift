import AlbumModel
import WireFormat

/// Signed summaries of what devices hold, which are passed on: by them copies on laptops that are away are counted.
extension PresenceExchange {
    mutating func signSummary(tree: [LinkID], log: BatchLog, wall: UInt64, now: MonotonicInstant) {
        let (device, signing) = (local.id, local.signing)
        let before = holdings.summary(of: device)?.number
        guard let number = holdings.nextNumber(wall: wall) else {
            news.awaitNumbers()
            return
        }
        let summary = PresenceSummary(
            device: device, number: number, presence: own.whole(log, limits: limits),
            position: PresencePosition(run: local.run, counter: own.counter))
        let statement = signing.sign(summary.encoded(), .summary)
        guard holdings.take(summary, statement, wall: wall) else { return }
        news.summaryTold(byteCount: statement.content.count)
        for link in tree { peers[link]?.summaries.add(device, base: before) }
    }

    /// - Parameter link: `nil` for what a person carried here.
    mutating func take(
        _ statements: [SignedStatement], from link: LinkID?, tree: [LinkID], catalog: Catalog, log: BatchLog,
        wall: UInt64, now: MonotonicInstant
    ) {
        var fresh: [(device: DeviceID, base: UInt64?)] = []
        for statement in statements {
            guard let summary = try? PresenceSummary(decoding: statement.content) else { continue }
            if let link, summary.device == peers[link]?.device { peers[link]!.noteOlder(summary.number) }
            let before = holdings.newestNumber(of: summary.device)
            guard summary.number > before ?? 0 else { continue }
            guard let publicKey = log.publicKey(of: summary.device) else {
                passOver(link)
                continue
            }
            guard local.signing.isSigned(statement, .summary, by: publicKey) else { continue }
            // Somebody has a newer one of this device than itself: its number must grow beyond that.
            if summary.device == local.id { news.needSummary(now: now) }
            guard statement.content.count <= limits.summaryByteCountMax else {
                // Not asked for again.
                holdings.drop(summary)
                continue
            }
            guard isOfUse(summary, catalog) else {
                passOver(link)
                continue
            }
            if holdings.take(summary, statement, wall: wall), holdings.summary(of: summary.device) != nil {
                fresh.append((summary.device, before))
            }
        }
        guard !PlantedFault.isPlanted(.summariesNotPassedOn) else { return }
        for other in tree where other != link {
            for summary in fresh { peers[other]?.summaries.add(summary.device, base: summary.base) }
        }
    }

    private mutating func passOver(_ link: LinkID?) {
        if let link { peers[link]?.hasPassedOverSummaries = true }
    }

    /// Whoever holds nothing that anybody knows is nobody's copy. Who held something says by this that it is gone: those
    /// who heard so over a connection still pass the older summary on.
    private func isOfUse(_ summary: PresenceSummary, _ catalog: Catalog) -> Bool {
        own.names(summary.presence, in: catalog) || holdings.claimsAnything(summary.device)
            || holdings.summary(of: summary.device) != nil
    }

    /// Puts summaries together, and asks for those of which another one than the base is here.
    mutating func take(
        _ differences: [SummaryDifference], from link: LinkID, tree: [LinkID], catalog: Catalog, log: BatchLog,
        wall: UInt64, now: MonotonicInstant
    ) {
        let known = holdings.summaryNumbers
        let newer = differences.filter { known[$0.device] ?? 0 < $0.number }
        let statements = newer.map { holdings.statement($0) }
        take(
            statements.compactMap(\.self), from: link, tree: tree, catalog: catalog, log: log, wall: wall, now: now)
        let taken = holdings.summaryNumbers
        var asked: [UInt64: UInt64] = [:]
        for (difference, statement) in zip(newer, statements) where taken[difference.device] ?? 0 < difference.number {
            // What cannot be put together of the base that is here, or is not signed like that, had another base of the
            // same number, as copies of a home make them: it is asked for whole.
            let isOtherBase = statement == nil && known[difference.device] ?? 0 != difference.base
            asked[difference.device] = isOtherBase ? taken[difference.device] ?? 0 : 0
        }
        ask(for: asked, link, log)
    }

    /// Summaries of devices that are not known here would be passed over: they are asked for once batches came.
    private mutating func ask(for numbers: [UInt64: UInt64], _ link: LinkID, _ log: BatchLog) {
        let known = numbers.filter { log.knowsDevice(prefix: $0.key) }
        if known.count < numbers.count { peers[link]?.hasPassedOverSummaries = true }
        peers[link]?.summaries.ask(known)
    }

    /// Looks for what a peer asked for, if that is due. The other side asks back for what it lacks.
    mutating func lookForSummaries(for link: LinkID, log: BatchLog, now: MonotonicInstant) {
        guard let device = peers[link]?.device,
            let versions = peers[link]!.summaries.takeVersions(deviceCount: holdings.entries.count, now: now)
        else { return }
        if let number = versions.numbers[device.prefix] { peers[link]!.noteOlder(number) }
        for newer in holdings.summaries(newerThan: versions) {
            peers[link]!.summaries.add(newer.device, base: newer.base)
        }
        guard versions.isWhole else { return }
        let own = holdings.summaryNumbers
        let older = versions.numbers.filter { own[$0.key] ?? 0 < $0.value && $0.key != local.id.prefix }
        ask(for: Dictionary(uniqueKeysWithValues: older.keys.map { ($0, own[$0] ?? 0) }), link, log)
    }
}
