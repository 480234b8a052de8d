import AlbumModel
import DequeModule

/// How much may be asked of one peer at a time.
///
/// It is handed the limits, and does not have them: a window is copied wherever one is looked at, which is for each
/// request, and they are many times its size.
struct PeerWindow: Sendable {
    let device: DeviceID
    private(set) var outstandingByteCount = 0
    private(set) var outstandingCount = 0
    /// Bytes that were asked ahead, which its window does not count: they say nothing of what the link carries.
    private(set) var aheadByteCount = 0
    private(set) var aheadCount = 0
    /// Bytes a second, smoothed; `nil` until something arrived.
    private(set) var rate: Double?
    /// Since when, and how much of what was asked has arrived, of what the next sample of the rate is made.
    private var sampleStart = MonotonicInstant(nanoseconds: 0)
    private var sampleByteCount = 0
    /// When bytes of pieces were last seen to arrive.
    private(set) var lastProgress: MonotonicInstant?
    /// What counts of each blob of which the peer said what parts it has, in the order of their coming.
    private var parts: [BlobID: Int] = [:]
    private var partOrder: Deque<BlobID> = []
    private(set) var partPieceCount = 0
    /// The shortest time from a request to the end of its piece of late, in seconds: what a round trip costs here.
    private var roundTrip = 0.0

    init(device: DeviceID) { self.device = device }

    /// Bytes that may be outstanding: a quarter of a second of the measured rate, and what a round trip keeps waiting.
    private func byteCountMax(_ limits: EngineLimits) -> Int {
        // Before the first measurement four pieces fill a gigabit link for 30 ms, which is time enough to measure.
        guard let rate else { return 2 * limits.windowByteCountMin }
        let seconds = limits.windowSeconds + min(roundTrip, limits.windowRoundTripMax)
        return min(max(Int(rate * seconds), limits.windowByteCountMin), limits.windowByteCountMax)
    }

    /// How long so many bytes take, in seconds.
    func seconds(for byteCount: UInt64, _ limits: EngineLimits) -> Double {
        Double(byteCount) / max(rate ?? limits.rateGuess, 1)
    }

    /// Whether so many bytes come so fast that it is not worth while to get them from several peers.
    func isQuick(for byteCount: UInt64, _ limits: EngineLimits) -> Bool {
        rate.map { Double(byteCount) < $0 * limits.quickSeconds } ?? false
    }

    func room(_ limits: EngineLimits) -> Int { byteCountMax(limits) - outstandingByteCount }

    func hasRoom(for byteCount: Int, _ limits: EngineLimits) -> Bool {
        hasRequestLeft(limits) && byteCount <= room(limits)
    }

    /// Whether one more may be asked, ahead or not: what was asked ahead becomes a request like others.
    func hasRequestLeft(_ limits: EngineLimits) -> Bool { outstandingCount + aheadCount < limits.requestsPerLinkMax }

    mutating func askedAhead(_ byteCount: Int) {
        aheadByteCount += byteCount
        aheadCount += 1
    }

    mutating func endedAhead(_ byteCount: Int) {
        aheadByteCount -= byteCount
        aheadCount -= 1
    }

    /// The peer has what was asked ahead of it.
    mutating func promoted(_ byteCount: Int, now: MonotonicInstant) {
        endedAhead(byteCount)
        asked(byteCount, now: now)
    }

    mutating func asked(_ byteCount: Int, now: MonotonicInstant) {
        if outstandingCount == 0 {
            sampleStart = now
            sampleByteCount = 0
        }
        outstandingByteCount += byteCount
        outstandingCount += 1
    }

    mutating func cancelled(_ byteCount: Int) {
        outstandingByteCount -= byteCount
        outstandingCount -= 1
    }

    mutating func arrived(
        _ byteCount: Int, askedAt: MonotonicInstant, limits: EngineLimits, now: MonotonicInstant
    ) {
        cancelled(byteCount)
        sample(byteCount, limits, now: now)
        // What waited behind other pieces says little about the round trip: it grows slowly and falls at once.
        let trip = max(0, now.seconds(since: askedAt) - Double(byteCount) / (rate ?? limits.rateGuess))
        roundTrip = min(trip, 1.05 * roundTrip + 0.0001)
        lastProgress = now
    }

    /// Pieces come in bursts, so a rate is that of a while in which something was asked all the time, not of one piece.
    private mutating func sample(_ byteCount: Int, _ limits: EngineLimits, now: MonotonicInstant) {
        sampleByteCount += byteCount
        let elapsed = now.seconds(since: sampleStart)
        guard elapsed >= limits.rateInterval || outstandingCount == 0 else { return }
        let sample = Double(sampleByteCount) / max(elapsed, 0.0005)
        rate = rate.map { 0.7 * $0 + 0.3 * sample } ?? sample
        sampleStart = now
        sampleByteCount = 0
    }

    /// The peer said what parts it has of a blob.
    ///
    /// - Returns: blobs of which that is forgotten.
    mutating func notePart(of blob: BlobID, pieceCount: Int, limits: EngineLimits) -> [BlobID] {
        if parts[blob] == nil { partOrder.append(blob) }
        // So that small ones are not too many, either.
        let count = max(pieceCount, Self.partPieceCountMin)
        partPieceCount += count - (parts.updateValue(count, forKey: blob) ?? 0)
        var forgotten: [BlobID] = []
        while partPieceCount > limits.partPieceCountMax, let oldest = partOrder.popFirst() {
            partPieceCount -= parts.removeValue(forKey: oldest) ?? 0
            forgotten.append(oldest)
        }
        return forgotten
    }

    private static let partPieceCountMin = 64

    mutating func progressed(now: MonotonicInstant) { lastProgress = now }
}
