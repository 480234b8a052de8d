import PotluckAPI
import PotluckAgent
import Testing

@testable import PotluckCommands

/// Commands about photos that leave albums: what the agent is asked, and what is printed of its answer.
@Suite(.timeLimit(.minutes(1))) struct RemovalCommandTests {
    /// Runs a command with an agent, and gives what it printed and what the agent was asked.
    private func ask(
        _ arguments: String..., of agent: FakeAgent = FakeAgent()
    ) async throws -> (output: String, requests: [AnyHashable]) {
        let console = TestConsole()
        try await withAgent(agent) { home in
            let status = await PotluckCommandLine.run(
                arguments + ["--home", home], console: console.console(isTerminal: false, environment: [:]))
            #expect(status == 0)
        }
        #expect(console.outcome(0).errors.isEmpty)
        return (console.outcome(0).output, agent.requests)
    }

    /// Shows that what was removed and what was only hidden are told apart, with whose it is.
    @Test func removingTellsWhatBecameOfEach() async throws {
        let (output, requests) = try await ask("remove", "Beach day", "IMG_0001.JPG")
        #expect(requests == [RemovalOrder(.remove, album: "Beach day", photos: ["IMG_0001.JPG"])])
        #expect(
            output == """
                Hid 1 photo of “Beach day”, on this laptop only. `potluck unhide` shows it again, `potluck remove --for-everyone` removes it everywhere.
                  IMG_0001.JPG: added by Ben
                Removed 1 photo from “Beach day”, on every laptop. `potluck restore` brings it back.

                """)
    }

    /// Shows that a film is no photo beside its still, wherever that went; alone it is one.
    @Test func aLivePhotoIsOne() {
        func sentences(_ photos: RemovalReport.Photo...) -> String {
            RemovalListing.done(RemovalReport(album: "Beach", albumID: "a1", photos: photos))
        }
        let still = RemovalReport.Photo(id: "b1", name: "IMG_1.HEIC", outcome: .removed)
        let film = RemovalReport.Photo(id: "b2", name: "IMG_1.MOV", outcome: .removed, partOf: "b1")
        let other = RemovalReport.Photo(id: "b3", name: "IMG_2.JPG", outcome: .removed)
        #expect(sentences(still, film).hasPrefix("Removed 1 photo from “Beach”"))
        #expect(sentences(still, film, other).hasPrefix("Removed 2 photos from “Beach”"))
        #expect(sentences(film).hasPrefix("Removed 1 photo from “Beach”"))
        let moved = MoveReport(
            album: "Beach", albumID: "a1", to: "Hills", toID: "a2",
            photos: [
                .init(id: "b1", name: "IMG_1.HEIC", outcome: .copied),
                .init(id: "b2", name: "IMG_1.MOV", outcome: .copied, partOf: "b1"),
            ])
        #expect(RemovalListing.moved(moved) == "Copied 1 photo from “Beach” to “Hills”, on every laptop.\n")
    }

    /// Shows that the other ways of removing and bringing back reach the agent.
    @Test func ordersReachTheAgent() async throws {
        let everyone = try await ask("remove", "Beach day", "b1b2b3", "--for-everyone", "--json")
        #expect(
            everyone.requests == [RemovalOrder(.removeForEveryone, album: "Beach day", photos: ["b1b2b3"])])
        #expect(everyone.output.contains(#""outcome":"removed""#))
        let restored = try await ask("restore", "Beach day", "IMG_0001.JPG")
        #expect(restored.requests == [RemovalOrder(.restore, album: "Beach day", photos: ["IMG_0001.JPG"])])
        #expect(restored.output == "Restored 1 photo to “Beach day”, on every laptop.\n")
        let shown = try await ask("unhide", "Beach day", "IMG_0001.JPG")
        #expect(shown.requests == [RemovalOrder(.unhide, album: "Beach day", photos: ["IMG_0001.JPG"])])
        #expect(shown.output == "1 photo of “Beach day” is shown again.\n")
    }

    /// Shows that whole albums, and all of them, are named to the agent photo by photo.
    @Test func wholeAlbumsComeBack() async throws {
        let restored = try await ask("restore", "Beach day")
        let both = RemovalOrder(.restore, album: "a1", photos: ["b1b2b3b4b5", "b2b2b3b4b5"])
        #expect(restored.requests == [TrashRequest(album: "Beach day"), both])
        #expect(restored.output == "Restored 1 photo to “a1”, on every laptop.\n")
        #expect(try await ask("restore", "--all").requests == [TrashRequest(album: nil), both])
        let one = RemovalOrder(.unhide, album: "a1", photos: ["b1b2b3b4b5"])
        #expect(try await ask("unhide", "Beach day").requests == [HiddenRequest(album: "Beach day"), one])
        let shown = try await ask("unhide", "--all", "--json")
        #expect(shown.requests == [HiddenRequest(album: nil), one])
        #expect(shown.output.contains(#""outcome":"shown""#))
        for words in [["unhide"], ["unhide", "Beach day", "--all"], ["restore"], ["restore", "Beach day", "--all"]] {
            let console = TestConsole()
            let status = await PotluckCommandLine.run(
                words, console: console.console(isTerminal: false, environment: ["HOME": "/nonexistent"]))
            #expect(status == 64, "\(words)")
        }
    }

    /// Shows that several albums make one document, and a sentence each.
    @Test func severalAlbumsAreOneReport() {
        let reports = ["A", "B"].map { name in
            RemovalReport(
                album: name, albumID: name, photos: [.init(id: "b1", name: "a.jpg", outcome: .restored)])
        }
        #expect(WholeAlbums.whole(reports).photos.count == 2)
        #expect(
            WholeAlbums.text(reports)
                == "Restored 1 photo to “A”, on every laptop.\nRestored 1 photo to “B”, on every laptop.\n")
        #expect(WholeAlbums.text([]) == "There was nothing to do.\n")
    }

    /// Shows that where only the first of several albums was done, its report is printed, and the rest is an error; and
    /// that nothing but an error is printed where none was.
    @Test(arguments: [["restore", "--all"], ["unhide", "--all"], ["originals", "--all", "none"]])
    func ordersThatEndHalfwayAreTold(words: [String]) async throws {
        func outcome(_ closedAlbum: String, _ more: String...) async throws -> Outcome {
            let console = TestConsole()
            var status: Int32 = 0
            try await withAgent(FakeAgent(closedAlbum: closedAlbum)) { home in
                status = await PotluckCommandLine.run(
                    words + more + ["--home", home], console: console.console(isTerminal: false, environment: [:]))
            }
            return console.outcome(status)
        }
        let text = try await outcome("a9")
        #expect(text.status == 66 && !text.output.isEmpty)
        #expect(text.errors == "potluck: It ended after 1 of 2 albums: It is closed.\n")
        let json = try await outcome("a9", "--json")
        #expect(json.status == 66 && json.output.hasPrefix("{") && json.output.hasSuffix("}\n"))
        #expect(json.output.filter { $0 == "\n" }.count == 1 && !json.output.contains("a9"), "\(json.output)")
        #expect(
            json.errors
                == #"{"error":{"code":"not_found","message":"It ended after 1 of 2 albums: It is closed."}}"# + "\n")
        let nothing = try await outcome("a1")
        #expect(nothing.status == 66 && nothing.output.isEmpty)
        #expect(nothing.errors == "potluck: It is closed.\n")
    }

    /// Shows that an album is emptied only by whoever says so twice.
    @Test func wholeAlbumsLeaveWhenConfirmed() async throws {
        let agent = FakeAgent()
        let query = PhotoQuery(album: "Beach day", isBrief: true)
        try await withAgent(agent) { home in
            let unasked = await run("remove", "Beach day", "--all", "--home", home)
            #expect(unasked.status == 64 && unasked.output.isEmpty)
            #expect(unasked.errors == "potluck: “Beach day” has 1 photo: say --yes as well to take out all of them.\n")
            let refused = await run("remove", "Beach day", "--all", "--home", home, isTerminal: true, input: ["n"])
            #expect(refused.status == 1 && refused.errors.contains("Nothing was taken out"))
            #expect(agent.requests == [query, query])
            let meant = await run("remove", "Beach day", "--all", "--home", home, isTerminal: true, input: ["Yes"])
            #expect(meant.status == 0)
        }
        #expect(
            Array(agent.requests.suffix(1)) == [RemovalOrder(.remove, album: "Beach day", photos: ["b1b2b3b4b5"])])
        let told = try await ask("remove", "Beach day", "--all", "--yes", "--for-everyone")
        #expect(
            told.requests
                == [query, RemovalOrder(.removeForEveryone, album: "Beach day", photos: ["b1b2b3b4b5"])])
        #expect(await run("remove", "Beach day").status == 64)
        #expect(await run("remove", "Beach day", "a.jpg", "--all").status == 64)
        #expect(await run("remove", "Beach day", "a.jpg", "--yes").status == 64)
    }

    /// Shows that the trash says until when each photo is kept, and that nothing is deleted unless that is asked for.
    @Test func trashIsListed() async throws {
        let (output, requests) = try await ask("trash", "Beach day")
        #expect(requests == [TrashRequest(album: "Beach day")])
        #expect(
            output == """
                Photo         Album      Removed   By      Size  Kept       ID
                IMG_0001.JPG  Beach day  just now  Anna  4.2 MB  30 days    b1b2b3b4
                IMG_0002.JPG  Beach day  just now        1.0 kB  last copy  b2b2b3b4
                2 photos, 4.2 MB
                What says “last copy” is kept until you delete it: no other laptop is known to keep it.

                """)
        let emptied = try await ask("trash", "--empty")
        #expect(emptied.requests == [TrashOrder(album: nil)])
        #expect(emptied.output.contains("Kept 1 photo in the trash"))
        let all = try await ask("trash", "Beach day", "--delete", "a.jpg", "--last-copies")
        #expect(all.requests == [TrashOrder(album: "Beach day", photos: ["a.jpg"], lastCopies: true)])
        #expect(await run("trash", "--last-copies").status == 64)
        #expect(await run("trash", "--delete", "a.jpg").status == 64)
    }

    /// Shows that photos that go to another album, and an album's new name, reach the agent, and what is said of them.
    @Test func albumsAreRearranged() async throws {
        let moved = try await ask("move", "Beach day", "IMG_0001.JPG", "--to", "Old times")
        #expect(moved.requests == [MoveOrder(album: "Beach day", photos: ["IMG_0001.JPG"], to: "Old times")])
        #expect(
            moved.output == """
                Added 1 photo to “Old times”, on every laptop. Others added it to “Beach day”: there it stays for all \
                others and is hidden on this laptop.
                Moved 2 photos from “Beach day” to “Old times”, on every laptop.

                """)
        let copied = try await ask("copy", "Beach day", "--all", "--to", "Best of")
        #expect(
            copied.requests == [
                PhotoQuery(album: "Beach day", isBrief: true),
                MoveOrder(album: "Beach day", photos: ["b1b2b3b4b5"], to: "Best of", copy: true),
            ])
        #expect(copied.output == "Copied 1 photo from “Beach day” to “Best of”, on every laptop.\n")
        let renamed = try await ask("rename", "Beach dya", "Beach day")
        #expect(renamed.requests == [RenameRequest(album: "Beach dya", name: "Beach day")])
        #expect(renamed.output == "“Beach dya” is called “Beach day” now, on every laptop.\n")
        let spelled = try await ask("album", "rename", "Beach dya", "Beach day")
        #expect(spelled.requests == renamed.requests && spelled.output == renamed.output)
    }

    /// Shows that `album remove` takes out all photos that there are, and asks as `remove --all` does.
    @Test func albumsAreRemoved() async throws {
        let removed = try await ask("album", "remove", "Beach day", "--for-everyone", "--yes")
        #expect(
            removed.requests == [
                PhotoQuery(album: "Beach day", isBrief: true),
                RemovalOrder(.removeForEveryone, album: "Beach day", photos: ["b1b2b3b4b5"]),
            ])
        try await withAgent(FakeAgent()) { home in
            let unasked = await run("album", "remove", "Beach day", "--home", home)
            #expect(unasked.status == 64 && unasked.errors.contains("--yes"))
        }
    }

    /// Shows that a dry run says what would go and what would stay, and asks the agent for listings alone.
    @Test func emptyingIsTriedFirst() async throws {
        let (output, requests) = try await ask("trash", "--empty", "--dry-run")
        #expect(requests == [TrashRequest(album: nil)])
        #expect(
            output == """
                Would delete 1 photo from the trash for good, and free 4.2 MB.
                Would keep 1 photo: no other laptop is known to keep it. --last-copies would delete it too.
                Nothing was changed.

                """)
        let album = try await ask("trash", "Beach day", "--empty", "--last-copies", "--dry-run", "--json")
        #expect(album.requests == [TrashRequest(album: "Beach day"), TrashRequest(album: nil)])
        #expect(album.output.hasPrefix(#"{"bytes":4201000,"deleted":[{"album":"Beach day","#))
        #expect(album.output.hasSuffix("\"kept\":[]}\n"))
        for wrong in [["trash", "--dry-run"], ["trash", "Beach day", "--delete", "a.jpg", "--dry-run"]] {
            let console = TestConsole()
            let status = await PotluckCommandLine.run(
                wrong, console: console.console(isTerminal: false, environment: ["HOME": "/nonexistent"]))
            #expect(status == 64, "\(wrong)")
        }
    }

    /// Shows that bytes count once, with the last entry that has them, and not at all where an album has them too; and that
    /// of the last copies only that entry stays.
    @Test func aDryRunCountsAsTheAgentDeletes() {
        func photo(_ id: String, _ album: String, isLastCopy: Bool = false, isInAlbum: Bool = false)
            -> TrashReport.Photo
        {
            TrashReport.Photo(
                id: id, name: "\(id).jpg", album: album, albumID: album, bytes: 10, removedBy: nil,
                removed: TestConsole.now, daysLeft: nil, isLastCopy: isLastCopy, isInAlbum: isInAlbum)
        }
        let all = TrashReport(
            trash: [
                photo("b1", "a2"), photo("b1", "a1"), photo("b2", "a1", isInAlbum: true),
                photo("b3", "a2", isLastCopy: true), photo("b3", "a1", isLastCopy: true),
            ], days: 30)
        func preview(_ album: String?, lastCopies: Bool = false) -> TrashPreview {
            let chosen = TrashReport(trash: all.trash.filter { album == nil || $0.album == album }, days: 30)
            return TrashPreview(chosen, of: all, lastCopies: lastCopies)
        }
        #expect(preview(nil).deleted.map(\.name) == ["b1.jpg", "b2.jpg", "b3.jpg", "b1.jpg"])
        #expect(preview(nil).kept.map(\.albumID) == ["a2"])
        #expect(preview(nil).bytes == 10)
        #expect(preview(nil, lastCopies: true).kept.isEmpty && preview(nil, lastCopies: true).bytes == 20)
        #expect(preview("a1").deleted.count == 3 && preview("a1").bytes == 0)
    }

    /// Shows what is said of photos that are left out, and that those are kept that are named, or that are here.
    @Test func leftOutPhotosAreKept() async throws {
        let (output, requests) = try await ask("left-out", "Beach day")
        #expect(requests == [LeftOutRequest(album: "Beach day")])
        #expect(
            output == """
                Photo         Album      By   Added       Size  Here  ID
                IMG_0001.JPG  Beach day  Ben  just now  4.2 MB  yes   b1b2b3b4
                IMG_0002.JPG  Beach day  Ben  just now  4.2 MB  no    b2b2b3b4
                2 photos, 8.4 MB
                `potluck left-out --keep-all` puts those that are here into their albums, as added by this laptop.

                """)
        #expect(try await ask("left-out", "Empty").output == "Nothing is left out.\n")
        let one = try await ask("left-out", "Beach day", "--keep", "IMG_0002.JPG")
        #expect(one.requests == [RemovalOrder(.keep, album: "Beach day", photos: ["IMG_0002.JPG"])])
        #expect(one.output == "Added 1 photo to “Beach day”, on every laptop.\n")
        let all = try await ask("left-out", "--keep-all", "--json")
        #expect(
            all.requests == [
                LeftOutRequest(album: nil), RemovalOrder(.keep, album: "a1", photos: ["b1b2b3b4b5"]),
            ])
        #expect(all.output.contains(#""outcome":"added""#))
        for words in [["left-out", "--keep", "a.jpg"], ["left-out", "Beach", "--keep", "a.jpg", "--keep-all"]] {
            let console = TestConsole()
            let status = await PotluckCommandLine.run(
                words, console: console.console(isTerminal: false, environment: ["HOME": "/nonexistent"]))
            #expect(status == 64, "\(words)")
        }
    }

    /// Shows that what is hidden is listed.
    @Test func hiddenPhotosAreListed() async throws {
        let (output, _) = try await ask("hidden")
        #expect(output.hasPrefix("Photo         Album      By   Hidden    ID\nIMG_0001.JPG  Beach day  Ben  just now"))
    }

    private static let held = BrakeReport.Held(
        version: 7, reason: "manyVanished", vanished: 30, rewritten: 0, of: 40, paths: ["A/1.jpg", "A/2.jpg"],
        message: "30 files vanished.")

    /// Shows that decisions reach the agent, and that what is confirmed is listed first, and named: what joins it meanwhile is
    /// not. Catches a word that stands for files that nobody saw.
    @Test func whatIsConfirmedIsShownFirst() async throws {
        let list = """
            30 files are gone from the folder, or changed:
              A/1.jpg
              A/2.jpg
              and 28 more
            Confirmed: what became of 30 files counts in the gathering now.

            """
        let confirmed = try await ask("confirm", of: FakeAgent(held: Self.held))
        #expect(confirmed.requests == [HeldRequest(), DecideRequest(.confirm, version: 7)])
        #expect(confirmed.output == list)
        let less = try await ask("confirm", of: FakeAgent(held: Self.held, laterHeldCount: 1))
        #expect(less.requests == confirmed.requests)
        #expect(less.output == list + "More went or changed meanwhile, and waits: see `potluck status`.\n")
        let document = try await ask("confirm", "--json", of: FakeAgent(held: Self.held))
        #expect(document.output.hasPrefix(#"{"held":{"#) && document.output.contains(#""version":7"#))
        let undone = try await ask("undo", of: FakeAgent(held: Self.held))
        #expect(undone.requests == [DecideRequest(.undo)])
        #expect(undone.output == "Undone: the photos of 30 files are in the folder again.\n")
        let nothing = try await ask("confirm")
        #expect(nothing.requests == [HeldRequest(), DecideRequest(.confirm)])
        #expect(nothing.output == "Nothing waits for a decision.\n")
        #expect(try await ask("undo").output == "Nothing waits for a decision.\n")
    }
}
