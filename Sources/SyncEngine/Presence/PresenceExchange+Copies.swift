import AlbumModel
import WireFormat

/// Whose word counts, and for what.
extension PresenceExchange {
    /// Whether a device said that it holds a blob, and nothing else since.
    ///
    /// - Parameter dots: the changes that name `blob`.
    func claims(_ device: DeviceID, _ blob: BlobID, dots: [Dot]) -> Bool { holdings.claims(device, blob, dots: dots) }

    /// Who was put out can give nothing to anybody: its word counts for nothing.
    mutating func setOut(_ devices: Set<DeviceID>) { holdings.setOut(devices) }

    /// Devices of the links that are greeted.
    var connectedDevices: Set<DeviceID> { Set(peers.values.filter(\.isGreeted).map(\.device)) }

    /// Until they say something themselves they may be earlier lives of other devices, or of this one; ordered.
    func formerDevices(_ catalog: Catalog) -> [DeviceID] {
        catalog.formerDevices.union([local.signing.formerDevice].compactMap(\.self)).sorted()
    }

    /// Whether what a device said counts for safety, as the word of another one.
    private func counts(_ other: DeviceID, wall: UInt64) -> Bool {
        guard other != local.id || PlantedFault.isPlanted(.countsItselfAsCopy) else { return false }
        return holdings.counts(other, wall: wall)
            || PlantedFault.isPlanted(.greetingCountsAsWord) && connectedDevices.contains(other)
    }

    /// On which other devices photos are, as far as is proved at this time.
    func copies(_ catalog: Catalog, _ log: BatchLog, wall: UInt64) -> Copies {
        let devices = holdings.devices.filter { counts($0, wall: wall) }
        return Copies(catalog: catalog, log: log, book: holdings, devices: devices)
    }

    /// The same as a run of the agent tells that begins now, with what was remembered of other devices.
    func copies(remembered book: HoldingsBook, _ catalog: Catalog, _ log: BatchLog, wall: UInt64) -> Copies {
        var book = book
        book.setOut(holdings.out)
        for former in formerDevices(catalog) { book.retire(former) }
        let devices = book.devices.filter { $0 != local.id && book.counts($0, wall: wall) }
        return Copies(catalog: catalog, log: log, book: book, devices: devices)
    }

    /// Whether a blob is proved to be on so many other devices. It costs the look at the first that have it.
    func isElsewhere(
        _ blob: BlobID, on count: Int, _ catalog: Catalog, _ log: BatchLog, wall: UInt64
    ) -> Bool {
        let dots = catalog.addDots(of: blob)
        var missingCount = count
        for (other, entry) in holdings.entries {
            if missingCount == 0 { break }
            if counts(other, wall: wall), entry.holdings.proves(blob, dots: dots, log: log) { missingCount -= 1 }
        }
        return missingCount == 0
    }

    /// Devices that said once that they hold a blob, and whose word does not count any more; ordered.
    func formerHolders(of blob: BlobID, _ catalog: Catalog, wall: UInt64) -> [DeviceID] {
        let dots = catalog.namingDots(of: blob)
        return holdings.devices.filter {
            $0 != local.id && !holdings.counts($0, wall: wall) && holdings.claims($0, blob, dots: dots)
        }
    }

    /// This device's place among the connected holders of a blob: all of them come to the same order, each for itself.
    func rank(amongHoldersOf blob: BlobID, _ catalog: Catalog) -> Int {
        let place = { (device: DeviceID) in Dice.mixed(blob.prefix ^ device.prefix) }
        let dots = catalog.namingDots(of: blob)
        return connectedDevices.count { holdings.claims($0, blob, dots: dots) && place($0) < place(local.id) }
    }
}
