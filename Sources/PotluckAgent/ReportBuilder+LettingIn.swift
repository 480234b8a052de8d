import AlbumModel
import PotluckAPI
import SyncEngine

/// Who waits to be let in, and who can be.
extension ReportBuilder {
    /// - Parameter outsiders: laptops that know a phrase and were turned away; the last one first.
    /// - Returns: those that are in by no other way meanwhile; `nil` for none.
    func waiting(_ outsiders: [DeviceID]) -> [HostsReport.Waiting]? {
        let roll = engine.roll
        let waiting = outsiders.filter { !roll.isMember($0) }.map {
            HostsReport.Waiting(id: $0.hex, name: catalog.deviceName($0), isOut: roll.isOut($0))
        }
        return waiting.isEmpty ? nil : waiting
    }

    /// - Parameters:
    ///   - texts: names or IDs; of a laptop that has no name here, at least ``LaptopID/digitCountMin`` digits of its ID.
    ///   - outsiders: laptops that were turned away.
    /// - Returns: sorted, each once.
    /// - Throws: ``PotluckError`` where this laptop may not let one of them in, one is in, or nobody is called so.
    func devicesToLetIn(_ texts: [String], outsiders: [DeviceID]) throws(PotluckError) -> [DeviceID] {
        try checkIsHost()
        let roll = engine.roll
        let known = Set(otherLaptops).union(engine.log.devices).union(roll.out)
        let strangers = Set(outsiders).subtracting(known).sorted()
        var devices: Set<DeviceID> = []
        for text in texts {
            let device = try deviceToLetIn(text, known.union([engine.device]).sorted(), strangers)
            guard !roll.isMember(device) else { throw PotluckError(.usage, "“\(name(device))” is in already.") }
            devices.insert(device)
        }
        let sorted = devices.sorted()
        let then = engine.roll(lettingIn: sorted)
        for device in sorted where !then.isMember(device) {
            let hosts = roll.hosts(whoMayLetIn: device).map { name($0) }
            let advice = hosts.isEmpty ? "Nobody can let it in again." : "\(hosts.sentenceList) can let it in."
            let reason = "“\(name(device))” was put out by a host that is one for longer than this laptop."
            throw PotluckError(.badSetting, "\(reason) \(advice)")
        }
        return sorted
    }

    /// Whoever knows a phrase can make keys until one of them begins with the digits of another: so few digits name none.
    private func deviceToLetIn(
        _ text: String, _ known: [DeviceID], _ strangers: [DeviceID]
    ) throws(PotluckError) -> DeviceID {
        let digits = text.lowercased()
        if digits.utf8.count >= LaptopID.digitCountMin, digits.allSatisfy(\.isHexDigit) {
            let found = (known + strangers).filter { $0.hex.hasPrefix(digits) }
            if found.count == 1 { return found[0] }
            if found.isEmpty, let device = DeviceID(hex: digits) { return device }
            guard found.isEmpty else {
                throw PotluckError(.usage, "Several laptops have an ID that begins so; say all 64 digits.")
            }
        }
        return try device(text, among: known, advice: "`potluck hosts` lists who waits, with IDs.")
    }
}
