import PotluckAPI

extension AgentControl {
    func verify(
        _ order: VerifyOrder, progress: @Sendable (VerifyProgress) async -> Void
    ) async throws -> VerifyReport {
        try await upkeep.verify(order, progress: progress)
    }
}
