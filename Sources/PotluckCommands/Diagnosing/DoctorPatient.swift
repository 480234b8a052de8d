import AlbumModel
import LaptopDoctor
import PotluckAPI
import PotluckAgent
import PotluckClient
import SyncEngine

/// The laptop that the doctor looks at: what its agent says, and its home where none runs.
struct DoctorPatient: Sendable {
    private static let answerPatience = Duration.seconds(8)

    let home: HomeLocation
    let settings: Settings
    let console: Console

    func subject() async -> Doctor.Subject {
        let reserve = settings.reserve
        var subject = Doctor.Subject(
            home: home.path, folder: settings.folder, clock: .init(now: console.now().millisecondsSince1970)
        ) { reserve.byteCount(ofDisk: $0) }
        subject.clock.programMade = ProgramFile.made()
        subject.listen = settings.listen
        subject.peers = settings.peers
        subject.sight.namesPeers = !settings.peers.isEmpty
        subject.sight.wantsDiscovery = settings.discovery
        await look(at: &subject)
        subject.clock.remembered =
            subject.known.filter { !$0.connected }.compactMap(\.lastSeen).max()?
            .millisecondsSince1970
        return subject
    }

    /// For another laptop's test.
    func facts() async -> Helper.Facts {
        let subject = await subject()
        let port: UInt16?
        if case .running(let facts) = subject.agent { port = facts.port } else { port = nil }
        return Helper.Facts(tag: subject.sight.tag.map { Hexadecimal.text($0) }, agentPort: port)
    }

    private func look(at subject: inout Doctor.Subject) async {
        let path = home.path
        // Read even beside an agent, which may not answer.
        let glance = await ProbeThreads.run(within: Self.answerPatience) {
            Result { () throws(PotluckError) in try HomeGlance(home: path) }
        }
        switch glance {
        case .success(let glance):
            subject.sight.hasGathering = glance != nil
            subject.sight.tag = glance.flatMap { Doctor.prefix($0.tag) }
            subject.sight.devicePrefix = glance.flatMap { Doctor.prefix($0.device) }
            subject.sight.keptPort = glance?.port
            subject.sight.phraseTrouble = glance?.phraseTrouble
            subject.known = glance?.peers ?? []
        case .failure(let error): subject.sight.obstacle = error.message
        case nil: subject.sight.obstacle = "The disk of the home \(path) gives no answer."
        }
        switch await agent() {
        case .failure(let error) where error.status == .notRunning: subject.agent = .stopped
        case .failure(let error): subject.agent = .silent(reason: error.message)
        case .success(let (status, peers)):
            subject.agent = .running(
                .init(
                    connectedCount: status.connected, port: status.network.flatMap { UInt16(exactly: $0.port) },
                    looksForOthers: status.network?.discovery ?? true, problems: status.problems))
            (subject.sight.hasGathering, subject.sight.obstacle) = (true, nil)
            subject.sight.phraseTrouble = status.phrase
            subject.sight.earlierVersions = status.earlierVersions ?? []
            subject.known = peers.peers
            subject.sight.tag = Doctor.prefix(status.gathering.tag)
            subject.sight.devicePrefix = Doctor.prefix(status.device.id)
            if let folder = status.folder { subject.folder = folder }
            if let reserve = status.disk?.reserve { subject.reserve = { _ in reserve } }
            let named = (status.network?.peers ?? []).compactMap(PeerAddress.init(parsing:))
            subject.peers += named.filter { !subject.peers.contains($0) }
            subject.sight.namesPeers = !subject.peers.isEmpty
        }
    }

    /// What the running agent says; an error that says that it gives no answer after a while.
    private func agent() async -> Result<(StatusReport, PeersReport), PotluckError> {
        await withTaskGroup(of: Result<(StatusReport, PeersReport), PotluckError>.self) { group in
            group.addTask { [home] in
                do {
                    let client = try AgentClient(home: home.path)
                    return .success((try await client.status(skipped: false, all: false), try await client.peers()))
                } catch {
                    return .failure(PotluckError(describing: error))
                }
            }
            group.addTask {
                // A cancelled sleep ends with the question.
                try? await Task.sleep(for: Self.answerPatience)
                return .failure(PotluckError(.tryAgain, "it was asked, and said nothing for 8 seconds."))
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? .failure(.notRunning)
        }
    }
}
