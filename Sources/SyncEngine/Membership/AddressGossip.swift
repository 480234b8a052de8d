import AlbumModel
import WireFormat

/// The newest record of addresses of every device that was heard of, and this device's own: HyParView's passive view,
/// which at our sizes may hold everyone.
struct AddressGossip: Sendable {
    private var records: [DeviceID: AddressRecord] = [:]
    /// In the order in which they were first heard of: random choice needs an order that is the same in every run.
    private var devices: [DeviceID] = []
    private var own: AddressRecord?
    /// The greatest number that was seen in a record of this device.
    private var ownNumberMax: UInt64 = 0
    /// A record of this device is under way that others prefer to the one in use.
    private(set) var isOwnOutdone = false
    private let device: DeviceID
    private let countMax: Int
    private let limits: MeshLimits

    init(own device: DeviceID, countMax: Int, limits: MeshLimits) {
        self.device = device
        self.countMax = countMax
        self.limits = limits
    }

    /// The number for the next own record.
    func nextOwnNumber(wall: UInt64) -> UInt64 {
        if PlantedFault.isPlanted(.addressNumbersNotIncreasing) { return wall }
        return max(wall, ownNumberMax == .max ? .max : ownNumberMax + 1)
    }

    mutating func setOwn(_ record: AddressRecord) {
        own = record
        ownNumberMax = max(ownNumberMax, record.number)
        isOwnOutdone = false
    }

    /// - Parameter isFromItself: the device itself brought it: it takes another one's place where there is no room.
    /// - Returns: whether it was good, and news.
    mutating func learn(_ record: AddressRecord, fromItself isFromItself: Bool = false) -> Bool {
        guard record.device != device else {
            noteOwn(record)
            return false
        }
        let known = records[record.device]
        guard record.flaw(known: known?.number, limits: limits) == nil else { return false }
        if known == nil {
            guard records.count < countMax || isFromItself && countMax > 0 else { return false }
            if records.count >= countMax { records[devices.removeFirst()] = nil }
            devices.append(record.device)
        }
        records[record.device] = record
        return true
    }

    /// A record of this device out of a time when its clock was ahead, or of a copy of its home.
    private mutating func noteOwn(_ record: AddressRecord) {
        ownNumberMax = max(ownNumberMax, record.number)
        if let own, record.number >= own.number, record != own { isOwnOutdone = true }
    }

    /// Whether a device whose own record this is should be told that another one of it is under way.
    func isOutdone(_ record: AddressRecord) -> Bool {
        records[record.device].map { $0 != record && $0.number >= record.number } ?? false
    }

    /// The newest record of a device, as it signed it.
    func record(of device: DeviceID) -> SignedStatement? {
        device == self.device ? own?.signed : records[device]?.signed
    }

    /// The number of the record of a device; `nil` where there is none.
    func number(of device: DeviceID) -> UInt64? { records[device]?.number }

    /// `count` devices of whose records a device is told: this one, left out where it has that, and random others.
    func sample(
        _ count: Int, for device: DeviceID, knowing ownNumber: UInt64?, using rng: inout some RandomNumberGenerator
    ) -> [DeviceID] {
        var others: [DeviceID] = []
        var drawn: Set<Int> = []
        let otherCountMax = max(0, own == nil ? count : count - 1)
        // One more than is needed may be drawn: the device's own.
        let drawCountMax = min(devices.count, otherCountMax + 1)
        while drawn.count < drawCountMax, others.count < otherCountMax {
            let index = Int.random(in: devices.indices, using: &rng)
            guard drawn.insert(index).inserted, devices[index] != device else { continue }
            others.append(devices[index])
        }
        guard let own, own.number != ownNumber else { return others }
        return [self.device] + others
    }
}
