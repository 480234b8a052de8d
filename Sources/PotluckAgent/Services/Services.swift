import AlbumModel
import NIOCore
import SyncEngine

/// The agent's services around one engine, each with what it keeps; ``EngineHost`` feeds them.
struct Services: Sendable {
    let host: EngineHost
    let problems: Problems
    let news: GalleryHubs
    let transfers: TransferService
    let contributions: ContributionService
    let admissions: AdmissionService
    let journal: JournalService
    let index: IndexService
    let recovery: BlobRecovery
    let staging: StagingService
    let network: NetworkService
    let failedReads: FailedReads
    let folder: FolderService
    let reading: ReadingService
    let removal: RemovalService
    let parts: AgentParts

    /// - Parameters:
    ///   - phrases: that the home has.
    ///   - beginAnew: ends this run of the agent and begins another one.
    ///   - lastSeen: when devices were last connected, microseconds since 1970.
    ///   - retryInterval: after the folder, or the disk of folder or index, refused something.
    static func begin(
        _ engine: Engine, parts: AgentParts, phrases: HeldPhrases, beginAnew: @escaping @Sendable () -> Void = {},
        lastSeen: [DeviceID: UInt64] = [:],
        removedPhotos: RemovedPhotos = RemovedPhotos(),
        running: RunningTime = RunningTime(), transfers: TransferState = TransferState(),
        longMessages: LongMessages = LongMessages(), retryInterval: TimeAmount = .seconds(10)
    ) async -> Services {
        let jobs = JobQueue(eventLoop: parts.eventLoop)
        let host = EngineHost(engine, clock: parts.clock, jobs: jobs)
        let problems = Problems(hub: EventHub(), clock: parts.clock)
        let peers = KnownPeers(lastSeen: lastSeen)
        let records = RemovalRecords(removedPhotos)
        let files = FolderSlot()
        let transfers = TransferService(transfers, host: host, parts: parts, problems: problems)
        let contributions = ContributionService(host: host)
        let admissions = AdmissionService(
            engine, phrases, host: host, parts: parts, jobs: jobs, problems: problems, contributions: contributions,
            beginAnew: beginAnew)
        let recovery = BlobRecovery(
            host: host, parts: parts, jobs: jobs, problems: problems, files: files, retryInterval: retryInterval)
        let failedReads = FailedReads()
        let staging = StagingService(host: host, parts: parts, jobs: jobs, transfers: transfers)
        let folder = FolderService(
            host: host, parts: parts, jobs: jobs, problems: problems, files: files, records: records,
            retryInterval: retryInterval)
        let services = Services(
            host: host, problems: problems, news: GalleryHubs(), transfers: transfers, contributions: contributions,
            admissions: admissions,
            journal: JournalService(
                host: host, parts: parts, jobs: jobs, problems: problems, peers: peers, admissions: admissions),
            index: IndexService(host: host, parts: parts, jobs: jobs, problems: problems, retryInterval: retryInterval),
            recovery: recovery, staging: staging,
            network: NetworkService(
                host: host, parts: parts, jobs: jobs, problems: problems, peers: peers, staging: staging,
                transfers: transfers, admissions: admissions, failedReads: failedReads, longMessages: longMessages),
            failedReads: failedReads,
            folder: folder,
            reading: ReadingService(
                host: host, parts: parts, jobs: jobs, contributions: contributions,
                failedReads: failedReads),
            removal: RemovalService(
                host: host, parts: parts, jobs: jobs, problems: problems, contributions: contributions,
                folder: folder, recovery: recovery, records: records, running: running),
            parts: parts)
        await host.begin(services)
        await admissions.follow(on: host)
        await services.transfers.applyTerms(on: host)
        return services
    }

    var hub: EventHub { problems.hub }

    /// The agent stops: nobody is to wait any longer for what will not happen.
    func stop(connected: Set<DeviceID>) {
        network.close(connected)
        contributions.refuse()
        index.end()
        removal.end()
    }
}
