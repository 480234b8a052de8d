import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

/// What a scan takes another disk for, at the place of one on which no file is known.
struct OtherDiskTests {
    private let now = TestFolder.now
    private let card = FolderPath("Card")
    private let file = FolderPath("Card/x.jpg")
    private let own = MountIdentity(fileSystem: 7, rootInode: 1)
    private let other = MountIdentity(fileSystem: 8, rootInode: 1)

    /// What is known of the card's file.
    private enum Way: CaseIterable {
        case none, elsewhere, lookedAt, known, leaving, placed, pending
    }

    private let record = FileRecord(
        photo: PhotoKey(album: AlbumName.identifier("Card"), blob: blobID([1])),
        signature: FileSignature(inode: 1, byteCount: 10, modified: 0, changed: 0), origin: .dropped)

    /// Scans an empty folder with this disk at the card's place.
    private func scan(
        _ judge: inout FolderJudge, _ identity: MountIdentity,
        amid: (inout FolderState) -> Void = { _ in }
    ) {
        let table = MountTable(mounts: [card: .identified(identity)])
        judge.schedule.rescan(now: now)
        while let directive = judge.next(now: now) { if case .survey = directive { break } }
        let asked = judge.handle(.surveyed(complaint: nil, table), now: now)
        if case .recognise(let files, _)? = asked.last {
            amid(&judge.state)
            let known = files.filter { $0.value.isEmpty }
            _ = judge.handle(.recognised(Set(known.keys), table), now: now)
        }
        let entry = FolderWalk.Entry(name: Array("Card".utf8), kind: .directory)
        _ = judge.handle(.listed(.root, .whole([entry])), now: now)
        _ = judge.handle(.listed(card, .whole([])), now: now)
        _ = judge.handle(.watched(limit: nil), now: now)
        _ = judge.handle(.finished(.scan), now: now)
    }

    /// - Returns: the look that is under way at the file.
    private func begin(_ way: Way, _ judge: inout FolderJudge) -> CandidateBook.Job? {
        switch way {
        case .none, .known: break
        case .elsewhere, .lookedAt:
            let path = way == .lookedAt ? file : FolderPath("A/x.jpg")
            judge.schedule.noticed(touched: [path], vanished: [], isLive: true, now: now)
            if case .look(let job)? = judge.next(now: now) { return job }
            Issue.record("nothing is looked at")
        case .leaving: _ = judge.state.record(file, record) + judge.state.leave(file, record.photo)
        case .placed: _ = judge.reserve(file, for: record.photo)
        case .pending:
            let found = PendingChanges.Found(
                id: record.photo.blob, blob: nil, mediaType: "image/jpeg", signature: record.signature, isShort: false,
                isLive: true)
            _ = judge.pending.insert(file, .photo(found), isExplained: true)
        }
        return nil
    }

    // Shows that another disk is left alone while a file of the card is known, also as one that is to go, or is on its way
    // into folder state, also where it became known while files were asked for; and that it is taken for the card else.
    @Test func filesOnTheirWayAreTheCards() {
        for way in Way.allCases {
            var judge = TestFolder.judge(mounts: KnownMounts(facts: [(card.bytes, own.bytes)]))
            scan(&judge, own)
            let job = begin(way, &judge)
            scan(&judge, other) { if way == .known { _ = $0.record(file, record) } }
            let isTaken = way == .none || way == .elsewhere
            #expect(judge.mounts.identities == [card: isTaken ? other : own], "\(way)")
            #expect(judge.gaps.reasons == (isTaken ? [:] : [card: .otherDisk]), "\(way)")
            guard way == .lookedAt else { continue }
            guard let job else {
                Issue.record("nothing is looked at")
                continue
            }
            _ = judge.handle(.finished(.look(job, .settled)), now: now)
            scan(&judge, other)
            #expect(judge.mounts.identities == [card: other] && judge.gaps.reasons.isEmpty)
        }
    }

    // Shows of a card that nothing tells from another one that its files, asked for before mounts changed or events were
    // lost, are no proof of what is mounted since; and that what was to go from it goes once it is known again.
    @Test func filesThatWereAskedForTooEarlyAreNoProof() {
        let nameless = MountIdentity(fileSystem: 0, rootInode: 1)
        let table = MountTable(mounts: [card: .identified(nameless)])
        for event in [nil, .mountsChanged, .rescanNeeded] as [FolderEvent?] {
            var judge = TestFolder.judge(
                TestFolder.state([file: record]), mounts: KnownMounts(facts: [(card.bytes, nameless.bytes)]))
            _ = judge.state.leave(file, record.photo)
            judge.schedule.rescan(now: now)
            while let directive = judge.next(now: now) { if case .survey = directive { break } }
            let asked = judge.handle(.surveyed(complaint: nil, table), now: now)
            guard case .recognise(let files, _)? = asked.last else {
                Issue.record("the card's files are not asked for")
                continue
            }
            #expect(files == [card: [file: record]] && judge.mounts.away([card], in: table) == [card])
            if let event { _ = judge.handle(.noticed([event]), now: now) }
            _ = judge.handle(.recognised([card], table), now: now)
            #expect(judge.mounts.away([card], in: table) == (event == nil ? [] : [card]))
            let ended = judge.handle(.listed(.root, .whole([])), now: now)
            let goes = ended.contains { directive in
                if case .takeAway(let files, _) = directive { files == [file: record] } else { false }
            }
            #expect(goes)
        }
    }
}
