import Foundation
import TestSupport
import Testing

extension LabTests {
    /// A host that is named on one laptop is one on all others: on those that are there a moment later, and on one that
    /// was away once it is back. A laptop that is no host is refused in a sentence.
    @Test func hostsAreNamedOnAllLaptops() async throws {
        try await Lab.run(laptops: 3) { lab in
            let (anna, ben, carla) = (lab.laptop(1), lab.laptop(2), lab.laptop(3))
            let phrase = try await anna.startGathering("Kuh reunion", as: "Anna")
            for (laptop, name) in [(ben, "Ben"), (carla, "Carla")] { try await laptop.join(phrase, as: name) }
            var agents: [Agent] = []
            for laptop in [anna, ben, carla] { agents.append(try await laptop.up()) }
            try await lab.connect([anna, ben, carla])
            // Those who joined have the phrase alone: they are told who founded the gathering, and prove it.
            for laptop in [anna, ben, carla] { try await expectHosts(["Anna"], laptop) }
            try await expectRefusal(of: ben, naming: "Anna")
            for (laptop, name) in [(anna, "Ben"), (ben, "Carla")] {
                try await eventually("laptop \(laptop.number) knows \(name) by name") {
                    let names = try await laptop.peers().compactMap(\.name)
                    return .when(names.contains(name), "\(names)")
                }
            }

            // Carla is away while Anna names Ben, and Anna as well while Ben names Carla.
            try await agents[2].stop()
            try await name("Ben", on: anna)
            try await expectHosts(["Anna", "Ben"], ben)
            try await agents[0].stop()
            try await name("Carla", on: ben)
            try await expectHosts(["Anna", "Ben", "Carla"], ben)
            #expect(try await hosts(of: anna) == ["Anna", "Ben"])
            #expect(try await hosts(of: carla) == ["Anna"])

            for laptop in [anna, carla] { _ = try await laptop.up() }
            for laptop in [anna, carla] { try await expectHosts(["Anna", "Ben", "Carla"], laptop) }
            let marks = try await carla.peers().map { "\($0.name ?? "?"): \($0.host ?? false)" }
            #expect(Set(marks) == ["Anna: true", "Ben: true"])
            let again = try await carla.potluck("hosts", "--add", "Ben").succeeded(["hosts", "--add"])
            #expect(again.text == "“Ben” is a host already.\n")
        }
    }

    private func hosts(of laptop: Laptop) async throws -> [String] {
        try await laptop.read(Listing.Hosts.self, "hosts").hosts.map { $0.name ?? "?" }
    }

    private func expectHosts(_ names: [String], _ laptop: Laptop) async throws {
        try await eventually("the hosts on laptop \(laptop.number) are \(names)") {
            let found = try await hosts(of: laptop)
            return .when(found == names, "\(found)")
        }
    }

    private func name(_ device: String, on laptop: Laptop) async throws {
        let words = ["hosts", "--add", device]
        let output = try await laptop.potluck("hosts", "--add", device).succeeded(words)
        #expect(output.text.hasPrefix("“\(device)” is a host now."), "\(output.text)")
    }

    private func expectRefusal(of laptop: Laptop, naming host: String) async throws {
        let refused = try await laptop.potluck("hosts", "--add", "Carla")
        #expect(refused.status == 78 && refused.bytes.isEmpty, "\(refused)")
        #expect(refused.errors == "potluck: Only a host can: \(host).\n")
    }
}
