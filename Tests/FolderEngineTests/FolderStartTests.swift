import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

/// What a start makes of the journal, and of what the disk shows of work that a crash left half done.
struct FolderStartTests {
    private let boot = BootID(bytes: [1])
    private let card = FolderPath("Card")
    private let x = FolderPath("A/x.jpg")
    private let y = FolderPath("Card/y.jpg")

    private func record(_ seed: UInt8) -> FileRecord {
        FileRecord(
            photo: PhotoKey(album: AlbumName.identifier("A"), blob: blobID([seed])),
            signature: FileSignature(inode: UInt64(seed), byteCount: 10, modified: 0, changed: 0), origin: .placed)
    }

    private func start(_ facts: [FactKind: [[UInt8]: [UInt8]]]) -> FolderStart {
        FolderStart(boot: boot) { kind in (facts[kind] ?? [:]).map { ($0.key, $0.value) } }
    }

    /// Two placings and two takings away, one of each on a card.
    private func interrupted() -> FolderStart {
        start([
            .folderIntent: [x.bytes: record(1).photo.bytes, y.bytes: record(2).photo.bytes],
            .folderFile: [
                Array("A/going.jpg".utf8): record(3).bytes, Array("Card/going.jpg".utf8): record(4).bytes,
            ],
            .folderLeaving: [
                Array("A/going.jpg".utf8): record(3).photo.bytes, Array("Card/going.jpg".utf8): record(4).photo.bytes,
            ],
        ])
    }

    private func findings(of start: FolderStart) -> FolderStart.Findings {
        var findings = FolderStart.Findings()
        for path in start.placings.keys { findings.placed[path] = .notOurs }
        for path in start.leavings.keys { findings.leaving[path] = .absent }
        return findings
    }

    // Shows what a journal gives a folder, and that an empty one gives nothing to settle.
    @Test func factsAreRead() {
        let known = start([
            .folderHeld: [[]: BigEndian.bytes(5 as UInt64)], Adoption.fact: [[]: [1]],
            .folderMount: [card.bytes: MountIdentity(fileSystem: 7, rootInode: 2).bytes],
            .folderFile: [x.bytes: record(1).bytes], .folderFresh: [x.bytes: [2]],
        ])
        #expect(known.heldID == 5 && known.adoption == .held && known.mounts.mounts(over: y) == [card])
        #expect(known.state.files == [x: record(1)] && known.state.fresh.suspects == [x])
        var empty = start([:])
        let changes = empty.settle(FolderStart.Findings())
        #expect(empty.heldID == nil && empty.adoption == .over && changes.isEmpty && empty.directories.isEmpty)
    }

    // Shows that what is certainly not there is settled, each with its fact.
    @Test func whatIsSeenIsSettled() {
        var start = interrupted()
        #expect(start.directories == [FolderPath("A"), card])
        let changes = start.settle(findings(of: start))
        #expect(start.state.interrupted.isEmpty && start.state.leaving.isEmpty && start.state.files.isEmpty)
        #expect(changes.allSatisfy { $0.value == nil } && changes.count == 6 && start.state.gone.isEmpty)
    }

    // Shows that nothing is settled of a folder that is gone once all was looked at, of a disk in it that is, nor of what
    // nobody could look at.
    @Test func whatMayBeElsewhereStaysOpen() {
        var start = interrupted()
        var gone = findings(of: start)
        gone.complaint = "The folder is not there."
        var changes = start.settle(gone)
        #expect(changes.isEmpty && start.state.interrupted.count == 2 && start.state.files.count == 2)
        changes = start.settle(FolderStart.Findings())
        #expect(changes.isEmpty && start.state.interrupted.count == 2 && start.state.leaving.count == 2)
        var away = findings(of: start)
        away.away = [card]
        _ = start.settle(away)
        #expect(Array(start.state.interrupted.keys) == [y])
        #expect(Array(start.state.files.keys) == [FolderPath("Card/going.jpg")] && start.state.leaving.count == 1)
    }

    // Shows that out of sight only the very file may be removed that was to go, and none of a file that goes to the
    // quarantine; and that of a placing which is known to have ended nothing is asked.
    @Test func onlyWhatWasToGoMayGo() {
        let (aside, other) = (FolderPath("A/aside.jpg"), FolderPath("A/other.jpg"))
        let start = start([
            .folderFile: [x.bytes: record(1).bytes, aside.bytes: record(2).bytes, other.bytes: record(3).bytes],
            .folderLeaving: [
                x.bytes: record(1).photo.bytes, aside.bytes: record(2).photo.bytes + [1],
                other.bytes: record(9).photo.bytes,
            ],
            .folderIntent: [x.bytes: record(1).photo.bytes, other.bytes: record(9).photo.bytes],
        ])
        #expect(start.state.settingAside == [aside])
        #expect(start.leavings == [x: record(1).signature, aside: nil, other: nil])
        #expect(start.placings == [other: record(9).photo.blob])
    }
}
