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
    ///   - texts: names or IDs of laptops that are out; of others at least ``LaptopID/digitCountMin`` digits of an ID.
    ///   - outsiders: laptops that were turned away.
    ///   - recovery: as ``recovery(_:)`` has it.
    /// - Returns: sorted, each once.
    /// - Throws: ``PotluckError`` where this laptop may not let one of them in, one is in, or nobody is called so.
    func devicesToLetIn(
        _ texts: [String], outsiders: [DeviceID], _ recovery: RecoverySigning?
    ) throws(PotluckError) -> [DeviceID] {
        if recovery == nil { try checkIsHost() }
        let roll = engine.roll
        var devices: Set<DeviceID> = []
        for text in texts {
            let device = try deviceToLetIn(text, outsiders)
            guard !roll.isMember(device) else { throw PotluckError(.usage, "“\(name(device))” is in already.") }
            devices.insert(device)
        }
        let sorted = devices.sorted()
        let then = engine.roll(lettingIn: sorted, recovery: recovery)
        for device in sorted where !then.isMember(device) {
            guard roll.isOut(device) else {
                throw PotluckError(
                    .usage, "“\(name(device))” needs nobody to let it in: whoever knows the phrase comes in.")
            }
            let hosts = roll.hosts(whoMayLetIn: device).map { name($0) }
            let paper = "whoever has the recovery code can: `potluck let-in --recovery`."
            let advice = hosts.isEmpty ? "Only \(paper)" : "\(hosts.sentenceList) can let it in, and \(paper)"
            throw PotluckError(.badSetting, "“\(name(device))” was put out by a host that is one for longer. \(advice)")
        }
        return sorted
    }

    /// Whoever knows a phrase, also an old one, can call itself what it likes, and make keys until one begins with the
    /// digits of another. So names, and few digits, name those alone who were in once and were put out.
    private func deviceToLetIn(_ text: String, _ outsiders: [DeviceID]) throws(PotluckError) -> DeviceID {
        let advice = "`potluck hosts` lists who waits, with IDs; a laptop that waits tries again within a minute."
        let out = engine.roll.out
        let digits = text.lowercased()
        guard digits.utf8.count < LaptopID.digitCountMin || !digits.allSatisfy(\.isHexDigit) else {
            if let device = DeviceID(hex: digits) { return device }
            let known = out.union(outsiders).union(otherLaptops).union(engine.log.devices).union([engine.device])
            return try self.device(text, withID: digits, among: known.sorted(), advice)
        }
        // As whom a laptop went on is out as well: it is what the laptop runs as.
        let formers = out.reduce(into: Set<DeviceID>()) { $0.formUnion(catalog.formerDevices(of: $1)) }
        // All who may be meant, so that somebody who is out and calls itself like another one is not taken for it.
        let named = Set(otherLaptops).union(outsiders).subtracting(formers).union([engine.device]).sorted()
        let isID = digits.utf8.count >= PhotoLookup.digitCountMin && digits.allSatisfy(\.isHexDigit)
        let device =
            isID
            ? try self.device(text, withID: digits, among: named, advice)
            : try device(text, among: named, advice: advice)
        guard out.contains(device) || engine.roll.isMember(device) else {
            throw PotluckError(
                .usage, "“\(name(device))” was never in here, and may call itself so: name it by its ID. \(advice)")
        }
        return device
    }

    /// By its ID alone: a laptop may call itself like another one's.
    private func device(
        _ text: String, withID digits: String, among known: [DeviceID], _ advice: String
    ) throws(PotluckError) -> DeviceID {
        let found = known.filter { $0.hex.hasPrefix(digits) }
        guard let device = found.first else {
            throw PotluckError(.usage, "No other laptop here has an ID that begins with \(text). \(advice)")
        }
        guard found.count == 1 else {
            throw PotluckError(.usage, "Several laptops have an ID that begins so; say more of its digits.")
        }
        return device
    }
}
