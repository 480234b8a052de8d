#if DEBUG
import AlbumModel
import Glibc
import PeerTransport
import PhotoStore
import PotluckAPI
import StoreProbe
import SyncEngine

@testable import PotluckAgent

extension StoreOperation {
    /// A gathering is started. Its home has all of it or nothing: the device's key, the founding that this signed, the seed,
    /// and the phrase that is made of both.
    static let founding = StoreOperation(
        "found", isAgents: true, includesOpening: true, strideFactor: 16,
        perform: { probe in
            let isStarted = try waiting {
                try await probe.persistently {
                    // A journal that nobody can look at may hold a gathering: that alone is not known to be one.
                    let isThere = access(probe.home + "/journal.sqlite", F_OK) == 0
                    // Of an attempt whose sync failed it may be seen, and still be lost to a power cut.
                    if isThere, HomeSetup.hasGathering(home: probe.home) { return false }
                    _ = try await HomeSetup.host(home: probe.home, gathering: "Kuh reunion", device: "Grandma")
                    return true
                }
            }
            if isStarted { probe.acknowledge(.whole) }
        },
        rules: { probe, promises in
            guard HomeSetup.hasGathering(home: probe.home) else {
                return promises.contains(.whole) ? ["the gathering was started and is gone"] : []
            }
            let home = try OpenHome(home: probe.home, waitMilliseconds: 5000)
            defer { home.lock.release() }
            guard let founding = home.rulings.founding, let seed = home.rulings.seeds[founding] else {
                return ["the gathering has no founding, or no seed"]
            }
            let hosts = home.engine(replica: nil, port: 0).roll.hosts
            return (hosts == [home.membership.identity.deviceID] ? [] : ["its hosts are \(hosts)"])
                + (try InvitePhrase(seed: seed, ruling: founding) == home.membership.phrase
                    ? [] : ["its phrase is made of something else"])
        },
        end: { try HomeRules.findings(home: $0.home) })

    /// A host changes the phrase. Its home has the ruling and the seed, or neither: with the ruling alone nobody could be let
    /// in any more, and nobody be told how.
    static let newPhrase = StoreOperation(
        "new-phrase", isAgents: true, isSteady: false, isTriedAgain: false, strideFactor: 8,
        prepare: { probe in
            try waiting {
                _ = try await HomeSetup.host(home: probe.home, gathering: "Kuh reunion", device: "Grandma")
            }
        },
        perform: { probe in
            try waiting {
                try await AgentSession.run(probe, hasFolder: false) { agent in
                    if agent.services.admissions.phrases.epochs.count == 1 {
                        var random = SystemRandomNumberGenerator()
                        try await agent.services.contributions.beginEpoch(Seed(drawnFrom: &random))
                    }
                    agent.probe.acknowledge(.whole)
                }
            }
        },
        rules: { probe, promises in
            let home = try OpenHome(home: probe.home, waitMilliseconds: 5000)
            defer { home.lock.release() }
            let phrases = home.membership.phrases
            let isChanged = phrases.epochs.count == 2
            return (phrases.isBehind ? ["the epoch's ruling is there without its seed"] : [])
                + (promises.contains(.whole) && !isChanged ? ["the phrase was changed and is the old one"] : [])
                + (home.rulings.ids.count == phrases.epochs.count ? [] : ["it has \(home.rulings.ids.count) rulings"])
        },
        end: { probe in
            let phrases = try Membership.load(Journal(home: probe.home))?.phrases
            let newest = try phrases?.newest()
            let isWhole = try newest.map { try GatheringSecrets($0) } == phrases?.keyring.newest.secrets
            let isAnother = newest != phrases?.entry.phrase
            return isWhole && isAnother ? [] : ["the new phrase is not what its epoch was made of"]
        })
}
#endif
