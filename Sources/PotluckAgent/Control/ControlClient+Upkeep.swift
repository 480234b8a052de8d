extension ControlClient {
    /// Has the agent look through the home. Whoever cancels it, or goes, ends that; the next look goes on from there.
    public func verify(
        _ order: VerifyOrder, progress: @escaping @Sendable (VerifyProgress) async -> Void
    ) async throws -> VerifyReport {
        let report = try await replies(.verify(order)) { (reply: ControlReply<VerifyReport>) in
            if let step = reply.verified { await progress(step) }
            return reply.result
        }
        guard let report else { throw PotluckError.endedEarly }
        return report
    }
}
