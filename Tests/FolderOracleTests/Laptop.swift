import AlbumModel
import FolderEngine
import Logging
import PotluckAPI
import SharedFolder
import SyncEngine
import TestSupport

@testable import PotluckAgent

/// One laptop: a home, a folder with its person's hands in it, and an agent that runs or does not.
actor Laptop {
    nonisolated let number: Int
    nonisolated let home: String
    nonisolated let hands: FolderHands
    /// Of the agent that runs.
    private(set) var control: AgentControl?
    private(set) var port: UInt16 = 0
    private var failure: String?
    private var isDown = true
    private let starts: AsyncStream<[PeerAddress]>
    private let starter: AsyncStream<[PeerAddress]>.Continuation

    init(number: Int, base: String) {
        self.number = number
        home = base + "/" + Oracle.laptopNames[number]
        hands = FolderHands(root: home + "-Photos")
        (starts, starter) = AsyncStream.makeStream()
    }

    nonisolated var name: String { Oracle.laptopNames[number] }

    /// Runs an agent whenever ``start(peers:)`` says so, until ``finish()``.
    nonisolated func live() async {
        for await peers in starts {
            let pools = AgentPools()
            do {
                _ = try await Composition(options(peers), pools: pools, runsTwice: false).run { report, control in
                    await self.serves(control, port: report.port)
                }
                await ended(nil)
            } catch {
                await ended("\(error)")
            }
            await pools.shutDown()
        }
    }

    /// Returns when the agent answers.
    func start(peers: [PeerAddress]) async throws {
        isDown = false
        starter.yield(peers)
        try await eventually("the agent of \(name) answers") {
            failure.map { "it failed: \($0)" } ?? (control == nil ? "it does not" : nil)
        }
    }

    /// Returns when the agent has ended.
    func stop() async throws {
        await control?.stop()
        try await eventually("the agent of \(name) ends") { isDown ? nil : "it does not" }
    }

    func finish() { starter.finish() }

    /// Its person looks at what waits for them, and says that it was meant.
    func confirmHeld() async throws {
        guard let control, let seen = try await control.held().held else { return }
        _ = try await control.decide(.confirm, version: seen.version)
    }

    private func serves(_ control: AgentControl, port: UInt16) {
        self.control = control
        self.port = port
    }

    private func ended(_ failure: String?) {
        control = nil
        isDown = true
        self.failure = failure
    }

    nonisolated private func options(_ peers: [PeerAddress]) -> AgentOptions {
        var logger = Logger(label: "oracle", factory: { _ in SwiftLogNoOpLogHandler() })
        logger.logLevel = .critical
        var options = AgentOptions(
            home: home, folder: hands.root, listen: PeerAddress(host: "127.0.0.1", port: 0), peers: peers,
            discovery: false, logger: logger)
        options.reserve = DiskReserve(byteCount: 0, percent: 0)
        // Persons in tests are quick.
        options.folderSettings.judging.quiet = .milliseconds(400)
        options.folderSettings.judging.waitMax = .seconds(5)
        options.folderSettings.renamingDelay = .milliseconds(400)
        options.folderSettings.patience.openFirst = .milliseconds(100)
        return options
    }
}

struct TookTooLong: Error, CustomStringConvertible {
    var description: String
}

/// Asks again and again what still hinders, until nothing does; nothing announces all of it.
///
/// - Throws: ``TookTooLong``, with the last hindrance.
func eventually(
    isolation: isolated (any Actor)? = #isolation, _ what: String, within limit: Duration = .seconds(40),
    _ hindrance: () async throws -> String?
) async throws {
    let deadline = ContinuousClock.now + limit
    while let reason = try await hindrance() {
        guard ContinuousClock.now < deadline else {
            throw TookTooLong(description: "\(what): not within \(limit); \(reason)")
        }
        try await Task.sleep(for: .milliseconds(20))
    }
}
