import PotluckAPI
import PotluckAgent
import Testing

@testable import PotluckCommands

/// Commands about what people say of photos: what the agent is asked, and what is printed of its answer.
@Suite(.timeLimit(.minutes(1))) struct WordsCommandTests {
    /// Runs a command with an agent, and gives what that was asked.
    private func ask(_ arguments: String...) async throws -> (outcome: Outcome, requests: [AnyHashable]) {
        let agent = FakeAgent()
        let console = TestConsole()
        try await withAgent(agent) { home in
            let status = await PotluckCommandLine.run(
                arguments + ["--home", home], console: console.console(isTerminal: false, environment: [:]))
            #expect(status == 0)
        }
        let outcome = console.outcome(0)
        #expect(outcome.errors.isEmpty)
        return (outcome, agent.requests)
    }

    /// Shows that photos are listed with what people say of them below, and that such a request asks for no more.
    @Test func photosAreListedWithTheirWords() async throws {
        let (outcome, requests) = try await ask("photos", "Beach day")
        #expect(
            outcome.output == """
                Photo         Taken             By      Size  Here  Copies  ID
                IMG_0001.JPG  2026-08-01 12:00  Anna  4.2 MB  yes        2  b1b2b3b4
                    “Waves”
                    sea, sun · favourite of Ben
                1 photo, 4.2 MB

                """)
        #expect(requests == [PhotoQuery(album: "Beach day", isBrief: true)])
    }

    /// Shows that a time that is the file's own is marked, and said to be that; one that the photo or its name tells is not.
    @Test func guessedTimesAreMarked() {
        var (guessed, named, untold) = (FakeAgent.photo, FakeAgent.photo, FakeAgent.photo)
        (guessed.takenFrom, named.takenFrom, untold.takenFrom) = (.mtime, .name, .mtime)
        untold.taken = nil
        func text(_ photos: PhotosReport.Photo...) -> String {
            PhotoTable.text(PhotosReport(album: "A", albumID: "a1", photos: photos), cellCount: nil)
        }
        #expect(text(named, guessed).contains("IMG_0001.JPG  ~2026-08-01 12:00  Anna"))
        #expect(
            text(named, guessed).hasSuffix("“~” before a time: it is the file's, since the photo itself tells none.\n"))
        #expect(!text(named, untold).contains("~"))
    }

    /// Shows that every filter reaches the agent, in JSON with all that is known, and that the document is the agent's.
    @Test func filtersReachTheAgent() async throws {
        let (outcome, requests) = try await ask(
            "photos", "Beach day", "--tag", "sea", "--tag", "sun", "--by", "Anna", "--taken-after", "2026-08-01",
            "--taken-before", "2026-08-02T12:30", "--camera", "eos 7d", "--type", "video", "--type", "live",
            "--favourites", "--conflicts", "--json")
        #expect(
            requests == [
                PhotoQuery(
                    album: "Beach day", tags: ["sea", "sun"], by: ["Anna"],
                    takenAfter: LocalTime(parsing: "2026-08-01T00:00:00"),
                    takenBefore: LocalTime(parsing: "2026-08-02T12:30:00"), camera: "eos 7d",
                    kinds: [.video, .live], isFavourite: true, hasConflict: true)
            ])
        #expect(outcome.output.hasPrefix(#"{"album":"Beach day","album_id":"a1","photos":[{"altitude":null,"#))
    }

    /// Shows that without an album all are looked at, each photo with its album.
    @Test func withoutAnAlbumAllAreLookedAt() async throws {
        let (outcome, requests) = try await ask("photos", "--tag", "sea")
        #expect(requests == [PhotoQuery(tags: ["sea"], isBrief: true)])
        #expect(outcome.output.hasPrefix("Photo         Album      Taken"))
    }

    /// Shows that a listing without photos says which.
    @Test func anEmptyListingSaysSo() async throws {
        #expect(try await ask("photos", "--tag", "nothing").outcome.output == "No photo fits.\n")
        #expect(try await ask("search", "nothing").outcome.output == "Nothing is found for “nothing”.\n")
    }

    /// Shows that words are searched for in all albums.
    @Test func wordsAreSearchedFor() async throws {
        let (outcome, requests) = try await ask("search", "first", "wave", "--type", "photo")
        #expect(requests == [PhotoQuery(words: "first wave", kinds: [.photo], isBrief: true)])
        #expect(outcome.output.contains("IMG_0001.JPG"))
    }

    /// Shows both forms of `tag`: one photo with its tags, and many photos with --tag.
    @Test func tagsAreGivenAndTaken() async throws {
        let one = try await ask("tag", "Beach day", "IMG_0001.JPG", "sea", "first swim")
        #expect(
            one.requests == [
                PhotoEdit(album: "Beach day", photos: ["IMG_0001.JPG"], addedTags: ["sea", "first swim"])
            ])
        #expect(one.outcome.output == "IMG_0001.JPG: sea, sun\n")
        let many = try await ask("tag", "Beach day", "1.jpg", "2.jpg", "--tag", "sea", "--remove")
        #expect(
            many.requests == [PhotoEdit(album: "Beach day", photos: ["1.jpg", "2.jpg"], removedTags: ["sea"])])
    }

    /// Shows the tags with their counts, harmless.
    @Test func tagsAreListed() async throws {
        let (outcome, requests) = try await ask("tags")
        #expect(requests == [TagsRequest(album: nil)])
        #expect(outcome.output == "Tag      Photos\nsea          12\nsun\u{FFFD}[2J       1\n2 tags\n")
        #expect(try await ask("tags", "Empty").outcome.output.contains("No photo in “Empty” has a tag yet."))
        let json = try await ask("tags", "Beach day", "--json").outcome.output
        #expect(json.hasPrefix(#"{"album":"Beach day","album_id":"a1","tags":[{"photos":12,"tag":"sea"},"#))
    }

    /// Shows that a caption is written, taken away, and otherwise shown.
    @Test func captionsAreWrittenAndShown() async throws {
        let written = try await ask("caption", "Beach day", "IMG_0001.JPG", "The", "first", "wave")
        #expect(
            written.requests == [
                PhotoEdit(album: "Beach day", photos: ["IMG_0001.JPG"], caption: "The first wave")
            ])
        let cleared = try await ask("caption", "Beach day", "b1b2b3", "--clear")
        #expect(cleared.requests == [PhotoEdit(album: "Beach day", photos: ["b1b2b3"], caption: "")])
        let shown = try await ask("caption", "Beach day", "IMG_0001.JPG")
        #expect(shown.requests == [PhotoQuery(album: "Beach day", photos: ["IMG_0001.JPG"])])
        #expect(shown.outcome.output == "IMG_0001.JPG: “Waves”\n")
    }

    /// Shows that favourites are marked and unmarked, in both spellings of the word.
    @Test func favouritesAreMarked() async throws {
        let marked = try await ask("favorite", "Beach day", "1.jpg", "2.jpg")
        #expect(
            marked.requests == [PhotoEdit(album: "Beach day", photos: ["1.jpg", "2.jpg"], isFavourite: true)])
        #expect(marked.outcome.output == "IMG_0001.JPG: favourite of Ben\n")
        let unmarked = try await ask("favourite", "Beach day", "1.jpg", "--undo")
        #expect(unmarked.requests == [PhotoEdit(album: "Beach day", photos: ["1.jpg"], isFavourite: false)])
    }

    /// Shows that a cover is chosen, taken back, and otherwise shown.
    @Test func aCoverIsChosenAndShown() async throws {
        let chosen = try await ask("cover", "Beach day", "IMG_0001.JPG")
        #expect(chosen.requests == [SetCoverRequest(album: "Beach day", photo: "IMG_0001.JPG")])
        #expect(chosen.outcome.output == "The cover of “Beach day” is IMG_0001.JPG (b1b2b3b4).\n")
        #expect(
            try await ask("cover", "Beach day", "--clear").requests == [SetCoverRequest(album: "Beach day", photo: nil)]
        )
        let shown = try await ask("cover", "Beach day")
        #expect(shown.requests == [CoverRequest(album: "Beach day")])
        #expect(shown.outcome.output.hasPrefix("“Beach day” has no chosen cover."))
    }

    /// Shows what is said about a clock, and that nothing is stored unless that is asked for.
    @Test func clocksAreComparedAndSet() async throws {
        let compared = try await ask("clock", "Beach day")
        #expect(compared.requests == [ClocksRequest(album: "Beach day", camera: nil)])
        #expect(
            compared.outcome.output == """
                Anna's Canon EOS 7D, 142 photos: 1 h 2 min 5 s behind; 14 moments with 3 other cameras agree, \
                9 photos have GPS time.
                With --apply, this clock will be set right for everyone; the files stay as they are.

                """)
        let applied = try await ask("clock", "Beach day", "--apply", "--camera", "anna eos")
        #expect(applied.requests == [ClockEdit(album: "Beach day", camera: "anna eos")])
        #expect(
            applied.outcome.output == "Anna's Canon EOS 7D: 1 h 2 min 5 s are added to what its clock shows.\n")
        let set = try await ask("clock", "Beach day", "--camera", "eos", "--set", "-1:00:01")
        #expect(set.requests == [ClockEdit(album: "Beach day", camera: "eos", seconds: -3601)])
        #expect(set.outcome.output.contains("1 h 1 s are taken from what its clock shows"))
    }
}
