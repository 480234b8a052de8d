import NIOCore
import Synchronization
import AlbumModel
import Logging
import PhotoStore
import SyncEngine
import WireFormat

/// What others hold, kept for the next run.
extension JournalService {
    /// How often it is looked whether the summary is signed, and after how long. Mostly it is at once; a first one waits for
    /// the disk.
    private static let summaryLooks = (count: 500, pause: Duration.milliseconds(20))

    /// What this device holds, signed now; what it signed last where the disk does not take what that needs in time.
    func newSummary() async -> SignedStatement? {
        let before = await host.ask { $0.ownSummary?.number }
        await host.feed(.summaryWanted)
        for _ in 0..<Self.summaryLooks.count {
            if await host.ask({ $0.ownSummary?.number }) != before { break }
            guard (try? await Task.sleep(for: Self.summaryLooks.pause)) != nil else { break }
        }
        return await host.ask { $0.ownSummary?.statement }
    }

    /// Has the records of some devices written, one transaction after the other: a later word never goes under an earlier.
    func rememberHoldings(_ devices: [DeviceID]) {
        state.withLock { $0.unsavedHoldings.formUnion(devices) }
        startSavingHoldings()
    }

    private func startSavingHoldings() {
        let isDue = state.withLock { state in
            guard !state.isSavingHoldings, !state.unsavedHoldings.isEmpty else { return false }
            state.isSavingHoldings = true
            return true
        }
        if isDue { jobs.add { await self.saveHoldings() } }
    }

    private func saveHoldings() async {
        let (records, facts) = await takeUnsavedHoldings(on: host)
        do {
            try await parts.setFacts(facts)
            await savedHoldings(records, on: host)
        } catch {
            parts.logger.warning("holdings not saved", metadata: ["error.message": "\(error)"])
            state.withLock { state in
                state.isSavingHoldings = false
                state.unsavedHoldings.formUnion(records.keys)
            }
            jobs.add(after: .seconds(10)) { self.startSavingHoldings() }
        }
    }

    private func takeUnsavedHoldings(
        on host: isolated EngineHost
    ) -> ([DeviceID: HoldingsRecord?], [FactChange]) {
        let devices = state.withLock { state in
            defer { state.unsavedHoldings.removeAll() }
            return state.unsavedHoldings.sorted()
        }
        let lastSeen = peers.lastSeen
        let records = devices.map { ($0, host.engine.holdingsRecord(of: $0)) }
        let facts = records.map { HoldingsMemory.fact($0, seenAt: lastSeen[$0], $1) }
        return (Dictionary(uniqueKeysWithValues: records), facts)
    }

    private func savedHoldings(_ records: [DeviceID: HoldingsRecord?], on host: isolated EngineHost) {
        state.withLock { $0.isSavingHoldings = false }
        if let own = records[host.engine.device] ?? nil { host.feed(.holdingsRemembered(own.summaryFloor)) }
        startSavingHoldings()
    }
}
