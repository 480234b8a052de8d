import AlbumModel
import FolderEngine

/// One folder under a virtual clock: its ``FolderJudge`` above a ``FolderDisk``, with people who change files, disks
/// that fail and go away, and an agent that ends at any moment.
///
/// First a time of faults; then all is mended, and the folder has to come to rest with what people made of it.
public struct FolderSimulation {
    /// One piece of work that was handed out: what is still to be done of it.
    struct Task {
        var steps: [Step]
        /// What became of files that it takes away.
        var outcomes: [FolderPath: FolderInput.TakingAway] = [:]
        /// Some could not be looked at.
        var isIncomplete = false
        /// By which turns it has, or waits for.
        var numbers: [Set<Turn>: TaskNumber] = [:]
    }

    enum Step {
        case directive(FolderDirective)
        /// The answer to a question, on its way back.
        case answer(FolderInput)
        /// The agent is told what a judgement means.
        case edit(ChangeGroup, [Judgement.Step], Set<Turn>)
        /// The agent has done what a judgement means; the turns that were held for it.
        case settled([FolderPath: AlbumID], Set<Turn>)
        case pass(Set<Turn>)
        case judgeForPerson
        case undo
        case endJudging(isWork: Bool)
        case place(Placing)
        case restore(Restoring)
        case leave(Leaving)
        case setAside(SettingAside)
        case rename(Renaming)
        case letBack([PhotoKey])
        case followed
    }

    /// A photo on its way into the folder.
    enum Placing {
        case begin(PhotoKey)
        case attempt(FolderEngine.Placing)
        case put(FolderEngine.Placing, FolderPath)
        /// Its file is there, and that is not known yet for so many steps.
        case record(FolderEngine.Placing, FolderPath, FolderEngine.Placing.Outcome, stepsLeft: Int)
    }

    static let workerCount = 3
    private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)
    private static let restStepCountMax = 20_000
    /// Nothing is due for so long: the folder rests.
    private static let rest = Duration.seconds(700)
    /// Of judging.
    private static let quiet = Duration.seconds(2)

    var random: SeededRandom
    /// What may go wrong in this run.
    let temper: Set<FolderOptions.Trouble>
    var now = start
    var step = 0
    let disk = FolderDisk()
    var gathering = SimulatedGathering()
    var ledger = FolderLedger<FolderPath, BlobID>()
    /// Facts that are durable.
    var journal: [FactKind: [[UInt8]: [UInt8]]] = [:]
    /// Photos of which only a journal that was lost knew that the agent placed their files on the card.
    var forgotten: Set<BlobID> = []
    var judge: FolderJudge
    var tasks: [Task] = []
    var taskCount: UInt64 = 0
    /// Tasks that have the turns that they asked for.
    var begun: Set<TaskNumber> = []
    /// The turns of those tasks that have gone on since they began.
    var usedTurns: Set<Turn> = []
    var asking: Asking?
    /// They come once more.
    var lateAnswers: [FolderInput] = []
    /// Photos that others removed or brought back, which the folder is to follow, …
    var unfollowed: Set<PhotoKey> = []
    /// … not before.
    var followAt = start
    /// Those that it follows now.
    var following: Set<PhotoKey> = []
    /// Which photo's file the agent took away at a path, until something else is there.
    var takenAway: [FolderPath: PhotoKey] = [:]
    /// What a power cut took of files that were known, and left of them, until somebody changes that.
    var powerLost: [FolderPath: (photo: PhotoKey, left: SimulatedFile?)] = [:]
    /// A new name that the disk may not have yet.
    var unsyncedRenaming: FolderRenaming?
    /// The names under which the agent put each photo into the folder.
    var givenNames: [BlobID: Set<String>] = [:]
    /// The files that it put there, until a person moves them.
    var placedInodes: Set<UInt64> = []
    /// How often the power was cut.
    var boot: UInt64 = 0
    /// When the files that wait were last looked at.
    var verifiedStep = 0
    var isRunning = true
    /// The time of faults is over.
    private(set) var isMended = false
    /// From the watcher, not delivered yet.
    var events: [FolderEvent] = []
    /// Since when some event has waited to be delivered, …
    private var eventsWaitSince: MonotonicInstant?
    /// … and since which step. `nil` while none waits.
    private(set) var eventsWaitStep: Int?
    var watched: Set<FolderPath> = []
    /// Files that came where nothing was watched, until a scan lists their directory.
    var untold: Set<FolderPath> = []
    var nextContent = 1
    /// What went wrong first; `nil` for nothing.
    public internal(set) var violation: String?
    /// What was done, for whoever reads a violation.
    public internal(set) var story: [String] = []

    init(_ options: FolderOptions) {
        temper = options.troubles
        random = options.random
        let start = Self.start(of: [:], boot: boot)
        judge = Self.judge(of: start, now: now)
    }

    /// The folder at the end of a run.
    public static func run(_ options: FolderOptions) -> FolderSimulation {
        PlantedFault.with(options.planted) {
            var simulation = FolderSimulation(options)
            // The card is known before it goes.
            simulation.comeToRest()
            simulation.live(options.stepCount)
            if simulation.violation == nil { simulation.mend() }
            if simulation.violation == nil { simulation.checkEnd() }
            if simulation.violation == nil { simulation.checkContinuity() }
            return simulation
        }
    }

    var virtualSeconds: Double { now.seconds(since: Self.start) }

    /// A text is no photo, whatever its name.
    private mutating func followFiles() {
        let photos = disk.truth.filter { !Self.isText($0.value.content) }
        ledger.follow(photos.mapValues { SimulatedGathering.blob($0.content) }, step: step)
        takenAway = takenAway.filter { disk.truth[$0.key] == nil }
        powerLost = powerLost.filter { disk.truth[$0.key] == $0.value.left }
    }

    mutating func isOnce(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    mutating func violated(_ what: String) {
        if violation == nil { violation = "step \(step): \(what)" }
    }

    mutating func tell(_ what: String) { story.append("\(step) \(what)") }

    // MARK: The time of faults

    private mutating func live(_ stepCount: Int) {
        let end = step + stepCount
        while step < end, violation == nil {
            step += 1
            now = now + Duration.milliseconds(Int.random(in: 0...800, using: &random))
            deliverLate()
            endAsking()
            if temper.contains(.renaming), isOnce(in: 40) { renameAlbum() }
            if temper.contains(.naming), isOnce(in: 40) { renamePhoto() }
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<12: act()
            case 12..<19: strike()
            case 19..<22: if !isRunning { start() } else if temper.contains(.crashes), isOnce(in: 8) { crash() }
            case 22..<36: deliver()
            case 36: addOthersPhoto()
            case 37: changeOthersMind()
            case 38..<40: decide()
            // Once in a while nobody does anything until the next scan.
            case 40..<43:
                now = now + Duration.seconds(isOnce(in: 5) ? 3600 : Int.random(in: 1...20, using: &random))
            default: work()
            }
            followFiles()
        }
    }

    /// Takes work, and does the next steps of some: the world seldom changes between two of them.
    private mutating func work() {
        guard isRunning else { return }
        if judge.adoption == .held, isOnce(in: 20) { adopt() }
        follow()
        takeWork()
        guard let index = tasks.indices.randomElement(using: &random) else { return }
        let count = tasks.count
        while advance(index), tasks.count == count, !isOnce(in: 3) {}
    }

    mutating func takeWork() {
        while isRunning, tasks.count < Self.workerCount, let directive = judge.next(now: now) {
            tasks.append(Task(steps: [.directive(directive)]))
        }
    }

    mutating func handle(_ input: FolderInput) -> [Step] {
        judge.handle(input, now: now).map { .directive($0) }
    }

    /// Judging waits for quiet, which is longer than a watcher takes.
    private mutating func deliverLate() {
        if events.isEmpty { (eventsWaitSince, eventsWaitStep) = (nil, nil) }
        guard !events.isEmpty, isRunning else { return }
        eventsWaitSince = eventsWaitSince ?? now
        eventsWaitStep = eventsWaitStep ?? step - 1
        if eventsWaitSince! + Self.quiet < now { deliver(countMax: events.count) }
    }

    mutating func deliver(countMax: Int? = nil) {
        var count = min(events.count, countMax ?? Int.random(in: 1...4, using: &random))
        guard isRunning, count > 0 else { return }
        // The two ends of a renaming come at once.
        if count < events.count, case .vanished = events[count - 1] { count += 1 }
        let batch = Array(events.prefix(count))
        events.removeFirst(count)
        // What follows is handed out as work.
        _ = handle(.noticed(batch))
    }

    // MARK: Lives

    mutating func commit(_ changes: [FactChange]) {
        for change in judge.newest(changes) {
            journal[change.kind, default: [:]][change.key] = change.value
            Self.story(change).map { tell($0) }
            recall(change)
        }
        if changes.contains(where: { $0.kind == .folderFresh && $0.value != nil }) {
            judge.schedule.awaitSync(now: now)
        }
    }

    private static func story(_ change: FactChange) -> String? {
        let content = SimulatedGathering.content
        let path = FolderPath(bytes: change.key)
        switch change.kind {
        case .folderFile:
            guard let record = change.value.flatMap({ FileRecord(bytes: $0) }) else { return "\(path) is not known" }
            return "\(path) is known as \(content(record.photo.blob)), \(record.origin)"
        case .folderIntent:
            let photo = change.value.flatMap { PhotoKey(bytes: $0) }
            return photo.map { "\(path) is reserved for \(content($0.blob))" } ?? "\(path) is not reserved"
        case .folderGone:
            let end = change.value == nil ? "may be placed" : "is gone"
            return PhotoKey(bytes: change.key).map { "\(content($0.blob)) \(end)" }
        default: return nil
        }
    }

    private static func facts(_ kind: FactKind, _ journal: [FactKind: [[UInt8]: [UInt8]]])
        -> [(key: [UInt8], value: [UInt8])]
    {
        (journal[kind] ?? [:]).sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0.key, $0.value) }
    }

    private static func start(of journal: [FactKind: [[UInt8]: [UInt8]]], boot: UInt64) -> FolderStart {
        FolderStart(boot: BootID(bytes: BigEndian.bytes(boot))) { facts($0, journal) }
    }

    private static func judge(of start: FolderStart, now: MonotonicInstant) -> FolderJudge {
        var settings = FolderSettings()
        // A step takes half a second: many judgements in one run.
        settings.judging.quiet = quiet
        settings.judging.waitMax = .seconds(10)
        settings.renamingDelay = quiet
        return FolderJudge(
            root: "/folder", settings: settings,
            names: OwnNames(marker: FolderPath(".marker"), passingPrefixes: [".passing-"]),
            state: start.state, mounts: start.mounts, adoption: start.adoption, heldID: start.heldID, now: now)
    }

    /// What was not durable is lost.
    mutating func crash() {
        tell("crash")
        isRunning = false
        (tasks, begun, usedTurns, events, watched, asking, lateAnswers) = ([], [], [], [], [], nil, [])
        // The trash has them still.
        unfollowed.formUnion(following)
        following = []
    }

    mutating func start() {
        tell("start")
        isRunning = true
        var start = Self.start(of: journal, boot: boot)
        disk.knownMounts = start.mounts
        let changes = start.settle(findings(of: start))
        judge = Self.judge(of: start, now: now)
        commit(changes)
        tellNames()
        tellNames(of: gathering.visible)
        ask()
        followAll()
    }

    /// What the disk shows of what a crash left.
    private mutating func findings(of start: FolderStart) -> FolderStart.Findings {
        if !isMended, temper.contains(.crashes), isOnce(in: 8) { surprise() }
        defer { disk.endSurprise() }
        var findings = FolderStart.Findings()
        for (path, blob) in start.placings.sorted(by: { $0.key < $1.key }) {
            findings.placed[path] = Self.placed(path, blob, on: disk)
        }
        var presence = DiskPresence(disk)
        for path in start.leavings.keys.sorted() { findings.leaving[path] = presence.answer(path) }
        findings.renamed = start.renaming.map { sights(of: $0.renaming, $0.files) }
        findings.away = disk.knownMounts.away(Set(disk.knownMounts.identities.keys), in: disk.table())
        findings.complaint = complaint
        return findings
    }

    private static func placed(_ path: FolderPath, _ blob: BlobID, on disk: FolderDisk) -> FolderState.PlacedFile {
        if case .file(let file) = disk.stat(path) {
            return SimulatedGathering.blob(file.content) == blob ? .ours(file.signature) : .notOurs
        }
        var presence = DiskPresence(disk)
        return presence.isAbsent(path) ? .notOurs : .unknown
    }

    // MARK: Rest

    /// Goes on until nothing is due for long.
    mutating func comeToRest() {
        for _ in 0..<Self.restStepCountMax where violation == nil {
            step += 1
            followFiles()
            endAsking()
            deliver()
            follow()
            takeWork()
            if tasks.indices.contains(where: { advance($0) }) || !events.isEmpty { continue }
            if !tasks.isEmpty { return violated("work waits for ever") }
            if isMended {
                acceptDisks()
                decide()
                if judge.adoption == .held { adopt() }
                if !tasks.isEmpty { continue }
            }
            let deadlines = [judge.nextDeadline, unfollowed.isEmpty ? nil : followAt, asking?.end].compactMap { $0 }
            guard let deadline = deadlines.min(), deadline <= now + Self.rest else { return }
            now = max(now, deadline)
        }
        let reasons = [
            judge.pending.held.map { "a person does not answer: \($0.sentence)" },
            unfollowed.union(following).isEmpty ? nil : "files are not taken away",
        ]
        violated((["the folder never comes to rest"] + reasons.compactMap { $0 }).joined(separator: "; "))
    }

    /// All disks are there and work, and nobody touches anything any more.
    private mutating func mend() {
        tell("mend")
        isMended = true
        if isRunning { crash() }
        disk.failures = [:]
        disk.isTableUnknown = false
        disk.endSurprise()
        disk.plugRoot()
        disk.plugCard()
        for (path, file) in disk.truth where file.isOpen {
            var closed = file
            closed.isOpen = false
            disk.set(path, closed)
        }
        start()
        comeToRest()
        for _ in 0..<100 where violation == nil {
            guard let photo = nextPlacement() else { break }
            tasks.append(Task(steps: [.place(photo)]))
            comeToRest()
        }
        judge.schedule.rescan(now: now)
        comeToRest()
    }
}
