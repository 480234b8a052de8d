import AlbumModel
import PotluckAPI
import SyncEngine

/// Who decides who takes part.
extension ReportBuilder {
    /// By rank; `nil` where the founding is not known.
    var knownHosts: [DeviceID]? { engine.rulings.founding.map { _ in engine.roll.hosts } }

    func hosts() -> HostsReport {
        guard let hosts = knownHosts else {
            // Only a home that started its gathering knows the name without being told: had this version made it, there
            // would be a founding.
            return HostsReport(
                founding: membership.gatheringName == nil ? .unheard : .none, ownID: engine.device.hex)
        }
        return HostsReport(
            founding: .known,
            hosts: hosts.map { device in
                let isHere = device == engine.device
                return .init(id: device.hex, name: isHere ? ownName : catalog.deviceName(device), isHere: isHere)
            }, phrase: phrase, ownID: engine.device.hex)
    }

    /// Who has the newest phrase; `nil` where that is the first one.
    private var phrase: HostsReport.Phrase? {
        guard let newest = membership.phrases.epochs.first, newest.ruling != membership.phrases.founding else {
            return nil
        }
        let roll = engine.roll
        let laptops = engine.log.devices.filter { $0 != engine.device && roll.isMember($0) }
        let connected = engine.connectedDevices
        // Whoever is linked has the same phrase.
        let have = laptops.filter { device in
            connected.contains(device) || newest.since.map { (lastSeen[device] ?? 0) >= $0 } == true
        }
        return HostsReport.Phrase(
            since: newest.since.map { Instant(microsecondsSince1970: $0) }, have: have.count + 1,
            laptops: laptops.count + 1)
    }

    /// - Throws: ``PotluckError`` where this laptop may decide nothing.
    func checkIsHost() throws(PotluckError) {
        if let absence = self.hosts().absence { throw PotluckError(.badSetting, absence) }
        let hosts = knownHosts ?? []
        guard hosts.contains(engine.device) else {
            throw PotluckError(.badSetting, "Only a host can: \(hosts.map(name).joined(separator: ", ")).")
        }
    }

    /// The laptop that is to be a host, and whether it is none yet.
    ///
    /// - Parameter text: name or ID of a device.
    /// - Throws: ``PotluckError`` where this laptop may not name any, or the text names no laptop.
    func newHost(_ text: String) throws(PotluckError) -> (device: DeviceID, isNew: Bool) {
        try checkIsHost()
        let device = try device(text, among: [engine.device] + otherLaptops, advice: "`potluck peers` lists them.")
        guard !engine.roll.isOut(device) else {
            throw PotluckError(.usage, "“\(name(device))” was put out: `potluck let-in` first, then make it a host.")
        }
        // Whoever knows an old phrase can call itself what it likes.
        guard engine.roll.isMember(device) else {
            throw PotluckError(
                .usage, "“\(name(device))” does not take part: `potluck let-in` with its ID first, then make it a host."
            )
        }
        return (device, knownHosts?.contains(device) != true)
    }
}
