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
        let (devices, facts) = await takeUnsavedHoldings()
        do {
            try await setFacts(facts)
            await savedHoldings(failed: [])
        } catch {
            parts.logger.warning("holdings not saved", metadata: ["error.message": "\(error)"])
            await savedHoldings(failed: devices)
        }
    }

    private func takeUnsavedHoldings() -> (Set<DeviceID>, [FactChange]) {
        defer { unsavedHoldings.removeAll() }
        let facts = unsavedHoldings.sorted().map {
            HoldingsMemory.fact($0, seenAt: lastSeen[$0], engine.holdingsRecord(of: $0))
        }
        return (unsavedHoldings, facts)
    }

    private func savedHoldings(failed devices: Set<DeviceID>) {
        isSavingHoldings = false
        unsavedHoldings.formUnion(devices)
        guard !devices.isEmpty else { return startSavingHoldings() }
        later { await $0.startSavingHoldings() }
    }
}
