import AlbumModel
import WireFormat

/// What the store and the peers answer.
extension PullScheduler {
    /// - Parameter link: where the list came from if it was asked for; `nil` for one that came with a batch.
    mutating func listArrived(
        _ blob: BlobID, _ list: PieceList?, from link: LinkID?, now: MonotonicInstant
    ) -> [Directive] {
        guard let want = wants[blob], want.list == nil, want.pieceCount > 1 else { return [] }
        guard let list else {
            guard want.needsList else { return [] }
            wants.move(blob, to: .active(.needsList(asked: nil)))
            // Not here, or not now: the caller corrects what it believes of the peer. Or a claim told the size wrong
            // and there is no list: then another is tried.
            guard want.claims.count > 1, let device = link.flatMap({ links[$0]?.device }) else { return [] }
            return condemn(device, blob, now: now)
        }
        let isRight = list.listHash == want.claim.pieceListHash || PlantedFault.isPlanted(.pieceListUnchecked)
        guard isRight, list.hashes.count == want.pieceCount else {
            guard let device = link.flatMap({ links[$0]?.device }), want.needsList else { return [] }
            wants.move(blob, to: .active(.needsList(asked: nil)))
            return condemn(device, blob, now: now)
        }
        guard want.needsList else {
            // It came before its turn.
            if list.hashes.count <= limits.keptListPieceCountMax { wants[blob]!.list = list }
            return []
        }
        wants[blob]!.list = list
        return open(blob, list)
    }

    mutating func open(_ blob: BlobID, _ list: PieceList) -> [Directive] {
        wants.move(blob, to: .active(.opening))
        return [.beginReceiving(blob, byteCount: wants[blob]!.byteCount, list)]
    }

    /// The staging file is open; some pieces may be there from before.
    mutating func receivingBegan(_ blob: BlobID, held: [Bool], now: MonotonicInstant) -> [Directive] {
        guard wants[blob]?.step == .opening else { return [] }
        wants[blob]!.pieces.begin(held: held, now: now)
        wants.move(blob, to: .active(.receiving))
        if held.contains(true) { changedParts.insert(blob) }
        // While it waited, the last holder may have turned out to be wrong.
        let directives = tryAnotherClaimIfCondemned(blob, now: now)
        return wants[blob]!.isReceiving ? directives + commitIfWhole(blob) : directives
    }

    mutating func pieceStored(_ number: UInt32, _ outcome: PieceOutcome, now: MonotonicInstant) -> [Directive] {
        guard let request = requests.removeValue(forKey: number) else {
            return outcome == .wrongHash ? lateWrongPiece(number, now: now) : []
        }
        if request.isAhead {
            links[request.link]?.endedAhead(request.byteCount)
        } else {
            links[request.link]?.arrived(request.byteCount, askedAt: request.since, limits: limits, now: now)
        }
        wants[request.blob]?.pieces.reopen(request.piece, request: number)
        let takesIt = outcome == .wrongHash && PlantedFault.isPlanted(.wrongPieceTaken)
        if outcome == .wrongHash, !takesIt { return condemn(links[request.link]?.device, request.blob, now: now) }
        guard wants[request.blob]?.isReceiving == true else { return [] }
        switch outcome {
        // A wrong piece comes as far as here with the planted fault alone.
        case .stored, .wrongHash:
            guard wants[request.blob]!.pieces.hold(request.piece) else { return [] }
            noteWritten(request.byteCount, of: wants[request.blob]!.blobClass)
            changedParts.insert(request.blob)
            return cancelTwins(of: request) + commitIfWhole(request.blob)
        case .committed:
            noteWritten(request.byteCount, of: wants[request.blob]!.blobClass)
            let directives = cancelTwins(of: request)
            committed(request.blob)
            return directives
        case .failed(let reason):
            return pause(request.blob, reason, now: now)
        }
    }

    /// What a peer sent does not fit the claim that is tried, also if the blob waits by now. Where nobody is left to ask about
    /// it, another is tried.
    private mutating func condemn(_ device: DeviceID?, _ blob: BlobID, now: MonotonicInstant) -> [Directive] {
        guard let device, wants[blob] != nil else { return [] }
        if !PlantedFault.isPlanted(.liarAskedAgain) {
            wants[blob]!.claims.condemn(device, for: limits.condemnedSeconds, now: now)
        }
        return wants[blob]!.isReceiving ? tryAnotherClaimIfCondemned(blob, now: now) : []
    }

    private mutating func tryAnotherClaimIfCondemned(_ blob: BlobID, now: MonotonicInstant) -> [Directive] {
        let holders = holderDevices(of: blob)
        guard !holders.isEmpty, wants[blob]!.claims.areCondemned(holders, now: now) else { return [] }
        let directives = cancelRequests(of: blob)
        guard wants[blob]!.tryAnotherClaim(holders: holders, now: now) else { return directives }
        changedParts.insert(blob)
        wants.move(blob, to: .queued)
        return directives + [.abandon(blob)]
    }

    /// The same piece may have been asked of a second peer.
    private mutating func cancelTwins(of request: Request) -> [Directive] {
        let numbers = wants[request.blob]!.pieces.takeAsked(request.piece)
        return numbers.compactMap { cancel($0) }
    }

    /// The request was taken back, and what came of it is wrong: its sender is no better for being late.
    private mutating func lateWrongPiece(_ number: UInt32, now: MonotonicInstant) -> [Directive] {
        guard let request = cancelled[number], wants[request.blob]?.claim == request.claim else { return [] }
        return condemn(links[request.link]?.device, request.blob, now: now)
    }

    mutating func cancel(_ number: UInt32) -> Directive? {
        guard let request = requests.removeValue(forKey: number) else { return nil }
        takeBack(request)
        cancelled.note(number, link: request.link, blob: request.blob, claim: wants[request.blob]?.claim)
        return .cancel(request.link, number: number)
    }

    /// Of what a right piece came, also where its request was taken back lately; `nil` where it was not right.
    func provedBlob(_ number: UInt32, _ outcome: PieceOutcome) -> BlobID? {
        switch outcome {
        case .stored: requests[number]?.blob ?? cancelled[number]?.blob
        case .committed(let blob): blob
        case .wrongHash, .failed: nil
        }
    }

    private mutating func takeBack(_ request: Request) {
        if request.isAhead {
            links[request.link]?.endedAhead(request.byteCount)
        } else {
            links[request.link]?.cancelled(request.byteCount)
        }
    }

    mutating func cancelRequests(of blob: BlobID) -> [Directive] {
        wants[blob]!.pieces.takeAsked().compactMap { cancel($0) }
    }

    private mutating func commitIfWhole(_ blob: BlobID) -> [Directive] {
        guard wants[blob]!.pieces.isWhole else { return [] }
        wants.move(blob, to: .committing)
        return [.commit(blob)]
    }

    /// The blob is durable under its name.
    mutating func committed(_ blob: BlobID) {
        refusals.end()
        remove(blob)
    }

    /// All pieces were right and the whole is not: the list was wrong, and whoever signed it.
    mutating func commitRejected(_ blob: BlobID, now: MonotonicInstant) {
        guard wants[blob] != nil else { return }
        wants[blob]!.claims.reject(for: limits.rejectedSeconds, now: now)
        if wants[blob]!.tryAnotherClaim(holders: holderDevices(of: blob), now: now) {
            wants.move(blob, to: .queued)
        } else {
            wants[blob]!.dropLongList(limits)
            let end = wants[blob]!.claims.rejectedUntil(now: now)
            wants.move(blob, to: .resting(.rejected, until: end))
        }
    }

    /// The disk refused the blob; it is tried again later. Where it refuses all, what has not begun waits too.
    mutating func pause(_ blob: BlobID, _ reason: String, now: MonotonicInstant) -> [Directive] {
        guard let want = wants[blob] else { return [] }
        var directives = cancelRequests(of: blob)
        if want.isStaging { directives.append(.closeStaging(blob)) }
        wants[blob]!.dropLongList(limits)
        wants.move(blob, to: .resting(.unwritten(reason), until: now + limits.diskRetryInterval))
        guard !want.wasRefused else { return directives }
        wants[blob]!.wasRefused = true
        return refusals.add(now: now) ? directives + putBackUnbegun() : directives
    }

    /// The peer says that it does not hold what was asked of it.
    /// - Returns: the blob that it lacks, so that the caller corrects what it believes of the peer; `nil` where it may
    ///   rather be that the claim told the size wrong, and another is tried.
    ///
    /// - Parameter isPassing: the peer holds the blob and cannot read it at the moment.
    mutating func refused(
        _ number: UInt32, link: LinkID, isPassing: Bool = false, now: MonotonicInstant
    ) -> (lacking: BlobID?, [Directive]) {
        guard let request = requests[number], request.link == link else { return (nil, []) }
        if PlantedFault.isPlanted(.refusedRequestKept) { return (request.blob, []) }
        requests[number] = nil
        takeBack(request)
        guard wants[request.blob] != nil, let device = links[link]?.device else { return (nil, []) }
        wants[request.blob]!.pieces.reopen(request.piece, request: number)
        if request.isAhead {
            wants[request.blob]!.isNotAskedAhead(request.piece, link)
            return (nil, [])
        }
        if wants[request.blob]!.parts[link] != nil {
            // What it had in part it has no longer, or the announcement was of another claim.
            wants[request.blob]!.removePart(link)
            return (nil, [])
        }
        if isPassing || wants[request.blob]!.claims.count == 1 {
            denied(request.blob, link, isPassing: isPassing, now: now)
            return (isPassing ? nil : request.blob, [])
        }
        return (nil, condemn(device, request.blob, now: now))
    }

    /// A peer has not, or not now, what it said it holds: it is asked again after a while.
    mutating func denied(_ blob: BlobID, _ link: LinkID, isPassing: Bool, now: MonotonicInstant) {
        guard wants[blob]?.holders.contains(link) == true, let device = links[link]?.device else { return }
        let seconds = isPassing ? limits.unreadableSeconds : limits.deniedSeconds
        guard let end = wants[blob]!.deny(link, device, for: seconds, now: now),
            !PlantedFault.isPlanted(.notHereForEver)
        else { return }
        denied[blob] = min(denied[blob] ?? end, end)
    }

    /// A claim that nobody may be asked about makes room for another. So does one that brought nothing while those who
    /// may be asked are silent: a silent peer is never found wrong.
    ///
    /// - Returns: nothing if there is no other.
    mutating func giveUpOnClaim(of blob: BlobID, isSilent: Bool, now: MonotonicInstant) -> [Directive] {
        guard let want = wants[blob], want.claims.count > 1, want.pieces.asked.isEmpty,
            !isSilent || want.pieces.heldCount == 0,
            want.isReceiving || want.step == .needsList(asked: nil),
            wants[blob]!.tryAnotherClaim(holders: holderDevices(of: blob), now: now)
        else { return [] }
        wants.move(blob, to: .queued)
        return [.abandon(blob)]
    }
}
