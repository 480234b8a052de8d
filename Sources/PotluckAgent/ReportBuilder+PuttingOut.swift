import AlbumModel
import PeerTransport
import PotluckAPI
import SyncEngine

/// Who can be put out, and what that means.
extension ReportBuilder {
    /// - Parameter recovery: as ``recovery(_:)`` has it.
    func putOutPlan(_ texts: [String], _ recovery: RecoverySigning?) throws(PotluckError) -> PutOutPlan {
        let chosen = try devicesToPutOut(texts, recovery)
        let earlier = earlierIdentities(of: chosen, recovery)
        let out = Set(chosen + earlier.leaving)
        let (roll, then) = (engine.roll, engine.roll(puttingOut: out.sorted(), recovery: recovery))
        let possible = Set(possibleMembers)
        // By the recovery code also those who were out.
        let others = knownLaptops.filter { device in
            !out.contains(device) && !earlier.staying.contains(device) && !then.isOut(device)
                && (possible.contains(device) || then.isMember(device))
        }
        let staying = others.filter { then.isMember($0) }
        let continuing = staying.filter { !catalog.formerDevices(of: $0).isDisjoint(with: out) }
        let amounts = amountsAlone(on: out)
        return PutOutPlan(
            out: chosen.map { device in
                let own = [device] + earlier.leaving.filter { catalog.formerDevices(of: device).contains($0) }
                return .init(
                    laptop: laptop(device), photos: photoCount(addedBy: Set(own)),
                    alone: own.reduce(StatusReport.Amount(photos: 0, bytes: 0)) { sum, device in
                        amounts[device].map { sum + $0 } ?? sum
                    })
            },
            formerly: earlier.leaving.map { laptop($0) }, formerlyStaying: earlier.staying.map { laptop($0) },
            continuing: continuing.map { laptop($0) },
            hostsNoMore: roll.hosts.filter { !out.contains($0) && !then.hosts.contains($0) }.map { laptop($0) },
            outAgain: then.out.subtracting(roll.out).subtracting(out).sorted().map { laptop($0) },
            comingBack: staying.filter { !possible.contains($0) }.map { laptop($0) },
            leftBehind: others.filter { !then.isMember($0) }.map { laptop($0) },
            staying: ([engine.device] + staying.filter { !continuing.contains($0) }).map { laptop($0) },
            isHostHere: recovery != nil && !roll.hosts.contains(engine.device) ? true : nil)
    }

    /// With what a recovery code signs.
    ///
    /// - Throws: ``PotluckError`` where it is none, or of another gathering.
    func recovery(_ text: String?) throws(PotluckError) -> RecoverySigning? {
        guard let text else { return nil }
        let code: RecoveryCode
        do {
            code = try RecoveryCode(parsing: text)
        } catch {
            throw PotluckError(.usage, "\(error)")
        }
        if let absence = hosts().absence { throw PotluckError(.badSetting, absence) }
        let rulings = engine.rulings
        guard rulings.founding.flatMap({ rulings[$0]?.founding })?.recoveryKey == code.publicKeyDER else {
            throw PotluckError(
                .badSetting, "This is the recovery code of another gathering. `potluck host` printed the right one.")
        }
        return RecoverySigning(code: code, device: membership.signing)
    }

    /// - Parameters:
    ///   - texts: names or IDs.
    ///   - recovery: as ``recovery(_:)`` has it.
    /// - Throws: ``PotluckError`` where this laptop may not put one of them out, or nobody is called so.
    func devicesToPutOut(_ texts: [String], _ recovery: RecoverySigning?) throws(PotluckError) -> [DeviceID] {
        if recovery == nil { try checkIsHost() }
        let roll = engine.roll
        // A former identity is named by its ID alone.
        let known = Set(otherLaptops).union(possibleMembers).union(formers(of: otherLaptops)).sorted()
        var chosen: [DeviceID] = []
        for text in texts {
            let isOut = known.filter { roll.isOut($0) }
            let device: DeviceID
            do throws(PotluckError) {
                let inside = known.filter { !roll.isOut($0) }
                device = try self.device(text, among: [engine.device] + inside, advice: "`potluck peers` lists them.")
            } catch {
                guard let device = try? self.device(text, among: isOut, advice: "") else { throw error }
                throw PotluckError(.usage, "“\(name(device))” is out already.")
            }
            guard device != engine.device else {
                throw PotluckError(
                    .usage, "This laptop cannot put itself out. `potluck gatherings leave` leaves the gathering.")
            }
            if recovery == nil, isSeniorHost(device) {
                let seniors = roll.hosts.filter { roll.isSenior($0, to: device) }.map { name($0) }
                let paper = "whoever has the recovery code can: `potluck put-out --recovery`."
                let advice =
                    seniors.isEmpty ? "Only \(paper)" : "\(seniors.sentenceList) can put it out, and \(paper)"
                throw PotluckError(
                    .badSetting, "“\(name(device))” has been a host for longer than this laptop. \(advice)")
            }
            if !chosen.contains(device) { chosen.append(device) }
        }
        return chosen
    }

    private var knownLaptops: [DeviceID] {
        let roll = engine.roll
        return Set(otherLaptops).union(engine.log.devices).union(roll.hosts).union(engine.connectedDevices)
            .union(roll.letIn).subtracting([engine.device]).sorted()
    }

    /// Whoever a new epoch may list: all that are known as members, and all that are linked.
    private var possibleMembers: [DeviceID] {
        let (roll, connected) = (engine.roll, engine.connectedDevices)
        return knownLaptops.filter { !roll.isOut($0) && (roll.isMember($0) || connected.contains($0)) }
    }

    private func isSeniorHost(_ device: DeviceID) -> Bool { engine.roll.isSenior(device, to: engine.device) }

    /// Identities that are put out along with a laptop: more than it ever had, unless it made them up.
    private static var formerCountMax: Int { 64 }

    /// Identities that these had before, whose keys they may have still. Those under which somebody is connected, or was heard
    /// of after another one went on from them, are another laptop's by now, or were in use there until now.
    private func earlierIdentities(
        of devices: [DeviceID], _ recovery: RecoverySigning?
    ) -> (leaving: [DeviceID], staying: [DeviceID]) {
        let roll = engine.roll
        let connected = engine.connectedDevices
        let all = formers(of: devices).subtracting(devices).filter { !roll.isOut($0) && roll.isMember($0) }
        var staying = all.filter {
            $0 == engine.device || connected.contains($0) || recovery == nil && isSeniorHost($0)
                || engine.isHeardOf($0, wall: now)
        }
        let leaving = all.subtracting(staying).sorted()
        staying.formUnion(leaving.dropFirst(Self.formerCountMax))
        return (Array(leaving.prefix(Self.formerCountMax)), staying.sorted())
    }

    private func formers(of devices: [DeviceID]) -> Set<DeviceID> {
        devices.reduce(into: []) { $0.formUnion(catalog.formerDevices(of: $1)) }
    }

    /// Photos in albums that are not here, and that nobody but some of these is known, or was known last, to have: each with
    /// the first that has it.
    private func amountsAlone(on devices: Set<DeviceID>) -> [DeviceID: StatusReport.Amount] {
        var amounts: [DeviceID: StatusReport.Amount] = [:]
        for blob in liveBlobs() where !engine.held.contains(blob) {
            var holders = copies.holders(of: blob)
            if holders.isEmpty { holders = engine.formerHolders(of: blob, wall: now) }
            guard let first = holders.first, devices.isSuperset(of: holders) else { continue }
            let amount = StatusReport.Amount(photos: 1, bytes: catalog.newestAdd(of: blob)?.byteCount ?? 0)
            amounts[first] = amounts[first].map { $0 + amount } ?? amount
        }
        return amounts
    }

    private func photoCount(addedBy devices: Set<DeviceID>) -> Int {
        Set(
            catalog.albums.values.flatMap { album in
                album.livePhotos.filter { $0.value.adds.contains { devices.contains($0.author) } }.map(\.key)
            }
        ).count
    }

    func laptop(_ device: DeviceID) -> PutOutPlan.Laptop {
        .init(id: device.hex, name: device == engine.device ? ownName : name(device))
    }
}
