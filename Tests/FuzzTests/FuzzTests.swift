import FoundationEssentials
import FuzzTargets
import TestSupport
import Testing

/// Parsers of bytes that others wrote, with inputs of all kinds, and with those that once broke one.
@Suite struct FuzzTests {
    private static let found = #filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/Found"

    /// Mutations of what is refused at the door show nothing of what is behind it.
    @Test(arguments: FuzzTarget.all)
    func seedsAreAccepted(_ target: FuzzTarget) throws {
        #expect(!target.seeds.isEmpty)
        for seed in target.seeds {
            #expect(try target.check(seed), "\(target.name): \(seed)")
            #expect(seed.count <= target.byteCountMax)
        }
    }

    @Test func namesDiffer() {
        #expect(Set(FuzzTarget.all.map(\.name)).count == FuzzTarget.all.count)
    }

    /// What once broke a parser breaks it no more. Each folder is of a target, so that no file is overlooked.
    @Test func foundInputsBreakNothing() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.found)
        #expect(!folders.isEmpty)
        for folder in folders {
            let target = try #require(FuzzTarget.all.first { $0.name == folder }, "no target is \(folder)")
            for name in try FileManager.default.contentsOfDirectory(atPath: "\(Self.found)/\(folder)") {
                let bytes = try Data(contentsOf: URL(filePath: "\(Self.found)/\(folder)/\(name)"))
                _ = try target.check(Array(bytes))
            }
        }
    }

    /// Some thousand changed seeds, in each build of the tests.
    @Test(arguments: FuzzTarget.all, TestSeeds.all(pinned: [1]))
    func mutationsBreakNothing(_ target: FuzzTarget, _ seed: UInt64) throws {
        var mutator = Mutator(seed: seed)
        for _ in 0..<2000 { _ = try target.check(mutator.mutated(mutator.pick(target.seeds))) }
    }

    // MARK: The check itself

    /// A writer whose words the reader refuses.
    @Test func refusedWritingsAreFound() {
        let target = FuzzTarget(
            "sample", byteCountMax: 1, seeds: [], decode: { $0.first == 1 ? $0 : nil }, encode: { [0] + $0 })
        #expect(throws: FuzzTarget.OracleFailure.self) { try target.check([1]) }
    }

    /// A writer that adds something each time.
    @Test func growingWritingsAreFound() {
        let target = FuzzTarget("sample", byteCountMax: 1, seeds: [], decode: { $0 }, encode: { $0 + [0] })
        #expect(throws: FuzzTarget.OracleFailure.self) { try target.check([1]) }
    }

    @Test func refusedInputsAreNoFailures() throws {
        let target = FuzzTarget("sample", byteCountMax: 1, seeds: [], decode: { _ in [UInt8]?.none }, encode: { $0 })
        #expect(try !target.check([1]))
    }
}
