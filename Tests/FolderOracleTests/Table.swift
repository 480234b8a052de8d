import AlbumModel
import FoundationEssentials
import Glibc
import PotluckAPI
import SyncEngine
import TestSupport

@testable import PotluckAgent

/// Three laptops in one gathering, over TLS on the loopback interface, and the people at them.
struct Table: Sendable {
    let base: String
    let laptops: [Laptop]

    static func with(_ body: (Table) async throws -> Void) async throws {
        let base = "/tmp/potluck-oracle-\(UInt64.random(in: 0...UInt64.max))"
        defer {
            // A leftover in /tmp is no reason to fail.
            try? FileManager.default.removeItem(atPath: base)
        }
        let table = Table(base: base, laptops: Oracle.laptops.map { Laptop(number: $0, base: base) })
        let invite = try await HomeSetup.host(
            home: table.laptops[0].home, gathering: "Kuh reunion", device: table.laptops[0].name)
        for laptop in table.laptops.dropFirst() {
            _ = try await HomeSetup.join(home: laptop.home, phrase: invite.phrase, device: laptop.name)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for laptop in table.laptops { group.addTask { await laptop.live() } }
            do {
                for laptop in table.laptops { try await table.start(laptop) }
                try await body(table)
                for laptop in table.laptops { try await laptop.stop() }
            } catch {
                for laptop in table.laptops { await laptop.control?.stop() }
                for laptop in table.laptops { await laptop.finish() }
                throw error
            }
            for laptop in table.laptops { await laptop.finish() }
        }
    }

    /// It is told where the others are, as far as they have ever run.
    func start(_ laptop: Laptop) async throws {
        var peers: [PeerAddress] = []
        for other in laptops where other !== laptop {
            let port = await other.port
            if port != 0 { peers.append(PeerAddress(host: "127.0.0.1", port: port)) }
        }
        try await laptop.start(peers: peers)
    }

    /// Waits until every laptop is as the oracle says, which learns what was left open. What takes long is explained in
    /// the log.
    func agree(_ people: inout People, but held: Int? = nil) async throws {
        var learned = people.oracle
        let slow = ContinuousClock.now + .seconds(10)
        var isSlow = false
        try await eventually("the laptops are as they should be") {
            if !isSlow, ContinuousClock.now > slow {
                isSlow = true
                people.note(try await state())
            }
            learned = people.oracle
            var sights: [(laptop: Laptop, sight: Sight)] = []
            for laptop in laptops where laptop.number != held {
                sights.append((laptop, try await Sight(laptop, isWhole: false)))
            }
            for (laptop, sight) in sights where sight.isHeld {
                // What is edited or deleted soon after many files were made anew looks like an older copy of the folder,
                // until its person says that it was meant.
                try? await laptop.confirmHeld()
                return "\(laptop.name): files are held back"
            }
            for (laptop, sight) in sights {
                if let difference = learned.compareFiles(sight, of: laptop.number) {
                    return "\(laptop.name): \(difference)"
                }
            }
            for laptop in laptops where laptop.number != held {
                let sight = try await Sight(laptop, isWhole: true)
                if let difference = learned.compareListings(sight, of: laptop.number) {
                    return "\(laptop.name): \(difference)"
                }
            }
            // Of several names it is known by now which one a photo has, and files follow.
            for (laptop, sight) in sights {
                if let difference = learned.compareFiles(sight, of: laptop.number) {
                    return "\(laptop.name): \(difference)"
                }
            }
            return nil
        }
        people.oracle = learned
    }

    /// Who is connected to whom, and what agents themselves say is wrong.
    func state() async throws -> String {
        var lines: [String] = []
        for laptop in laptops {
            guard let control = await laptop.control else {
                lines.append("\(laptop.name) is down")
                continue
            }
            let engine = await control.services.host.view.engine
            let peers = engine.connectedDevices.map { engine.catalog.deviceName($0) ?? "somebody" }.sorted()
            let heads = engine.log.vector.heads.sorted { $0.key < $1.key }
            let known = heads.map { "\($0.key.hex.prefix(4)): \($0.value[0].sequence)" }
            let problems = await control.services.recovery.currentProblems
            lines.append("\(laptop.name) is connected to \(peers), knows \(known), says \(problems)")
        }
        return lines.joined(separator: "\n")
    }

    /// What must be true of the homes of agents that have ended.
    func leftovers(_ oracle: Oracle) -> [String] {
        var leftovers: [String] = []
        var whole: Set<String> = []
        for laptop in laptops {
            leftovers += Disk.files(below: laptop.home + "/staging").keys.map { "\(laptop.name): staging/\($0)" }
            leftovers += Disk.files(below: laptop.hands.root).keys.filter { path in
                path.name.hasPrefix(".potluck-placing-") || path.name.hasPrefix(".potluck-leaving-")
            }.map { "\(laptop.name): \($0)" }
            whole.formUnion(Disk.wholeBlobs(in: laptop.home).map(\.hex))
        }
        leftovers += oracle.everything.filter { !whole.contains($0.blob.hex) }.map { "photo \($0.seed) is lost" }
        return leftovers.sorted()
    }
}
