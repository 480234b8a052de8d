import AlbumModel
import WireFormat

/// What became of a piece that arrived.
public enum PieceOutcome: Hashable, Sendable {
    case stored
    case wrongHash
    /// The disk refused it; a sentence that says why.
    case failed(String)
}

/// Decides which pieces are asked of whom.
///
/// The working set holds the most urgent wants that some connected peer has; each of their pieces is asked of the
/// peer with the most room in its window. A value type without I/O.
struct PullScheduler: Sendable {
    enum Directive: Hashable, Sendable {
        case request(LinkID, PieceRequest, byteCount: Int)
        case cancel(LinkID, number: UInt32)
        case askForList(LinkID, BlobID)
        case beginReceiving(BlobID, byteCount: UInt64, PieceList?)
        /// Close the blob's staging file and keep it.
        case suspend(BlobID)
        case commit(BlobID)
        /// Nobody wants the blob any longer: remove what is there of it.
        case abandon(BlobID)
    }

    struct Request: Sendable {
        var link: LinkID
        var blob: BlobID
        var piece: Int
        var byteCount: Int
        var since: MonotonicInstant
    }

    private(set) var wants: [BlobID: Want] = [:]
    /// Wants that wait for room in the working set, the most urgent last.
    private var queue: [WantPriority] = []
    /// Wants that no connected peer has.
    private var parked: Set<BlobID> = []
    /// The working set, the most urgent first.
    private var active: [WantPriority] = []
    private(set) var links: [LinkID: PeerWindow] = [:]
    private var requests: [UInt32: Request] = [:]
    private var nextRequest: UInt32 = 1
    private var assignedAt = MonotonicInstant(nanoseconds: 0)
    private let limits: EngineLimits

    init(limits: EngineLimits) {
        self.limits = limits
    }

    // MARK: Wants

    /// Wants a blob, or learns of more claims about one that is wanted already.
    mutating func want(_ blob: BlobID, blobClass: BlobClass, order: ClockReading, claims: [BlobClaim]) {
        if wants[blob] != nil {
            for claim in claims where !wants[blob]!.claims.contains(claim) { wants[blob]!.claims.append(claim) }
            if wants[blob]!.stage == .rejected, wants[blob]!.claim != nil { wants[blob]!.stage = .waiting }
        } else {
            wants[blob] = Want(
                blob: blob, blobClass: blobClass, age: order.microseconds / 1_000_000, claims: claims)
            enqueue(wants[blob]!.priority)
        }
    }

    /// The blob arrived by another way, or is no longer part of any album.
    mutating func forget(_ blob: BlobID) -> [Directive] {
        guard let want = wants[blob] else { return [] }
        var directives = cancelRequests(of: blob)
        switch want.stage {
        case .opening, .receiving: directives.append(.abandon(blob))
        case .waiting, .needsList, .committing, .paused, .rejected: break
        }
        remove(blob)
        return directives
    }

    private mutating func remove(_ blob: BlobID) {
        guard let want = wants.removeValue(forKey: blob) else { return }
        active.removeAll { $0.blob == blob }
        if let index = queueIndex(of: want.priority) { queue.remove(at: index) }
        parked.remove(blob)
    }

    private mutating func unpark(_ blob: BlobID) {
        if parked.remove(blob) != nil { enqueue(wants[blob]!.priority) }
    }

    /// Takes note of whether the peer of a link holds a wanted blob, as far as it said.
    mutating func setHolder(_ link: LinkID, of blob: BlobID, _ holds: Bool) {
        guard let holders = wants[blob]?.holders, holders.contains(link) != holds else { return }
        if holds {
            wants[blob]!.holders.insert(link, at: holders.firstIndex { link < $0 } ?? holders.endIndex)
            unpark(blob)
        } else {
            wants[blob]!.holders.removeAll { $0 == link }
        }
    }

    private mutating func enqueue(_ priority: WantPriority) {
        queue.insert(priority, at: queuePlace(of: priority))
    }

    /// Where `priority` stands or would stand in the queue, which is sorted descending.
    private func queuePlace(of priority: WantPriority) -> Int {
        var low = 0
        var high = queue.count
        while low < high {
            let middle = (low + high) / 2
            if queue[middle] > priority { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func queueIndex(of priority: WantPriority) -> Int? {
        let place = queuePlace(of: priority)
        return place < queue.count && queue[place] == priority ? place : nil
    }

    // MARK: Links

    mutating func linkOpened(_ link: LinkID, device: DeviceID) {
        links[link] = PeerWindow(device: device, limits: limits)
    }

    mutating func linkClosed(_ link: LinkID) {
        guard links.removeValue(forKey: link) != nil else { return }
        for (number, request) in requests.sorted(by: { $0.key < $1.key }) where request.link == link {
            requests[number] = nil
            wants[request.blob]?.reopen(request.piece, request: number)
        }
        for priority in active {
            if case .needsList(let asked?) = wants[priority.blob]!.stage, asked.link == link {
                wants[priority.blob]!.stage = .needsList(asked: nil)
            }
        }
        for blob in wants.keys { setHolder(link, of: blob, false) }
    }

    // MARK: What the store and the peers answer

    mutating func listArrived(_ blob: BlobID, _ list: PieceList?, from device: DeviceID?) -> [Directive] {
        guard let want = wants[blob], let claim = want.claim, want.list == nil else { return [] }
        guard let list, list.listHash == claim.pieceListHash, list.hashes.count == want.pieceCount else {
            if case .needsList = want.stage, let device {
                wants[blob]!.condemned.insert(device)
                wants[blob]!.stage = .needsList(asked: nil)
            }
            return []
        }
        wants[blob]!.list = list
        guard case .needsList = want.stage else { return [] }
        return open(blob)
    }

    private mutating func open(_ blob: BlobID) -> [Directive] {
        wants[blob]!.stage = .opening
        return [.beginReceiving(blob, byteCount: wants[blob]!.byteCount, wants[blob]!.list)]
    }

    /// The staging file is open; some pieces may be there from before.
    mutating func receivingBegan(_ blob: BlobID, held: [Bool]) -> [Directive] {
        guard wants[blob]?.stage == .opening else { return [] }
        wants[blob]!.begin(held: held)
        return commitIfWhole(blob)
    }

    mutating func pieceStored(_ number: UInt32, _ outcome: PieceOutcome, now: MonotonicInstant) -> [Directive] {
        guard let request = requests.removeValue(forKey: number) else { return [] }
        links[request.link]?.arrived(request.byteCount, askedAt: request.since, now: now)
        guard wants[request.blob]?.stage == .receiving else { return [] }
        wants[request.blob]!.reopen(request.piece, request: number)
        switch outcome {
        case .stored:
            guard !wants[request.blob]!.isPieceHeld[request.piece] else { return [] }
            wants[request.blob]!.isPieceHeld[request.piece] = true
            wants[request.blob]!.heldPieceCount += 1
            return cancelTwins(of: request) + commitIfWhole(request.blob)
        case .wrongHash:
            if let device = links[request.link]?.device { wants[request.blob]!.condemned.insert(device) }
            return []
        case .failed(let reason):
            return pause(request.blob, reason, now: now)
        }
    }

    /// The same piece may have been asked of a second peer.
    private mutating func cancelTwins(of request: Request) -> [Directive] {
        let numbers = wants[request.blob]!.asked.removeValue(forKey: request.piece) ?? []
        return numbers.compactMap { cancel($0) }
    }

    private mutating func cancel(_ number: UInt32) -> Directive? {
        guard let request = requests.removeValue(forKey: number) else { return nil }
        links[request.link]?.cancelled(request.byteCount)
        return .cancel(request.link, number: number)
    }

    private mutating func cancelRequests(of blob: BlobID) -> [Directive] {
        let numbers = wants[blob]!.asked.sorted { $0.key < $1.key }.flatMap(\.value)
        wants[blob]!.asked.removeAll()
        wants[blob]!.firstOpenPiece = 0
        return numbers.compactMap { cancel($0) }
    }

    private mutating func commitIfWhole(_ blob: BlobID) -> [Directive] {
        guard wants[blob]!.heldPieceCount == wants[blob]!.isPieceHeld.count else { return [] }
        wants[blob]!.stage = .committing
        active.removeAll { $0.blob == blob }
        return [.commit(blob)]
    }

    /// The blob is durable under its name.
    mutating func committed(_ blob: BlobID) { remove(blob) }

    /// All pieces were right and the whole is not: the list was wrong, and whoever signed it.
    mutating func commitRejected(_ blob: BlobID) {
        guard let want = wants[blob] else { return }
        if let claim = want.claim { wants[blob]!.condemnedClaims.insert(claim) }
        wants[blob]!.list = nil
        wants[blob]!.isPieceHeld = []
        wants[blob]!.heldPieceCount = 0
        requeue(blob, as: wants[blob]!.claim == nil ? .rejected : .waiting)
    }

    /// The disk refused the blob; it is tried again later.
    mutating func pause(_ blob: BlobID, _ reason: String, now: MonotonicInstant) -> [Directive] {
        guard let want = wants[blob] else { return [] }
        var directives = cancelRequests(of: blob)
        if want.stage == .receiving { directives.append(.suspend(blob)) }
        requeue(blob, as: .paused(until: now + limits.diskRetryInterval, reason: reason))
        return directives
    }

    /// The peer says that it does not hold what was asked of it.
    /// - Returns: the blob, so that the caller corrects what it believes of the peer.
    mutating func refused(_ number: UInt32, link: LinkID) -> BlobID? {
        guard let request = requests[number], request.link == link else { return nil }
        requests[number] = nil
        links[link]?.cancelled(request.byteCount)
        wants[request.blob]?.reopen(request.piece, request: number)
        return request.blob
    }

    /// Takes a want out of the working set and back into the queue, or to those that cannot go on.
    private mutating func requeue(_ blob: BlobID, as stage: Want.Stage) {
        active.removeAll { $0.blob == blob }
        wants[blob]!.stage = stage
        wants[blob]!.asked = [:]
        wants[blob]!.firstOpenPiece = 0
        if queueIndex(of: wants[blob]!.priority) == nil { enqueue(wants[blob]!.priority) }
    }
}

// MARK: - Assigning

extension PullScheduler {
    /// Asks for as much as the windows allow.
    mutating func assign(now: MonotonicInstant) -> [Directive] {
        assignedAt = now
        guard !(active.isEmpty && queue.isEmpty) else { return [] }
        var directives = activate(now: now)
        var stranded: [BlobID] = []
        for priority in active {
            let blob = priority.blob
            let holders = usableHolders(of: blob)
            if holders.isEmpty, wants[blob]!.asked.isEmpty, wants[blob]!.stage != .opening {
                stranded.append(blob)
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

    private mutating func park(_ blob: BlobID) -> [Directive] {
        active.removeAll { $0.blob == blob }
        let wasOpen = wants[blob]!.stage == .receiving
        wants[blob]!.stage = .waiting
        parked.insert(blob)
        return wasOpen ? [.suspend(blob)] : []
    }

    /// Fills the working set from the queue.
    private mutating func activate(now: MonotonicInstant) -> [Directive] {
        var directives: [Directive] = []
        var room = limits.workingPiecesPerLink * links.count - activePieceCount
        var resting: [WantPriority] = []
        while room > 0, active.count < limits.openBlobCountMax, let next = queue.popLast() {
            let want = wants[next.blob]!
            if case .paused(let until, _) = want.stage, now < until {
                resting.append(next)
                continue
            }
            if want.stage == .rejected || want.stage == .committing { continue }
            guard !usableHolders(of: next.blob).isEmpty else {
                parked.insert(next.blob)
                continue
            }
            room -= want.pieceCount
            active.insert(next, at: active.firstIndex { next < $0 } ?? active.endIndex)
            if want.pieceCount > 1, want.list == nil {
                wants[next.blob]!.stage = .needsList(asked: nil)
            } else {
                directives += open(next.blob)
            }
        }
        for priority in resting.reversed() { enqueue(priority) }
        return directives
    }

    private func usableHolders(of blob: BlobID) -> [LinkID] {
        let want = wants[blob]!
        return want.holders.filter { link in
            links[link].map { !want.condemned.contains($0.device) } ?? false
        }
    }

    private var activePieceCount: Int {
        active.reduce(0) { $0 + max(1, wants[$1.blob]!.pieceCount - wants[$1.blob]!.heldPieceCount) }
    }

    private mutating func askForList(_ blob: BlobID, _ holders: [LinkID], now: MonotonicInstant) -> [Directive] {
        guard case .needsList(let asked) = wants[blob]!.stage else { return [] }
        var candidates = holders
        if let asked {
            guard now >= asked.since + limits.listPatience else { return [] }
            // Ask the next one; the first may still answer.
            if let index = holders.firstIndex(of: asked.link) {
                candidates = Array(holders[(index + 1)...] + holders[...index])
            }
        }
        guard let link = candidates.first else { return [] }
        wants[blob]!.stage = .needsList(asked: .init(link: link, since: now))
        return [.askForList(link, blob)]
    }

    private mutating func ask(_ blob: BlobID, _ holders: [LinkID], now: MonotonicInstant) -> [Directive] {
        var directives: [Directive] = []
        while let piece = wants[blob]!.nextOpenPiece() {
            guard let directive = ask(blob, piece, holders, now: now) else { break }
            directives.append(directive)
        }
        guard holders.count > 1 else { return directives }
        for (piece, numbers) in wants[blob]!.asked.sorted(by: { $0.key < $1.key }) where numbers.count == 1 {
            guard let first = requests[numbers[0]], now >= first.since + limits.requestPatience else { continue }
            if let directive = ask(blob, piece, holders.filter { $0 != first.link }, now: now) {
                directives.append(directive)
            }
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
            number: number, blob: blob, piece: piece, blobClass: wants[blob]!.blobClass)
        return .request(link, request, byteCount: byteCount)
    }

    /// When ``assign(now:)`` may find something to do although nothing else happened.
    var nextDeadline: MonotonicInstant? {
        var deadlines: [MonotonicInstant] = []
        if !links.isEmpty {
            for priority in active {
                if case .needsList(let asked?) = wants[priority.blob]!.stage {
                    deadlines.append(asked.since + limits.listPatience)
                }
            }
            if links.count > 1, let oldest = requests.values.map(\.since).min() {
                deadlines.append(oldest + limits.requestPatience)
            }
            for priority in queue.suffix(limits.openBlobCountMax) {
                if case .paused(let until, _) = wants[priority.blob]!.stage { deadlines.append(until) }
            }
        }
        // What is past was looked at in the last round and found nobody to ask; only news can change that.
        return deadlines.filter { $0 > assignedAt }.min()
    }
}

// MARK: - Questions

extension PullScheduler {
    func reason(for blob: BlobID) -> MissingReason? {
        guard let want = wants[blob] else { return nil }
        if parked.contains(blob) { return .nobodyConnected }
        switch want.stage {
        case .waiting: return links.isEmpty ? .nobodyConnected : .queued
        case .opening, .committing: return .queued
        case .needsList(let asked): return asked.flatMap { links[$0.link] }.map { .asking([$0.device]) } ?? .queued
        case .receiving:
            let devices = want.asked.values.joined().compactMap { requests[$0].flatMap { links[$0.link]?.device } }
            return devices.isEmpty ? .queued : .asking(Array(Set(devices)).sorted())
        case .paused(_, let reason): return .paused(reason)
        case .rejected: return .rejected
        }
    }
}
