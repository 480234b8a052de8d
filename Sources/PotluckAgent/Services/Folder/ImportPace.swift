import AlbumModel

/// How fast files of the folder become shared, which tells how long the rest takes.
struct ImportPace {
    /// What was done longer ago counts no longer.
    private static let spanSeconds: UInt64 = 30
    /// Nothing is said of a pace that was seen for less.
    private static let patienceSeconds: Double = 3

    private struct Done {
        var files: Double = 0
        var bytes: Double = 0
    }

    /// Files of which one came after the other, with no break as long as the span.
    private struct Run {
        var start: MonotonicInstant
        var last: MonotonicInstant
    }

    private var run: Run?
    /// By the second in which it was done; no more of them than the span has seconds. The run's first file is not among
    /// it: its work was done before the run's start.
    private var buckets: [UInt64: Done] = [:]

    mutating func count(byteCount: UInt64, now: MonotonicInstant) {
        guard let start = run?.start, let last = run?.last, now.seconds(since: last) < Double(Self.spanSeconds) else {
            run = Run(start: now, last: now)
            buckets = [:]
            return
        }
        run = Run(start: start, last: now)
        buckets[Self.second(now), default: Done()].files += 1
        buckets[Self.second(now)]!.bytes += Double(byteCount)
        let first = Self.firstSecond(now)
        buckets = buckets.filter { $0.key >= first }
    }

    /// How long the rest takes: as long as its files take, or its bytes, whichever is more.
    ///
    /// - Parameters:
    ///   - files: That are left.
    ///   - bytes: Theirs; `nil` where that is not known.
    /// - Returns: `nil` where nothing is left, or too little was seen of late.
    func seconds(files: Int, bytes: UInt64?, now: MonotonicInstant) -> UInt64? {
        guard files > 0, let run else { return nil }
        let first = Self.firstSecond(now)
        let elapsed = now.seconds(since: max(run.start, MonotonicInstant(nanoseconds: first * 1_000_000_000)))
        let done = buckets.filter { $0.key >= first }.values
        let fileCount = done.reduce(0) { $0 + $1.files }
        guard elapsed >= Self.patienceSeconds, fileCount > 0 else { return nil }
        let byteCount = done.reduce(0) { $0 + $1.bytes }
        let byFiles = Double(files) / fileCount
        let byBytes = byteCount > 0 ? Double(bytes ?? 0) / byteCount : 0
        return UInt64(min((elapsed * max(byFiles, byBytes)).rounded(.up), 1e9))
    }

    private static func second(_ instant: MonotonicInstant) -> UInt64 { instant.nanoseconds / 1_000_000_000 }

    /// The first second of the span that ends now.
    private static func firstSecond(_ now: MonotonicInstant) -> UInt64 {
        let second = second(now)
        return second - min(second, spanSeconds - 1)
    }
}
