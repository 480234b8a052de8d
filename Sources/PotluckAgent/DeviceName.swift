import AlbumModel
import Glibc
import PhotoStore
public import PotluckAPI
import SyncEngine

/// What a laptop is called.
enum DeviceName {
    /// A copy's, which has to be told from the one that it was copied from.
    static func standard(besides former: String?) -> String {
        let name = standard
        return name == former ? "\(name) (2)" : name
    }

    /// Where nobody says otherwise.
    static var standard: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "Laptop" }
        let host = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return host.isEmpty ? "Laptop" : host
    }

    /// A name as the gathering gets it: composed, without white space at the ends.
    ///
    /// - Throws: `.usage` where nothing of it can be seen, where it is too long, and where it has characters that a
    ///   terminal obeys or that text hides in, line ends among them.
    static func usable(_ name: String) throws(PotluckError) -> String {
        let tidy = AlbumName.trimmed(AlbumName.composed(name))
        guard !tidy.isEmpty, tidy.utf8.count <= CatalogLimits.nameByteCountMax else {
            throw PotluckError(.usage, "A laptop's name must not be empty, nor longer than 1,000 letters.")
        }
        let scalars = tidy.unicodeScalars
        guard scalars.allSatisfy({ !$0.isUnsafeToShow || $0.isPartOfSpelling }),
            scalars.contains(where: { !$0.isInvisible })
        else {
            throw PotluckError(.usage, "A laptop's name must be one line of characters that can be seen.")
        }
        return tidy
    }
}

extension HomeSetup {
    /// Gives the laptop another name while no agent runs; the next one tells it to the others. Blocks.
    public static func rename(home: String, device name: String) throws(PotluckError) -> DeviceNameReport {
        let tidy = try DeviceName.usable(name)
        guard hasGathering(home: home) else { throw noGathering(home: home) }
        return try changing(home) { journal in
            guard let membership = try Membership.load(journal) else { throw noGathering(home: home) }
            try journal.setIdentity([.deviceName: Array(tidy.utf8)])
            return DeviceNameReport(device: tidy, formerName: membership.deviceName, isTold: false)
        }
    }
}

/// Tells the gathering what this laptop is called.
struct DeviceNaming {
    let services: Services

    private var parts: AgentParts { services.parts }

    /// Tells the name that the journal has, unless the gathering knows it.
    ///
    /// - Parameter forPerson: throws as well where the disk refuses it, as ``ContributionService`` does.
    func tell(forPerson isPerson: Bool = false) async throws {
        // A second time where the journal got another name meanwhile.
        for _ in 0..<2 {
            let kept = try await parts.journalPool.perform { [parts] in try parts.journal.identityText(.deviceName) }
            let name = kept ?? DeviceName.standard
            guard await known != name else { return }
            _ = try await services.contributions.contribute(.deviceName(name), forPerson: isPerson)
        }
    }

    private var known: String? {
        get async { await services.host.ask { $0.catalog.deviceName($0.device) } }
    }

    /// Gives this laptop another name. First the journal has it: whatever happens then, the next agent tells it.
    ///
    /// - Throws: only where nothing was changed.
    func rename(_ name: String) async throws -> DeviceNameReport {
        let tidy = try DeviceName.usable(name)
        let former = try await parts.journalPool.perform { [parts] in
            let former = try parts.journal.identityText(.deviceName)
            try parts.journal.setIdentity([.deviceName: Array(tidy.utf8)])
            return former ?? DeviceName.standard
        }
        var report = DeviceNameReport(device: tidy, formerName: former, isTold: true)
        do {
            try await tell(forPerson: true)
        } catch {
            // The name is set, which the person must learn; why it is not told yet is among the agent's problems.
            report.isTold = false
        }
        return report
    }
}
