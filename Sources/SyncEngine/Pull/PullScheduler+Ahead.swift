import AlbumModel
import WireFormat

/// Asking a peer for a piece that is still on its way to it: it answers when it has it, which saves the word that it is
/// there and the way of the request. Only of the newest photos, which somebody may be waiting for.
///
/// A peer promises each piece to one other at a time, so that copies double; it refuses the rest, who wait for the word.
extension PullScheduler {
    /// - Parameter group: photos of one age. Of many there is always something else to ask for.
    mutating func askAhead(of group: [BlobID], now: MonotonicInstant) -> [Directive] {
        let openPieceCount = group.reduce(0) { $0 + wants[$1]!.openPieceCount }
        guard (1...limits.aheadPieceCountMax).contains(openPieceCount) else { return [] }
        var byteCounts = askedByteCounts(of: Set(group), isAhead: true)
        var directives: [Directive] = []
        for blob in group where wants[blob]!.isReceiving && wants[blob]!.parts.isAnyComing {
            for piece in wants[blob]!.pieces.open(limits.aheadPieceCountMax) {
                let byteCount = wants[blob]!.byteCount(of: piece)
                guard wants[blob]!.parts.copies(of: piece) == 0, hasBudget(for: byteCount), isWithinRate(blob),
                    let link = awaitingLink(for: piece, of: wants[blob]!, byteCounts, now: now)
                else { continue }
                byteCounts[link, default: 0] += byteCount
                directives.append(ask(blob, piece, link, isAhead: true, now: now))
            }
        }
        return directives
    }

    /// The link with the least asked ahead whose peer awaits the piece and may be asked for it.
    private func awaitingLink(
        for piece: Int, of want: Want, _ byteCounts: [LinkID: Int], now: MonotonicInstant
    ) -> LinkID? {
        let usable = want.parts.awaiting(piece).filter { link in
            byteCounts[link, default: 0] + want.byteCount(of: piece) <= limits.windowByteCountMin
                && links[link].map { $0.hasRequestLeft(limits) && want.mayAsk(link, $0.device, now: now) } ?? false
        }
        return usable.min { (byteCounts[$0, default: 0], $0) < (byteCounts[$1, default: 0], $1) }
    }

    /// What was asked ahead, and its peer has now, is a request like others.
    mutating func promote(_ link: LinkID, of blob: BlobID, now: MonotonicInstant) {
        guard let want = wants[blob] else { return }
        for (piece, numbers) in want.pieces.asked where want.isServed(piece, by: link) {
            for number in numbers {
                guard let request = requests[number], request.isAhead, request.link == link else { continue }
                requests[number]!.isAhead = false
                requests[number]!.since = now
                links[link]?.promoted(request.byteCount, now: now)
            }
        }
    }

    /// Whether a piece was asked of somebody who has it, so that it may be promised to others.
    func isComing(_ piece: Int, of want: Want) -> Bool {
        want.pieces.asked[piece]?.contains { requests[$0].map { !$0.isAhead } ?? false } ?? false
    }

    /// Whether a request can be answered when its piece has come here.
    func canPromise(_ request: PieceRequest) -> Bool {
        guard let want = wants[request.blob], want.isReceiving else { return false }
        return want.pieces.isHeld.indices.contains(request.piece) && isComing(request.piece, of: want)
            && want.byteCount(of: request.piece) == request.byteCount
    }
}
