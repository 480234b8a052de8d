import AlbumModel

/// The names of albums, and which of their directories are to be compared with them, when.
struct RenamingSchedule: Sendable {
    /// idle → handedOut → underWay → idle; handedOut → idle where it cannot be now.
    enum Phase: Hashable, Sendable {
        case idle, handedOut, underWay
    }

    /// An event is not later than this.
    private static let lateness = Duration.seconds(10)

    private let delayFirst: Duration
    private let delayMax: Duration
    /// As the agent told; of each album that has a name.
    private(set) var names: [AlbumID: AlbumNames] = [:]
    /// Albums whose directories are to be looked at.
    private(set) var unchecked: Set<AlbumID> = []
    private(set) var phase = Phase.idle
    /// The album whose directory was handed out last.
    private var tried: AlbumID?
    /// The album of the last attempt, where its directory could not be renamed.
    private var failed: AlbumID?
    private var due: MonotonicInstant?
    private var delay: Duration
    /// Directories that are remembered at a time: more than a person copies to at once.
    static let stirredCountMax = 1024
    /// When something new was last noticed in a first-level directory; one entry for each.
    private(set) var stirred: [FolderPath: MonotonicInstant] = [:]
    /// When there were too many of them last: then it was noticed in all.
    private var allStirred: MonotonicInstant?
    /// The files of the directory that was renamed last, whose events are not a person's doing, and until when.
    private var echoes: (paths: Set<FolderPath>, end: MonotonicInstant)?

    /// - Parameters:
    ///   - delayFirst: Until the first attempt, and without anything new in the directory.
    ///   - delayMax: Between two attempts, at most.
    init(delayFirst: Duration, delayMax: Duration) {
        (self.delayFirst, self.delayMax) = (delayFirst, delayMax)
        delay = delayFirst
    }

    /// When something may be due; `nil` while nothing waits, or one is under way.
    var deadline: MonotonicInstant? { phase == .idle && !unchecked.isEmpty ? due : nil }

    mutating func name(_ names: [AlbumID: AlbumNames], now: MonotonicInstant) {
        let news = names.filter { self.names[$0.key] != $0.value }
        self.names.merge(news) { $1 }
        check(news.keys, now: now)
    }

    /// Directories of these albums may have other names than they should.
    mutating func check(_ albums: some Sequence<AlbumID>, now: MonotonicInstant) {
        let news = albums.filter { names[$0] != nil && !unchecked.contains($0) }
        if news.isEmpty { return }
        if unchecked.isEmpty { delay = delayFirst }
        unchecked.formUnion(news)
        due = now + delayFirst
    }

    mutating func checkAll(now: MonotonicInstant) { check(names.keys, now: now) }

    /// The directory is as it should be, or stays as it is until it is looked at again.
    mutating func settle(_ album: AlbumID) { unchecked.remove(album) }

    /// Those that are left are tried again, ever later.
    mutating func putOff(now: MonotonicInstant) {
        due = now + delay
        delay = min(delay * 2, delayMax)
    }

    /// The albums to be looked at, those behind the one that could not be renamed first: else it would keep all others from
    /// their names.
    var order: [AlbumID] {
        let albums = unchecked.sorted()
        guard let failed else { return albums }
        return albums.filter { failed < $0 } + albums.filter { $0 <= failed }
    }

    mutating func handOut(_ album: AlbumID) {
        phase = .handedOut
        tried = album
    }

    /// - Parameter files: Of the directory, under its new name.
    mutating func begin(_ files: Set<FolderPath>, now: MonotonicInstant) {
        phase = .underWay
        echoes = (files, now + Self.lateness)
    }

    /// - Parameter album: The one whose directory has its name now; `nil` where none has.
    mutating func end(_ album: AlbumID?, now: MonotonicInstant) {
        phase = .idle
        failed = album == nil ? tried : nil
        guard let album else { return putOff(now: now) }
        settle(album)
        // The next one need not wait.
        (due, delay) = (now, delayFirst)
    }

    /// The directory has its former name.
    mutating func expectNoEchoes() { echoes = nil }

    // MARK: What is noticed

    mutating func stir(_ directory: FolderPath, now: MonotonicInstant) {
        if stirred.count >= Self.stirredCountMax, stirred[directory] == nil { makeRoom(now: now) }
        stirred[directory] = now
    }

    /// Forgets quiet directories. Where that is not enough, none is quiet for a while: that a directory has its former name
    /// longer harms nobody, that it loses it while somebody copies files there does.
    private mutating func makeRoom(now: MonotonicInstant) {
        stirred = stirred.filter { !isOver($0.value, now: now) }
        guard stirred.count >= Self.stirredCountMax else { return }
        stirred = [:]
        allStirred = now
    }

    /// Whether nothing new was noticed in a directory for a while: nobody is copying files there.
    func isQuiet(_ directory: FolderPath, now: MonotonicInstant) -> Bool {
        (stirred[directory] ?? allStirred).map { isOver($0, now: now) } ?? true
    }

    private func isOver(_ noticed: MonotonicInstant, now: MonotonicInstant) -> Bool { noticed + delayFirst <= now }

    /// Whether the first event at a path tells of nothing but its directory's new name.
    mutating func isEcho(_ path: FolderPath, now: MonotonicInstant) -> Bool {
        if let end = echoes?.end, end < now || PlantedFault.isPlanted(.ownRenamingsNoticed) { echoes = nil }
        return echoes?.paths.remove(path) != nil
    }
}
