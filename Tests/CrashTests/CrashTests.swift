import AgentProbe
import Dispatch
import Foundation
import Glibc
import StoreProbe
import Synchronization
import TestSupport
import Testing

/// Each operation of the store is run again and again in a process of its own, and each time another of its system calls
/// is struck: the process is killed there, the power is cut there, or the call fails. After each the home is opened as
/// the next start opens it, and must keep the rules of the data directory.
@Suite(
    .slow, .serialized, .timeLimit(.minutes(60)),
    .enabled(
        if: ["libdisk-faults.so", "store-probe", "agent-probe"].allSatisfy {
            FileManager.default.fileExists(atPath: ProbeRun.directory + "/" + $0)
        },
        "store-probe, agent-probe and libdisk-faults.so are not beside the tests: swift build --build-tests makes them")
)
struct CrashTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let all = StoreOperation.all + StoreOperation.ofAgents

    /// All, or those that the environment names.
    private static let operations =
        environment["POTLUCK_CRASH_OPERATIONS"]?.split(separator: " ").map(String.init) ?? all.map(\.name)

    /// Of errors one call in so many is struck, unless the environment says otherwise: each point costs 40 ms or more.
    private static let errorStride = max(1, environment["POTLUCK_CRASH_STRIDE"].flatMap { Int($0) } ?? 16)

    /// One call in so many is struck by each kind of death. The kinds take turns, so that each call is the end of the
    /// machine once; in continuous integration, which has little time, once in two runs.
    private static let deathStride = min(environment["CI"] == nil ? 3 : 6, errorStride)

    /// Which one of so many: drawn, from a range that each stride divides, so that in time each is struck.
    private static let offset =
        environment["POTLUCK_CRASH_OFFSET"].flatMap { Int($0) } ?? Int.random(in: 0..<768)

    /// Killed before each call that changes the disk, with all, some or none of what was not synced lost.
    @Test(arguments: operations) func deathAtEveryCall(_ name: String) async throws {
        try await strike(name, Fault.deaths, stride: Self.deathStride)
    }

    /// A full, a failing and a read-only disk, and no descriptors left, from each call on: whoever ends is accepted by
    /// the next start, whoever goes on once the disk is well comes to the same end.
    @Test(arguments: operations) func errorsAtEveryCall(_ name: String) async throws {
        try await strike(name, Fault.errors, stride: Self.errorStride)
    }

    /// A store that forgot one of its syncs would be found out: the blob's bytes, its directory, or the journal's log.
    @Test(arguments: [("receive", ".part"), ("import", "/blobs/"), ("append", "journal.sqlite-wal")])
    func forgottenSyncsAreFound(_ name: String, _ ignored: String) throws {
        let operation = try #require(Self.all.first { $0.name == name })
        let stage = try Stage(operation)
        let fault = Fault(kind: "kill", loses: .all)
        let whole = try stage.withRoot { try ProbeRun(operation, root: $0, fault: fault, call: 0) }
        // Late calls first: most is promised then.
        let isFound = try whole.calls.indices.reversed().contains { number in
            try stage.withRoot { root in
                let run = try ProbeRun(operation, root: root, fault: fault, call: number + 1, ignored: ignored)
                let restart = Restart(promises: whole.acknowledgements, operation: operation, root: root)
                return !restart.breaches(of: run, fault).isEmpty
            }
        }
        #expect(isFound)
    }

    /// - Parameter stride: one call in so many is struck by a fault.
    private func strike(_ name: String, _ faults: [Fault], stride: Int) async throws {
        let operation = try #require(Self.all.first { $0.name == name })
        let begin = ContinuousClock.now
        let stage = try Stage(operation)
        let plan = try faults.filter { $0.answer != .goesOn || operation.isTriedAgain }.enumerated().map {
            number, fault in
            let run = try stage.withRoot { try ProbeRun(operation, root: $0, fault: fault, call: 0) }
            try #require(
                run.acknowledgements.last == .done,
                "\(name) does not even come to its end by itself: \(run.failures.joined(separator: "; "))")
            let stride = stride * operation.strideFactor
            let calls = Self.distinct(run.calls).enumerated().filter { place, call in
                let stride = Self.isDecisive(run.calls[call - 1]) ? max(1, stride / 4) : stride
                return (place + number + Self.offset) % stride == 0
            }
            return (fault: fault, promises: run.acknowledgements, calls: calls.map(\.element))
        }
        let points = plan.flatMap { part in
            part.calls.map { Point(operation: operation, fault: part.fault, promises: part.promises, call: $0) }
        }
        let descriptorCount = try Self.openDescriptorCount()
        let outcomes = await Self.all(points) { $0.strike(on: stage) }
        let leftOpenCount = try Self.openDescriptorCount() - descriptorCount
        // Of one that each start leaves open there would be as many as points.
        #expect(leftOpenCount < max(20, points.count / 2), "the starts after the faults leave files open")
        if Self.errorStride > 1 { print("POTLUCK_CRASH_OFFSET=\(Self.offset)") }
        let calls = plan.map { "\($0.calls.count) × \($0.fault.kind)" }.joined(separator: ", ")
        let hitCount = outcomes.count { $0.isHit }
        print("\(name): \(points.count) points (\(calls)), \(hitCount) struck, \(ContinuousClock.now - begin)")
        let found = outcomes.flatMap(\.breaches).sorted()
        #expect(found.isEmpty, "\(found.count) breaches:\n\(found.prefix(20).joined(separator: "\n"))")
        let hitCountMin = operation.isSteady ? points.count : points.count * 9 / 10
        #expect(hitCount >= hitCountMin, "some calls never came: the operation differs from run to run")
    }

    private static func openDescriptorCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    /// On threads of their own, since each waits.
    private static func all(
        _ points: [Point], _ body: @escaping @Sendable (Point) -> Point.Outcome
    ) async -> [Point.Outcome] {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let outcomes = Mutex<[Point.Outcome]>([])
                DispatchQueue.concurrentPerform(iterations: points.count) { number in
                    let outcome = body(points[number])
                    outcomes.withLock { $0.append(outcome) }
                }
                continuation.resume(returning: outcomes.withLock { $0 })
            }
        }
    }

    /// The numbers of the calls to strike: all but most of a row of calls that do the same with each of the 256
    /// directories of blobs.
    private static func distinct(_ calls: [String]) -> [Int] {
        let isAlike = calls.map { call in
            // Whoever lists a directory opens "." in it.
            let path = call.hasSuffix("/.") ? call.dropLast(2) : call[...]
            return ["open ", "mkdir ", "stat "].contains { call.hasPrefix($0) } && path.dropLast(3).hasSuffix("/blobs")
        }
        return calls.indices.filter { number in
            !(isAlike[number] && number > 1 && number + 2 < calls.count
                && [number - 2, number - 1, number + 1, number + 2].allSatisfy { isAlike[$0] })
        }.map { $0 + 1 }
    }

    /// What makes things durable or gives them their names is struck more often.
    private static func isDecisive(_ call: String) -> Bool {
        ["fsync ", "fdatasync ", "rename ", "link "].contains { call.hasPrefix($0) }
    }
}
