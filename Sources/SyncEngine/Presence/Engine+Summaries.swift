import AlbumModel
import WireFormat

/// Signed summaries of what devices hold, which are passed on: by them copies on laptops that are away are counted.
extension Engine {
    /// Whoever dialled asks for summaries that it lacks; the other side asks back for what it lacks.
    func askForSummaries(_ link: LinkID, _ directives: inout [EngineDirective]) {
        let versions = SummaryVersions(numbers: holdings.summaryNumbers, isWhole: true)
        directives.append(.send(link, .summaryVersions(versions)))
    }

    func tellSummaries(_ link: LinkID, _ versions: SummaryVersions, _ directives: inout [EngineDirective]) {
        tell(holdings.summaries(newerThan: versions), over: link, &directives)
        let own = holdings.summaryNumbers
        let older = versions.numbers.filter { own[$0.key] ?? 0 < $0.value && $0.key != device.prefix }
        guard versions.isWhole, !older.isEmpty else { return }
        let numbers = Dictionary(uniqueKeysWithValues: older.keys.map { ($0, own[$0] ?? 0) })
        directives.append(.send(link, .summaryVersions(SummaryVersions(numbers: numbers, isWhole: false))))
    }

    mutating func tellOwnSummary(now: MonotonicInstant, _ directives: inout [EngineDirective]) {
        // A clock that was set back must not make the newest summary look old.
        let before = holdings.summary(of: device)?.number
        let number = max(wall, (before ?? 0) + 1)
        let summary = PresenceSummary(
            device: device, number: number, presence: presence.whole(log),
            position: PresencePosition(run: run, counter: presence.counter))
        let statement = signing.sign(summary.encoded(), .summary)
        guard holdings.take(summary, statement, wall: wall) else { return }
        news.summaryTold(byteCount: statement.content.count)
        let told = [NewerSummary(device: device, base: before, statement: statement)]
        for link in treeLinks { tell(told, over: link, &directives) }
    }

    mutating func summariesArrived(
        _ statements: [SignedStatement], _ link: LinkID, now: MonotonicInstant,
        _ directives: inout [EngineDirective]
    ) {
        var fresh: [NewerSummary] = []
        for statement in statements {
            guard let summary = try? PresenceSummary(decoding: statement.content) else { continue }
            let before = holdings.summary(of: summary.device)?.number
            guard summary.number > before ?? 0, let publicKey = log.publicKey(of: summary.device),
                signing.isSigned(statement, .summary, by: publicKey)
            else { continue }
            if holdings.take(summary, statement, wall: wall) {
                fresh.append(NewerSummary(device: summary.device, base: before, statement: statement))
            }
            // Somebody has a newer one of this device than itself: its number must grow beyond that.
            if summary.device == device { news.needSummary(now: now) }
        }
        for other in treeLinks where other != link { tell(fresh, over: other, &directives) }
    }

    /// Puts summaries together, and asks for those of which another one than the base is here.
    mutating func summaryDifferencesArrived(
        _ differences: [SummaryDifference], _ link: LinkID, now: MonotonicInstant,
        _ directives: inout [EngineDirective]
    ) {
        let known = holdings.summaryNumbers
        let newer = differences.filter { known[$0.device] ?? 0 < $0.number }
        let statements = newer.map { holdings.statement($0) }
        summariesArrived(statements.compactMap(\.self), link, now: now, &directives)
        let taken = holdings.summaryNumbers
        var asked: [UInt64: UInt64] = [:]
        for (difference, statement) in zip(newer, statements) where taken[difference.device] ?? 0 < difference.number {
            // What cannot be put together of the base that is here, or is not signed like that, had another base of the
            // same number, as copies of a home make them: it is asked for whole.
            let isOtherBase = statement == nil && known[difference.device] ?? 0 != difference.base
            asked[difference.device] = isOtherBase ? taken[difference.device] ?? 0 : 0
        }
        guard !asked.isEmpty else { return }
        directives.append(.send(link, .summaryVersions(SummaryVersions(numbers: asked, isWhole: false))))
    }

    /// In messages of bounded length.
    private func tell(_ summaries: [NewerSummary], over link: LinkID, _ directives: inout [EngineDirective]) {
        let takesDifferences = sessions[link]?.hello?.takesDifferences ?? false
        for part in Self.parts(summaries) {
            var whole: [SignedStatement] = []
            var differences: [SummaryDifference] = []
            for summary in part {
                if takesDifferences, let difference = holdings.difference(summary) {
                    differences.append(difference)
                } else {
                    whole.append(summary.statement)
                }
            }
            if !whole.isEmpty { directives.append(.send(link, .summaries(whole))) }
            if !differences.isEmpty { directives.append(.send(link, .summaryDifferences(differences))) }
        }
    }

    private static func parts(_ summaries: [NewerSummary]) -> [[NewerSummary]] {
        var parts: [[NewerSummary]] = []
        var byteCount = 0
        for summary in summaries {
            let size = summary.statement.content.count + summary.statement.signature.count
            byteCount += size
            if let last = parts.indices.last, byteCount <= WireLimits.pageByteCountMax,
                parts[last].count < WireLimits.statementCountMax
            {
                parts[last].append(summary)
            } else {
                parts.append([summary])
                byteCount = size
            }
        }
        return parts
    }
}
