import Foundation
import Testing

extension LabTests {
    /// For two minutes one of four agents is killed every two seconds, while people drop 2,000 photos into the folders of
    /// all four. Afterwards all have every photo, of the bytes that were dropped, under its name, as its dropper's, and
    /// nothing else: no second file, no temporary one, nothing removed, hidden, held or complained about.
    ///
    /// A seed, which is printed, draws who is killed and when, and where photos go; `POTLUCK_STORM_SEED` names it.
    @Test func stormsOfKillsLoseNothing() async throws {
        let seed = Machine.variables["POTLUCK_STORM_SEED"].flatMap(UInt64.init) ?? .random(in: 1...999_999)
        print("The storm has the seed \(seed).")
        try await Lab.run(laptops: 4) { lab in
            let laptops = (1...4).map(lab.laptop)
            let photos = try await lab.makePhotos("storm", count: 2000, byteCount: 100_000, pixels: "64x48")
            let phrase = try await laptops[0].startGathering("Storm", as: "Laptop 1")
            for laptop in laptops[1...] { try await laptop.join(phrase, as: "Laptop \(laptop.number)") }
            var agents: [Agent] = []
            for laptop in laptops { agents.append(try await laptop.up()) }
            try await lab.connect(laptops)

            let before = try await lab.receivedByteCount(laptops)
            // Slow enough that photos are on their way all the time, whenever a kill strikes.
            for laptop in laptops { try await lab("limit", "\(laptop.number)", "20mbit") }
            var storm = Storm(laptops: laptops, agents: agents, seed: seed)
            try await storm.rage(strikes: 60, dropping: photos)
            for laptop in laptops { try await lab("unshape", "\(laptop.number)") }
            #expect(storm.hitCount >= 15, "the kills struck idle agents")
            let everything = storm.everything
            try await lab.converge(laptops, to: everything, within: .seconds(300))
            try await lab.agree(laptops, within: .seconds(60))
            for (laptop, own) in zip(laptops, storm.dropped) {
                try await laptop.expectContributor(of: own)
                try await laptop.expectTidy(everything)
            }
            // Each photo comes to three of them. Headers, small pictures, and what was under way at a kill come on top.
            let (needed, received) = (photos.count * 3 * 100_000, try await lab.receivedByteCount(laptops) - before)
            #expect(received < needed * 7 / 5, "what had come stays: \(received) bytes came, of \(needed)")
            for (laptop, agent) in zip(laptops, storm.agents) { try laptop.expectRunning(agent) }
        }
    }
}
