import Foundation
import Testing

@Suite("Layering") struct LayeringTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    // MARK: The package

    /// Reads every source file of the package, and shows that none breaks a rule.
    @Test func sourcesKeepTheRules() throws {
        let files = try SourceFile.ofPackage.get()
        #expect(files.count > 50, "the sources are not where this test looks for them")
        let breaches = files.flatMap(Rules.breaches)
        #expect(breaches.isEmpty, "\(breaches.map(\.description).joined(separator: "\n"))")
    }

    /// A folder that no row speaks of would be checked by nobody.
    @Test func everyTargetHasARow() throws {
        let targets = try SourceFile.targets(below: Self.root)
        #expect(Set(targets).subtracting(Layers.all.map(\.key)) == [])
    }

    /// The table itself points down only: each row names own targets that stand before it, and nothing that is ours
    /// under another heading.
    @Test func theTablePointsDown() {
        var below: Set<String> = []
        for (target, layer) in Layers.all {
            #expect(layer.own.subtracting(below) == [], "\(target) reaches up")
            #expect(layer.foreign.filter(Layers.isOwn) == [], "\(target) has own targets among foreign ones")
            #expect(!Layers.pure.contains(target) || layer.own.isSubset(of: Layers.pure), "\(target) is not pure")
            #expect(below.insert(target).inserted, "\(target) has two rows")
        }
    }

    // MARK: Rules, on samples that break them

    private func breaches(_ target: String, _ text: String, path: String = "Sample.swift") -> [String] {
        Rules.breaches(SourceFile(target: target, path: path, text: text)).map { "\($0.line): \($0.sentence)" }
    }

    /// However an import is written, it is found.
    @Test(
        arguments: [
            "import PotluckAgent", "public import PotluckAgent", "  internal import PotluckAgent",
            "@testable import PotluckAgent", "@_spi(Testing) @preconcurrency public import PotluckAgent",
            "import struct PotluckAgent.Agent", "import PotluckAgent.Control", "import AlbumModel; import PotluckAgent",
            "#if DEBUG\nimport PotluckAgent\n#endif", "/* so */ import PotluckAgent // for the agent",
        ])
    func importsUpAreBreaches(_ text: String) {
        #expect(
            breaches("SyncEngine", text).map { $0.drop { $0 != " " } } == [" SyncEngine may not import PotluckAgent"])
    }

    @Test func importsOfForeignLibrariesAreBreaches() {
        #expect(breaches("AlbumModel", "import Foundation") == ["1: AlbumModel may not import Foundation"])
        #expect(breaches("SyncEngine", "\nimport Glibc") == ["2: SyncEngine may not import Glibc"])
        #expect(breaches("SharedFolder", "import GRDB") == ["1: SharedFolder may not import GRDB"])
        #expect(breaches("PotluckAgent", "import Simulator") == ["1: PotluckAgent may not import Simulator"])
        #expect(breaches("WireFormat", "import Foundation") == ["1: WireFormat may not import Foundation"])
        #expect(breaches("WireFormat", "import Foundation", path: "potluck.pb.swift") == [])
        #expect(breaches("Elsewhere", "") == ["1: Elsewhere has no row in Layers"])
    }

    /// Words in comments and strings are no code; what a string interpolates is.
    @Test func commentsAndStringsAreNoCode() {
        let text = ##"""
            // import PotluckAgent
            /* import Foundation /* nested */
            import Glibc */
            let text = """
                import PotluckAgent
                \("print(1)") ContinuousClock
                """
            let raw = #"a "quoted" \(ContinuousClock) SystemRandomNumberGenerator"#
            let escaped = "\"ContinuousClock.now"
            """##
        #expect(breaches("SyncEngine", text) == [])
        let sentence = "SyncEngine reads no clock, but ContinuousClock does"
        #expect(breaches("SyncEngine", #"let text = "at \(f("x", ContinuousClock.now))""#) == ["1: \(sentence)"])
    }

    @Test(
        arguments: [
            "let now = ContinuousClock.now", "Date()", "Date.now", "try await Task.sleep(for: .seconds(1))",
            "time(nil)",
            "DispatchTime.now()", "clock_gettime(CLOCK_MONOTONIC, &time)",
            "var rng = SystemRandomNumberGenerator()", "UUID()", "P256.Signing.PrivateKey()", "photo.hashValue",
            "Int.random(in: 0..<9)", "peers.randomElement()", "pieces.shuffled()", "pieces.shuffle(\n)",
            "peers.randomElement(\n)! + next(using: &rng)",
        ])
    func clocksAndDiceAreBreachesWherePure(_ text: String) {
        #expect(breaches("AlbumModel", text).count == 1)
        #expect(breaches("PhotoStore", text) == [])
    }

    @Test(
        arguments: [
            "Int.random(in: f(0)..<9, using: &rng)", "peers.randomElement(\n    using: &rng)",
            "func handle(now: MonotonicInstant, using rng: inout some RandomNumberGenerator)", "let updated: Date?",
            "P256.Signing.PrivateKey(rawRepresentation: bytes)", "hash(into: &hasher)",
        ])
    func timeAndDiceMayBeHandedIn(_ text: String) {
        #expect(breaches("SyncEngine", text) == [])
    }

    @Test func longFilesAreBreaches() {
        let lines = String(repeating: "\n", count: Rules.lineCountMax)
        #expect(breaches("PhotoStore", lines) == [])
        #expect(breaches("PhotoStore", lines + "let x = 1\n").count == 1)
        #expect(breaches("WireFormat", lines + "\n", path: "potluck.pb.swift") == [])
    }

    @Test(
        arguments: [
            "while let entry = readdir(list) {", "let stream = Glibc.fdopendir(number)",
            "guard rename(a, b) == 0 else {",
            "let file = open(path, O_RDONLY | O_CLOEXEC)", "Glibc.open(f(path), O_WRONLY)", "{ _ = unlink($0) }",
            "if stat(path, &info) == 0 {", "mkdir(\n    path, 0o700)", "fsync(file)", "try? cfileops_try_lock(file)",
            "let count = pread(file, bytes.baseAddress, bytes.count, 0)", "Glibc.link(path, other)",
        ])
    func oneModuleTouchesTheDisk(_ text: String) {
        let text = "import Glibc\n" + text
        let isListing = text.contains("readdir") || text.contains("opendir")
        #expect(breaches("PhotoStore", text).count == 1)
        #expect(breaches("DiskIO", text) == [])
        #expect(breaches("MediaWorker", text).isEmpty != isListing)
        #expect(breaches("StoreProbe", text, path: "Tests/Support/StoreProbe/A.swift").isEmpty != isListing)
    }

    @Test(
        arguments: [
            "myopendir(path)", "try Disk.rename(a, to: b)", "link(id, reader: reader, at: path)",
            "guard let file = open(id)",
            "var info = stat()", "private func link(_ id: BlobID)", "try store.stat(ofFileWith: id, at: path)",
            "stat(ofFileWith: id, at: path)", "close(open)",
        ])
    func otherFunctionsAreNoBreaches(_ text: String) {
        #expect(breaches("PhotoStore", "import Glibc\n" + text) == [])
        #expect(breaches("SyncEngine", "case rename(PhotoKey)") == [])
    }

    @Test func onlyCommandsPrint() {
        #expect(breaches("PotluckAgent", "    print(\"ready\")") == ["1: PotluckAgent may not call print"])
        #expect(breaches("PhotoStore", "{ debugPrint(error) }") == ["1: PhotoStore may not call debugPrint"])
        #expect(breaches("PotluckAgent", "console.print(line); fingerprint(key); blueprint(x)") == [])
        #expect(breaches("PotluckCommands", "print(1)") == [])
        #expect(breaches("simulate", "print(1)") == [])
    }

    /// An escape from the concurrency checker needs a comment close by that names the protector, not just any comment.
    @Test func escapesAreArgued() {
        let sentence = "@unchecked Sendable needs a comment that names what protects the state"
        #expect(breaches("PhotoStore", "final class A: @unchecked Sendable {\n}") == ["1: \(sentence)"])
        #expect(breaches("PhotoStore", "/// A class.\nfinal class A: @unchecked Sendable {}") == ["2: \(sentence)"])
        #expect(breaches("PhotoStore", "nonisolated(unsafe) var lock = 0").count == 1)
        #expect(breaches("PhotoStore", "/// Guarded by `mutex`.\nfinal class A: @unchecked Sendable {}") == [])
        #expect(breaches("PhotoStore", "nonisolated(unsafe) var a = 0  // touched on the queue only") == [])
        let far = "// Guarded by the lock.\n" + String(repeating: "\n", count: Rules.commentLineCountBefore)
        #expect(breaches("PhotoStore", far + "nonisolated(unsafe) var a = 0").count == 1)
    }
}
