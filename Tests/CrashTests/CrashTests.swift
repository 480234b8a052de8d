import Dispatch
import Foundation
import Glibc
import StoreProbe
import Synchronization
import Testing

/// Each operation of the store is run again and again in a process of its own, and each time another of its system calls
/// is struck: the process is killed there, the power is cut there, or the call fails. After each the home is opened as
/// the next start opens it, and must keep the rules of the data directory.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(
        if: FileManager.default.fileExists(atPath: ProbeRun.library)
            && FileManager.default.fileExists(atPath: ProbeRun.program),
        "there is no store-probe with libdisk-faults.so beside the tests: swift build --build-tests makes both"))
struct CrashTests {
    /// All, or those that the environment names.
    private static let operations: [String] = {
        guard let names = ProcessInfo.processInfo.environment["POTLUCK_CRASH_OPERATIONS"] else {
            return StoreOperation.all.map(\.name)
        }
        return names.split(separator: " ").map(String.init)
    }()

    /// Of errors one call in so many is struck, unless the environment says otherwise: each point costs 50 ms.
    private static let errorStride =
        ProcessInfo.processInfo.environment["POTLUCK_CRASH_STRIDE"].flatMap { Int($0) }.map { max(1, $0) } ?? 3

    /// Killed before each call that changes the disk, with all, some or none of what was not synced lost.
    @Test(arguments: operations) func deathAtEveryCall(_ name: String) throws {
        try strike(name, Fault.deaths, stride: 1)
    }

    /// A full, a failing and a read-only disk, and no descriptors left, from each call on: whoever ends is accepted by
    /// the next start, whoever goes on once the disk is well comes to the same end.
    @Test(arguments: operations) func errorsAtEveryCall(_ name: String) throws {
        try strike(name, Fault.errors, stride: Self.errorStride)
    }

    /// A store that forgot one of its syncs would be found out: the blob's bytes, its directory, or the journal's log.
    @Test(arguments: [("receive", ".part"), ("import", "/blobs/"), ("append", "journal.sqlite-wal")])
    func forgottenSyncsAreFound(_ name: String, _ ignored: String) throws {
        let operation = try #require(StoreOperation.all.first { $0.name == name })
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

    private func strike(_ name: String, _ faults: [Fault], stride: Int) throws {
        let operation = try #require(StoreOperation.all.first { $0.name == name })
        let stage = try Stage(operation)
        let plan = try faults.enumerated().map { number, fault in
            let run = try stage.withRoot { try ProbeRun(operation, root: $0, fault: fault, call: 0) }
            try #require(run.acknowledgements.last == .done, "\(name) does not even come to its end by itself")
            let calls = Self.distinct(run.calls).enumerated().filter { offset, call in
                offset % stride == number % stride || Self.isDecisive(run.calls[call - 1])
            }
            return (fault: fault, promises: run.acknowledgements, calls: calls.map(\.element))
        }
        let points = plan.flatMap { part in part.calls.map { (part.fault, part.promises, $0) } }
        let breaches = Mutex<[String]>([])
        let hitCount = Counter()
        DispatchQueue.concurrentPerform(iterations: points.count) { number in
            let (fault, promises, call) = points[number]
            do {
                let (found, hit) = try stage.withRoot { root in
                    let run = try ProbeRun(operation, root: root, fault: fault, call: call)
                    let restart = Restart(promises: promises, operation: operation, root: root)
                    return (Self.misbehaviour(run, fault) + restart.breaches(of: run, fault), run.hit)
                }
                if hit != nil { hitCount.increment() }
                let place = "\(fault) at call \(call), \(hit ?? "which never came")"
                breaches.withLock { $0 += found.map { "\(name), \(place): \($0)" } }
            } catch {
                breaches.withLock { $0.append("\(name), \(fault) at call \(call): \(error)") }
            }
        }
        let calls = plan.map { "\($0.calls.count) × \($0.fault.kind)" }.joined(separator: ", ")
        print("\(name): \(points.count) points (\(calls)), \(hitCount.count) struck")
        let found = breaches.withLock { $0.sorted() }
        #expect(found.isEmpty, "\(found.count) breaches:\n\(found.prefix(20).joined(separator: "\n"))")
        #expect(hitCount.count == points.count, "some calls never came: the operation differs from run to run")
    }

    /// The numbers of the calls to strike: all but most of a row of calls that do the same with each of the 256
    /// directories of blobs.
    private static func distinct(_ calls: [String]) -> [Int] {
        let isListing = calls.map { $0.hasPrefix("opendir ") && $0.dropLast(3).hasSuffix("/blobs") }
        return calls.indices.filter { number in
            !(isListing[number] && number > 0 && isListing[number - 1] && number + 1 < calls.count
                && isListing[number + 1])
        }.map { $0 + 1 }
    }

    /// What makes things durable or gives them their names is never left out.
    private static func isDecisive(_ call: String) -> Bool {
        ["fsync ", "fdatasync ", "rename ", "link "].contains { call.hasPrefix($0) }
    }

    /// How a process that was struck should end.
    private static func misbehaviour(_ run: ProbeRun, _ fault: Fault) -> [String] {
        switch fault.answer {
        case .none: return run.status == 128 + SIGKILL ? [] : ["it ended with \(run.status), and was to be killed"]
        case .ends: return [0, 1].contains(run.status) ? [] : ["it ended with \(run.status)"]
        case .goesOn:
            guard run.status == 0, run.acknowledgements.last == .done else {
                return ["it did not go on: status \(run.status), \(run.failures.joined(separator: "; "))"]
            }
            return []
        }
    }
}
