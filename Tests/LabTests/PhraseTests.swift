import Foundation
import TestSupport
import Testing

extension LabTests {
    private struct NewPhrase: Decodable {
        var phrase: String
        /// When the command ended, which waits for some seconds.
        var have: Int?
        var laptops: Int?
    }

    /// A host changes the phrase while Carla is away. Those who are there get it by themselves, and Carla once she is back;
    /// all go on sharing. Dora comes with the old phrase and is refused in a sentence; with the new one she has everything.
    @Test func thePhraseIsChanged() async throws {
        try await Lab.run(laptops: 4) { lab in
            let (anna, ben, carla, dora) = (lab.laptop(1), lab.laptop(2), lab.laptop(3), lab.laptop(4))
            let photos = try await lab.makePhotos("phrases", count: 4, byteCount: 60_000)
            let old = try await anna.startGathering("Kuh reunion", as: "Anna")
            for (laptop, name) in [(ben, "Ben"), (carla, "Carla")] { try await laptop.join(old, as: name) }
            for laptop in [anna, ben] { _ = try await laptop.up() }
            let carlas = try await carla.up()
            try await lab.connect([anna, ben, carla])
            try carla.drop([photos[0]], into: "Beach")
            try await lab.converge([anna, ben, carla], to: ["Beach": [photos[0]]])
            try await carlas.stop()

            let refused = try await ben.potluck("new-phrase", "--yes")
            #expect(refused.status == 78 && refused.errors == "potluck: Only a host can: Anna.\n", "\(refused)")
            let words = ["new-phrase", "--yes", "--json"]
            let output = try await anna.potluck("new-phrase", "--yes", "--json").succeeded(words)
            let new = try JSONDecoder().decode(NewPhrase.self, from: Data(output.bytes))
            #expect(new.phrase != old && (new.have ?? 1) <= 2 && (new.laptops ?? 3) == 3, "\(new)")
            try await anna.expectSpread(have: 2, laptops: 3)
            for laptop in [anna, ben] { try await expectPhrase(new.phrase, laptop) }
            try anna.drop([photos[1]], into: "Beach")
            try await lab.converge([anna, ben], to: ["Beach": Array(photos[..<2])])

            try await dora.join(old, as: "Dora")
            _ = try await dora.up()
            try await eventually("Dora is told", within: .seconds(45)) {
                let problems = try await dora.status().problems
                return .when(
                    problems.contains { $0.hasPrefix("Another laptop says that the phrase has changed") }, "\(problems)"
                )
            }
            #expect(try await dora.albums().isEmpty)
            try await dora.potluck("join", new.phrase).succeeded(["join"])
            try await lab.connect([anna, ben, dora], within: .seconds(60))
            try dora.drop([photos[2]], into: "Beach")
            try await lab.converge([anna, ben, dora], to: ["Beach": Array(photos[..<3])])

            _ = try await carla.up()
            try await lab.connect([anna, ben, carla, dora], within: .seconds(60))
            try await expectPhrase(new.phrase, carla)
            try carla.drop([photos[3]], into: "Beach")
            try await lab.converge([anna, ben, carla, dora], to: ["Beach": photos])
            try await anna.expectSpread(have: 4, laptops: 4)
            let hosts = try await anna.potluck("hosts").succeeded(["hosts"])
            #expect(hosts.text.contains("All 4 laptops have it."), "\(hosts.text)")
        }
    }

    private func expectPhrase(_ phrase: String, _ laptop: Laptop) async throws {
        try await eventually("laptop \(laptop.number) invites with the new phrase", within: .seconds(45)) {
            let output = try await laptop.potluck("invite")
            return .when(output.text.contains(phrase), "\(output)")
        }
    }
}

extension Laptop {
    /// Waits until this host's laptop says that so many have the phrase.
    func expectSpread(have: Int, laptops: Int) async throws {
        try await eventually("\(have) of \(laptops) laptops have the phrase", within: .seconds(45)) {
            let phrase = try await read(Listing.Hosts.self, "hosts").phrase
            return .when(phrase?.have == have && phrase?.laptops == laptops, "\(String(describing: phrase))")
        }
    }
}
