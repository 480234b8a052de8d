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
    /// Without anything new in an album's directory, until that follows the album's name.
    public var renamingDelay = Duration.seconds(5)
    /// From the first new name on, however many follow: names that stream in must not stop directories and files.
    public var renamingWaitMax = Duration.seconds(15)
    public var patience = Patience()
    public var judging = Judging()
    /// Files looked at and taken in at once. Each may hold a thread of the pool, and a few MiB.
    public var importConcurrency = 6
    /// Pieces of work under way at once, those that look at files among them. The others wait, mostly for a commit of the
    /// journal, which they share.
    public var workConcurrency = 32
    /// Directories watched at most, below the system's own limit; `nil` leaves it to the system.
    public var watchCountMax: Int?
    /// Paths that wait between the watcher and the importer (each some 100 bytes); beyond, everything is rescanned.
    public var eventCountMax = 65_536
    /// Skipped files that are listed with their reasons.
    public var skippedCountMax = 10_000

    public init() {}
}
