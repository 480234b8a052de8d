import AlbumModel
import Logging
import NIOPosix
import PhotoStore
import SyncEngine

/// What others hold, kept for the next run.
extension EngineShell {
    /// Has the records of some devices written, one transaction after the other: a later word never goes under an earlier.
    func rememberHoldings(_ devices: [DeviceID]) {
        unsavedHoldings.formUnion(devices)
        startSavingHoldings()
    }

    private func startSavingHoldings() {
        guard !isSavingHoldings, !unsavedHoldings.isEmpty else { return }
        isSavingHoldings = true
        perform(.saveHoldings)
    }

    nonisolated func saveHoldings() async {
        let (records, facts) = await takeUnsavedHoldings()
        do {
            try await setFacts(facts)
            await savedHoldings(records)
        } catch {
            parts.logger.warning("holdings not saved", metadata: ["error.message": "\(error)"])
            await holdingsNotSaved(Set(records.keys))
        }
    }

    private func takeUnsavedHoldings() -> ([DeviceID: HoldingsRecord?], [FactChange]) {
        defer { unsavedHoldings.removeAll() }
        let records = unsavedHoldings.sorted().map { ($0, engine.holdingsRecord(of: $0)) }
        let facts = records.map { HoldingsMemory.fact($0, seenAt: lastSeen[$0], $1) }
        return (Dictionary(uniqueKeysWithValues: records), facts)
    }

    private func savedHoldings(_ records: [DeviceID: HoldingsRecord?]) {
        isSavingHoldings = false
        if let own = records[engine.device] ?? nil { feed(.holdingsRemembered(own.summaryFloor)) }
        startSavingHoldings()
    }

    private func holdingsNotSaved(_ devices: Set<DeviceID>) {
        isSavingHoldings = false
        unsavedHoldings.formUnion(devices)
        later { await $0.startSavingHoldings() }
    }
}
