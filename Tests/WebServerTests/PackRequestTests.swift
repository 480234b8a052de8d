import PotluckAPI
import PotluckClient
import Synchronization
import TestSupport
import Testing

extension FakeAgent {
    func packPlan(for device: String?) async throws -> PackPlan {
        guard device != "Nobody" else { throw PotluckError(.usage, "No other laptop is called “Nobody”.") }
        return Sample.packPlan
    }

    func unpack(
        directory: String, progress: @Sendable (AddProgress) async -> Void
    ) async throws -> UnpackReport {
        for done in 1...2 { await progress(AddProgress(done: done, total: 2)) }
        var report = Sample.unpackReport
        report.directory = directory
        return report
    }
}

/// Packing and unpacking over the socket.
@Suite(.timeLimit(.minutes(1))) struct PackRequestTests {
    /// Shows that a plan arrives whole, and an error as it was said.
    @Test func plansArriveWhole() async throws {
        try await withServer(FakeAgent()) { path async throws in
            let client = AgentClient(path: path)
            #expect(try await client.ask(PackPlanRequest()) == Sample.packPlan)
            let error = await #expect(throws: PotluckError.self) {
                try await client.ask(PackPlanRequest(device: "Nobody"))
            }
            #expect(error?.status == .usage)
        }
    }

    /// Shows that `unpack` tells its progress before its result.
    @Test func unpackingTellsItsProgress() async throws {
        try await withServer(FakeAgent()) { path async throws in
            let steps = Mutex<[AddProgress]>([])
            let report = try await AgentClient(path: path).ask(UnpackRequest(directory: "/media/stick")) { step in
                steps.withLock { $0.append(step) }
            }
            #expect(report == Sample.unpackReport)
            #expect(steps.withLock { $0 } == [AddProgress(done: 1, total: 2), AddProgress(done: 2, total: 2)])
        }
    }
}
