import AlbumModel
import SyncEngine
import WireFormat

/// Many laptops in one process: a virtual clock, a network and disks that fail, and one seed that decides everything.
///
/// Two phases: in the first people edit while faults happen, and nothing may go wrong; then everything is healed, and
/// all honest laptops must agree within a bound. Liars go on lying. Where only figures are asked (``ScaleStudy``) nothing
/// fails and nobody checks.
public struct Simulation {
    enum Event {
        case deadline(laptop: Int, life: Int)
        case input(laptop: Int, life: Int, EngineInput)
        case written(laptop: Int, life: Int, number: Int)
        /// What others hold was not written, and is tried again.
        case holdingsRetried(laptop: Int, life: Int)
        case lineFree(laptop: Int, life: Int)
        case arrival(connection: Int, to: Int, Packet)
        case over(connection: Int, end: Int)
        case admission(from: Int, life: Int, to: Int, PeerKey)
        case admitted(connection: Int, life: Int, PeerKey)
        case announce(laptop: Int)
        case edit
        case words
        case guests
        case rule
        case bulk
        /// What is known at each end of each link is looked at.
        case look
        /// A photo that was added in a calm run must be known everywhere by now.
        case newsDue(PhotoKey)
        case fault(FaultFamily)
        case faultEnd(FaultEnd)
        case restart(laptop: Int)
        case catchUp(CatchUpStep)
        /// Somebody types a phrase.
        case typed(laptop: Int, RulingID)
        case beginAnew(laptop: Int, life: Int)
        case help
    }

    /// Longer than the time within which laptops compare what they know.
    private static let quietSeconds = 36.0

    public let options: SimulationOptions
    var now = MonotonicInstant(nanoseconds: 1_000_000_000)
    var events = EventQueue<Event>()
    var laptops: [Laptop] = []
    var network: Network
    var contents: [BlobID: SimulatedBlob] = [:]
    var oracle = Oracle()
    var watch = Watch()
    /// What is counted where nothing fails; `nil` where checkers watch.
    var measures: ScaleMeasures?
    /// What a test reads that leads the laptops step by step; `nil` where a seed does.
    var rehearsal: Rehearsal?
    /// What all journals held when the run began, if all of them held the same.
    var firstJournal: JournalFold?
    let limits: EngineLimits
    var trace = Trace()
    /// A laptop of a later version that came by; its batches stayed.
    var visitor: Visitor
    var nextToken: UInt64 = 1
    var hasFaults = true
    /// Good copies of these were there when the faults ended.
    private(set) var healable: Set<BlobID> = []
    private var plannedDeadlines: [Int: MonotonicInstant] = [:]
    public private(set) var eventCount = 0
    /// What happened, a line each; kept only if it is not `nil` when the run begins.
    public var story: [String]?

    // A stream for each use, so that a change in one part leaves the others as they were.
    var networkRandom: SeededRandom
    var diskRandom: SeededRandom
    var peopleRandom: SeededRandom
    var wordsRandom: SeededRandom
    var guestsRandom: SeededRandom
    var liarRandom: SeededRandom
    var bulkRandom: SeededRandom
    var rulingsRandom: SeededRandom
    /// What became of rulings.
    var rulingLedger = RulingLedger()
    /// How often somebody looked after laptops that nobody lets in.
    var helpCount = 0
    /// The home of the laptop that comes back, as it was before.
    var copyOfOutsider: (disk: SimulatedDisk, signing: any BatchSigning)?
    /// Links for catching up, also those that are over.
    var catchUps: [CatchUpLink] = []
    /// A change of presence was cut between two of its parts.
    var isPartCut = false
    /// The link that is lost next was one that the tree needs.
    var awaitsGraft = false
    private var faultRandom: [FaultFamily: SeededRandom] = [:]
    /// The latest that any honest laptop's wall clock showed.
    var wallMax: UInt64 = 0
    /// ``contents`` in order, as of when there were so many.
    private var known: [BlobID] = []

    public init(options: SimulationOptions) { self.init(options: options, limits: options.limits) }

    /// - Parameter limits: of every laptop.
    init(options: SimulationOptions, limits: EngineLimits) {
        self.options = options
        self.limits = limits
        networkRandom = SeededRandom(seed: options.seed, stream: "network")
        diskRandom = SeededRandom(seed: options.seed, stream: "disk")
        peopleRandom = SeededRandom(seed: options.seed, stream: "people")
        wordsRandom = SeededRandom(seed: options.seed, stream: "words")
        guestsRandom = SeededRandom(seed: options.seed, stream: "guests")
        liarRandom = SeededRandom(seed: options.seed, stream: "liar")
        bulkRandom = SeededRandom(seed: options.seed, stream: "bulk")
        rulingsRandom = SeededRandom(seed: options.seed, stream: "rulings")
        var random = SeededRandom(seed: options.seed, stream: "visitor")
        visitor = Visitor(signing: Keys.pair(random.bytes(32), options), nonce: random.bytes(16))
        network = Network(reachability: Reachability(laptopCount: 0))
        for _ in 0..<options.laptopCount { addLaptop(key: nil) }
        // Beyond the first epoch nobody talks to earlier versions.
        if options.hasFirstVersion, !options.hasEpochs { laptops[options.laptopCount - 1].speaksFirstVersion = true }
        for _ in 0..<(options.lies.isEmpty ? 0 : options.liarCount) {
            laptops[addLaptop(key: nil)].lies = options.lies
        }
        if options.faults[.putOut] != nil { laptops[addLaptop(key: nil)].lies = [.returns] }
        if options.rulingCount > 0 || options.hasEpochs { found() }
    }

    /// Runs both phases.
    /// - Returns: a fingerprint of everything that happened, equal for equal options.
    /// - Throws: the first property that did not hold.
    @discardableResult
    public mutating func run() throws(SimulationFailure) -> String {
        try PlantedFault.with(options.mutant?.fault) { () throws(SimulationFailure) in try runPhases() }
    }

    private mutating func runPhases() throws(SimulationFailure) -> String {
        BreakOff.begin(&self)
        for index in laptops.indices { try start(index) }
        plan(.look, after: Self.lookInterval)
        planEdits()
        for family in options.faults.keys.sorted() { planFaults(family) }
        try advance(until: now + options.faultSeconds)
        try heal()
        let deadline = now + options.healSeconds
        while now < deadline, !isConverged {
            // Whether all agree is looked at once a virtual second: comparing costs more than an event.
            try advance(until: min(deadline, now + 1))
        }
        if options.hasQuietEnd, isConverged { try advance(until: now + Self.quietSeconds) }
        try EndCheckers.checkAll(self)
        return trace.text
    }

    private mutating func planEdits() {
        for _ in 0..<options.editCount {
            events.plan(.edit, at: now + peopleRandom.seconds(in: 0...options.faultSeconds))
        }
        for _ in 0..<options.wordCount {
            events.plan(.words, at: now + wordsRandom.seconds(in: 0...options.faultSeconds))
        }
        for _ in 0..<options.wordCount / 2 {
            events.plan(.guests, at: now + guestsRandom.seconds(in: 0...options.faultSeconds))
        }
        for _ in 0..<options.rulingCount {
            events.plan(.rule, at: now + rulingsRandom.seconds(in: 0...options.faultSeconds))
        }
        guard options.bulkCount > 0 else { return }
        events.plan(.bulk, at: now + options.faultSeconds * bulkRandom.seconds(in: 0.2...0.6))
    }

    private mutating func planFaults(_ family: FaultFamily) {
        var random = SeededRandom(seed: options.seed, stream: "fault \(family.rawValue)")
        var at = now
        while true {
            at = at + random.seconds(in: 0...(2 * options.faults[family]!)) + 0.01
            guard at < now + options.faultSeconds else { break }
            events.plan(.fault(family), at: at)
        }
        faultRandom[family] = random
    }

    /// Twice of what takes the most: many laptops, and a card whose photos take each other's places.
    private var eventCountMax: Int {
        measures == nil ? 100_000 + 15_000 * laptops.count + 1600 * options.bulkCount : .max
    }

    /// Whether checkers look at what happens: of many devices without faults only figures are asked.
    var isWatched: Bool { measures == nil && rehearsal == nil }

    mutating func advance(until end: MonotonicInstant) throws(SimulationFailure) {
        while let next = events.nextTime, next <= end {
            let (at, event) = events.popFirst()!
            now = max(now, at)
            eventCount += 1
            guard eventCount < eventCountMax else {
                throw SimulationFailure(.endless, "no end after \(eventCountMax) events, \(virtualSeconds) s")
            }
            try handle(event)
        }
        now = max(now, end)
    }

    mutating func plan(_ event: Event, after seconds: Double) { events.plan(event, at: now + seconds) }

    private mutating func handle(_ event: Event) throws(SimulationFailure) {
        if !isWatched, let waking = doer(of: event).flatMap({ laptops[$0].wakesAt }) {
            return events.plan(event, at: waking)
        }
        switch event {
        case .deadline(let laptop, let life): try deadlineReached(laptop, life)
        case .input(let laptop, let life, let input): try feed(laptop, life, input)
        case .written(let laptop, let life, let number): try written(laptop, life, number)
        case .holdingsRetried(let laptop, let life): retryHoldings(laptop, life)
        case .lineFree(let laptop, let life): lineFree(laptop, life)
        case .arrival(let connection, let end, let packet): try arrived(packet, connection, end)
        case .over(let connection, let end): try endReached(connection, end)
        case .admission(let from, let life, let to, let key): try admit(from, life, to, key)
        case .admitted(let connection, let life, let key): try admitted(connection, life, key)
        case .announce(let laptop): try announce(laptop)
        case .edit: try edit()
        case .words: try speak()
        case .guests: try visit()
        case .rule: try rule()
        case .bulk: try importBulk()
        case .newsDue(let key): try checkNews(key)
        case .look: try look()
        case .fault(let family):
            guard hasFaults else { return }
            trace.add(family.rawValue)
            tell("-- \(family.rawValue)")
            var random = faultRandom[family]!
            try family.strike(&self, &random)
            faultRandom[family] = random
        case .faultEnd(let end): try self.end(end)
        case .restart(let laptop): try restart(laptop)
        case .catchUp(let step): try take(step)
        case .typed(let laptop, let epoch): typed(epoch, laptop)
        case .beginAnew(let laptop, let life): try beginAnew(laptop, life)
        case .help: try help()
        }
    }

    private mutating func deadlineReached(_ index: Int, _ life: Int) throws(SimulationFailure) {
        // A later one was planned when this was no longer the earliest, and would plan itself again and again.
        guard laptops[index].life == life, plannedDeadlines[index] == now else { return }
        plannedDeadlines[index] = nil
        // As the agent's timer does: first what arrived since, then the deadline.
        for (link, number) in laptops[index].connections.sorted(by: { $0.key < $1.key }) {
            let byteCount = newByteCount(on: number, to: index)
            if byteCount > 0 { try feed(index, life, .heard(link, byteCount: UInt64(byteCount))) }
        }
        try feed(index, life, .deadlineReached)
    }

    /// Gives an engine one input and performs what it directs.
    ///
    /// - Parameter origin: of a message.
    mutating func feed(
        _ index: Int, _ life: Int, _ input: EngineInput, _ origin: Origin? = nil
    ) throws(SimulationFailure) {
        guard laptops[index].life == life, laptops[index].isAwake else { return }
        let wall = wall(index)
        if laptops[index].isHonest { wallMax = max(wallMax, wall) }
        let directives = laptops[index].handle(input, now: now, wall: wall)
        trace.add(now.nanoseconds)
        trace.add(UInt64(index) << 32 | UInt64(directives.count))
        if story != nil { tell(index, input, directives) }
        if isWatched { try check(index, after: input, origin, directives) }
        for directive in directives { try perform(directive, by: index) }
        planDeadline(index)
    }

    private mutating func check(
        _ index: Int, after input: EngineInput, _ origin: Origin?, _ directives: [EngineDirective]
    ) throws(SimulationFailure) {
        if laptops[index].isHonest, watch.queues.isDue() { try watch.queues.check(laptops[index]) }
        try checkClaims(index, after: input, origin, directives)
        if laptops[index].isHonest { watch.requests.follow(input, directives, at: laptops[index], now: now) }
        if case .disconnected = input, awaitsGraft { try checkGraft(directives, index) }
    }

    private mutating func planDeadline(_ index: Int) {
        guard let deadline = laptops[index].nextDeadline else { return }
        let at = max(deadline, now)
        if let planned = plannedDeadlines[index], planned <= at { return }
        plannedDeadlines[index] = at
        events.plan(.deadline(laptop: index, life: laptops[index].life), at: at)
    }

    mutating func forgetDeadline(_ index: Int) { plannedDeadlines[index] = nil }

    mutating func tell(_ line: @autoclosure () -> String) {
        guard story != nil else { return }
        let milliseconds = String(Int(virtualSeconds * 1000))
        story!.append(String(repeating: " ", count: max(0, 8 - milliseconds.count)) + milliseconds + " ms  " + line())
    }

    // MARK: The second phase

    /// Ends all faults: everything runs, everyone reaches everyone.
    private mutating func heal() throws(SimulationFailure) {
        hasFaults = false
        trace.add("heal")
        tell("-- all is healed")
        network.reachability.heal()
        var random = SeededRandom(seed: options.seed, stream: "heal")
        try Clone.part(&self, &random)
        for laptop in laptops where laptop.isHonest {
            healable.formUnion(laptop.disk.blobs.filter { laptop.disk.holdsGood($0) })
        }
        for index in laptops.indices {
            laptops[index].isDiskFull = false
            laptops[index].failsCommits = false
            laptops[index].readError = nil
            laptops[index].rateFactor = 1
            laptops[index].awayUntil = nil
            if !laptops[index].isRunning { try start(index) }
            events.plan(.announce(laptop: index), at: now + networkRandom.seconds(in: 0...1))
        }
        try settleChoices()
        planHelp()
    }

    /// All contents in order.
    mutating func knownBlobs() -> [BlobID] {
        if known.count != contents.count { known = contents.keys.sorted() }
        return known
    }

    var honest: [Laptop] { laptops.filter(\.isHonest) }

    private var isConverged: Bool {
        let laptops = honest
        guard let first = laptops[0].engine else { return false }
        let vector = first.log.vector
        guard laptops.allSatisfy({ $0.engine?.log.vector == vector }) else { return false }
        guard WholeBlobs.isComplete(self, by: first), EqualRulings.isKept(self), AllInForce.isKept(self),
            NothingBeyondCuts.isKept(self), NoneCutOff.isKept(self)
        else { return false }
        return oracle.unanswered == nil && ServedWants.isKept(self) && CountedCopies.isKept(self)
    }

    /// How long the run has lasted on its own clock.
    public var virtualSeconds: Double { now.seconds(since: MonotonicInstant(nanoseconds: 1_000_000_000)) }

    func wall(_ index: Int) -> UInt64 {
        if let rehearsal { return rehearsal.laptops[index].wall }
        return UInt64(Int64(1_700_000_000_000_000) + Int64(now.nanoseconds / 1000) + laptops[index].wallOffset)
    }
}
