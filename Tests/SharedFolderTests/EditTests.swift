import AlbumModel
import FolderEngine
import Glibc
import PhotoStore
import TestSupport
import Testing

@testable import SharedFolder

/// What moving, renaming and editing files in a real directory means.
@Suite(.timeLimit(.minutes(2)))
struct EditTests {
    private static let a = AlbumName.identifier("A")

    /// A kit with one photo, `A/x.jpg` of seed 1, and its caption.
    private func withPhoto(_ name: String = "x.jpg", _ body: @Sendable (Kit) async throws -> Void) async throws {
        try await withKit(settings: .inOrder) { kit in
            for directory in ["A", "A/sub", "B"] { kit.makeDirectory(directory) }
            try kit.drop(SamplePhoto.jpeg(1), as: "A/" + name)
            try await kit.waitForDrops(of: [1])
            await kit.host.setCaption("the caption", of: SamplePhoto.jpeg(1), in: "A")
            try await body(kit)
        }
    }

    private func expectReplaced(_ kit: Kit, by seed: Int, sourceLocation: SourceLocation = #_sourceLocation) async {
        let edits = await kit.edits()
        #expect(
            edits.contains { edit in
                guard case .replaced(Self.a, blobID(SamplePhoto.jpeg(1)), let drop) = edit else { return false }
                return drop.blob.id == blobID(SamplePhoto.jpeg(seed)) && drop.name == "x.jpg"
            }, "\(edits)", sourceLocation: sourceLocation)
        #expect(!edits.contains { if case .removed = $0 { true } else { false } }, sourceLocation: sourceLocation)
        #expect(await kit.host.names(in: "A") == ["x.jpg"], sourceLocation: sourceLocation)
        #expect(
            await kit.host.caption(of: SamplePhoto.jpeg(seed), in: "A") == "the caption",
            sourceLocation: sourceLocation)
        #expect(kit.shared == ["A/x.jpg"], sourceLocation: sourceLocation)
    }

    // Shows that a renamed file stays the same photo under its new name, wherever it is in the album's directory.
    @Test func renamedFilesStayTheSamePhoto() async throws {
        try await withPhoto { kit in
            #expect(rename(kit.path("A/x.jpg"), kit.path("A/sub/renamed.jpg")) == 0)
            try await kit.settle()
            let blob = blobID(SamplePhoto.jpeg(1))
            #expect(
                await kit.edits() == [
                    .renamed(album: Self.a, blob: blob, name: "renamed.jpg", path: "A/sub/renamed.jpg")
                ])
            #expect(rename(kit.path("A/sub"), kit.path("A/other")) == 0)
            try await kit.settle()
            #expect(await kit.edits().count == 1)
            #expect(kit.shared == ["A/other/renamed.jpg"])
            #expect(await kit.dropped().count == 1)
        }
    }

    // Shows that a move to another album keeps the caption, also where that album is new.
    @Test func movesKeepCaptions() async throws {
        try await withPhoto { kit in
            #expect(rename(kit.path("A/x.jpg"), kit.path("B/x.jpg")) == 0)
            try await kit.settle()
            #expect(await kit.host.caption(of: SamplePhoto.jpeg(1), in: "B") == "the caption")
            #expect(await kit.host.names(in: "A").isEmpty)
            #expect(rename(kit.path("B"), kit.path("C")) == 0)
            try await kit.settle()
            #expect(await kit.host.caption(of: SamplePhoto.jpeg(1), in: "C") == "the caption")
            #expect(kit.shared == ["C/x.jpg"])
            // No second add: both were edits.
            #expect(await kit.dropped().count == 1)
        }
    }

    // Shows that an edit in place replaces the photo, also one that hides its traces by keeping size and mtime.
    @Test func editsInPlaceReplace() async throws {
        try await withPhoto { kit in
            var info = stat()
            #expect(stat(kit.path("A/x.jpg"), &info) == 0)
            try kit.write(SamplePhoto.jpeg(2), to: "A/x.jpg")
            var times = [info.st_atim, info.st_mtim]
            #expect(utimensat(AT_FDCWD, kit.path("A/x.jpg"), &times, 0) == 0)
            try await kit.settle()
            // Where the file was looked at before its times were put back, it is judged the second time.
            try await kit.settle()
            await expectReplaced(kit, by: 2)
        }
    }

    // Shows that a file renamed over the photo replaces it: from outside, and from a name that was shared meanwhile.
    @Test func renamingOverReplaces() async throws {
        try await withPhoto { kit in
            try kit.drop(SamplePhoto.jpeg(2), as: "A/x.jpg")
            try await kit.settle()
            await expectReplaced(kit, by: 2)
        }
        try await withPhoto { kit in
            try kit.drop(SamplePhoto.jpeg(3), as: "A/x-edited.jpg")
            try await kit.dropSentinel(2)
            #expect(rename(kit.path("A/x-edited.jpg"), kit.path("A/x.jpg")) == 0)
            try await kit.settle()
            #expect(await kit.host.names(in: "A") == ["x.jpg"])
            #expect(kit.shared == ["A/x.jpg"])
        }
    }

    // Shows that deleting and making again under the same name replaces, as does an editor that keeps a backup.
    @Test func deletingAndMakingAgainReplaces() async throws {
        try await withPhoto { kit in
            #expect(unlink(kit.path("A/x.jpg")) == 0)
            try kit.write(SamplePhoto.jpeg(2), to: "A/x.jpg")
            try await kit.settle()
            await expectReplaced(kit, by: 2)
        }
        try await withPhoto { kit in
            #expect(rename(kit.path("A/x.jpg"), kit.path("A/x.jpg~")) == 0)
            try kit.write(SamplePhoto.jpeg(2), to: "A/x.jpg")
            try await kit.settle()
            await expectReplaced(kit, by: 2)
        }
    }

    // Shows that a directory deleted and made again with the same files changes nothing, and is watched again.
    @Test func directoriesMadeAgainChangeNothing() async throws {
        try await withPhoto { kit in
            #expect(unlink(kit.path("A/x.jpg")) == 0 && rmdir(kit.path("A/sub")) == 0 && rmdir(kit.path("A")) == 0)
            kit.makeDirectory("A")
            try kit.write(SamplePhoto.jpeg(1), to: "A/x.jpg")
            try await kit.settle()
            #expect(await kit.edits().isEmpty)
            try kit.drop(SamplePhoto.jpeg(2), as: "A/y.jpg")
            try await kit.dropSentinel(2)
            #expect(await kit.host.names(in: "A") == ["x.jpg", "y.jpg"])
        }
    }

    // Shows that a photo whose directory is renamed while it is on its way into the album leaves no record of a file
    // that is not there.
    @Test func directoriesRenamedAmidAnImport() async throws {
        var settings = FolderSettings.calm
        settings.judging.quiet = .milliseconds(20)
        try await withKit(settings: settings) { kit in
            for directory in ["A", "A/s"] { kit.makeDirectory(directory) }
            await kit.host.whileContributing {
                #expect(rename(kit.path("A/s"), kit.path("A/t")) == 0)
                #expect(throws: Never.self) { try kit.write(SamplePhoto.jpeg(2), to: "A/t/x.jpg") }
                // The watcher tells of it after all the others.
                await #expect(throws: Never.self) { try await kit.dropSentinel() }
            }
            try kit.drop(SamplePhoto.jpeg(1), as: "A/s/x.jpg")
            // Its directory went with it; or it was seen in the new one, before another photo was written over it there.
            #expect(
                await kit.host.wait { $0.held?.reason == .directoryGone || $0.isReplaced(SamplePhoto.jpeg(1)) })
            if await !kit.host.view.isReplaced(SamplePhoto.jpeg(1)) {
                try await kit.confirm()
                #expect(await kit.host.view.isRemoved(SamplePhoto.jpeg(1)))
            }
            try await kit.dropSentinel(2)
            #expect(kit.shared == ["A/t/x.jpg"])
        }
    }

    // Shows that a name which differs by case is another name, and one that differs by normalisation is the same.
    @Test func caseCountsAndNormalisationDoesNot() async throws {
        try await withPhoto("cafe\u{301}.jpg") { kit in
            #expect(await kit.host.names(in: "A") == ["caf\u{E9}.jpg"])
            #expect(rename(kit.path("A/cafe\u{301}.jpg"), kit.path("A/caf\u{E9}.jpg")) == 0)
            try await kit.settle()
            #expect(await kit.edits().isEmpty)
            #expect(rename(kit.path("A/caf\u{E9}.jpg"), kit.path("A/CAF\u{C9}.jpg")) == 0)
            try await kit.settle()
            #expect(await kit.host.names(in: "A") == ["CAF\u{C9}.jpg"])
            // An album's directory that differs by case is the same album.
            #expect(rename(kit.path("A"), kit.path("a")) == 0)
            try await kit.settle()
            #expect(await kit.edits().count == 1 && kit.shared == ["a/CAF\u{C9}.jpg"])
        }
    }

    // Shows names of 255 bytes, names without extension, and two that differ by case only: each is a photo of its own.
    @Test func strangeNamesAreNames() async throws {
        let long = String(repeating: "\u{E9}", count: 125) + "a.jpg"
        try await withPhoto(long) { kit in
            #expect(await kit.host.names(in: "A") == [long])
            #expect(rename(kit.path("A/" + long), kit.path("A/none")) == 0)
            try kit.drop(SamplePhoto.jpeg(2), as: "A/NONE")
            try await kit.settle()
            #expect(await kit.host.names(in: "A") == ["NONE", "none"])
            let longest = String(repeating: "e", count: 251) + ".jpg"
            #expect(rename(kit.path("A/none"), kit.path("A/" + longest)) == 0)
            try await kit.settle()
            #expect(await kit.host.names(in: "A") == ["NONE", longest])
        }
    }

    // Shows that hard links and copies are no second photo, and that the last of them counts, under its name.
    @Test func copiesAreOnePhoto() async throws {
        try await withPhoto { kit in
            #expect(link(kit.path("A/x.jpg"), kit.path("A/linked.jpg")) == 0)
            try kit.drop(SamplePhoto.jpeg(1), as: "A/copy.jpg")
            try await kit.settle()
            #expect(await kit.edits().isEmpty && kit.shared == ["A/copy.jpg", "A/linked.jpg", "A/x.jpg"])
            #expect(unlink(kit.path("A/x.jpg")) == 0 && unlink(kit.path("A/linked.jpg")) == 0)
            try await kit.settle()
            #expect(await kit.host.names(in: "A") == ["copy.jpg"])
            #expect(unlink(kit.path("A/copy.jpg")) == 0)
            try await kit.settle()
            #expect(await kit.host.names(in: "A").isEmpty)
        }
    }

    // Shows that a photo put back before it is judged was never gone.
    @Test func filesPutBackWereNeverGone() async throws {
        try await withPhoto { kit in
            #expect(rename(kit.path("A/x.jpg"), kit.base + "/away") == 0)
            try await kit.dropSentinel(2)
            #expect(rename(kit.base + "/away", kit.path("A/x.jpg")) == 0)
            try await kit.settle()
            #expect(await kit.edits().isEmpty)
        }
    }

    // Shows that an agent that fails is asked again, and that folder state follows only then.
    @Test func failuresAreTriedAgain() async throws {
        var settings = FolderSettings.inOrder
        settings.judging.quiet = .milliseconds(20)
        try await withKit(settings: settings) { kit in
            try kit.drop(SamplePhoto.jpeg(1), as: "x.jpg")
            try await kit.waitForDrops(of: [1])
            await kit.host.failEdits(times: 2)
            #expect(unlink(kit.path("x.jpg")) == 0)
            #expect(await kit.host.wait { $0.isRemoved(SamplePhoto.jpeg(1)) })
            try await kit.dropSentinel(2)
            #expect(kit.shared.isEmpty)
        }
    }

    // Shows that time alone judges: after quiet, and at the latest after the longest wait.
    @Test func timeJudges() async throws {
        for isQuiet in [true, false] {
            var settings = FolderSettings.inOrder
            if isQuiet {
                settings.judging.quiet = .milliseconds(20)
            } else {
                settings.judging.waitMax = .milliseconds(20)
            }
            try await withKit(settings: settings) { kit in
                try kit.drop(SamplePhoto.jpeg(1), as: "x.jpg")
                try await kit.waitForDrops(of: [1])
                #expect(unlink(kit.path("x.jpg")) == 0)
                #expect(await kit.host.wait { $0.isRemoved(SamplePhoto.jpeg(1)) })
            }
        }
    }

    // Shows that a restart judges what happened while nothing ran: moved, edited and, once a person said so, deleted files.
    @Test func restartsJudge() async throws {
        let kit = try await Kit(settings: .inOrder)
        defer { kit.remove() }
        try await kit.running { kit in
            for directory in ["A", "B"] { kit.makeDirectory(directory) }
            for number in 1...4 { try kit.drop(SamplePhoto.jpeg(number), as: "A/\(number).jpg") }
            try await kit.waitForDrops(of: 1...4)
        }
        #expect(rename(kit.path("A/1.jpg"), kit.path("B/1.jpg")) == 0)
        try kit.write(SamplePhoto.jpeg(12), to: "A/2.jpg")
        #expect(unlink(kit.path("A/3.jpg")) == 0)
        #expect(rename(kit.path("A/4.jpg"), kit.path("A/four.jpg")) == 0)
        let again = try await Kit(base: kit.base, host: kit.host, settings: .inOrder)
        try await again.running { kit in
            try await kit.settle(confirms: true)
            #expect(await kit.edits().count == 4)
            #expect(await kit.host.names(in: "A") == ["2.jpg", "four.jpg"])
            #expect(await kit.host.names(in: "B") == ["1.jpg"])
            #expect(await kit.dropped().count == 4)
        }
    }

    // Shows that the record of an edited file is durable before anybody else may find, place or take away its photo.
    @Test func editsAreRecordedWithinTheirTurn() async throws {
        try await withKit(settings: .inOrder) { kit in
            let path = FolderPath("A/x.jpg")
            try await kit.fill([(path.text, 1)])
            try kit.drop(SamplePhoto.jpeg(2), as: path.text)
            try await kit.dropSentinel()
            let core = kit.folder.core
            var waiting = core.queue.handle(.judge(newID: 1))
            var isSettled = false
            while !isSettled, let directive = waiting.popLast() {
                switch directive {
                case .check(let check): waiting += core.queue.handle(.checked(check, await core.answer(check)))
                case .identify(let directories):
                    waiting += core.queue.handle(.identified(await core.albums(of: directories)))
                case .inquire(let questions): waiting += await Judge(core: core).inquire(questions)
                case .settle(let group, let steps):
                    waiting = try await Settler(core: core, group: group).settle(steps)
                    isSettled = true
                default: Issue.record("not a step of judging")
                }
            }
            let record = try #require(core.queue.read { $0.state.files[path] })
            #expect(isSettled && record.photo.blob == blobID(SamplePhoto.jpeg(2)))
            let facts = try kit.journal.facts(.folderFile)
            #expect(facts.contains { $0.key == path.bytes && $0.value == record.bytes })
            #expect(!waiting.contains { if case .commit = $0 { true } else { false } })
        }
    }
}
