import PotluckAPI
import PotluckAgent
import Testing

@testable import PotluckCommands

extension FakeAgent {
    func packPlan(for device: String?) async throws -> PackPlan {
        PackPlan(
            gathering: "Kuh reunion", tag: "00", device: "Grandma",
            photos: device == "Ben"
                ? [] : [.init(id: String(repeating: "ab", count: 32), name: "IMG\u{1B}_1.JPG", bytes: 5)],
            thumbnails: [], absent: 2)
    }

    func unpack(
        directory: String, progress: @Sendable (AddProgress) async -> Void
    ) async throws -> UnpackReport {
        await progress(AddProgress(done: 1, total: 1))
        var report = UnpackReport(directory: directory, isRunning: true)
        report.packedBy = "Anna"
        report.packedAt = TestConsole.now
        report.whole = true
        guard directory != "/empty" else { return report }
        if directory == "/absurd" {
            (report.refused, report.unreadable, report.gone) = (.max, .max, .max)
            (report.photos, report.batches, report.thumbnails, report.missing) = (.max, .max, .min, .min)
            return report
        }
        (report.photos, report.bytes, report.batches, report.missing) = (12, 50_400_000, 3, 1)
        if directory == "/damaged" {
            report.gone = 1
            report.damaged = [PackedPhoto(id: "b1", name: "IMG_0001.JPG", reason: "its bytes are damaged")]
        }
        return report
    }
}

/// Packing and unpacking as a person does it.
@Suite(.timeLimit(.minutes(1))) struct PackCommandTests {
    /// Shows what is said of a pack that was taken in, and of one in which nothing is new.
    @Test func unpackingIsTold() async throws {
        try await withAgent(FakeAgent()) { home in
            let text = await run("unpack", "/stick", "--home", home)
            #expect(text.status == 0)
            #expect(
                text.output == """
                    Packed on Anna, just now.
                    Taken in: 12 photos, 50.4 MB, and changes such as captions and tags.
                    1 photo of the gathering is still missing on this laptop.

                    """)
            let empty = await run("unpack", "/empty", "--home", home)
            #expect(empty.output == "Packed on Anna, just now.\nThere is nothing new in it.\n")
            let json = await run("unpack", "pack", "--json", "--home", home)
            #expect(json.output.contains(#""directory":"/work dir/pack""#))
        }
    }

    /// Shows that what could not be used is named, and is a failure though the rest was taken in.
    @Test func damageIsTold() async throws {
        try await withAgent(FakeAgent()) { home in
            let text = await run("unpack", "/damaged", "--home", home)
            #expect(text.status == 1)
            #expect(text.output.hasSuffix("Damaged:\n  IMG_0001.JPG: its bytes are damaged\n"))
            #expect(text.errors.contains("1 photo is damaged and 1 file is gone from it."))
            #expect(text.errors.contains("--verify"))
        }
    }

    /// Shows that numbers which no pack has are printed, as an agent of before may send them, and trap nobody.
    @Test func absurdNumbersAreTold() async throws {
        try await withAgent(FakeAgent()) { home in
            let text = await run("unpack", "/absurd", "--home", home)
            #expect(text.status == 1)
            #expect(text.output.contains("9,223,372,036,854,775,807 photos"))
            #expect(text.errors.contains("9,223,372,036,854,775,807 files are gone from it"))
        }
    }

    /// Shows that packing works beside an agent, that a photo whose bytes are gone is named, without control characters,
    /// and that a pack of nothing is fine.
    @Test func packingIsTold() async throws {
        try await withTemporaryHome { stick in
            try await withAgent(FakeAgent()) { home in
                let text = await run("pack", "\(stick)/pack", "--home", home)
                #expect(text.status == 1)
                #expect(text.output.hasSuffix("Left out:\n  IMG\u{FFFD}_1.JPG: its bytes are not on this laptop\n"))
                #expect(text.errors.contains("1 photo could not be packed"))
                let fine = await run("pack", "\(stick)/pack", "--for", "Ben", "--home", home)
                #expect(fine.status == 0)
                #expect(fine.output.contains("2 photos are not on this laptop"))
                #expect(fine.output.contains("potluck unpack \(stick)/pack"))
            }
        }
    }

    /// Shows that people at a terminal see how far it is, and no program.
    @Test func progressIsForPeople() async throws {
        try await withTemporaryHome { stick in
            try await withAgent(FakeAgent()) { home in
                let packed = await run("pack", "\(stick)/pack", "--home", home, isTerminal: true)
                #expect(packed.progress == ["Packing: 1 of 1 photo, 0 bytes of 5 bytes"], "\(packed)")
                let unpacked = await run("unpack", "/stick", "--home", home, isTerminal: true)
                #expect(unpacked.progress == ["Unpacking: 1 of 1 file"], "\(unpacked)")
                let json = await run("pack", "\(stick)/pack", "--json", "--home", home, isTerminal: true)
                #expect(json.progress == nil && json.errors.hasPrefix("{"), "\(json)")
                #expect(await run("unpack", "/stick", "--home", home).errors.isEmpty)
            }
        }
    }

    /// Shows that wrong usage is told before anything is done.
    @Test func wrongUsageIsTold() async throws {
        for words in [["pack"], ["unpack"], ["pack", "/x", "--since", "yesterday"], ["unpack", ""]] {
            let console = TestConsole()
            let status = await PotluckCommandLine.run(
                words, console: console.console(isTerminal: false, environment: ["HOME": "/nonexistent"]))
            #expect(status == 64, "\(words)")
        }
        let both = await run("pack", "/x", "--for", "Ben", "--since", "2026-08-01")
        #expect(both.status == 64)
        #expect(both.errors.contains("Choose one of --for and --since"))
    }

    /// Shows that a home without a gathering says what to do first.
    @Test func aHomeWithoutAGatheringIsTold() async throws {
        try await withTemporaryHome { home in
            for command in ["pack", "unpack"] {
                let text = await run(command, "\(home)/pack", "--home", home)
                #expect(text.status == 78)
                #expect(text.errors.contains("potluck join"))
            }
        }
    }
}
