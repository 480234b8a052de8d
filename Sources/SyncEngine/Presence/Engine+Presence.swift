public import AlbumModel
import WireFormat

extension Engine {
    mutating func toPresence(_ input: PresenceExchange.Input, now: MonotonicInstant) {
        for directive in presence.handle(input, catalog: catalog, log: log, wall: wall, now: now) {
            perform(directive, now: now)
        }
    }

    private mutating func perform(_ directive: PresenceExchange.Directive, now: MonotonicInstant) {
        switch directive {
        case .held(let blob):
            toPull(.held(blob), now: now)
            emit(.notify(.blobHeld(blob)))
        case .lacking(let blob): toPull(.lacking(blob), now: now)
        case .holdings(let link): toPull(.holdings(link), now: now)
        case .change(let link, let change): toPull(.change(link, change), now: now)
        case .remember(let devices): emit(.rememberHoldings(devices))
        }
    }

    // MARK: Questions

    /// Blobs that are durable here.
    public var held: Set<BlobID> { presence.held }

    /// What other devices said that they hold.
    public var holdings: HoldingsBook { presence.holdings }

    /// What the next run is to know of a device; `nil` where it never said anything.
    public func holdingsRecord(of device: DeviceID) -> HoldingsRecord? {
        presence.holdings.record(of: device, wall: wall)
    }

    /// What this device signed last of what it holds; `nil` where it never did.
    public var ownSummary: HoldingsBook.Summary? { presence.holdings.summary(of: device) }

    public var connectedDevices: Set<DeviceID> { presence.connectedDevices }

    /// This device's place among the connected holders of a blob: all of them come to the same order, each for itself.
    public func rank(amongHoldersOf blob: BlobID) -> Int { presence.rank(amongHoldersOf: blob, catalog) }

    /// On which other devices photos are, as far as is proved at this time.
    public func copies(wall: UInt64) -> Copies { presence.copies(catalog, log, wall: wall) }

    /// The same as a run of the agent tells that begins now, with what was remembered of other devices.
    public func copies(remembered book: HoldingsBook, wall: UInt64) -> Copies {
        presence.copies(remembered: book, catalog, log, wall: wall)
    }

    /// Whether a blob is proved to be on so many other devices. It costs the look at the first that have it.
    public func isElsewhere(_ blob: BlobID, on count: Int = 1, wall: UInt64) -> Bool {
        presence.isElsewhere(blob, on: count, catalog, log, wall: wall)
    }

    /// Whether what a device said of late counts: it is connected, or said so within days, and nobody went on from it since.
    public func isHeardOf(_ device: DeviceID, wall: UInt64) -> Bool { presence.holdings.counts(device, wall: wall) }

    /// Devices that said once that they hold a blob, and whose word does not count any more; ordered.
    public func formerHolders(of blob: BlobID, wall: UInt64) -> [DeviceID] {
        presence.formerHolders(of: blob, catalog, wall: wall)
    }
}
