import AlbumModel
import WireFormat

/// Summaries that a peer lacks, told as what changed since an older one.
extension HoldingsBook {
    /// The newest summary of each device, for asking a peer for newer ones.
    var summaryNumbers: [UInt64: UInt64] {
        let numbers = entries.keys.compactMap { device in newestNumber(of: device).map { (device.prefix, $0) } }
        return Dictionary(numbers) { max($0, $1) }
    }

    /// Summaries that are newer than the numbers, ordered by device.
    func summaries(newerThan versions: SummaryVersions) -> [NewerSummary] {
        entries.sorted { $0.key < $1.key }.compactMap { device, entry in
            guard let summary = entry.summary else { return nil }
            let number = versions.numbers[device.prefix]
            guard number.map({ summary.number > $0 }) ?? versions.isWhole else { return nil }
            return NewerSummary(device: device, base: number, statement: summary.statement)
        }
    }

    /// How the newest summary of a device differs from the one that its receiver has; `nil` where that is not known here,
    /// or little would be saved.
    func difference(_ newer: NewerSummary) -> SummaryDifference? {
        guard let number = entries[newer.device]?.summary?.number, let base = newer.base,
            let content = former.content(base, of: newer.device)
        else { return nil }
        let pieces = ContentDifference.pieces(of: newer.statement.content, from: content)
        guard 2 * pieces.reduce(0, { $0 + 8 + $1.added.count }) < newer.statement.content.count else { return nil }
        return SummaryDifference(
            device: newer.device.prefix, base: base, number: number, pieces: pieces,
            signature: newer.statement.signature)
    }

    /// The summary that was told so; `nil` where the newest one here is not its base. Its signature is still to be checked.
    func statement(_ difference: SummaryDifference) -> SignedStatement? {
        let device = entries.keys.filter { $0.prefix == difference.device }.min()
        guard let base = device.flatMap({ entries[$0]?.summary }), base.number == difference.base,
            let content = ContentDifference.content(difference.pieces, of: base.statement.content)
        else { return nil }
        return SignedStatement(content: content, signature: difference.signature)
    }
}
