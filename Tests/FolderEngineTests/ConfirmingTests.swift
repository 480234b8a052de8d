import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

/// A person confirms what they saw of what waits for them, and nothing else.
struct ConfirmingTests {
    private let now = TestFolder.now
    private let x = FolderPath("A/x.jpg")
    private let y = FolderPath("A/y.jpg")
    private let z = FolderPath("A/z.jpg")

    private func judge(heldID: UInt64? = nil) -> FolderJudge {
        TestFolder.judge(TestFolder.state([x: record(1), y: record(2), z: record(3)]), heldID: heldID)
    }

    private struct NotJudged: Error {}

    /// Judges what waits, which is still as it was found.
    ///
    /// - Returns: the paths of the losses that the agent is told.
    @discardableResult
    private func decide(_ judge: inout FolderJudge, newID: UInt64 = 7) throws -> [FolderPath] {
        let sights = judge.pending.paths.mapValues { now in
            now.signature.map { PendingChanges.Sight.present($0) } ?? .absent
        }
        guard case .check(let check)? = judge.handle(.judge(newID: newID), now: now).first else { throw NotJudged() }
        let answer = FolderCheck.Answer(sights: sights, complaint: nil, away: [])
        var next = judge.handle(.checked(check, answer), now: now)
        if case .identify? = next.first { next = judge.handle(.identified([:]), now: now) }
        if case .inquire? = next.first {
            next = judge.handle(.evidence(older: [], withdrawn: [], goneDirectories: []), now: now)
        }
        guard case .settle(_, let steps)? = next.first else { return [] }
        _ = judge.handle(.settled([:]), now: now)
        return steps.map(\.lost.path)
    }

    /// Has files vanish unseen, and judges that.
    ///
    /// - Returns: the version that a person is told.
    private func lose(_ paths: FolderPath..., in judge: inout FolderJudge, newID: UInt64 = 7) throws -> UInt64 {
        for path in paths { _ = judge.pending.insert(path, .absent, isExplained: false) }
        #expect(try decide(&judge, newID: newID).isEmpty)
        return try #require(judge.pending.held).version
    }

    /// False where it is refused.
    private func confirm(_ version: UInt64?, _ judge: inout FolderJudge) -> Bool {
        !judge.handle(.confirmed(version: version), now: now).contains { if case .refuse = $0 { true } else { false } }
    }

    // Shows that what joins between the look and the word goes on waiting, and can be confirmed once it was seen. Catches a
    // word that counts for all that waits when it comes.
    @Test func whatJoinsLaterWaitsOn() throws {
        var judge = judge()
        let seen = try lose(x, in: &judge)
        let later = try lose(y, in: &judge)
        #expect(later > seen)
        #expect(confirm(seen, &judge))
        #expect(try decide(&judge) == [x])
        #expect(judge.state.files[x] == nil && judge.state.files[y] == record(2))
        #expect(judge.pending.held?.paths == [y.text] && judge.pending.held?.version == later)
        // The first word says nothing of what waits by now.
        #expect(!confirm(seen, &judge))
        #expect(try decide(&judge).isEmpty)
        #expect(confirm(later, &judge))
        #expect(try decide(&judge) == [y])
        #expect(judge.pending.held == nil && judge.state.files[z] == record(3))
    }

    // Shows that a group that shrinks keeps its version, so that the word of a person who saw more of it counts.
    @Test func whatComesBackLeavesTheRestAsSeen() throws {
        var judge = judge()
        let seen = try lose(x, y, in: &judge)
        _ = judge.pending.remove(x)
        #expect(try decide(&judge).isEmpty)
        #expect(judge.pending.held?.version == seen && judge.pending.held?.vanished == 1)
        // It goes again: that nobody saw.
        #expect(try lose(x, in: &judge) > seen)
        #expect(confirm(seen, &judge))
        #expect(try decide(&judge) == [y])
        #expect(judge.pending.heldLosses.paths == [x])
    }

    // Shows that a path which holds another photo than when a person looked is not as they saw it: before that is judged, and
    // after it.
    @Test func whatChangesIsNotAsSeen() throws {
        var judge = judge()
        let seen = try lose(x, in: &judge)
        let photo = PendingChanges.Found(
            id: blobID([9]), blob: nil, mediaType: "image/jpeg", signature: record(9).signature, isShort: false,
            isLive: false)
        _ = judge.pending.insert(x, .photo(photo), isExplained: false)
        #expect(!confirm(seen, &judge))
        #expect(try decide(&judge).isEmpty)
        #expect(judge.pending.held?.rewritten == 1 && !confirm(seen, &judge))
        #expect(confirm(judge.pending.held?.version, &judge))
        #expect(try decide(&judge) == [x])
    }

    // Shows that a word about what an earlier run told of, or of a person who saw nothing wait, confirms nothing, and that
    // nothing is refused where nothing waits.
    @Test func otherWordsConfirmNothing() throws {
        var judge = judge(heldID: 5)
        let version = try lose(x, y, in: &judge, newID: 1000)
        #expect(version == 1000 && judge.pending.held?.id == 5)
        for other in [nil, 0, 1, 999, 1001, UInt64.max] { #expect(!confirm(other, &judge)) }
        #expect(judge.pending.confirmed.isEmpty)
        for path in [x, y] { _ = judge.pending.remove(path) }
        #expect(try decide(&judge).isEmpty)
        #expect(judge.pending.held == nil && confirm(version, &judge) && confirm(nil, &judge))
        // The next group is another one.
        #expect(try lose(z, in: &judge) == 1001)
        #expect(!confirm(version, &judge))
    }
}
