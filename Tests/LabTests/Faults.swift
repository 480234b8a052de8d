import Foundation
import TestSupport
import Testing

/// Errors that the agent of one laptop gets from its disk while a test has them on: CDiskFaults, loaded into the program
/// as it is.
struct Faults: Sendable {
    /// `nil` where it was not built: a debug build of the tests puts it beside them.
    static let library: String? = {
        let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = tests.map { ($0 as NSString).deletingLastPathComponent + "/libdisk-faults.so" }
        return path.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
    }()
    static let absence: Comment = "libdisk-faults.so is not beside the tests: swift build --build-tests makes it"

    private let control: String
    private let report: String

    init(_ laptop: Laptop) {
        control = "\(laptop.lab.files)/faults\(laptop.number)"
        report = "\(control).report"
    }

    /// What stands before the agent's own words.
    var loading: [String] {
        ["env", "LD_PRELOAD=\(Self.library!)", "DISK_FAULTS_CONTROL=\(control)", "DISK_FAULTS_REPORT=\(report)"]
    }

    /// From now on these errors and no others: lines as CDiskFaults.h has them.
    func strike(_ lines: [String]) throws {
        let text = lines.map { "\($0)\n" }.joined()
        try Data(text.utf8).write(to: URL(fileURLWithPath: control), options: .atomic)
    }

    func heal() throws { try strike([]) }

    /// How many calls failed so far whose path ends with this.
    func strikeCount(_ call: String, _ ending: String) -> Int {
        // Before the first there is no file.
        let text = FileManager.default.contents(atPath: report).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").count { $0.hasPrefix("strike \(call) /") && $0.hasSuffix(ending) }
    }
}

/// An album of one photo that is renamed to see that something was judged: the folder judges all at once that it has
/// noticed by then, once nothing more has come for some seconds.
struct Witness {
    static let album = "Witness"
    private static let names = ["WITNESS.JPG", "RENAMED.JPG"]

    let laptop: Laptop
    /// The photo as it was dropped.
    let source: String
    private var turn = 0

    /// Drops it.
    init(on laptop: Laptop) async throws {
        self.laptop = laptop
        source = try await laptop.lab.makePhotos(
            "witness\(laptop.number)", count: 1, byteCount: 10_000, called: Self.names[0])[0]
        try laptop.drop([source], into: Self.album)
    }

    /// What its file on the laptop is called now.
    var name: String { Self.names[turn % 2] }

    /// As long as a judgement waits at most while more is noticed, and as long again for looks at all of that.
    private static let patience = Duration.seconds(120)

    mutating func waitForJudgement() async throws {
        let before = name
        turn += 1
        try await laptop.shell("cd '\(laptop.folder)/\(Self.album)' && mv \(before) \(name)")
        try await eventually("a renamed photo has its new name", within: Self.patience) {
            let names = try await laptop.photos(Self.album).map(\.name)
            return .when(names == [name], "\(names)")
        }
    }
}

extension Laptop {
    /// Has the agent look through its folder, as it does when anything happens to the folder's marker.
    func lookThroughFolder() async throws { try await shell("touch '\(folder)/.potluck-folder'") }

    /// Waits until `status` says all of this in one problem.
    func expectProblem(_ parts: String...) async throws {
        try await eventually("laptop \(number) says: \(parts)") {
            let problems = try await status().problems
            return .when(problems.contains { problem in parts.allSatisfy(problem.contains) }, "\(problems)")
        }
    }

    /// Waits until `status` says nothing like this any more.
    func expectNoProblem(_ part: String) async throws {
        try await eventually("laptop \(number) no longer says: \(part)") {
            let problems = try await status().problems
            return .when(!problems.contains { $0.contains(part) }, "\(problems)")
        }
    }

    /// Lists these photos, by album, each with its bytes in the store and with a file; nothing was removed, hidden or
    /// held for a person's decision.
    func expectNothingLost(of everything: [String: [String]]) async throws {
        for (album, files) in everything {
            let photos = try await photos(album)
            let wanted = Set(try await lab.hashes(files).values)
            #expect(Set(photos.map(\.id)) == wanted && photos.count == wanted.count, "laptop \(number), \(album)")
            #expect(photos.allSatisfy { $0.here && $0.file != nil }, "laptop \(number), \(album)")
        }
        #expect(try await status().held == nil, "laptop \(number)")
        #expect(try await read(Listing.Trash.self, "trash").trash.map(\.name) == [], "laptop \(number)")
        #expect(try await read(Listing.Hidden.self, "hidden").hidden.map(\.name) == [], "laptop \(number)")
    }
}
