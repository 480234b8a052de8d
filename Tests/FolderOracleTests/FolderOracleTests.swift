import PotluckAPI
import TestSupport
import Testing

@testable import PotluckAgent

/// Drives the real folders of three whole agents with what people do, and compares with an oracle that states what every
/// laptop must hold.
///
/// A failure prints the seed and what was done of late; `POTLUCK_SEEDS="17"` runs that one again.
@Suite(.slow, .timeLimit(.minutes(20)))
struct FolderOracleTests {
    private static let pinnedSeeds: [UInt64] = [5, 44, 71]
    private static let roundCount = 16

    /// What happens in a round.
    private enum Kind: CaseIterable {
        /// One person does several things.
        case alone
        /// Several people do, at once.
        case together
        /// One agent does not run meanwhile, and its person does things all the same.
        case absence
        case renamedDirectory
        case remadeDirectory
        /// Two people drop the same photo at once.
        case twins
        case brake

        static let drawn: [Kind] = allCases + [.alone, .alone, .alone, .together, .together, .together, .absence]
    }

    /// Shows that after each round of renames, moves, edits, deletions, copies and words, some of them while an agent is
    /// down, every folder and every listing is as it should be; and that in the end every photo ever dropped is in some
    /// store, nothing is doubled, and no temporary file is left.
    @Test(arguments: TestSeeds.all(pinned: pinnedSeeds, hasFresh: false))
    func everyFolderHoldsWhatItShould(seed: UInt64) async throws {
        var people = People(seed: seed)
        do {
            try await Table.with { table in
                try await Self.begin(&people, table)
                for _ in 0..<Self.roundCount {
                    try await Self.round(people.draw(Kind.drawn)!, &people, table)
                    try await table.agree(&people)
                }
                // What has only seemed to be over shows when everything is looked through again.
                people.beginRound("all start again")
                for laptop in table.laptops { try await laptop.stop() }
                #expect(table.leftovers(people.oracle) == [], "seed \(seed)\n\(people.lastWords)")
                for laptop in table.laptops { try await table.start(laptop) }
                try await table.agree(&people)
            }
        } catch {
            Issue.record("seed \(seed): \(error)\n\(people.lastWords)")
        }
    }

    private static func begin(_ people: inout People, _ table: Table) async throws {
        people.beginRound("everybody brings photos")
        for laptop in table.laptops {
            for deed in [People.Deed.dropInNewAlbum] + Array(repeating: .drop, count: 4) {
                _ = try await people.act(deed, at: laptop)
            }
        }
        try await table.agree(&people)
    }

    private static func round(_ kind: Kind, _ people: inout People, _ table: Table) async throws {
        let laptop = people.draw(table.laptops)!
        people.beginRound("\(kind), \(laptop.name)")
        switch kind {
        case .alone: try await act(4, &people, at: laptop)
        case .together:
            for _ in 0..<2 {
                for laptop in table.laptops.shuffled(using: &people.random) { try await act(2, &people, at: laptop) }
            }
        case .absence:
            try await laptop.stop()
            for other in table.laptops where other !== laptop { try await act(2, &people, at: other) }
            try await act(4, &people, at: laptop, isRunning: false)
            try await table.start(laptop)
        case .renamedDirectory: people.renameDirectory(at: laptop)
        case .remadeDirectory: people.makeDirectoryAgain(at: laptop)
        case .twins: people.dropTwins(at: table.laptops.filter { $0 !== laptop })
        case .brake: try await accident(&people, table, at: laptop)
        }
    }

    /// Does something, at most so much.
    private static func act(
        _ countMax: Int, _ people: inout People, at laptop: Laptop, isRunning: Bool = true
    ) async throws {
        for _ in 0..<Int.random(in: 1...countMax, using: &people.random) {
            let deeds = isRunning ? People.Deed.whileRunning : People.Deed.inFolder
            // What there is nothing to do it to is followed by something else.
            for _ in 0..<10 {
                if try await people.act(people.draw(deeds)!, at: laptop) { break }
            }
        }
    }

    /// More files of an album go than a person deletes by the way: nothing follows until the person says what was meant.
    private static func accident(_ people: inout People, _ table: Table, at laptop: Laptop) async throws {
        guard let accident = people.deleteMany(at: laptop), let control = await laptop.control else { return }
        try await eventually("\(laptop.name) holds files back") {
            guard let held = try await control.status(skipped: false, all: false).held else { return "it does not" }
            return held.vanished == accident.paths.count ? nil : "\(held.vanished) files are held back"
        }
        try await table.agree(&people, but: laptop.number)
        people.decide(accident, at: laptop)
        let seen = try await control.held().held
        _ = try await control.decide(accident.isMeant ? .confirm : .undo, version: seen?.version)
    }
}
