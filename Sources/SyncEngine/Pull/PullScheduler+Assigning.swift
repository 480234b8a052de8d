import AlbumModel
import WireFormat

extension PullScheduler {
    /// Asks for as much as the windows allow.
    mutating func assign(now: MonotonicInstant, using rng: inout some RandomNumberGenerator) -> [Directive] {
        assignedAt = now
        fillAllowance(now: now)
        endRests(now: now)
        guard hasWork else { return [] }
        var directives = activate(now: now)
        // The last of the others may have left the queue.
        if refusals.areOfAll { endRests(now: now) }
        var stranded: [BlobID] = []
        for priority in wants.active where !isInOrder(priority.blob, now: now) {
            let blob = priority.blob
            directives += giveUpOnSilent(blob, now: now)
            if wants[blob]!.needsList { directives += askForList(blob, now: now) }
            guard firstUsable(wants[blob]!, now: now) == nil else { continue }
            let isResting = restEnd(of: wants[blob]!, now: now) != nil
            let changes = giveUpOnClaim(of: blob, isSilent: isResting, now: now)
            directives += changes
            if changes.isEmpty, !isResting, wants[blob]!.pieces.asked.isEmpty, wants[blob]!.step != .opening {
                stranded.append(blob)
            }
        }
        // First of all: what nobody here has is not asked of those who await it, either.
        for blob in stranded { directives += putAside(blob, now: now) }
        return directives + askForPieces(now: now, using: &rng)
    }

    /// Whether a want of the working set needs nothing but requests: its list is there, nothing that was asked is late, and
    /// somebody may be asked. So it is with nearly all, which one look tells.
    private func isInOrder(_ blob: BlobID, now: MonotonicInstant) -> Bool {
        guard let want = wants[blob], !want.needsList else { return false }
        let isLate = want.pieces.asked.values.contains { $0.contains { isSilent($0, now: now) } }
        return !isLate && firstUsable(want, now: now) != nil
    }

    /// Whether anything is wanted that a connected peer may have.
    var hasWork: Bool { !(wants.active.isEmpty && wants.queue.isEmpty) }

    /// Fills the working set from the queue. A newer photo gets in even when it is full of older ones.
    private mutating func activate(now: MonotonicInstant) -> [Directive] {
        guard !wants.queue.isEmpty, refusals.mayTry(now: now) else { return [] }
        var directives: [Directive] = []
        var room = limits.workingPiecesPerLink * links.count
        // Bytes that originals of the working set have still to bring.
        var coming: UInt64 = 0
        var waiting: [BlobID] = []
        for priority in wants.active {
            let want = wants[priority.blob]!
            room -= want.weight
            if priority.blobClass == .original { coming += want.remainingByteCount }
            if canWait(want) { waiting.append(priority.blob) }
        }
        func isFull() -> Bool { room <= 0 || wants.active.count >= limits.openBlobCountMax }
        // Those that nothing can be asked of now may stay, to be served on, while nobody else needs their place.
        for blob in waiting.reversed() where isFull() && isIdle(blob, now) {
            room += wants[blob]!.weight
            directives += putAside(blob, now: now)
        }
        while let next = wants.firstQueued(), !isFull() || wants.active.last.map({ next < $0 }) ?? true {
            let want = wants[next.blob]!
            guard isWorthOpening(want, now: now) else {
                directives += putAside(next.blob, now: now)
                continue
            }
            guard isAllowed(want, besides: coming) else {
                wants.move(next.blob, to: .suspended)
                continue
            }
            if isFull() {
                let areTooMany = wants.active.count >= limits.openBlobCountMax
                if let blob = leastUrgent(behind: next, mayHavePieces: areTooMany) {
                    room += wants[blob]!.weight
                    directives += putBack(blob)
                } else if areTooMany {
                    break
                }
            }
            room -= want.weight
            if next.blobClass == .original { coming += want.remainingByteCount }
            directives += begin(next.blob, now: now)
            refusals.tried(now: now)
            if refusals.areOfAll { break }
        }
        return directives
    }

    /// The disk refuses all: what of the working set has not begun to come waits for its turn again.
    mutating func putBackUnbegun() -> [Directive] {
        wants.active.map(\.blob).filter { canWait(wants[$0]!) && wants[$0]!.pieces.heldCount == 0 }
            .flatMap { putBack($0) }
    }

    /// A want joins the working set. Of a blob of one piece nothing is in staging before it comes, and nothing need be
    /// waited for.
    private mutating func begin(_ blob: BlobID, now: MonotonicInstant) -> [Directive] {
        if wants[blob]!.pieceCount == 1 {
            wants[blob]!.pieces.begin(held: [false], now: now)
            wants.move(blob, to: .active(.receiving))
            return []
        }
        if let list = wants[blob]!.list { return open(blob, list) }
        wants.move(blob, to: .active(.needsList(asked: nil)))
        return []
    }

    /// What of the working set can wait for its turn again: nothing of it is on its way.
    ///
    /// - Parameter mayHavePieces: what has begun to arrive, and may be served on, can wait as well.
    private func leastUrgent(behind other: WantPriority, mayHavePieces: Bool) -> BlobID? {
        wants.active.reversed().prefix { other < $0 }.lazy.map(\.blob).first { blob in
            canWait(wants[blob]!) && (mayHavePieces || wants[blob]!.pieces.heldCount == 0)
        }
    }

    private func canWait(_ want: Want) -> Bool {
        want.pieces.asked.isEmpty && (want.isReceiving || want.step == .needsList(asked: nil))
    }

    /// Whether a want of the working set that can wait has nobody who may be asked for what is not here.
    private func isIdle(_ blob: BlobID, _ now: MonotonicInstant) -> Bool {
        firstUsable(wants[blob]!, now: now, lacking: true) == nil
    }

    /// Whether anything can come of it that a want is in the working set.
    private func isWorthOpening(_ want: Want, now: MonotonicInstant) -> Bool {
        if want.hasAllPieces || firstUsable(want, now: now, lacking: true) != nil { return true }
        // Another claim may be tried.
        return want.claims.count > 1 && !want.sources.isEmpty
    }

    /// A link whose peer has some of a blob and may be asked for it.
    ///
    /// - Parameter isLacking: only of what is not here.
    private func firstUsable(_ want: Want, now: MonotonicInstant, lacking isLacking: Bool = false) -> LinkID? {
        let mayAsk = { (link: LinkID) in links[link].map { want.mayAsk(link, $0.device, now: now) } ?? false }
        return want.holders.first(where: mayAsk)
            ?? want.parts.links.sorted().first { mayAsk($0) && (!isLacking || want.isAnyLacking(of: $0)) }
    }

    /// Takes requests back that nothing was heard of, and lets their links rest for this blob: its pieces are asked
    /// elsewhere, and their place in the windows is free again.
    private mutating func giveUpOnSilent(_ blob: BlobID, now: MonotonicInstant) -> [Directive] {
        var directives: [Directive] = []
        if let asked = wants[blob]!.listRequest, asked.since + limits.listPatience <= now {
            wants.move(blob, to: .active(.needsList(asked: nil)))
            wants[blob]!.resting[asked.link] = now + limits.restInterval
        }
        guard !wants[blob]!.pieces.asked.isEmpty else { return directives }
        for (piece, numbers) in wants[blob]!.pieces.asked.sorted(by: { $0.key < $1.key }) {
            for number in numbers where isSilent(number, now: now) && !PlantedFault.isPlanted(.silentRequestsKept) {
                let (link, isAhead) = (requests[number]!.link, requests[number]!.isAhead)
                if isAhead {
                    wants[blob]!.isNotAskedAhead(piece, link)
                } else {
                    wants[blob]!.resting[link] = now + limits.restInterval
                }
                if let directive = cancel(number) { directives.append(directive) }
                wants[blob]!.pieces.reopen(piece, request: number)
            }
        }
        return directives
    }

    private func isSilent(_ number: UInt32, now: MonotonicInstant) -> Bool {
        guard let end = requests[number].flatMap({ patienceEnd(of: $0) }) else { return false }
        return end <= now
    }

    /// When a request counts as not answered, unless its link brings something before.
    private func patienceEnd(of request: Request) -> MonotonicInstant? {
        guard let window = links[request.link] else { return nil }
        if request.isAhead { return request.since + limits.comingPatience }
        return max(request.since, window.lastProgress ?? request.since) + limits.requestPatience
    }

    private mutating func askForList(_ blob: BlobID, now: MonotonicInstant) -> [Directive] {
        // Whoever pulls the blob has its list as well.
        guard wants[blob]!.step == .needsList(asked: nil), let link = firstUsable(wants[blob]!, now: now) else {
            return []
        }
        wants.move(blob, to: .active(.needsList(asked: .init(link: link, since: now))))
        return [.askForList(link, blob)]
    }

    /// When ``assign(now:using:)`` may find something to do although nothing else happened.
    var nextDeadline: MonotonicInstant? {
        var deadlines = Array(wants.restEnds.values) + Array(denied.values) + [allowanceDeadline].compactMap { $0 }
        if let end = refusals.pauseEnd, !wants.queue.isEmpty { deadlines.append(end) }
        deadlines += requests.values.compactMap { patienceEnd(of: $0) }
        for priority in wants.active {
            let want = wants[priority.blob]!
            if let asked = want.listRequest { deadlines.append(asked.since + limits.listPatience) }
            if let end = restEnd(of: want, now: assignedAt) { deadlines.append(end) }
            deadlines += leftDeadlines(of: want)
            if let twin = twinDeadline(of: want) { deadlines.append(twin) }
        }
        // What is past was looked at in the last round and found nobody to ask; only news can change that.
        return deadlines.filter { $0 > assignedAt }.min()
    }
}
