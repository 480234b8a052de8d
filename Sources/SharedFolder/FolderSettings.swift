/// What bounds the folder's work, and how long it waits for what.
public struct FolderSettings: Hashable, Sendable {
    /// Between two looks at everything, while the watcher works.
    public var rescanInterval = Duration.seconds(60 * 60)
    /// The same, while some directory could not be watched.
    public var fallbackRescanInterval = Duration.seconds(30)
    /// Between two looks for the marker, while the folder is not there.
    public var markerInterval = Duration.seconds(3)
    /// Until the next look at a directory that could not be read, or whose disk is away. Doubles up to ``gapMax``.
    public var gapFirst = Duration.seconds(5)
    public var gapMax = Duration.seconds(300)
    /// For somebody who asks what waits for a person, while that is still being found out.
    public var heldPatience = Duration.seconds(20)
    /// From a person's new file until the disk is told to take it.
    public var syncInterval = Duration.seconds(30)
    public var patience = Patience()
    public var judging = Judging()
    /// Files looked at and taken in at once. Each may hold a thread of the pool, and a few MiB.
    public var importConcurrency = 6
    /// Directories watched at most, below the system's own limit; `nil` leaves it to the system.
    public var watchCountMax: Int?
    /// Paths that wait between the watcher and the importer (each some 100 bytes); beyond, everything is rescanned.
    public var eventCountMax = 65_536
    /// Skipped files that are listed with their reasons.
    public var skippedCountMax = 10_000

    public init() {}
}

/// How long a file that may be incomplete is waited for.
public struct Patience: Hashable, Sendable {
    /// Without change, where the file system cannot tell whether a writer has the file open.
    public var unknownWriter = Duration.seconds(5)
    /// Without change, for a file that is empty or shorter than its format says.
    public var short = Duration.seconds(10)
    /// Until the next look at a file that a writer has open; the writer's closing is noticed at once, this is for the
    /// closing that the watcher missed. Doubles up to ``openMax``.
    public var openFirst = Duration.seconds(2)
    public var openMax = Duration.seconds(30)
    /// After a file that changed under the reader.
    public var changed = Duration.milliseconds(250)
    /// After a failure, such as a full disk. Doubles up to ``failureMax``.
    public var failureFirst = Duration.seconds(2)
    public var failureMax = Duration.seconds(60)

    public init() {}
}

/// When vanished and changed files are judged, and how many at once look like an accident.
public struct Judging: Hashable, Sendable {
    /// Without another vanished, moved or changed file.
    public var quiet = Duration.seconds(5)
    /// Since the first that waits, however many follow: a file that is rewritten all the time must not stop judging.
    public var waitMax = Duration.seconds(60)
    /// Photos of one group that vanish or are replaced without asking.
    public var lossCountMax = 20
    /// In an album with more files than this, half of them is too many.
    public var smallAlbumCount = 5

    public init() {}
}
