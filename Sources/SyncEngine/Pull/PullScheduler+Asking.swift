import AlbumModel
import WireFormat

/// Which piece is asked of whom: the newest photos first; among those of one age the rarest pieces, so that copies
/// spread, with random ties, so that receivers fetch different ones and serve each other. Of a lone peer they are
/// asked in order: the store hashes them as they come, and a photo is whole before the next one begins.
extension PullScheduler {
    /// A piece that could be asked now.
    private struct Candidate {
        var blob: BlobID
        var piece: Int
        var byteCount: Int
        /// Who could be asked for it and has room.
        var links: [LinkID]
        /// Until when it is left to other receivers: of pieces that one peer only has, each fetches its share and what
        /// nobody said is on its way, and gets the rest from them.
        var leftUntil: MonotonicInstant?
        var copies: Int
        var tie: UInt32

        func precedes(_ other: Candidate) -> Bool {
            if (leftUntil == nil) != (other.leftUntil == nil) { return leftUntil == nil }
            return (copies, tie) < (other.copies, other.tie)
        }
    }

    mutating func askForPieces(now: MonotonicInstant, using rng: inout some RandomNumberGenerator) -> [Directive] {
        var directives: [Directive] = []
        var left: [Candidate] = []
        var sole: Set<LinkID> = []
        var start = 0
        while start < wants.active.count, hasBudget {
            // Photos of one age compete by rarity; older ones get what room is left.
            var end = start + 1
            while end < wants.active.count, wants.active[end].isPeer(of: wants.active[start]) { end += 1 }
            let group = wants.active[start..<end].map(\.blob)
            var newest = start == 0 ? askedByteCounts(of: Set(group)) : nil
            start = end
            let open = links.keys.filter { hasRoom($0, for: 1, newest) }.sorted()
            guard !open.isEmpty || newest != nil else { break }
            var candidates = candidates(group, open, now: now, using: &rng)
            candidates.sort { $0.precedes($1) }
            for candidate in candidates where candidate.copies == 1 { sole.formUnion(candidate.links) }
            for candidate in candidates {
                if let link = link(for: candidate, sparing: sole, newest) {
                    newest?[link, default: 0] += candidate.byteCount
                    directives.append(ask(candidate.blob, candidate.piece, link, now: now))
                } else if left.count < limits.candidateCountMax {
                    left.append(candidate)
                }
            }
            if newest != nil { directives += askAhead(of: group, now: now) }
        }
        for candidate in left {
            if let directive = askIdle(candidate, now: now) { directives.append(directive) }
        }
        return directives + askLastTwice(sparing: sole, now: now)
    }

    private var hasBudget: Bool { hasBudget(for: 1) }

    func hasBudget(for byteCount: Int) -> Bool {
        outstandingByteCount + byteCount <= limits.outstandingByteCountMax
    }

    /// What was asked, ahead or not, and has not come.
    var outstandingByteCount: Int {
        links.values.reduce(0) { $0 + $1.outstandingByteCount + $1.aheadByteCount }
    }

    private mutating func candidates(
        _ group: [BlobID], _ open: [LinkID], now: MonotonicInstant, using rng: inout some RandomNumberGenerator
    ) -> [Candidate] {
        var candidates: [Candidate] = []
        let isAlone = links.count == 1 && !isMeshPartial
        for blob in group {
            let want = wants[blob]!
            // Of small photos all that is not here is mostly on its way.
            guard want.isReceiving, !want.pieces.areAllAsked else { continue }
            let usable = open.filter { link in
                (want.parts[link] != nil || want.holders.contains(link))
                    && want.mayAsk(link, links[link]!.device, now: now)
            }
            guard !usable.isEmpty else { continue }
            let share = isMeshPartial || links.count == 1 || want.holders.count > 1 ? nil : share(of: want)
            for piece in wants[blob]!.pieces.open(limits.candidateCountMax - candidates.count) {
                let serving = want.parts.isEmpty ? usable : usable.filter { want.isServed(piece, by: $0) }
                guard !serving.isEmpty else { continue }
                let copies = want.copies(of: piece)
                let isQuick = serving.contains { links[$0]!.isQuick(for: want.byteCount, limits) }
                candidates.append(
                    Candidate(
                        blob: blob, piece: piece, byteCount: want.byteCount(of: piece), links: serving,
                        leftUntil: copies > 1 || isQuick ? nil : leftUntil(piece, of: want, share), copies: copies,
                        tie: isAlone ? UInt32(candidates.count) : rng.next()))
            }
            if candidates.count >= limits.candidateCountMax { break }
        }
        return candidates
    }

    /// Until when a piece that one peer only has is left to others; `nil` if it is not.
    private func leftUntil(_ piece: Int, of want: Want, _ share: (rank: Int, count: Int)?) -> MonotonicInstant? {
        if let since = want.parts.comingSince(piece) { return since + limits.comingPatience }
        guard let share, piece % share.count != share.rank else { return nil }
        return shareEnd(of: want)
    }

    /// This device's place among the receivers of a blob: all that are connected and lack it, as far as they said. They
    /// all come to the same order, without a word about it; in a partial mesh each knows others, and there are no shares.
    private func share(of want: Want) -> (rank: Int, count: Int) {
        let order = { (device: DeviceID) in Dice.mixed(want.blob.prefix ^ device.prefix) }
        let ownOrder = order(own)
        var rank = 0
        var count = 1
        for (link, window) in links where !want.holders.contains(link) {
            count += 1
            if order(window.device) < ownOrder { rank += 1 }
        }
        return (rank, count)
    }

    /// Bytes of blobs that are on their way, by link.
    func askedByteCounts(of blobs: Set<BlobID>, isAhead: Bool = false) -> [LinkID: Int] {
        requests.values.reduce(into: [:]) { counts, request in
            guard blobs.contains(request.blob), request.isAhead == isAhead else { return }
            counts[request.link, default: 0] += request.byteCount
        }
    }

    /// What is newer than all else has the smallest window for itself, besides what is on its way: it overtakes that.
    ///
    /// - Parameter newest: bytes of it that are on their way already, by link; `nil` for older photos.
    private func hasRoom(_ link: LinkID, for byteCount: Int, _ newest: [LinkID: Int]?) -> Bool {
        let window = links[link]!
        if window.hasRoom(for: byteCount, limits) { return true }
        guard let newest, window.hasRequestLeft(limits) else { return false }
        return newest[link, default: 0] + byteCount <= limits.windowByteCountMin
    }

    /// Who is asked for a piece now, if anybody.
    ///
    /// - Parameter sole: links whose peers alone have some piece: their uplinks are spared where another will do.
    private func link(for candidate: Candidate, sparing sole: Set<LinkID>, _ newest: [LinkID: Int]?) -> LinkID? {
        guard candidate.leftUntil == nil, hasBudget(for: candidate.byteCount), isWithinRate(candidate.blob) else {
            return nil
        }
        // In a partial mesh others ask for it as well, unseen: what waits in the holder's queue may come from them first.
        let isScarce = isMeshPartial && candidate.copies == 1
        let free = candidate.links.filter { link in
            isScarce
                ? links[link]!.outstandingCount == 0
                : hasRoom(link, for: candidate.byteCount, newest) && !(candidate.copies > 1 && sole.contains(link))
        }
        return free.max { links[$0]!.room(limits) < links[$1]!.room(limits) }
    }

    /// A link that has nothing else to do takes what was left to others, or to less busy links, when it does not come.
    private mutating func askIdle(_ candidate: Candidate, now: MonotonicInstant) -> Directive? {
        guard hasBudget(for: candidate.byteCount), isWithinRate(candidate.blob),
            candidate.leftUntil.map({ $0 <= now }) ?? true
        else { return nil }
        let link = candidate.links.first { links[$0]!.outstandingCount == 0 }
        return link.map { ask(candidate.blob, candidate.piece, $0, now: now) }
    }

    /// Until when pieces of a blob are left to those whose share they are.
    private func shareEnd(of want: Want) -> MonotonicInstant? {
        let seconds = want.sources.compactMap { links[$0]?.seconds(for: want.byteCount, limits) }.min() ?? 0
        let patience = limits.sharePatience
        return want.pieces.began.map { $0 + min(max(2 * seconds, patience.lowerBound), patience.upperBound) }
    }

    /// When pieces that were left to others may be asked all the same.
    func leftDeadlines(of want: Want) -> [MonotonicInstant] {
        guard want.isReceiving, want.openPieceCount > 0 else { return [] }
        let claimed = want.parts.comingTimes.map { $0 + limits.comingPatience }
        return isMeshPartial ? claimed : claimed + [shareEnd(of: want)].compactMap { $0 }
    }

    mutating func ask(
        _ blob: BlobID, _ piece: Int, _ link: LinkID, isAhead: Bool = false, now: MonotonicInstant
    ) -> Directive {
        let byteCount = wants[blob]!.byteCount(of: piece)
        let number = nextRequest
        nextRequest += 1
        if isAhead { links[link]!.askedAhead(byteCount) } else { links[link]!.asked(byteCount, now: now) }
        spendAllowance(byteCount)
        requests[number] = Request(
            link: link, blob: blob, piece: piece, byteCount: byteCount, since: now, isAhead: isAhead)
        wants[blob]!.pieces.ask(piece, number)
        changedParts.insert(blob)
        return .request(
            link,
            PieceRequest(
                number: number, blob: blob, piece: piece, byteCount: byteCount, blobClass: wants[blob]!.blobClass))
    }

    /// Whether a piece that is asked for is all of its blob.
    func isWhole(_ request: PieceRequest) -> Bool { wants[request.blob]?.pieceCount == 1 }
}

// MARK: - The last pieces

extension PullScheduler {
    /// A link that has nothing else to do is asked for what another is slow to bring; never the only full holder, whose
    /// uplink everybody needs.
    private mutating func askLastTwice(sparing sole: Set<LinkID>, now: MonotonicInstant) -> [Directive] {
        let idle = links.keys.filter { links[$0]!.outstandingCount == 0 && !sole.contains($0) }.sorted()
        guard !idle.isEmpty, !requests.isEmpty else { return [] }
        var directives: [Directive] = []
        for link in idle {
            guard let request = slowest(for: link, now: now), hasBudget(for: request.byteCount),
                isWithinRate(request.blob)
            else { continue }
            directives.append(ask(request.blob, request.piece, link, now: now))
        }
        return directives
    }

    /// The request elsewhere that has been on its way for the longest and that the peer of `link` would answer sooner.
    private func slowest(for link: LinkID, now: MonotonicInstant) -> Request? {
        var best: Request?
        for priority in wants.active {
            guard let want = wants[priority.blob], isInLastPieces(want), want.holders != [link],
                want.mayAsk(link, links[link]!.device, now: now)
            else { continue }
            for (piece, numbers) in want.pieces.asked where numbers.count == 1 && want.isServed(piece, by: link) {
                guard let request = requests[numbers[0]], request.link != link,
                    isSlow(request, now: now),
                    best.map({ (request.since, request.piece) < ($0.since, $0.piece) }) ?? true
                else { continue }
                best = request
            }
        }
        return best
    }

    private func isSlow(_ request: Request, now: MonotonicInstant) -> Bool {
        twinDeadline(of: request).map { $0 <= now } ?? false
    }

    /// A request is slow when it takes much longer than all that is asked of its link should.
    private func twinDeadline(of request: Request) -> MonotonicInstant? {
        links[request.link].map {
            request.since + max(limits.twinPatience, 2 * $0.seconds(for: UInt64($0.outstandingByteCount), limits))
        }
    }

    private func isInLastPieces(_ want: Want) -> Bool {
        want.isReceiving && !want.pieces.asked.isEmpty
            && want.pieces.areAllAsked
    }

    /// When the first of a want's last pieces may be asked of a second peer.
    func twinDeadline(of want: Want) -> MonotonicInstant? {
        guard want.sources.count > 1, isInLastPieces(want) else { return nil }
        return want.pieces.asked.values.compactMap {
            $0.count == 1 ? requests[$0[0]].flatMap { twinDeadline(of: $0) } : nil
        }
        .min()
    }
}
