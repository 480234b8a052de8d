/// A token bucket: how often, or how much, something may happen.
///
/// Time is an argument: milliseconds of a clock that never goes back.
public struct TokenBucket: Hashable, Sendable {
    /// How much it holds, and how much runs in.
    public struct Rate: Hashable, Sendable {
        public var capacity: Int64
        /// A second.
        public var refill: Int64

        public init(capacity: Int64, refill: Int64) {
            precondition(capacity > 0 && refill > 0, "a bucket without size or source lets nothing through")
            self.capacity = capacity
            self.refill = refill
        }
    }

    public enum Answer: Hashable, Sendable {
        case allowed
        /// 429: not before so many milliseconds have passed.
        case wait(Int64)
        /// 413 or the like: more than the bucket ever holds.
        case tooMuch
    }

    public let rate: Rate
    /// Thousandths of a token.
    private var level: Int64
    private var updated: Int64

    /// Full.
    public init(_ rate: Rate, now: Int64) {
        self.rate = rate
        level = rate.capacity * 1000
        updated = now
    }

    /// Takes so many tokens, or none of them.
    public mutating func take(_ count: Int64 = 1, now: Int64) -> Answer {
        let answer = look(count, now: now)
        if answer == .allowed { level -= count * 1000 }
        return answer
    }

    /// What ``take(_:now:)`` would answer.
    mutating func look(_ count: Int64, now: Int64) -> Answer {
        refill(now: now)
        guard count <= rate.capacity else { return .tooMuch }
        let missing = count * 1000 - level
        return missing <= 0 ? .allowed : .wait((missing + rate.refill - 1) / rate.refill)
    }

    /// Whether nothing would be lost by forgetting it.
    mutating func isFull(now: Int64) -> Bool {
        refill(now: now)
        return level == rate.capacity * 1000
    }

    private mutating func refill(now: Int64) {
        let elapsed = max(0, now - updated)
        updated = max(updated, now)
        let (gain, isOverflow) = elapsed.multipliedReportingOverflow(by: rate.refill)
        let (sum, isOverflowing) = level.addingReportingOverflow(gain)
        level = isOverflow || isOverflowing ? rate.capacity * 1000 : min(sum, rate.capacity * 1000)
    }
}

/// What guests may do in a while: each one, and all together.
///
/// A bucket for everybody bounds the work, those for each keep one guest from using it up.
public struct RequestBudget<Key: Hashable & Sendable>: Sendable {
    private let each: TokenBucket.Rate
    private var all: TokenBucket
    private var buckets: [Key: TokenBucket] = [:]
    /// Buckets that are kept; with more keys than that only the common one counts for the rest.
    private let keyCountMax: Int

    public init(each: TokenBucket.Rate, all: TokenBucket.Rate, keyCountMax: Int = 1000, now: Int64) {
        self.each = each
        self.all = TokenBucket(all, now: now)
        self.keyCountMax = keyCountMax
    }

    /// Takes from both buckets, or from none.
    public mutating func take(_ count: Int64 = 1, of key: Key, now: Int64) -> TokenBucket.Answer {
        var own = buckets[key] ?? TokenBucket(each, now: now)
        switch (own.look(count, now: now), all.look(count, now: now)) {
        case (.allowed, .allowed): break
        case (.tooMuch, _), (_, .tooMuch): return .tooMuch
        case (.wait(let one), .wait(let other)): return .wait(max(one, other))
        case (.wait(let milliseconds), _), (_, .wait(let milliseconds)): return .wait(milliseconds)
        }
        _ = own.take(count, now: now)
        _ = all.take(count, now: now)
        if buckets[key] == nil, buckets.count >= keyCountMax { forgetFull(now: now) }
        if buckets[key] != nil || buckets.count < keyCountMax { buckets[key] = own }
        return .allowed
    }

    private mutating func forgetFull(now: Int64) {
        buckets = buckets.filter { bucket in
            var bucket = bucket.value
            return !bucket.isFull(now: now)
        }
    }
}
