import AlbumModel

/// When own photos are read that come in a rush, or while others fetch photos from here in one: they are shared first.
///
/// Readers cannot keep up with so many photos a second, which are small ones, and what they find is a second change of each
/// photo and a picture that others fetch: work in the way of photos that are not shared yet.
struct ReadingPace {
    /// Photos that may come at once, and a second, and are read as they come, and pieces that may leave beside them. Large
    /// photos come more slowly, and a gigabit network carries fewer pieces.
    static let burst = 150.0
    static let countPerSecond = 150.0
    /// Without any for so long, a rush is over.
    static let quiet = 1.0
    /// Then photos are read all the same, though more come or leave: in seconds from a rush's beginning.
    static let patience = 10.0

    /// How many may come or leave now, as of `sharedAt`: a token bucket.
    private var allowance = Self.burst
    private var sharedAt = MonotonicInstant(nanoseconds: 0)
    private var rushBegan: MonotonicInstant?

    /// A photo came, or somebody asked for a piece of one.
    mutating func noteSharing(now: MonotonicInstant) {
        let pause = now.seconds(since: sharedAt)
        if pause >= Self.quiet { rushBegan = nil }
        allowance = min(Self.burst, allowance + pause * Self.countPerSecond) - 1
        sharedAt = now
        guard allowance < 0 else { return }
        allowance = 0
        if rushBegan == nil { rushBegan = now }
    }

    /// For how many seconds no photo is to be read; 0 where they are read.
    func delay(now: MonotonicInstant) -> Double {
        guard let rushBegan else { return 0 }
        let quiet = Self.quiet - now.seconds(since: sharedAt)
        return max(0, min(quiet, Self.patience - now.seconds(since: rushBegan)))
    }
}
