import AlbumModel
import DequeModule

/// The names of albums and photos, and which directories and files are to be compared with them, when.
struct RenamingSchedule: Sendable {
    typealias Subject = FolderRenaming.Subject

    /// idle → handedOut → underWay → idle; handedOut → idle where it cannot be now.
    enum Phase: Hashable, Sendable {
        case idle, handedOut, underWay
    }

    /// An event is not later than this.
    private static let lateness = Duration.seconds(10)

    private let delayFirst: Duration
    private let delayMax: Duration
    private let waitMax: Duration
    /// As the agent told; of each album that has a name.
    private(set) var albums: [AlbumID: AlbumNames] = [:]
    /// Likewise, of each photo whose placed file has another name.
    private(set) var photos: [PhotoKey: PhotoName] = [:]
    /// Those whose directories or files are to be looked at, …
    private var unchecked: Set<Subject> = []
    /// … in this order, beside some that are not any more. A new one goes before all others, one that has to wait behind
    /// them.
    private var queue: Deque<Subject> = []
    private(set) var phase = Phase.idle
    /// When one was handed out last. A listing that began since then was made for it.
    private(set) var lastHandOut: MonotonicInstant?
    /// Put off by each further one that is to be looked at until `latest`.
    private var due: MonotonicInstant?
    private var latest: MonotonicInstant?
    private var delay: Duration
    /// Attempts in a row that failed since all that wait were put off. A few are made at a time: each looks at the disk.
    private var failureCount = 0
    static let failureCountMax = 32
    /// Directories that are remembered at a time: more than a person copies to at once.
    static let stirredCountMax = 1024
    /// When something new was last noticed in a first-level directory; one entry for each.
    private(set) var stirred: [FolderPath: MonotonicInstant] = [:]
    /// When there were too many of them last: then it was noticed in all.
    private var allStirred: MonotonicInstant?
    /// The files that were renamed last, whose events are not a person's doing, and until when.
    private var echoes: (paths: Set<FolderPath>, end: MonotonicInstant)?

    /// - Parameters:
    ///   - delayFirst: Until the first attempt, and without anything new in the directory.
    ///   - delayMax: Between two attempts, at most.
    ///   - waitMax: From the first that waits until the attempt, however many follow.
    init(delayFirst: Duration, delayMax: Duration, waitMax: Duration) {
        (self.delayFirst, self.delayMax, self.waitMax) = (delayFirst, delayMax, waitMax)
        delay = delayFirst
    }

    /// When something may be due; `nil` while nothing waits, or one is under way.
    var deadline: MonotonicInstant? { phase == .idle && !unchecked.isEmpty ? due : nil }

    // MARK: Names

    mutating func name(_ names: [AlbumID: AlbumNames], now: MonotonicInstant) {
        let news = names.filter { albums[$0.key] != $0.value }
        albums.merge(news) { $1 }
        checkAnew(news.keys.map { .album($0) }, now: now)
    }

    mutating func name(_ names: [PhotoKey: PhotoName], now: MonotonicInstant) {
        let news = names.filter { photos[$0.key] != $0.value }
        photos.merge(news) { $1 }
        checkAnew(news.keys.map { .photo($0) }, now: now)
        // Whoever tells a name once more knows of something that may be over.
        check(names.keys.map { Subject.photo($0) }, now: now)
    }

    /// Directories of these albums, and files of these photos, may have other names than they should. One of them that waits
    /// already is not tried sooner for that; all that wait are tried with one that is new.
    mutating func check(_ subjects: some Sequence<Subject>, now: MonotonicInstant) {
        let news = subjects.filter { isNamed($0) && !unchecked.contains($0) }
        if news.isEmpty { return }
        if unchecked.isEmpty { latest = nil }
        // What is new, and has to wait for a moment, is not put off as long as what could not be renamed many times.
        delay = delayFirst
        unchecked.formUnion(news)
        // First: of the others many may have failed, which are tried ever later.
        queue.prepend(contentsOf: news.sorted())
        if queue.count > 2 * unchecked.count { tidyQueue() }
        let latest = self.latest ?? now + waitMax
        (due, self.latest) = (min(now + delayFirst, latest), latest)
    }

    /// The same, where what kept those from their names that wait already may be over: they are tried soon as well.
    private mutating func checkAnew(_ subjects: [Subject], now: MonotonicInstant) {
        if subjects.contains(where: { unchecked.contains($0) }) {
            delay = delayFirst
            due = due.map { min($0, now + delayFirst) }
        }
        check(subjects, now: now)
    }

    /// Each once, and none that is to be looked at no more.
    private mutating func tidyQueue() {
        var left = unchecked
        queue = Deque(queue.filter { left.remove($0) != nil })
    }

    mutating func checkAll(now: MonotonicInstant) {
        checkAnew(albums.keys.map { .album($0) }, now: now)
        checkPhotos(now: now)
    }

    /// What kept files from their names may be over.
    mutating func checkPhotos(now: MonotonicInstant) { checkAnew(photos.keys.map { .photo($0) }, now: now) }

    private func isNamed(_ subject: Subject) -> Bool {
        switch subject {
        case .album(let album): albums[album] != nil
        case .photo(let photo): photos[photo] != nil
        }
    }

    // MARK: One after the other

    /// How many are to be looked at.
    var count: Int { unchecked.count }

    /// The next one to be looked at, which goes behind all others.
    mutating func next() -> Subject? {
        while let subject = queue.popFirst() {
            guard unchecked.contains(subject) else { continue }
            queue.append(subject)
            return subject
        }
        return nil
    }

    /// All is as it should be, or stays as it is until it is looked at again.
    mutating func settle(_ subject: Subject) { unchecked.remove(subject) }

    /// The directory or file has its name, or none is to have it: of photos, which are many, nothing is kept then.
    mutating func forget(_ subject: Subject) {
        if case .photo(let photo) = subject { photos[photo] = nil }
        settle(subject)
    }

    /// Those that are left are tried again, ever later.
    mutating func putOff(now: MonotonicInstant) {
        (due, latest, failureCount) = (now + delay, nil, 0)
        delay = min(delay * 2, delayMax)
    }

    mutating func handOut(now: MonotonicInstant) { (phase, lastHandOut) = (.handedOut, now) }

    /// - Parameter files: That are renamed, under their new names.
    mutating func begin(_ files: Set<FolderPath>, now: MonotonicInstant) {
        phase = .underWay
        echoes = (files, now + Self.lateness)
    }

    /// - Parameter subject: The one whose directory or file has its name now; `nil` where none has.
    mutating func end(_ subject: Subject?, now: MonotonicInstant) {
        phase = .idle
        guard let subject else { return failed(now: now) }
        settle(subject)
        // The next one need not wait.
        (due, delay, failureCount) = (now, delayFirst, 0)
    }

    /// The one that could not be renamed is behind all others, which need not wait for it.
    private mutating func failed(now: MonotonicInstant) {
        failureCount += 1
        guard failureCount < min(unchecked.count, Self.failureCountMax) else { return putOff(now: now) }
        due = now
    }

    /// There is the former name.
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

    /// Whether the first event at a path tells of nothing but its new name.
    mutating func isEcho(_ path: FolderPath, now: MonotonicInstant) -> Bool {
        if let end = echoes?.end, end < now || PlantedFault.isPlanted(.ownRenamingsNoticed) { echoes = nil }
        return echoes?.paths.remove(path) != nil
    }
}
