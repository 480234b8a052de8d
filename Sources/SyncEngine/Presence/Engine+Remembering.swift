public import AlbumModel

/// What others hold survives restarts: after a crash this device knows no more than it did, and never that somebody holds
/// what that device said to be lost.
extension Engine {
    /// Has the book's changes remembered: soon where somebody said that it holds less, else a while after the first.
    mutating func rememberHoldings(now: MonotonicInstant) {
        guard holdings.hasUnsaved else { return }
        if holdings.hasUnsavedLoss, !PlantedFault.isPlanted(.lossesRememberedLate) { rememberHoldingsAt = now }
        guard let due = rememberHoldingsAt else {
            rememberHoldingsAt = now + limits.rememberInterval
            return
        }
        guard due <= now else { return }
        rememberHoldingsAt = nil
        emit(.rememberHoldings(holdings.takeUnsaved()))
    }

    /// What the next run is to know of a device; `nil` where it never said anything.
    public func holdingsRecord(of device: DeviceID) -> HoldingsRecord? { holdings.record(of: device, wall: wall) }
}
