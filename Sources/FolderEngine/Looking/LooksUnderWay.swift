import AlbumModel

/// The looks at files that are under way, each with the question that is open.
struct LooksUnderWay: Sendable {
    /// What is asked of a file; each has one answer.
    enum Question: Hashable, Sendable {
        case look, comparison, examination, importing, presence, standing, contribution
    }

    private struct Look {
        let number: UInt64
        /// `nil` while what follows from an answer is performed.
        var open: Question?
        /// The photo that is being found, from when its bytes were taken until all is done that follows.
        var found: BlobID?
        /// Its file went meanwhile: what the look takes of it is nobody's find.
        var isTakenAway = false
        /// A person had deleted the photo, and puts it there again.
        var isComingBack = false
    }

    private var looks: [FolderPath: Look] = [:]
    private var lastNumber: UInt64 = 0
    /// When scans found files of removed photos: the event that tells who put one there may come just after.
    private var removedFinds: [FolderPath: MonotonicInstant] = [:]

    /// Photos that are being found.
    var finds: [FolderPath: BlobID] { looks.compactMapValues(\.found) }

    func found(at path: FolderPath) -> BlobID? { looks[path]?.found }

    func isTakenAway(_ path: FolderPath) -> Bool { looks[path]?.isTakenAway ?? false }

    func isComingBack(_ job: CandidateBook.Job) -> Bool { isUnderWay(job) && looks[job.path]!.isComingBack }

    // MARK: From question to question

    /// - Returns: the job by which its answers name the look.
    mutating func begin(_ job: CandidateBook.Job) -> CandidateBook.Job {
        lastNumber += 1
        var job = job
        job.number = lastNumber
        looks[job.path] = Look(number: lastNumber)
        return job
    }

    /// Whether a look has not ended.
    func isUnderWay(_ job: CandidateBook.Job) -> Bool { looks[job.path]?.number == job.number }

    mutating func ask(_ question: Question, _ job: CandidateBook.Job) {
        looks[job.path, default: Look(number: job.number)].open = question
    }

    /// Closes a question. False for an answer to one that is not open: it comes twice, or too late.
    mutating func close(_ question: Question, _ job: CandidateBook.Job) -> Bool {
        guard isUnderWay(job), looks[job.path]?.open == question else { return false }
        looks[job.path]?.open = nil
        return true
    }

    mutating func finds(_ blob: BlobID, _ job: CandidateBook.Job) {
        looks[job.path, default: Look(number: job.number)].found = blob
    }

    mutating func comesBack(_ job: CandidateBook.Job) { looks[job.path]?.isComingBack = true }

    mutating func takeAway(_ path: FolderPath) { looks[path]?.isTakenAway = true }

    mutating func end(_ job: CandidateBook.Job) { looks[job.path] = nil }

    // MARK: Files of removed photos

    /// An event is not later than this.
    private static let lateness = Duration.seconds(10)
    private static let removedFindCountMax = 1000

    mutating func foundRemoved(_ path: FolderPath, now: MonotonicInstant) {
        if removedFinds.count == Self.removedFindCountMax { removedFinds = [:] }
        removedFinds[path] = now
    }

    /// Whether an event says of a file that is known as it is what the scan that found it could not: who put it there.
    func mayBeAnew(_ path: FolderPath, isLive: Bool, now: MonotonicInstant) -> Bool {
        guard isLive, let found = removedFinds[path] else { return false }
        return now <= found + Self.lateness
    }
}

extension FolderDirective {
    /// The question about a file that this asks.
    var question: (LooksUnderWay.Question, CandidateBook.Job)? {
        switch self {
        case .look(let job): (.look, job)
        case .compare(let comparison): (.comparison, comparison.job)
        case .examine(let job, _): (.examination, job)
        case .importFile(let file): (.importing, file.job)
        case .check(let check): check.job.map { (.presence, $0) }
        case .askStanding(_, let job): (.standing, job)
        case .contribute(_, _, let job): (.contribution, job)
        default: nil
        }
    }
}

extension FolderInput {
    /// The question about a file that this answers.
    var answered: (LooksUnderWay.Question, CandidateBook.Job)? {
        switch self {
        case .looked(let job, _): (.look, job)
        case .compared(let comparison, _): (.comparison, comparison.job)
        case .examined(let job, _, _): (.examination, job)
        case .imported(let file, _): (.importing, file.job)
        case .checked(let check, _): check.job.map { (.presence, $0) }
        case .standing(_, let job, _, _): (.standing, job)
        case .contributed(_, let job, _), .notContributed(let job, _): (.contribution, job)
        default: nil
        }
    }
}
