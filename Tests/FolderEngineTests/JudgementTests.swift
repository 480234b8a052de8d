import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

/// What a group of changes means, without a disk.
@Suite struct JudgementTests {
    private static let albumA = AlbumName.identifier("A")
    private static let albumB = AlbumName.identifier("B")

    /// A file's place, content and inode.
    private struct File {
        var path: String
        var seed: UInt8
        var inode: UInt64
        var origin = FileRecord.Origin.dropped

        var album: AlbumID { path.hasPrefix("A/") ? albumA : albumB }
        var signature: FileSignature { FileSignature(inode: inode, byteCount: 10, modified: 0, changed: 0) }
        var lost: Judgement.Lost {
            let photo = PhotoKey(album: album, blob: blobID([seed]))
            return Judgement.Lost(
                path: FolderPath(path), record: FileRecord(photo: photo, signature: signature, origin: origin))
        }
        var found: Judgement.Found {
            let photo = PendingChanges.Found(
                id: blobID([seed]), blob: nil, mediaType: "image/jpeg", signature: signature, isShort: false,
                isLive: true)
            return Judgement.Found(photo: photo, album: album)
        }
    }

    private func judge(
        lost: [File], found: [File], remaining: [File] = []
    ) -> (steps: [Judgement.Step], unrelated: [String]) {
        let judgement = Judgement(
            lost: lost.map(\.lost),
            found: Dictionary(uniqueKeysWithValues: found.map { (FolderPath($0.path), $0.found) })
        ) { photo in remaining.filter { $0.lost.record.photo == photo }.map { FolderPath($0.path) } }
        return (judgement.steps, judgement.unrelated.map(\.text))
    }

    // Shows that files which changed places are renamed, not removed, edited or doubled.
    @Test func swappedFilesAreRenamed() {
        let (a, b) = (File(path: "A/a.jpg", seed: 1, inode: 1), File(path: "A/b.jpg", seed: 2, inode: 2))
        let result = judge(
            lost: [a, b],
            found: [File(path: "A/a.jpg", seed: 2, inode: 2), File(path: "A/b.jpg", seed: 1, inode: 1)])
        #expect(
            result.steps == [
                .rename(a.lost, to: FolderPath("A/b.jpg")), .rename(b.lost, to: FolderPath("A/a.jpg")),
            ])
        #expect(result.unrelated.isEmpty)
    }

    // Shows that of equal bytes the same file, then the same name, then the same place is taken.
    @Test func filesFollowTheirLikes() {
        let lost = File(path: "A/x.jpg", seed: 1, inode: 1)
        let sameFile = File(path: "A/y.jpg", seed: 1, inode: 1)
        let sameName = File(path: "A/sub/x.jpg", seed: 1, inode: 3)
        let other = File(path: "A/a.jpg", seed: 1, inode: 4)
        let elsewhere = File(path: "B/x.jpg", seed: 1, inode: 1)
        #expect(
            judge(lost: [lost], found: [other, sameName, sameFile]).steps == [
                .rename(lost.lost, to: FolderPath("A/y.jpg"))
            ])
        #expect(
            judge(lost: [lost], found: [other, sameName]).steps == [.rename(lost.lost, to: FolderPath("A/sub/x.jpg"))])
        // The own album goes before another one, whatever file it is.
        let both = judge(lost: [lost], found: [elsewhere, other])
        #expect(both.steps == [.rename(lost.lost, to: FolderPath("A/a.jpg"))] && both.unrelated == ["B/x.jpg"])
    }

    // Shows that a photo renamed over another one replaces it, and keeps its own record.
    @Test func renamingOverReplaces() {
        let (old, edited) = (File(path: "A/x.jpg", seed: 1, inode: 1), File(path: "A/new.jpg", seed: 2, inode: 2))
        let result = judge(lost: [old, edited], found: [File(path: "A/x.jpg", seed: 2, inode: 2)])
        #expect(result.steps == [.rename(edited.lost, to: FolderPath("A/x.jpg")), .replace(old.lost)])
        #expect(judge(lost: [old], found: [File(path: "A/x.jpg", seed: 3, inode: 1)]).steps == [.replace(old.lost)])
        #expect(judge(lost: [old], found: []).steps == [.remove(old.lost)])
    }

    // Shows that a photo of which a copy stays is not lost: the copy stands for it, and new bytes are new.
    @Test func copiesStandForTheirPhoto() {
        let (file, copy) = (
            File(path: "A/x.jpg", seed: 1, inode: 1), File(path: "A/y.jpg", seed: 1, inode: 2, origin: .duplicate)
        )
        #expect(judge(lost: [file], found: [], remaining: [copy]).steps == [.promote(file.lost, FolderPath("A/y.jpg"))])
        #expect(judge(lost: [copy], found: [], remaining: [file]).steps == [.forget(copy.lost)])
        #expect(judge(lost: [file, copy], found: []).steps == [.forget(copy.lost), .remove(file.lost)])
        let edited = judge(lost: [file], found: [File(path: "A/x.jpg", seed: 3, inode: 1)], remaining: [copy])
        #expect(edited.steps == [.promote(file.lost, FolderPath("A/y.jpg"))] && edited.unrelated == ["A/x.jpg"])
    }

    // Shows that a copy moved to another album leaves the photo where its file stays, and that all its files may move.
    @Test func movesAmongCopies() {
        let (file, copy) = (
            File(path: "A/x.jpg", seed: 1, inode: 1), File(path: "A/y.jpg", seed: 1, inode: 2, origin: .duplicate)
        )
        let (first, second) = (File(path: "B/x.jpg", seed: 1, inode: 1), File(path: "B/y.jpg", seed: 1, inode: 2))
        let one = judge(lost: [copy], found: [second], remaining: [file])
        #expect(one.steps == [.forget(copy.lost)] && one.unrelated == ["B/y.jpg"])
        let all = judge(lost: [file, copy], found: [first, second])
        #expect(
            all.steps == [
                .move(file.lost, to: FolderPath("B/x.jpg")), .move(copy.lost, to: FolderPath("B/y.jpg")),
            ])
        #expect(judge(lost: [file, copy], found: [first]).steps.count == 2)
    }

    // Shows that a file which held a removed photo goes without a word, and what takes its place is new.
    @Test func filesOfRemovedPhotosGoSilently() {
        let file = File(path: "A/x.jpg", seed: 1, inode: 1, origin: .removed)
        let result = judge(lost: [file], found: [File(path: "A/x.jpg", seed: 2, inode: 1)])
        #expect(result.steps == [.forget(file.lost)] && result.unrelated == ["A/x.jpg"])
    }

    private func reason(
        vanished: Int, rewritten: Int = 0, of count: Int, renewed: Int = 0, older: Bool = false,
        directory: Bool = false, unexplained: Bool = false
    ) -> HeldGroup.Reason? {
        let losses =
            (0..<vanished).map { Judgement.Step.remove(File(path: "A/\($0)", seed: 1, inode: 1).lost) }
            + (0..<rewritten).map { Judgement.Step.replace(File(path: "A/r\($0)", seed: 1, inode: 1).lost) }
        return Brake(judging: Judging()).reason(
            Brake.Group(
                losses: losses, fileCounts: [Self.albumA: count], renewedCounts: [Self.albumA: renewed],
                holdsOlder: older, losesDirectory: directory, hasUnexplained: unexplained))
    }

    // Shows the brake's limits: more than 20, or half of an album of more than 5; an older folder, a lost
    // directory and what nobody saw go at once.
    @Test func theBrakeHasLimits() {
        #expect(reason(vanished: 20, of: 1000) == nil)
        #expect(reason(vanished: 21, of: 1000) == .manyVanished)
        #expect(reason(vanished: 10, rewritten: 11, of: 1000) == .manyRewritten)
        #expect(reason(vanished: 5, of: 5) == nil)
        #expect(reason(vanished: 2, of: 6) == nil)
        #expect(reason(vanished: 3, of: 6) == .manyVanished)
        #expect(reason(vanished: 1, of: 100, renewed: 50) == .restoredFolder)
        #expect(reason(vanished: 0, rewritten: 1, of: 100, older: true) == .restoredFolder)
        #expect(reason(vanished: 0, of: 100, renewed: 100) == nil)
        #expect(reason(vanished: 2, of: 100, directory: true, unexplained: true) == .directoryGone)
        #expect(reason(vanished: 1, of: 100, unexplained: true) == .unexplained)
        #expect(reason(vanished: 21, of: 100, directory: true, unexplained: true) == .manyVanished)
    }

    // Shows the sentence that a person reads.
    @Test func heldGroupsAreTold() {
        let losses = (0..<30).map { Judgement.Step.remove(File(path: "A/\($0)", seed: 1, inode: 1).lost) }
        let group = HeldGroup(
            id: 1, version: 1, reason: .manyVanished, losses: losses, fileCounts: [Self.albumA: 40])
        #expect(group.paths.count == 20 && group.vanished == 30 && group.of == 40)
        #expect(
            group.sentence
                == "In the folder, 30 of 40 files are gone. Nothing was removed or replaced in the gathering. "
                + "If it was meant, say `potluck confirm`; `potluck undo` puts the photos' files back.")
    }
}
