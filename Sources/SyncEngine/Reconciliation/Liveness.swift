import AlbumModel

/// Whether a peer is there, and how much of what it was told it has read: questions tell, which it answers in order.
struct Liveness: Sendable {
    private var lastHeard: MonotonicInstant
    private var lastAsked: MonotonicInstant
    private var number: UInt64 = 0
    private var reading = ReadingWindow()
    private let limits: EngineLimits

    init(limits: EngineLimits, now: MonotonicInstant) {
        self.limits = limits
        (lastHeard, lastAsked) = (now, now)
    }

    /// The peer has not answered the last question yet, or was about to be asked.
    func isQuiet(now: MonotonicInstant) -> Bool { lastHeard + limits.pingInterval < now }

    /// Nothing was heard for so long that the peer is given up.
    func isSilent(now: MonotonicInstant) -> Bool { now >= lastHeard + limits.silenceMax }

    /// When the peer is to be asked, or given up.
    var nextDeadline: MonotonicInstant {
        min(max(lastHeard, lastAsked) + limits.pingInterval, lastHeard + limits.silenceMax)
    }

    mutating func heard(now: MonotonicInstant) { lastHeard = now }

    mutating func answered(_ number: UInt64) { reading.answered(number) }

    /// - Returns: the number of a question that is due.
    mutating func ask(now: MonotonicInstant) -> UInt64? {
        guard now >= max(lastHeard, lastAsked) + limits.pingInterval else { return nil }
        return nextQuestion(now: now)
    }

    private mutating func nextQuestion(now: MonotonicInstant) -> UInt64 {
        lastAsked = now
        number += 1
        reading.mark(number)
        return number
    }

    // MARK: What the peer reads

    /// Bytes that the peer was told and has not read, as far as it said.
    var unreadByteCount: Int { reading.byteCount }

    /// Whether the peer reads what it is told, so that it may be told more.
    var mayTell: Bool { reading.byteCount < limits.unreadByteCountMax }

    /// - Returns: the number of a question whose answer shows that the peer has read everything before it; now and then.
    mutating func told(_ byteCount: Int, now: MonotonicInstant) -> UInt64? {
        reading.told(byteCount)
        return reading.unmarkedByteCount >= limits.markedByteCount ? nextQuestion(now: now) : nil
    }

    /// The network took many bytes of what is meant for the peer: slow as it may be, it reads.
    ///
    /// - Parameter isAwaited: the peer has to acknowledge something else.
    mutating func took(isAwaited: Bool, now: MonotonicInstant) {
        if reading.markedByteCount >= limits.markedByteCount || isAwaited { lastHeard = now }
    }
}
