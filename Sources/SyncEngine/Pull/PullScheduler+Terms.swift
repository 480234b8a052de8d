import AlbumModel
import WireFormat

/// Originals that nobody is asked for, because a person or the disk says so.
extension PullScheduler {
    /// Takes note of new terms: what they allow again joins the queue, and what they no longer allow leaves the working
    /// set, the least urgent first. What has arrived of it stays in staging.
    mutating func setTerms(_ terms: PullTerms) -> [Directive] {
        self.terms = terms
        if !PlantedFault.isPlanted(.pauseNeverEnds) { releaseSuspended() }
        var directives: [Directive] = []
        var room = terms.room
        for priority in wants.active where priority.blobClass == .original {
            let byteCount = wants[priority.blob]!.remainingByteCount
            if terms.isPaused || room.map({ $0 < byteCount }) ?? false {
                directives += suspend(priority.blob)
            } else {
                room = room.map { $0 - byteCount }
            }
        }
        return directives
    }

    /// Only those that fit now: with a full disk, thousands would go to and fro at every look at it.
    private mutating func releaseSuspended() {
        guard !terms.isPaused, !wants.suspended.isEmpty else { return }
        wants.queue(
            wants.suspended.filter { blob in terms.room.map { wants[blob]!.remainingByteCount <= $0 } ?? true })
    }

    /// Whether the terms allow an original beside what is coming already.
    func isAllowed(_ want: Want, besides coming: UInt64) -> Bool {
        guard want.blobClass == .original else { return true }
        guard !terms.isPaused else { return false }
        return terms.room.map { coming <= $0 && want.remainingByteCount <= $0 - coming } ?? true
    }

    private mutating func suspend(_ blob: BlobID) -> [Directive] {
        var directives = cancelRequests(of: blob)
        if wants[blob]!.isStaging { directives.append(.closeStaging(blob)) }
        wants.move(blob, to: .suspended)
        return directives
    }

    /// Bytes that came are no longer to come, and the disk has so much less.
    mutating func noteWritten(_ byteCount: Int, of blobClass: BlobClass) {
        guard blobClass == .original, let room = terms.room else { return }
        terms.room = room - min(room, UInt64(byteCount))
    }

    /// Why wants are suspended.
    var hold: PullHold { terms.isPaused ? .paused : .noRoom }

    // MARK: The rate

    mutating func fillAllowance(now: MonotonicInstant) {
        if let rate = terms.byteRateMax { allowance.fill(rate: rate, now: now) }
    }

    /// Whether the rate allows a request. Thumbnails use it up and do not wait for it.
    func isWithinRate(_ blob: BlobID) -> Bool {
        terms.byteRateMax == nil || !allowance.isOverdrawn || wants[blob]!.blobClass == .thumbnail
    }

    mutating func spendAllowance(_ byteCount: Int) {
        if terms.byteRateMax != nil { allowance.spend(byteCount) }
    }

    /// When the rate allows another request; `nil` if it does now, or nothing waits for it.
    var allowanceDeadline: MonotonicInstant? {
        guard let rate = terms.byteRateMax, !wants.active.isEmpty else { return nil }
        return allowance.refilledAt(rate: rate)
    }
}
