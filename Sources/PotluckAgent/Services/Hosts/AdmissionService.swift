import AlbumModel
import LANDiscovery
import Logging
import NIOCore
import PeerTransport
import PhotoStore
import PotluckAPI
import SyncEngine
import Synchronization

/// Who may connect: keeps transport and discovery at what is known of hosts' rulings and of phrases, tells people what is
/// wrong with the phrase that is known here, and has the agent begin anew with another one.
///
/// What an agent cannot take on while it runs: other keys of the gathering, with which it would check and sign otherwise,
/// and that somebody is out, whom everything that is connected or known would have to forget.
final class AdmissionService: Sendable {
    /// Between two beginnings, at least: whoever can rule could rule all day.
    private static let runTimeMin = Duration.seconds(10)

    /// From a new device until it counts as a member, at most: whoever knows the phrase could make new ones all day.
    private static let newDeviceWait = TimeAmount.seconds(1)

    /// Laptops that are named as too old.
    private static let outdatedCountMax = 16

    /// Laptops that are listed as turned away: whoever knows a phrase could come under new keys all day.
    private static let outsiderCountMax = 64

    private struct State {
        var phrases: HeldPhrases
        /// Seeds of which a phrase was made that was typed here, and what is made of that, by the rulings of their epochs.
        var fitting: [RulingID: (seed: Seed, secrets: GatheringSecrets)] = [:]
        /// What this run began with.
        let keys: RunKeys
        let out: Set<DeviceID>
        var deviceCount = -1
        /// New devices are to be looked at.
        var isFollowPlanned = false
        /// What others say, until a laptop is linked.
        var news: PhraseNews?
        /// Names of laptops whose version is too old to be linked.
        var outdated: Set<String> = []
        /// Laptops that showed a right proof and were turned away; the last one last.
        var outsiders: [DeviceID] = []
        var isBeginningAnew = false
    }

    let host: EngineHost
    let parts: AgentParts
    let jobs: JobQueue
    let problems: Problems
    let contributions: ContributionService
    private let beginAnew: @Sendable () -> Void
    private let device: DeviceID
    private let started = ContinuousClock.now
    private let begunKeyring: Keyring
    private let state: Mutex<State>

    /// - Parameter beginAnew: ends this run and begins another one.
    init(
        _ engine: Engine, _ phrases: HeldPhrases, host: EngineHost, parts: AgentParts, jobs: JobQueue,
        problems: Problems,
        contributions: ContributionService, beginAnew: @escaping @Sendable () -> Void
    ) {
        self.host = host
        self.parts = parts
        self.jobs = jobs
        self.problems = problems
        self.contributions = contributions
        self.beginAnew = beginAnew
        device = engine.device
        begunKeyring = phrases.keyring
        state = Mutex(State(phrases: phrases, keys: RunKeys(phrases), out: engine.roll.out, news: phrases.news))
        problems.note(.phraseNews, phrases.news?.sentence(of: engine.device))
    }

    var phrases: HeldPhrases { state.withLock { $0.phrases } }

    /// What is made of the phrase of an epoch, where it is known already that it was typed here.
    func secrets(of ruling: RulingID, _ seed: Seed) -> GatheringSecrets? {
        state.withLock { $0.fitting[ruling].flatMap { $0.seed == seed ? $0.secrets : nil } }
    }

    func noteFitting(_ ruling: RulingID, _ seed: Seed, _ secrets: GatheringSecrets) {
        state.withLock { $0.fitting[ruling] = (seed, secrets) }
    }

    /// Whether another run of the agent is to follow this one.
    var isBeginningAnew: Bool { state.withLock { $0.isBeginningAnew } }

    /// Whether the phrase that is known here may be an old one: others say so, or hosts did.
    var isPhraseDoubted: Bool { state.withLock { $0.news != nil || $0.phrases.isBehind } }

    /// What is wrong with it; `nil` for nothing.
    var trouble: StatusReport.PhraseTrouble? {
        state.withLock { $0.news?.trouble ?? ($0.phrases.isBehind ? .behind : nil) }
    }

    /// What other laptops say of the phrase that invites; `nil` for nothing, as of one that was typed since.
    var newsSentence: String? {
        state.withLock { $0.phrases.joining == nil ? $0.news?.sentence(of: device) : nil }
    }

    /// Names of laptops that take part no longer until they are updated.
    var outdated: [String] { state.withLock { $0.outdated.sorted() } }

    /// Laptops that were turned away by this run of the agent though they know a phrase; the last one first.
    var outsiders: [DeviceID] { state.withLock { $0.outsiders.reversed() } }

    // MARK: What is known

    /// A person typed a phrase, or it turned out what it is: another one is kept, or none.
    func setJoining(_ facts: [FactChange]) async throws {
        let phrases = try await parts.journalPool.perform { [journal = parts.journal] in
            try journal.setFacts(facts)
            return try Membership.load(journal)?.phrases
        }
        if let phrases { note(phrases) }
        await follow(on: host)
    }

    /// The journal has other phrases by now; the engine is to hear of it next.
    func note(_ phrases: HeldPhrases) {
        let isNewer = state.withLock { state in
            defer { state.phrases = phrases }
            return state.phrases.newestHeld != phrases.newestHeld
        }
        // What others said was said of another phrase.
        if isNewer { set(nil) }
    }

    /// Rulings, phrases or devices may be others than before, or other batches count.
    func follow(on host: isolated EngineHost) {
        let roll = host.engine.roll
        let (phrases, isAnother) = state.withLock { state in
            state.deviceCount = host.engine.log.devices.count
            state.isFollowPlanned = false
            let isAnother =
                state.out != roll.out || host.engine.isFoldStale || state.keys != RunKeys(state.phrases)
            return (state.phrases, isAnother)
        }
        // With the keys of the next run nobody is linked before it has begun: this one could neither check nor sign by them.
        let keyring = isAnother ? begunKeyring : phrases.keyring
        parts.transport.update(AdmissionStanding(keyring: keyring, roll: roll))
        let members = host.engine.log.devices.filter { roll.isMember($0) }.map { BigEndian.bytes($0.prefix) }
        parts.discovery?.follow(FollowedRecords(tags: Set(phrases.keyring.tags), devicePrefixes: Set(members)))
        problems.note(.phrase, phrases.problem(roll))
        if isAnother { planBeginning() }
    }

    /// The same a little later, where devices have come.
    func followDevices(on host: isolated EngineHost) {
        let count = host.engine.log.devices.count
        let isFirst = state.withLock { state in
            guard state.deviceCount != count, !state.isFollowPlanned else { return false }
            state.isFollowPlanned = true
            return true
        }
        if isFirst { jobs.add(after: Self.newDeviceWait) { [self] in await follow(on: self.host) } }
    }

    /// A laptop is linked, so that the phrase that is known here holds: whoever said otherwise was wrong, or of another mind.
    func noteLinked() {
        set(nil)
    }

    /// Another laptop said so; it proved that it knows a phrase of this home.
    func note(_ news: PhraseNews) async { await note(news, on: host) }

    /// Nobody is linked between the question and what follows from the answer.
    private func note(_ news: PhraseNews, on host: isolated EngineHost) {
        if host.engine.connectedDevices.isEmpty { set(news) }
    }

    private func set(_ news: PhraseNews?) {
        let isNew = state.withLock { state in
            defer { state.news = news }
            return state.news != news
        }
        guard isNew else { return }
        problems.note(.phraseNews, news?.sentence(of: device))
        // Where that fails it is said again by the next laptop.
        jobs.add { try? await self.saveNews() }
    }

    /// Keeps the news of the moment at which it is written, so that the last of several writes keeps the last news.
    private func saveNews() async throws {
        try await parts.journalPool.perform { [self] in
            let value = state.withLock { $0.news.map { Array($0.rawValue.utf8) } }
            let change = FactChange(kind: .identity, key: IdentityKey.phraseNews.bytes, value: value)
            try parts.journal.setFacts([change])
        }
    }

    /// A member runs a version that knows the first phrase alone.
    func noteEarlierVersion(of device: DeviceID) async {
        let name = await host.ask { $0.catalog.deviceName(device) } ?? "laptop \(device.hex.prefix(6))"
        let names = state.withLock { state in
            if state.outdated.count < Self.outdatedCountMax { state.outdated.insert(name) }
            return state.outdated.sorted()
        }
        let verbs = names.count == 1 ? ("runs", "it stays", "it is") : ("run", "they stay", "they are")
        problems.note(
            .earlierVersion,
            "\(names.map { "“\($0)”" }.sentenceList) \(verbs.0) an earlier version: \(verbs.1) behind until \(verbs.2) updated."
        )
    }

    /// A laptop that knows a phrase was turned away.
    func noteOutsider(_ device: DeviceID) {
        state.withLock { state in
            state.outsiders.removeAll { $0 == device }
            state.outsiders.append(device)
            if state.outsiders.count > Self.outsiderCountMax { state.outsiders.removeFirst() }
        }
    }

    private func planBeginning() {
        let isFirst = state.withLock { state in
            defer { state.isBeginningAnew = true }
            return !state.isBeginningAnew
        }
        guard isFirst else { return }
        let wait = Self.runTimeMin - (ContinuousClock.now - started)
        jobs.add(after: TimeAmount(max(wait, .zero))) { [beginAnew] in beginAnew() }
    }
}

/// The keys with which a run of the agent checks, signs and admits.
private struct RunKeys: Hashable {
    private let membership: MembershipKeys
    private let newest: GatheringSecrets

    init(_ phrases: HeldPhrases) {
        (membership, newest) = (MembershipKeys(phrases), phrases.keyring.newest.secrets)
    }
}
