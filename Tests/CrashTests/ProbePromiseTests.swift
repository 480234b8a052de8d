import AgentProbe
import Foundation
import GRDB
import StoreProbe
import Synchronization
import Testing

/// The probe says nothing of a photo before it is so: else what it says too early counts as broken by the agent.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: !StoreOperation.ofAgents.isEmpty, "only debug builds have operations of agents"))
struct ProbePromiseTests {
    private static let refusal = "refuse_end_of_trash"

    /// A restored photo gets its file while the disk refuses to forget that it is in the trash. It is not said to be
    /// shown, and the next start ends its time in the trash.
    @Test func nothingInTheTrashIsSaidToBeShown() throws {
        let operation = try #require(StoreOperation.ofAgents.first { $0.name == "restore" })
        try Stage(operation).withRoot { root in
            try Self.change(
                root,
                "CREATE TRIGGER \(Self.refusal) BEFORE DELETE ON fact WHEN old.kind = 'trash' "
                    + "BEGIN SELECT RAISE(ABORT, 'refused'); END")
            let said = Mutex<[Acknowledgement]>([])
            let probe = Probe(root: root) { line in said.withLock { $0.append(line) } }
            #expect(throws: ProbeError.self) { try operation.perform(probe) }
            // Else what follows would show nothing.
            #expect(FileManager.default.fileExists(atPath: root + "/home/Photos/Beach/anna.jpg"))
            #expect(try operation.rules(probe, said.withLock { $0 }) == [])

            try Self.change(root, "DROP TRIGGER \(Self.refusal)")
            try operation.perform(probe)
            #expect(try operation.rules(probe, said.withLock { $0 }) == [])
            #expect(try operation.end(probe) == [])
        }
    }

    private static func change(_ root: String, _ sql: String) throws {
        let journal = try DatabaseQueue(path: root + "/home/journal.sqlite")
        try journal.write { try $0.execute(sql: sql) }
        try journal.close()
    }
}
