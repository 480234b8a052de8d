import AlbumModel
import WireFormat

extension PullScheduler {
    /// Asks for as much as the windows allow.
    mutating func assign(now: MonotonicInstant) -> [Directive] {
        assignedAt = now
        unpause(now: now)
        guard !(active.isEmpty && queue.isEmpty) else { return [] }
        var directives = activate(now: now)
        var stranded: [BlobID] = []
        for priority in active {
            let blob = priority.blob
            directives += giveUpOnSilent(blob, now: now)
            let holders = usableHolders(of: blob, now: now)
            if holders.isEmpty {
                let isResting = wants[blob]!.holders.contains { wants[blob]!.resting[$0].map { $0 > now } ?? false }
                let changes = giveUpOnClaim(of: blob, isSilent: isResting)
                directives += changes
                if changes.isEmpty, !isResting, wants[blob]!.asked.isEmpty, wants[blob]!.stage != .opening {
                    stranded.append(blob)
                }
                continue
            }
            switch wants[blob]!.stage {
            case .needsList: directives += askForList(blob, holders, now: now)
            case .receiving: directives += ask(blob, holders, now: now)
            case .waiting, .opening, .committing, .paused, .rejected: break
            }
        }
        for blob in stranded { directives += park(blob) }
        return directives
    }

    /// Fills the working set from the queue. A newer photo gets in even when it is full of older ones.
    private mutating func activate(now: MonotonicInstant) -> [Directive] {
        var directives: [Directive] = []
        var room = limits.workingPiecesPerLink * links.count - active.reduce(0) { $0 + wants[$1.blob]!.share }
        // While writes fail, one blob at a time shows whether they work again.
        let countMax = paused.count < limits.failingBlobCountMax ? limits.openBlobCountMax : 1
        while active.count < countMax, let next = queue.last, room > 0 || active.last.map({ next < $0 }) ?? true {
            queue.removeLast()
            guard let want = wants[next.blob], want.stage == .waiting else { continue }
            guard want.holders.contains(where: { links[$0] != nil }) else {
                directives += park(next.blob)
                continue
            }
            room -= want.share
            active.insert(next, at: active.firstIndex { next < $0 } ?? active.endIndex)
            if want.pieceCount > 1, want.list == nil {
                wants[next.blob]!.stage = .needsList(asked: nil)
            } else {
                directives += open(next.blob)
            }
        }
        return directives
    }

    private func usableHolders(of blob: BlobID, now: MonotonicInstant) -> [LinkID] {
        let want = wants[blob]!
        return want.holders.filter { link in links[link].map { want.mayAsk(link, $0.device, now: now) } ?? false }
    }

    /// Takes requests back that nothing was heard of, and lets their links rest for this blob: its pieces are asked
    /// elsewhere, and their place in the windows is free again.
    private mutating func giveUpOnSilent(_ blob: BlobID, now: MonotonicInstant) -> [Directive] {
        var directives: [Directive] = []
        if case .needsList(let asked?) = wants[blob]!.stage, asked.since + limits.listPatience <= now {
            wants[blob]!.stage = .needsList(asked: nil)
            wants[blob]!.resting[asked.link] = now + limits.restInterval
        }
        for (piece, numbers) in wants[blob]!.asked.sorted(by: { $0.key < $1.key }) {
            for number in numbers where isSilent(number, now: now) {
                wants[blob]!.resting[requests[number]!.link] = now + limits.restInterval
                if let directive = cancel(number) { directives.append(directive) }
                wants[blob]!.reopen(piece, request: number)
            }
        }
        return directives
    }

    private func isSilent(_ number: UInt32, now: MonotonicInstant) -> Bool {
        patienceEnd(of: number).map { $0 <= now } ?? false
    }

    /// When a request counts as not answered, unless its link brings something before.
    private func patienceEnd(of number: UInt32) -> MonotonicInstant? {
        guard let request = requests[number], let window = links[request.link] else { return nil }
        return max(request.since, window.lastProgress ?? request.since) + limits.requestPatience
    }

    private mutating func askForList(_ blob: BlobID, _ holders: [LinkID], now: MonotonicInstant) -> [Directive] {
        guard wants[blob]!.stage == .needsList(asked: nil) else { return [] }
        wants[blob]!.stage = .needsList(asked: .init(link: holders[0], since: now))
        return [.askForList(holders[0], blob)]
    }

    private mutating func ask(_ blob: BlobID, _ holders: [LinkID], now: MonotonicInstant) -> [Directive] {
        var directives: [Directive] = []
        while let piece = wants[blob]!.nextOpenPiece() {
            guard let directive = ask(blob, piece, holders, now: now) else { break }
            directives.append(directive)
        }
        return directives
    }

    private mutating func ask(
        _ blob: BlobID, _ piece: Int, _ holders: [LinkID], now: MonotonicInstant
    ) -> Directive? {
        let byteCount = wants[blob]!.byteCount(of: piece)
        let total = links.values.reduce(0) { $0 + $1.outstandingByteCount }
        guard total + byteCount <= limits.outstandingByteCountMax else { return nil }
        let candidates = holders.filter { links[$0]!.hasRoom(for: byteCount) }
        guard let link = candidates.max(by: { links[$0]!.room < links[$1]!.room }) else { return nil }
        let number = nextRequest
        nextRequest += 1
        links[link]!.asked(byteCount)
        requests[number] = Request(link: link, blob: blob, piece: piece, byteCount: byteCount, since: now)
        wants[blob]!.asked[piece, default: []].append(number)
        let request = PieceRequest(
            number: number, blob: blob, piece: piece, byteCount: byteCount, blobClass: wants[blob]!.blobClass)
        return .request(link, request)
    }

    /// When ``assign(now:)`` may find something to do although nothing else happened.
    var nextDeadline: MonotonicInstant? {
        var deadlines = Array(paused.values)
        deadlines += requests.keys.compactMap { patienceEnd(of: $0) }
        for priority in active {
            let want = wants[priority.blob]!
            if case .needsList(let asked?) = want.stage { deadlines.append(asked.since + limits.listPatience) }
            deadlines += want.resting.values
        }
        // What is past was looked at in the last round and found nobody to ask; only news can change that.
        return deadlines.filter { $0 > assignedAt }.min()
    }
}
