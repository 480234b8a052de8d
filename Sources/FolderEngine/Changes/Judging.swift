/// When vanished and changed files are judged, and how many at once look like an accident.
public struct Judging: Hashable, Sendable {
    /// Without another vanished, moved or changed file.
    public var quiet = Duration.seconds(5)
    /// Since the first that waits, however many follow: a file that is rewritten all the time must not stop judging.
    public var waitMax = Duration.seconds(60)
    /// Between two judgements of what is put off, at most: its photo may be where nobody can look for the moment.
    public var putOffMax = Duration.seconds(300)
    /// Photos of one group that vanish or are replaced without asking.
    public var lossCountMax = 20
    /// In an album with more files than this, half of them is too many.
    public var smallAlbumCount = 5

    public init() {}
}
