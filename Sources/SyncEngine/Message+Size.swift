import AlbumModel
public import WireFormat

extension Message {
    /// About as many bytes as it has on the wire; encoding every one would take longer than all else.
    public var roughByteCount: Int {
        switch self {
        case .vector(let vector): 64 + 40 * vector.heads.count
        case .vectorDifference(let difference): 64 + 40 * difference.changed.count
        case .vectorReply(let entries): 64 + 40 * entries.count
        case .batches(let page):
            page.batches.reduce(64) { $0 + $1.content.count + 72 }
                + page.pieceLists.values.reduce(0) { $0 + 32 * $1.hashes.count + 40 }
        case .presence(let presence, _):
            presence.branches.reduce(64 + 34 * presence.others.count) { $0 + 48 + 16 * $1.runs.count }
        case .presenceChanged(let change): 64 + 34 * (change.held.count + change.lost.count)
        case .partHeld(let part): 96 + (part.pieces.count + part.coming.count) / 8
        case .addresses(let statements), .summaries(let statements), .rulings(let statements, _, _):
            statements.reduce(64) { $0 + $1.content.count + 72 }
        case .summaryDifferences(let differences):
            differences.reduce(64) { $0 + 96 + $1.pieces.reduce(0) { $0 + 8 + $1.added.count } }
        case .summaryVersions(let versions): 64 + 18 * versions.numbers.count
        case .announced(let entries): entries.reduce(64) { $0 + 18 + 16 * $1.value.count }
        case .pieceList(_, let list): 64 + 32 * (list?.hashes.count ?? 0)
        case .fetching(let notice): 64 + 18 * notice.leftOut.count
        case .seeds(let seeds): 64 + 70 * seeds.count
        case .digests(let digests, _): 64 + 60 * digests.count
        default: 96
        }
    }
}
