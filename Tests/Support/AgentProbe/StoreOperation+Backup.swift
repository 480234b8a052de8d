#if DEBUG
import AlbumModel
import Glibc
import PhotoStore
import PotluckAPI
import PotluckAgent
import StoreProbe

extension StoreOperation {
    /// A first backup.
    static let backup = StoreOperation(
        "backup", isAgents: true, includesOpening: true,
        prepare: { probe in try waiting { try await AgentSession.makeHome(probe, [.anna, .ben, .carla]) } },
        perform: { probe in try waiting { try await probe.backUp() } },
        rules: { probe, promises in
            let photos: Set<SamplePhoto> = [.anna, .ben, .carla]
            return try probe.wrongHome(photos)
                + probe.wrongBackup(among: [photos], mayBeIncomplete: !promises.contains(.whole))
        },
        end: { try HomeRules.findings(home: $0.home) })

    /// A backup of a home of which there is one: since that a photo has come, and another's bytes have gone.
    static let backupAgain = StoreOperation(
        "backup-again", isAgents: true, includesOpening: true,
        prepare: { probe in
            try waiting {
                try await AgentSession.makeHome(probe, [.anna, .ben])
                try await probe.backUp()
                try await AgentSession.run(probe) { agent in
                    try await agent.add([.carla])
                    try await agent.remove([.ben])
                    try await agent.discard([.ben])
                }
            }
        },
        perform: { probe in try waiting { try await probe.backUp() } },
        rules: { probe, promises in
            let (before, after): (Set<SamplePhoto>, Set<SamplePhoto>) = ([.anna, .ben], [.anna, .carla])
            return try probe.wrongHome(after)
                + probe.wrongBackup(
                    among: promises.contains(.whole) ? [after] : [before, after], mayBeIncomplete: false)
        },
        end: { try HomeRules.findings(home: $0.home) })

    /// A home is made of a backup.
    static let newMachine = StoreOperation(
        "new-machine", isAgents: true, includesOpening: true,
        prepare: { probe in
            let other = Probe(root: probe.root + "/other") { _ in }
            for path in [other.root, other.home] { mkdir(path, 0o700) }
            try waiting {
                try await AgentSession.makeHome(other, [.anna, .ben])
                _ = try await Backup.make(home: other.home, directory: probe.backup, check: false) { _ in }
            }
        },
        perform: { probe in
            try waiting {
                try await probe.persistently {
                    // A journal that nobody can look at may hold a gathering: that alone is not known to be one.
                    let isThere = access(probe.home + "/journal.sqlite", F_OK) == 0
                    if isThere, HomeSetup.hasGathering(home: probe.home) { return }
                    let report = try await Restore.run(directory: probe.backup, home: probe.home) { _ in }
                    guard report.missing.isEmpty else { throw ProbeError(sentence: "\(report.missing)") }
                }
            }
            probe.acknowledge(.whole)
        },
        rules: { probe, promises in
            guard HomeSetup.hasGathering(home: probe.home) else {
                return promises.contains(.whole) ? ["the home was whole and is none"] : []
            }
            return try probe.wrongHome([.anna, .ben])
        },
        end: { try HomeRules.findings(home: $0.home) })
}

extension Probe {
    fileprivate var backup: String { root + "/backup" }

    fileprivate func backUp() async throws {
        try await persistently {
            let report = try await Backup.make(home: home, directory: backup, check: false) { _ in }
            guard report.missing.isEmpty else { throw ProbeError(sentence: "\(report.missing)") }
        }
        acknowledge(.whole)
    }

    fileprivate func wrongHome(_ photos: Set<SamplePhoto>) throws -> [String] {
        let found = try HomeRules.photos(home: home)
        return found.live == Set(photos.map(\.blob)) && found.held == found.live
            ? [] : ["the home has \(found.live.count) photos, and the bytes of \(found.held.count)"]
    }

    /// A backup makes a home of all that it was made of, or says in a sentence that it is none.
    fileprivate func wrongBackup(among states: [Set<SamplePhoto>], mayBeIncomplete: Bool) throws -> [String] {
        let target = freeDirectory()
        let (directory, isNone) = (backup, mayBeIncomplete)
        let sentence: String? = try waiting {
            do {
                let report = try await Restore.run(directory: directory, home: target) { _ in }
                return report.missing.first.map { "it lacks \($0)" }
            } catch let error as PotluckError where isNone && [.usage, .failed].contains(error.status) {
                return ""
            } catch {
                return "it is refused: \(error)"
            }
        }
        if let sentence { return sentence.isEmpty ? [] : ["of the backup no home can be made: \(sentence)"] }
        let found = try HomeRules.photos(home: target)
        return states.contains { Set($0.map(\.blob)) == found.live } && found.held == found.live
            ? []
            : ["the backup is of \(found.live.count) photos, and of the bytes of \(found.held.count)"]
    }

    private func freeDirectory() -> String {
        (0...).lazy.map { "\(self.root)/restored-\($0)" }.first { access($0, F_OK) != 0 }!
    }
}
#endif
