import AlbumModel
import PotluckAPI
import SyncEngine
import Testing

@testable import PhotoStore
@testable import PotluckAgent

/// What this laptop is called, by real services with a real home.
@Suite(.timeLimit(.minutes(1))) struct DeviceNameTests {
    private func name(_ running: RunningAgent) async -> String? {
        await running.services.host.ask { $0.catalog.deviceName($0.device) }
    }

    /// A running agent tells the new name at once, and the home has it for the next one.
    @Test func runningAgentsTellIt() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let report = try await running.control().rename(device: " Oma ")
                #expect(report.device == "Oma")
                #expect(await name(running) == "Oma")
                #expect(try running.parts.journal.identityText(.deviceName) == "Oma")
                for name in [" ", "Oma\nOpa", "Oma\u{1B}[31m", "\u{200D}", "Oma\u{202E}"] {
                    await #expect(throws: PotluckError.self) { _ = try await running.control().rename(device: name) }
                }
                #expect(await name(running) == "Oma")
            }
            try await RunningAgent.run(home) { running in
                try await DeviceNaming(services: running.services).tell()
                #expect(await name(running) == "Oma")
            }
        }
    }

    /// A name that cannot be told now is set all the same, which the report says.
    @Test func aStoppingAgentSaysThatItIsSet() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                running.services.contributions.refuse()
                let report = try await running.control().rename(device: "Oma")
                #expect(report.device == "Oma" && !report.isTold)
                #expect(try running.parts.journal.identityText(.deviceName) == "Oma")
            }
        }
    }

    /// What an agent that ended on the way, or a command without one, left in the journal is told by the next one.
    @Test func theNextAgentTellsIt() async throws {
        try await RunningAgent.withHome { home in
            let former = try HomeSetup.rename(home: home, device: "Oma").formerName
            try await RunningAgent.run(home) { running in
                #expect(await name(running) != "Oma")
                try await DeviceNaming(services: running.services).tell()
                #expect(await name(running) == "Oma")
            }
            #expect(try HomeSetup.rename(home: home, device: former).formerName == "Oma")
        }
    }
}
