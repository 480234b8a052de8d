import Foundation
import TestSupport
import Testing

extension LabTests {
    private struct PutOut: Decodable {
        struct Laptop: Decodable {
            var name: String
        }

        var out: [Laptop]
        var phrase: String
        /// When the command ended, which waits for some seconds.
        var have: Int?
        var laptops: Int?
    }

    private struct LeftOut: Decodable {
        struct Photo: Decodable {
            var album: String
            var by: String
            var here: Bool
        }

        var left_out: [Photo]
    }

    private struct Started: Decodable {
        var phrase: String
        var recovery_code: String
    }

    /// Whoever stole Anna's laptop, the only host, puts Ben out. Ben has the recovery code: he puts Anna's laptop out. Carla
    /// was away, and comes by herself. Anna's laptop learns nothing new.
    @Test func aStolenLaptopIsPutOutByTheRecoveryCode() async throws {
        try await Lab.run(laptops: 3) { lab in
            let (anna, ben, carla) = (lab.laptop(1), lab.laptop(2), lab.laptop(3))
            let all = [anna, ben, carla]
            let photos = try await lab.makePhotos("theft", count: 3, byteCount: 60_000)
            let started = try await anna.read(Started.self, "host", "Kuh reunion", "--as", "Anna")
            for (laptop, name) in [(ben, "Ben"), (carla, "Carla")] { try await laptop.join(started.phrase, as: name) }
            var agents: [Agent] = []
            for laptop in all { agents.append(try await laptop.up()) }
            try await lab.connect(all)
            try carla.drop([photos[0]], into: "Beach")
            try await lab.converge(all, to: ["Beach": [photos[0]]])
            try await agents[2].stop()
            let theft = ["put-out", "Ben", "--yes", "--json"]
            let output = try await anna.potluck("put-out", "Ben", "--yes", "--json").succeeded(theft)
            #expect((try JSONDecoder().decode(PutOut.self, from: Data(output.bytes)).have ?? 1) == 1)

            let refused = try await ben.potluck("put-out", "Anna", "--yes")
            #expect(refused.status == 78, "\(refused)")
            try await ben.shell("printf '%s\\n' '\(started.recovery_code)' >'\(ben.home).paper'")
            let words = ["put-out", "Anna", "--recovery-file", "\(ben.home).paper", "--yes", "--json"]
            let rescue = try await ben.potluck(
                "put-out", "Anna", "--recovery-file", "\(ben.home).paper", "--yes", "--json"
            ).succeeded(words)
            let phrase = try JSONDecoder().decode(PutOut.self, from: Data(rescue.bytes)).phrase
            #expect(phrase != started.phrase)
            try ben.drop([photos[1]], into: "Beach")
            let hosts = try await ben.read(Listing.Hosts.self, "hosts").hosts
            #expect(hosts.compactMap(\.name) == ["Ben"])
            // Else Carla may meet Anna's laptop first, and believe it.
            try await agents[0].stop()
            _ = try await carla.up()
            try await lab.converge([ben, carla], to: ["Beach": Array(photos[..<2])], within: .seconds(90))
            try carla.drop([photos[2]], into: "Beach")
            try await lab.converge([ben, carla], to: ["Beach": photos])
            _ = try await anna.up()
            try await eventually("Anna's laptop is told", within: .seconds(60)) {
                let problems = try await anna.status().problems
                return .when(problems.contains { $0.contains("was put out") }, "\(problems)")
            }
            #expect(
                try await anna.photos("Beach").map(\.id).sorted() == Set(try await anna.fileHashes("Beach")).sorted())
            #expect(try await anna.photos("Beach").count == 1)
        }
    }

    /// Ben is put out, and let in again by name: he comes by himself, with his home and his folder, and what he added
    /// meanwhile comes to all. Carla was away when the phrase changed, and nobody had met her: she is let in by her ID.
    @Test func aLaptopIsLetInAgain() async throws {
        try await Lab.run(laptops: 3) { lab in
            let (anna, ben, carla) = (lab.laptop(1), lab.laptop(2), lab.laptop(3))
            let photos = try await lab.makePhotos("in", count: 4, byteCount: 60_000)
            let old = try await anna.startGathering("Kuh reunion", as: "Anna")
            for (laptop, name) in [(ben, "Ben"), (carla, "Carla")] { try await laptop.join(old, as: name) }
            for laptop in [anna, ben] { _ = try await laptop.up() }
            try await lab.connect([anna, ben])
            try ben.drop([photos[0]], into: "Beach")
            try await lab.converge([anna, ben], to: ["Beach": [photos[0]]])
            try await anna.potluck("put-out", "Ben", "--yes").succeeded(["put-out"])
            try ben.drop([photos[1]], into: "Beach")
            _ = try await carla.up()
            try carla.drop([photos[2]], into: "Beach")
            try await eventually("both were turned away", within: .seconds(60)) {
                let waiting = try await anna.read(Listing.Hosts.self, "hosts").waiting ?? []
                return .when(Set(waiting.map(\.out)) == [true, false], "\(waiting)")
            }
            try await lab.converge([anna], to: ["Beach": [photos[0]]])
            // Two who are turned away may well talk to each other; the ID is to be had all the same.
            let id = try await carla.status().device.id
            let hosts = try await carla.potluck("hosts")
            #expect(hosts.text.contains("This laptop's ID is \(id.prefix(16))."), "\(hosts)")

            let refused = try await ben.potluck("let-in", "Ben")
            #expect(refused.status == 78 && refused.errors == "potluck: Only a host can: Anna.\n", "\(refused)")
            let done = try await anna.potluck("let-in", "Ben", id).succeeded(["let-in"])
            #expect(done.text.contains("are let in."), "\(done.text)")
            try await lab.connect([anna, ben, carla], within: .seconds(90))
            try anna.drop([photos[3]], into: "Beach")
            try await lab.converge([anna, ben, carla], to: ["Beach": photos])
            for laptop in [ben, carla] {
                let problems = try await laptop.status().problems
                #expect(!problems.contains { $0.contains("Another laptop says") }, "\(problems)")
            }
        }
    }

    /// Ben is put out while Carla is away, and gives her a photo before she hears of it. Once she does, it is in no album and
    /// no folder, on her laptop too; she takes it in, and it is hers.
    @Test func whatALaggardBringsIsLeftOut() async throws {
        try await Lab.run(laptops: 3) { lab in
            let (anna, ben, carla) = (lab.laptop(1), lab.laptop(2), lab.laptop(3))
            let all = [anna, ben, carla]
            let photos = try await lab.makePhotos("laggard", count: 2, byteCount: 60_000)
            let old = try await anna.startGathering("Kuh reunion", as: "Anna")
            for (laptop, name) in [(ben, "Ben"), (carla, "Carla")] { try await laptop.join(old, as: name) }
            var agents: [Agent] = []
            for laptop in all { agents.append(try await laptop.up()) }
            try await lab.connect(all)
            try ben.drop([photos[0]], into: "Beach")
            try await lab.converge(all, to: ["Beach": [photos[0]]])
            try await agents[2].stop()
            try await anna.potluck("put-out", "Ben", "--yes").succeeded(["put-out"])
            try await agents[0].stop()

            _ = try await carla.up()
            try await lab.connect([ben, carla], within: .seconds(90))
            try ben.drop([photos[1]], into: "Beach")
            try await lab.converge([ben, carla], to: ["Beach": photos], within: .seconds(60))
            try await agents[1].stop()
            _ = try await anna.up()
            try await lab.converge([anna, carla], to: ["Beach": [photos[0]]], within: .seconds(90))
            for (laptop, isHere) in [(anna, false), (carla, true)] {
                try await eventually("laptop \(laptop.number) lists it", within: .seconds(30)) {
                    let leftOut = try await laptop.read(LeftOut.self, "left-out").left_out
                    let isListed = leftOut.map(\.by) == ["Ben"] && leftOut.map(\.album) == ["Beach"]
                    return .when(isListed && leftOut.map(\.here) == [isHere], "\(leftOut)")
                }
            }
            try await carla.potluck("left-out", "--keep-all").succeeded(["left-out"])
            try await lab.converge([anna, carla], to: ["Beach": photos], within: .seconds(60))
            #expect(try await anna.read(LeftOut.self, "left-out").left_out.isEmpty)
        }
    }

    /// Dora is put out while Carla is away. Dora learns nothing new, gives nothing new, and is told; so is the doctor there.
    /// Carla comes back and shares, by herself, and gives Dora nothing. With the new phrase and a new home Dora has all.
    @Test func aLaptopIsPutOut() async throws {
        try await Lab.run(laptops: 4) { lab in
            let (anna, ben, carla, dora) = (lab.laptop(1), lab.laptop(2), lab.laptop(3), lab.laptop(4))
            let photos = try await lab.makePhotos("out", count: 5, byteCount: 60_000)
            let old = try await anna.startGathering("Kuh reunion", as: "Anna")
            for (laptop, name) in [(ben, "Ben"), (carla, "Carla"), (dora, "Dora")] {
                try await laptop.join(old, as: name)
            }
            let all = [anna, ben, carla, dora]
            var agents: [Agent] = []
            for laptop in all { agents.append(try await laptop.up()) }
            try await lab.connect(all)
            try dora.drop([photos[0]], into: "Beach")
            try await lab.converge(all, to: ["Beach": [photos[0]]])
            try await agents[2].stop()

            let refused = try await ben.potluck("put-out", "Dora", "--yes")
            #expect(refused.status == 78 && refused.errors == "potluck: Only a host can: Anna.\n", "\(refused)")
            let words = ["put-out", "Dora", "--yes", "--json"]
            let output = try await anna.potluck("put-out", "Dora", "--yes", "--json").succeeded(words)
            let outcome = try JSONDecoder().decode(PutOut.self, from: Data(output.bytes))
            #expect(outcome.out.map(\.name) == ["Dora"] && outcome.phrase != old, "\(outcome)")
            #expect((outcome.have ?? 1) <= 2 && (outcome.laptops ?? 3) == 3, "\(outcome)")
            try await anna.expectSpread(have: 2, laptops: 3)

            try anna.drop([photos[1]], into: "Beach")
            try dora.drop([photos[2]], into: "Beach")
            try await lab.converge([anna, ben], to: ["Beach": Array(photos[..<2])])
            try await eventually("Dora is told", within: .seconds(45)) {
                let problems = try await dora.status().problems
                return .when(
                    problems.contains { $0.hasPrefix("Another laptop says that this one was put out") }, "\(problems)")
            }
            let diagnosis = try await dora.diagnosis()
            #expect(diagnosis.causes.contains("put-out"), "\(diagnosis.words)")

            // Where Dora is near, Carla may link with her before she hears of it, and bring along what Dora added.
            try await agents[3].stop()
            _ = try await carla.up()
            try await lab.connect([anna, ben, carla], within: .seconds(60))
            agents[3] = try await dora.up()
            try carla.drop([photos[3]], into: "Beach")
            let theirs = [photos[0], photos[1], photos[3]]
            try await lab.converge([anna, ben, carla], to: ["Beach": theirs])
            try await eventually("Dora is told again", within: .seconds(45)) {
                let problems = try await dora.status().problems
                return .when(problems.contains { $0.contains("was put out") }, "\(problems)")
            }
            try await lab.converge([dora], to: ["Beach": [photos[0], photos[2]]])
            for laptop in [anna, ben, carla] {
                let peers = try await laptop.potluck("peers")
                #expect(peers.text.contains("put out"), "\(peers)")
            }

            try await agents[3].stop()
            try await dora.shell("mv '\(dora.home)' '\(dora.home).former'")
            try await dora.join(outcome.phrase, as: "Dora again")
            _ = try await dora.up()
            try await lab.connect([anna, ben, carla, dora], within: .seconds(60))
            try dora.drop([photos[4]], into: "Beach")
            try await lab.converge(all, to: ["Beach": theirs + [photos[4]]])
        }
    }
}
