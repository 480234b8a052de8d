import AlbumModel
import FolderEngine
import Glibc
import PhotoStore
import TestSupport
import Testing

@testable import SharedFolder

/// Drives a real directory with what people and programs do to files, and compares with an oracle.
///
/// The oracle is the disk itself: every album holds exactly the photos that its directory holds, under their files'
/// names, whatever way led there; and a photo that was only renamed, moved or edited keeps its caption.
@Suite(.slow, .timeLimit(.minutes(5)))
struct RandomFolderTests {
    private static let pinnedSeeds: [UInt64] = [1, 2, 3]
    private static let burstCount = 24

    private static var settings: FolderSettings {
        var settings = FolderSettings.inOrder
        settings.judging.lossCountMax = .max
        settings.judging.smallAlbumCount = .max
        return settings
    }

    // Shows that after any bursts of operations, some of them while nothing ran, albums and folder are the same.
    @Test(arguments: TestSeeds.all(pinned: pinnedSeeds))
    func albumsFollowTheFolder(seed: UInt64) async throws {
        try await follow(seed, space: { _ in })
    }

    // Shows the same where people's files are one with the store's, again and again.
    @Test(arguments: TestSeeds.all(pinned: pinnedSeeds))
    func albumsFollowAFolderThatTakesItsSpaceOnce(seed: UInt64) async throws {
        try await follow(seed) { kit in
            for file in kit.folder.ownFiles() where !file.path.hasPrefix("sentinel") {
                _ = await kit.folder.share(file)
            }
        }
    }

    /// - Parameter space: done after each burst.
    private func follow(_ seed: UInt64, space: @escaping @Sendable (Kit) async -> Void) async throws {
        var person = RandomPerson(seed: seed)
        var kit = try await Kit(settings: Self.settings)
        defer { kit.remove() }
        var done = 0
        while done < Self.burstCount {
            let count = Int.random(in: 2...8, using: &person.random)
            let (before, first) = (person, done)
            person = try await kit.running(returning: before) { kit, person in
                try await Self.compare(kit, person, "seed \(seed), start before burst \(first)")
                for burst in first..<first + count {
                    try await Self.burst(kit, &person, "seed \(seed), burst \(burst)")
                    await space(kit)
                }
            }
            done += count
            kit = try await Kit(base: kit.base, host: kit.host, settings: Self.settings)
            // What happened meanwhile is found by the next start's scan.
            for _ in 0..<Int.random(in: 0...3, using: &person.random) { person.act(in: kit.root, isLive: false) }
        }
    }

    private static func burst(_ kit: Kit, _ person: inout RandomPerson, _ place: String) async throws {
        var continuity: RandomPerson.Continuity?
        if Bool.random(using: &person.random), let next = person.plannedContinuity() {
            await kit.host.setCaption(place, of: next.before.bytes, in: next.fromAlbum)
            continuity = next
            person.carryOut(next, in: kit.root)
        } else {
            for _ in 0..<Int.random(in: 1...6, using: &person.random) { person.act(in: kit.root, isLive: true) }
        }
        try await compare(kit, person, place)
        guard let continuity else { return }
        let kept = await kit.host.caption(of: continuity.after.bytes, in: continuity.toAlbum)
        #expect(kept == place, "\(place): the caption is lost\n\(person.lastWords)")
    }

    private static func compare(_ kit: Kit, _ person: RandomPerson, _ place: String) async throws {
        // A file that was read while it was written is looked at once more, somewhat later.
        try await eventually(place) { () -> Attempt<Void> in
            try await kit.settle(confirms: true)
            guard let difference = await person.difference(from: kit) else { return .done(()) }
            let state = "skipped \(kit.folder.skipped()), on its way \(kit.folder.incoming())"
            return .notYet("\(difference)\n\(state)\n\(person.lastWords)")
        }
    }
}

extension Kit {
    /// ``running(_:)`` with a value that the body changes.
    fileprivate func running<Value: Sendable>(
        returning value: Value, _ body: @escaping @Sendable (Kit, inout Value) async throws -> Void
    ) async throws -> Value {
        let box = ValueBox(value)
        try await running { kit in
            var value = await box.value
            try await body(kit, &value)
            await box.set(value)
        }
        return await box.value
    }
}

private actor ValueBox<Value: Sendable> {
    private(set) var value: Value

    init(_ value: Value) { self.value = value }

    func set(_ value: Value) { self.value = value }
}
