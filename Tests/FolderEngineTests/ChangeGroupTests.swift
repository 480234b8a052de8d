import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

/// What is done of a judged group, what waits, and how folder state follows, without a disk.
struct ChangeGroupTests {
    private static let album = AlbumName.identifier("A")
    private static let other = AlbumName.identifier("B")

    private func signature(_ seed: UInt8) -> FileSignature {
        FileSignature(inode: UInt64(seed), byteCount: UInt64(seed) * 10, modified: 0, changed: 0)
    }

    private func record(_ seed: UInt8, origin: FileRecord.Origin = .dropped) -> FileRecord {
        FileRecord(
            photo: PhotoKey(album: Self.album, blob: blobID([seed])), signature: signature(seed), origin: origin)
    }

    /// Folder state with these photos at these paths, all of album A.
    private func state(_ files: [String: FileRecord]) -> FolderState {
        var state = FolderState(files: [], gone: [], intents: [], fresh: FreshFiles(boot: BootID(bytes: [1])))
        for (path, record) in files { _ = state.record(FolderPath(path), record) }
        return state
    }

    private func photo(_ seed: UInt8, isLive: Bool = true) -> PendingChanges.Now {
        .photo(
            PendingChanges.Found(
                id: blobID([seed]), blob: nil, mediaType: "image/jpeg", signature: signature(seed), isShort: false,
                isLive: isLive))
    }

    private func group(
        _ changes: [String: PendingChanges.Now], in state: FolderState, renewed: Set<FolderPath> = []
    ) -> ChangeGroup {
        let paths = Dictionary(uniqueKeysWithValues: changes.map { (FolderPath($0.key), $0.value) })
        var found: [FolderPath: Judgement.Found] = [:]
        for (path, now) in paths {
            guard let photo = now.found else { continue }
            found[path] = Judgement.Found(photo: photo, album: path.text.hasPrefix("A") ? Self.album : Self.other)
        }
        return ChangeGroup(
            paths, lost: ChangeGroup.lost(paths, in: state), found: found, state: state, renewed: renewed)
    }

    private func decide(
        _ group: ChangeGroup, older: [String] = [], withdrawn: [String] = [], explained: [String]? = nil,
        gone: [String] = [], isHeld: Bool = false, confirmed: [String] = [], sizes: Set<UInt64> = [],
        unseen: [String] = [], uncertain: [UInt8: String] = [:]
    ) -> ChangeGroup.Decision {
        let all = group.judgement.steps.map(\.lost.path.text)
        return group.decide(
            evidence(older: older, withdrawn: withdrawn, explained: explained ?? all, gone: gone),
            ChangeGroup.Circumstances(
                isHeld: isHeld, confirmed: Set(confirmed.map { FolderPath($0) }), unsettledByteCounts: sizes,
                unseenAlbums: Set(unseen.map { FolderPath($0) }),
                uncertain: Dictionary(
                    uniqueKeysWithValues: uncertain.map { (blobID([$0.key]), [FolderPath($0.value)]) })),
            judging: Judging())
    }

    private func evidence(
        older: [String] = [], withdrawn: [String] = [], explained: [String], gone: [String] = []
    ) -> ChangeGroup.Evidence {
        func paths(_ texts: [String]) -> Set<FolderPath> { Set(texts.map { FolderPath($0) }) }
        return ChangeGroup.Evidence(
            older: paths(older), withdrawn: paths(withdrawn), explained: paths(explained),
            goneDirectories: paths(gone))
    }

    private func paths(_ steps: [Judgement.Step]) -> [String] { steps.map(\.lost.path.text).sorted() }

    private var two: FolderState { state(["A/x.jpg": record(1), "A/y.jpg": record(2)]) }

    // Shows that a loss which events told of is free, and that one which nobody saw waits.
    @Test func onlyWhatWasSeenIsFree() {
        let group = group(["A/x.jpg": .absent], in: two)
        #expect(paths(decide(group).free) == ["A/x.jpg"])
        let unseen = decide(group, explained: [])
        #expect(unseen.free.isEmpty && paths(unseen.held) == ["A/x.jpg"] && unseen.kept == [FolderPath("A/x.jpg")])
        #expect(paths(decide(group, explained: [], confirmed: ["A/x.jpg"]).free) == ["A/x.jpg"])
    }

    // Shows that every further loss joins what waits, and that renames do not.
    @Test func lossesJoinTheGroupThatWaits() {
        let group = group(["A/x.jpg": .absent, "A/y.jpg": .absent, "A/z.jpg": photo(2)], in: two)
        let decision = decide(group, isHeld: true)
        #expect(paths(decision.held) == ["A/x.jpg"] && paths(decision.free) == ["A/y.jpg"])
    }

    // Shows that what would overwrite the record of a file that waits, waits as well, however long the chain.
    @Test func whatOverwritesHeldRecordsWaits() {
        let state = state(["A/w.jpg": record(1), "A/x.jpg": record(2), "A/y.jpg": record(3), "A/z.jpg": record(4)])
        let changes = ["A/w.jpg": photo(2), "A/x.jpg": photo(3), "A/y.jpg": PendingChanges.Now.absent]
        let group = group(changes, in: state)
        let decision = decide(group, isHeld: true)
        #expect(paths(decision.held) == ["A/w.jpg", "A/x.jpg", "A/y.jpg"] && decision.free.isEmpty)
        #expect(paths(decision.heldLosses) == ["A/w.jpg"])
    }

    // Shows that a lost file is put off while a file of its size is on its way, unless a person confirmed it.
    @Test func filesOnTheirWayPutLossesOff() {
        let group = group(["A/x.jpg": .absent], in: two)
        let decision = decide(group, isHeld: true, sizes: [10])
        #expect(paths(decision.putOff) == ["A/x.jpg"] && decision.held.isEmpty && decision.free.isEmpty)
        #expect(decide(group, sizes: [20]).putOff.isEmpty)
        #expect(paths(decide(group, explained: [], confirmed: ["A/x.jpg"], sizes: [10]).free) == ["A/x.jpg"])
    }

    // Shows that a lost file is put off while its album has a file that no look has shown, unless a person confirmed it.
    @Test func unseenFilesPutLossesOff() {
        let group = group(["A/x.jpg": .absent], in: two)
        #expect(paths(decide(group, unseen: ["A"]).putOff) == ["A/x.jpg"])
        #expect(paths(decide(group, unseen: ["B"]).free) == ["A/x.jpg"])
        #expect(paths(decide(group, confirmed: ["A/x.jpg"], unseen: ["A"]).free) == ["A/x.jpg"])
    }

    // Shows that a file to which a person gave another name, or another place in its album, keeps that, also one of their
    // copies that stands for it from now on; and that one that came along with its directory goes on having its photo's name.
    @Test func whatPeopleNamedIsTheirs() {
        let placed = state(["A/x.jpg": record(1, origin: .placed)])
        func origin(_ changes: [String: PendingChanges.Now], in state: FolderState) -> FileRecord.Origin? {
            let group = group(changes, in: state)
            return group.settlement(of: group.judgement.steps, albums: [:], in: state).settlement.held.first?.record
                .origin
        }
        for path in ["A/mine.jpg", "A/sub/x.jpg"] {
            #expect(origin(["A/x.jpg": .absent, path: photo(1)], in: placed) == .named)
        }
        #expect(origin(["A/x.jpg": .absent, "A2/x.jpg": photo(1)], in: placed) == .placed)
        let copied = state(["A/x.jpg": record(1, origin: .placed), "A/y.jpg": record(1, origin: .duplicate)])
        #expect(origin(["A/x.jpg": .absent], in: copied) == .named)
    }

    // Shows that a photo which may be where nobody can look now is not lost, neither removed nor replaced, before somebody
    // can; unless a person said so.
    @Test func photosThatMayBeElsewherePutLossesOff() {
        let three = state(["A/x.jpg": record(1), "A/y.jpg": record(2), "A/z.jpg": record(4)])
        for now in [PendingChanges.Now.absent, photo(3)] {
            let group = group(["A/x.jpg": now, "A/y.jpg": .absent], in: three)
            let decision = decide(group, uncertain: [1: "B"])
            #expect(paths(decision.putOff) == ["A/x.jpg"] && paths(decision.free) == ["A/y.jpg"])
            #expect(decision.kept == [FolderPath("A/x.jpg")])
            #expect(paths(decide(group, isHeld: true, uncertain: [1: "B"]).held) == ["A/y.jpg"])
            #expect(decide(group, confirmed: ["A/x.jpg"], uncertain: [1: "B"]).putOff.isEmpty)
        }
    }

    // Shows that a move may be hidden by a gap in the same album's directory, and by one of the whole folder; nobody moves
    // anything to a disk that is away.
    @Test func gapsHideMoves() {
        func hides(_ gap: String, _ reason: FolderGaps.Reason, _ path: String) -> Bool {
            var gaps = FolderGaps(delayFirst: .zero, delayMax: .zero)
            gaps.found([FolderPath(gap): reason])
            return gaps.mayHideMove(of: FolderPath(path))
        }
        for gap in ["", "A", "A/deep/x"] { #expect(hides(gap, .unanswered, "A/y.jpg")) }
        #expect(hides("A/card", .otherDisk, "A/y.jpg") && !hides("A/card", .away, "A/y.jpg"))
        #expect(!hides("B", .unanswered, "A/y.jpg") && !hides("A", .unanswered, "loose.jpg"))
    }

    // Shows that only a scan's finds are asked for, and that bytes which were removed earlier hold everything back.
    @Test func olderBytesAreAskedFor() {
        let live = group(["A/x.jpg": photo(3)], in: two)
        #expect(live.questions.standings.isEmpty && paths(decide(live).free) == ["A/x.jpg"])
        let scanned = group(["A/x.jpg": photo(3, isLive: false)], in: two)
        #expect(scanned.questions.standings == [FolderPath("A/x.jpg"): blobID([3])])
        #expect(paths(decide(scanned, older: ["A/x.jpg"]).held) == ["A/x.jpg"])
    }

    // Shows that the only file of a directory may be deleted while the directory stays, and that two never go unasked.
    @Test func lostDirectoriesWait() {
        let state = state([
            "A/x.jpg": record(1), "A/deep/y.jpg": record(2), "A/two/a.jpg": record(3),
            "A/two/b.jpg": record(4),
        ])
        let single = group(["A/deep/y.jpg": .absent], in: state)
        #expect(single.questions.directories == [FolderPath("A/deep")])
        #expect(paths(decide(single).free) == ["A/deep/y.jpg"])
        #expect(paths(decide(single, gone: ["A/deep"]).held) == ["A/deep/y.jpg"])
        let both = group(["A/two/a.jpg": .absent, "A/two/b.jpg": .absent], in: state)
        #expect(both.questions.directories.isEmpty && decide(both).held.count == 2)
        // What moved away is not lost.
        let moved = group(["A/two/a.jpg": .absent, "A/two/b.jpg": .absent, "A/new/a.jpg": photo(3)], in: state)
        #expect(decide(moved).held.isEmpty)
    }

    // Shows that what would overwrite the record of a file whose loss is put off waits as well.
    @Test func whatNeedsAPutOffPathWaits() {
        let group = group(["A/x.jpg": .absent, "A/y.jpg": photo(1)], in: two)
        #expect(group.judgement.steps.count == 2 && decide(group).putOff.isEmpty)
        let decision = decide(group, uncertain: [2: "A"])
        #expect(decision.free.isEmpty && paths(decision.putOff) == ["A/x.jpg", "A/y.jpg"])
    }

    // Shows that a move out of an album waits while its photo is being found there, with the place where it was found and
    // all that is to happen there; and that a find in another album, or a person's word, lets it go on.
    @Test func findsInTheirAlbumPutMovesOff() {
        var state = two
        let old = FileRecord(
            photo: PhotoKey(album: Self.other, blob: blobID([3])), signature: signature(3), origin: .dropped)
        _ = state.record(FolderPath("B/z.jpg"), old)
        let group = group(["A/x.jpg": .absent, "B/z.jpg": photo(1)], in: state)
        #expect(paths(decide(group).free) == ["A/x.jpg", "B/z.jpg"] && decide(group).kept.isEmpty)
        let decision = decide(group, uncertain: [1: "A"])
        #expect(decision.free.isEmpty && paths(decision.putOff) == ["A/x.jpg", "B/z.jpg"])
        #expect(decision.kept == [FolderPath("A/x.jpg"), FolderPath("B/z.jpg")])
        #expect(paths(decide(group, uncertain: [1: "B"]).free) == ["A/x.jpg", "B/z.jpg"])
        #expect(paths(decide(group, confirmed: ["A/x.jpg"], uncertain: [1: "A"]).free) == ["A/x.jpg", "B/z.jpg"])
    }

    // Shows that a file of a photo that its album does not show any more is no renamed one: its record goes, nothing is told,
    // and it is looked at as a new file. Where a scan found it over another photo, the folder looks like an older copy.
    @Test func withdrawnPhotosAreNotRenamed() {
        let renamed = group(["A/x.jpg": .absent, "A/new.jpg": photo(1)], in: two)
        let new = FolderPath("A/new.jpg")
        #expect(renamed.questions.renamed == [new: blobID([1])] && renamed.questions.standings.isEmpty)
        #expect(decide(renamed).anew.isEmpty && renamed.edits(of: decide(renamed).free, drops: [:]).count == 1)
        let decision = decide(renamed, withdrawn: ["A/new.jpg"])
        #expect(decision.anew == [new] && renamed.edits(of: decision.free, drops: [:]).isEmpty)
        let (settlement, _) = renamed.settlement(of: decision.free, albums: [:], in: two)
        #expect(settlement.held.isEmpty && settlement.left.map(\.path) == [FolderPath("A/x.jpg")])
        for isLive in [true, false] {
            let over = group(["A/x.jpg": .absent, "A/y.jpg": photo(1, isLive: isLive)], in: two)
            let decision = decide(over, withdrawn: ["A/y.jpg"])
            #expect(paths(isLive ? decision.free : decision.held).contains("A/y.jpg"))
        }
    }

    // Shows that a group keeps its number and, once it looks like an older copy of the folder, its reason.
    @Test func heldGroupsKeepTheirNumber() throws {
        let group = group(["A/x.jpg": .absent], in: two)
        let seen = evidence(explained: [])
        let losses = group.decide(
            seen,
            .init(isHeld: false, confirmed: [], unsettledByteCounts: [], unseenAlbums: [], uncertain: [:]),
            judging: Judging()
        ).heldLosses
        let first = try #require(group.heldGroup(losses, seen, after: nil, newID: 7, version: 1, judging: Judging()))
        #expect(first.id == 7 && first.reason == .unexplained && first.of == 2)
        var before = first
        before.reason = .restoredFolder
        let next = group.heldGroup(losses, seen, after: before, newID: 8, version: 1, judging: Judging())
        #expect(next?.id == 7 && next?.reason == .restoredFolder)
        #expect(group.heldGroup([], seen, after: before, newID: 8, version: 1, judging: Judging()) == nil)
    }

    // Shows that a photo of which two files moved is told of once, and that both records follow.
    @Test func movedCopiesAreToldOnce() {
        let state = state(["A/x.jpg": record(1), "A/y.jpg": record(1, origin: .duplicate)])
        let group = group(
            ["A/x.jpg": .absent, "A/y.jpg": .absent, "B/x.jpg": photo(1), "B/y.jpg": photo(1)], in: state)
        let steps = group.judgement.steps
        #expect(group.newPhotoPaths(of: steps).map(\.text) == ["B/x.jpg"])
        #expect(group.turns(of: steps) == [.photo(blobID([1]))])
        let loss = self.group(["A/y.jpg": .absent], in: two)
        #expect(loss.turns(of: loss.judgement.steps) == [.photo(blobID([2]))])
        let drop = Drop(
            FolderPath("B/x.jpg"), blob: IngestedBlob(id: blobID([1]), byteCount: 10, pieceList: nil, firstBytes: []),
            mediaType: "image/jpeg", modified: 0, isLive: true, isShort: false)
        #expect(
            group.edits(of: steps, drops: [FolderPath("B/x.jpg"): drop])
                == [.moved(from: Self.album, blob: blobID([1]), to: drop)])
        #expect(ChangeGroup.albumDirectories(of: steps) == [FolderPath("B")])
        let (settlement, unplaced) = group.settlement(of: steps, albums: [FolderPath("B"): Self.other], in: state)
        #expect(settlement.left.map(\.path.text).sorted() == ["A/x.jpg", "A/y.jpg"] && unplaced.isEmpty)
        #expect(settlement.held.allSatisfy { $0.record.photo.album == Self.other } && settlement.held.count == 2)
        let (none, again) = group.settlement(of: steps, albums: [:], in: state)
        #expect(none.held.isEmpty && again.map(\.text).sorted() == ["B/x.jpg", "B/y.jpg"])
    }

    // Shows that a record follows its photo's file, that a copy takes its place, and that only what a person deleted is
    // not placed again.
    @Test func recordsFollow() {
        let state = state([
            "A/x.jpg": record(1), "A/copy.jpg": record(1, origin: .duplicate), "A/y.jpg": record(2),
            "A/z.jpg": record(3, origin: .removed), "A/e.jpg": record(4),
        ])
        let group = group(
            [
                "A/x.jpg": .absent, "A/y.jpg": .absent, "A/new.jpg": photo(2), "A/z.jpg": .absent, "A/e.jpg": photo(5),
            ], in: state)
        let (settlement, _) = group.settlement(of: group.judgement.steps, albums: [:], in: state)
        let held = Dictionary(uniqueKeysWithValues: settlement.held.map { ($0.path.text, $0.record) })
        #expect(held["A/copy.jpg"]?.origin == .dropped && held["A/copy.jpg"]?.photo == record(1).photo)
        #expect(held["A/new.jpg"] == record(2))
        #expect(held["A/e.jpg"]?.photo.blob == blobID([5]) && held["A/e.jpg"]?.origin == .dropped)
        let isGone = Dictionary(uniqueKeysWithValues: settlement.left.map { ($0.path.text, $0.isGone) })
        #expect(isGone == ["A/x.jpg": false, "A/y.jpg": false, "A/z.jpg": false, "A/e.jpg": true])
    }
}
