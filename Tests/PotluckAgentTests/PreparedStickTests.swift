import AlbumModel
import DiskIO
import FoundationEssentials
import Glibc
import NIOPosix
import PotluckAPI
import SyncEngine
import TestSupport
import Testing
import WireFormat

@testable import PotluckAgent

/// Sticks that somebody has prepared, taken in as a whole; PhotoPackTests show each place of a pack by itself.
@Suite(.timeLimit(.minutes(2))) struct PreparedStickTests {
    private static func places(_ photo: String) -> [String] {
        let file = CarriedHome(path: "", stick: "").packed(photo).dropFirst()
        let prefix = file.prefix(while: { $0 != "/" }) + "/" + file.split(separator: "/")[1]
        return [String(file), String(prefix), "blobs", "batches/000001.batches", "batches"]
    }

    /// Shows that unpacking anything that is no pack ends with a sentence, or tells of a photo that it could not take, and
    /// touches nothing outside; and that the stick can be taken in once that is gone.
    @Test func oddSticksAreTold() async throws {
        try await CarriedGathering.with { gathering in
            let (anna, ben) = (gathering.anna, gathering.ben)
            try anna.add(["sea"], to: "Beach day")
            _ = try await anna.pack()
            let outside = try OutsideTree(in: gathering.root)
            let before = try outside.state()
            for name in Self.places("sea") {
                let (path, aside) = ("\(anna.stick)/\(name)", "\(gathering.root)/aside")
                try #require(rename(path, aside) == 0)
                for odd in OddFile.allCases {
                    // An empty directory of that name is a pack that lacks things.
                    if odd == .directory, !name.hasSuffix(".batches"), name.utf8.count < 20 { continue }
                    guard try odd.place(at: path, outside: outside) else { continue }
                    let complaint = try await ending { () -> String? in
                        do {
                            return try await ben.unpack().damaged.first?.reason
                        } catch {
                            return (error as? PotluckError)?.message
                        }
                    }
                    #expect(complaint?.contains(path) == true, "\(name) \(odd): \(complaint ?? "nothing")")
                    #expect(odd.stands(at: path))
                    if unlink(path) != 0 { try FileManager.default.removeItem(atPath: path) }
                }
                try #require(rename(aside, path) == 0)
            }
            #expect(try outside.state() == before)
            #expect(try await ben.unpack().photos == 1)
        }
    }

    /// Shows that a pack is gone through a bounded number of times, also where each pass finds something new and
    /// something that lacks another batch.
    @Test func passesAreBounded() async throws {
        try await CarriedGathering.with { gathering in
            try gathering.anna.add(["sea"], to: "Beach day")
            _ = try await gathering.anna.pack()
            let receiver = EndlessReceiver(tag: try await gathering.anna.plan(for: nil).tag)
            let stick = gathering.anna.stick
            let report = try await ending {
                try await Unpacker(receiver: receiver, pool: .singleton).run(stick) { _ in }
            }
            #expect(report.batches == 64 && report.refused == 1)
            #expect(await receiver.pageCount == 64)
        }
    }

    /// Shows that as many distinct batches as the limit are not told apart from more, so that what a pack lacks is not
    /// counted any longer; and that all of them are taken in all the same, each once.
    @Test func countedBatchesAreBounded() async throws {
        try await CarriedGathering.with { gathering in
            let anna = gathering.anna
            try anna.add(["sea", "sun"], to: "Beach day")
            _ = try await anna.pack()
            let path = "\(anna.stick)/potluck-pack.json"
            let whole = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
            let lines = whole.split(separator: "\n")
            let line = try #require(lines.first { $0.contains("\"batches\"") })
            let count = try #require(Int(line.filter(\.isNumber)))
            try #require(count >= 2)
            let lacking = lines.map { $0 == line ? "\"batches\": \(count + 5)," : String($0) }
            try Data(lacking.joined(separator: "\n").utf8).write(to: URL(filePath: path))
            let tag = try await anna.plan(for: nil).tag
            for (countMax, unreadableCount) in [(count + 1, 5), (count, 0), (count - 1, 0)] {
                let receiver = TakingReceiver(tag: tag)
                let unpacker = Unpacker(receiver: receiver, pool: .singleton, countedBatchCountMax: countMax)
                let report = try await ending { try await unpacker.run(anna.stick) { _ in } }
                #expect(report.unreadable == unreadableCount && report.batches == count)
                #expect(await receiver.batches.count == count)
            }
        }
    }

    /// Shows that the numbers of a manifest trap nobody: what is taken in is what the pack has, and what it lacks is told
    /// where its number is one that a pack can have.
    @Test(
        .slow,
        arguments: [
            "-9223372036854775808", "9223372036854775807", "9223372036854775808", "-1", "9007199254740992", "1e308",
            "null", "\"7\"", "1099511627776",
        ])
    func absurdNumbersAreNoTrap(number: String) async throws {
        try await CarriedGathering.with { gathering in
            let (anna, ben) = (gathering.anna, gathering.ben)
            try anna.add(["sea"], to: "Beach day")
            _ = try await anna.pack()
            let path = "\(anna.stick)/potluck-pack.json"
            let whole = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
            for field in ["batches", "files", "potluck_pack"] {
                let lines = whole.split(separator: "\n").map { line in
                    line.contains("\"\(field)\"") ? "\"\(field)\": \(number)," : String(line)
                }
                try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: path))
                do {
                    let report = try await ending { try await ben.unpack() }
                    #expect(report.missing == 0)
                    let isMany = number == "1099511627776"
                    #expect((report.unreadable > 0) == (isMany && field == "batches"))
                    #expect((report.gone > 0) == (isMany && field == "files"))
                    #expect(report.isDamaged == isMany)
                } catch let error as PotluckError {
                    #expect(field == "potluck_pack" && error.message.contains("later version"))
                }
            }
        }
    }
}

/// A laptop to which everything is new.
private actor TakingReceiver: PackReceiver {
    nonisolated let tag: String
    nonisolated let isRunning = false
    private(set) var batches: Set<SignedBatch> = []

    init(tag: String) {
        self.tag = tag
    }

    func carry(_ page: BatchPage) -> CarriedOutcome {
        var outcome = CarriedOutcome()
        outcome.newCount = page.batches.count { batches.insert($0).inserted }
        return outcome
    }

    func carry(_ summaries: [SignedStatement]) {}
    func wants() -> [CarriedWant] { [] }
    func name(of blob: BlobID) -> String { "" }
    func take(_ blob: BlobID, from file: OpenFile) {}
    func missingCount() -> Int { 0 }
    func finish() {}
}

/// A laptop to which everything is new, and never complete.
private actor EndlessReceiver: PackReceiver {
    nonisolated let tag: String
    nonisolated let isRunning = false
    private(set) var pageCount = 0

    init(tag: String) {
        self.tag = tag
    }

    func carry(_ page: BatchPage) -> CarriedOutcome {
        pageCount += 1
        var outcome = CarriedOutcome()
        outcome.newCount = 1
        outcome.refusals = [.unknownPrevious]
        return outcome
    }

    func carry(_ summaries: [SignedStatement]) {}
    func wants() -> [CarriedWant] { [] }
    func name(of blob: BlobID) -> String { "" }
    func take(_ blob: BlobID, from file: OpenFile) {}
    func missingCount() -> Int { 0 }
    func finish() {}
}
