import AlbumModel
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import WireFormat

@testable import PhotoPack

/// Sticks that are somebody else's, damaged, cut off or full.
@Suite(.timeLimit(.minutes(1))) struct BadStickTests {
    /// Shows that a pack of another gathering is neither read nor added to, and that the sentence says whose it is.
    @Test func otherGatheringsAreRefused() throws {
        let workshop = try Workshop()
        _ = try workshop.writer("aa").finish(isWhole: true)
        let written = try workshop.bytes("potluck-pack.json")
        for attempt in 0..<2 {
            let error = #expect(throws: PackError.self) {
                if attempt == 0 { _ = try workshop.writer("bb") }
                _ = try PackReader(directory: workshop.stick, tag: "bb")
            }
            #expect(error?.code == .foreign)
            #expect(error?.message.contains("“Kuh reunion”, packed by Anna") == true)
        }
        #expect(try workshop.bytes("potluck-pack.json") == written)
    }

    /// Shows that a directory with other files is left alone, that one whose stick is not there is not made, and that
    /// what holds no pack is not taken for one.
    @Test func otherDirectoriesAreLeftAlone() throws {
        let workshop = try Workshop()
        try FileManager.default.createDirectory(atPath: workshop.stick, withIntermediateDirectories: true)
        try workshop.put([1], "homework.txt")
        #expect(throws: PackError.self) { try workshop.writer() }
        #expect(throws: PackError.self) { try workshop.reader() }
        #expect(try workshop.names() == ["homework.txt"])
        let nowhere = "\(workshop.path)/no/stick"
        let error = #expect(throws: PackError.self) {
            try PackWriter(directory: nowhere, manifest: workshop.manifest("aa"))
        }
        #expect(error?.code == .destination)
        #expect(throws: PackError.self) { try PackReader(directory: nowhere, tag: "aa") }
    }

    /// Shows that a pack of a later version is not touched.
    @Test func laterVersionsAreLeftAlone() throws {
        let workshop = try Workshop()
        try FileManager.default.createDirectory(atPath: workshop.stick, withIntermediateDirectories: true)
        try workshop.put(#"{"potluck_pack":2}"#.utf8, "potluck-pack.json")
        #expect(#expect(throws: PackError.self) { try workshop.writer() }?.code == .newer)
        #expect(#expect(throws: PackError.self) { try workshop.reader() }?.code == .newer)
    }

    /// Shows that two who pack to one stick do not get in each other's way.
    @Test func onePacksAtATime() throws {
        let workshop = try Workshop()
        let writer = try workshop.writer()
        #expect(#expect(throws: PackError.self) { try workshop.writer() }?.code == .busy)
        _ = try writer.finish(isWhole: true)
    }

    /// Shows, for every place where a file of batches may be damaged or cut off, that all other pages are read, that no
    /// batch comes out other than it went in, and that the next packing heals it.
    @Test func damageCostsOnePage() throws {
        let workshop = try Workshop()
        let batches = (0..<3).map { batch($0, byteCount: 200_000) }
        try workshop.writer().pack(batches)
        let whole = Array(try workshop.bytes("batches/000001.batches"))
        let known = Set(batches)
        for place in stride(from: 0, to: whole.count, by: 40_009) + [18, 19, 25, whole.count - 1] {
            var flipped = whole
            flipped[place] ^= 4
            for bytes in [flipped, Array(whole[..<place])] {
                try workshop.put(bytes, "batches/000001.batches")
                let content = try workshop.reader().batches(inFile: 1)
                let read = content.pages.flatMap(\.batches)
                #expect(content.isDamaged || place == BatchFile.mark.count)
                #expect(read.count < 3 && known.isSuperset(of: read), "at \(place)")
            }
        }
        try workshop.put(whole.dropLast(), "batches/000001.batches")
        try workshop.writer().pack(batches)
        let reader = try workshop.reader()
        let contents = try reader.batchFiles().map { try reader.batches(inFile: $0) }
        #expect(contents.allSatisfy { !$0.isDamaged })
        #expect(Set(contents.flatMap(\.pages).flatMap(\.batches)) == known)
    }

    /// Shows that links, directories and endless files in a pack are no photos.
    @Test func onlyFilesAreRead() throws {
        let workshop = try Workshop()
        let blob = try workshop.blob("a photo")
        try workshop.writer().pack([])
        let file = workshop.packed(blob.id)
        try FileManager.default.createDirectory(
            atPath: "\(workshop.stick)/\(PackLayout.directory(of: blob.id))", withIntermediateDirectories: true)
        try #require(symlink("/dev/zero", file) == 0)
        #expect(throws: PackError.self) { try workshop.reader().open(blob.id) }
        unlink(file)
        try #require(mkfifo(file, 0o600) == 0)
        #expect(throws: PackError.self) { try workshop.reader().open(blob.id) }
        unlink(file)
        #expect(try workshop.reader().open(blob.id) == nil)
    }

    /// Shows that a full stick keeps what was whole, has nothing that is half, says what to do, and is gone on with.
    @Test func fullSticksKeepWhatIsWhole() throws {
        let workshop = try Workshop()
        let (first, second) = (try workshop.blob("0123456789"), try workshop.blob("9876543210"))
        try workshop.writer().pack([])
        let manifestByteCount = try workshop.bytes("potluck-pack.json").count
        var writer: PackWriter? = try workshop.writer(
            write: LimitedDisk(byteCount: manifestByteCount + 15).write)
        #expect(try writer?.add(first.id, from: first.path) == .written)
        let error = #expect(throws: PackError.self) { try writer?.add(second.id, from: second.path) }
        #expect(error?.code == .full)
        #expect(error?.message.contains("pack again") == true)
        writer = nil
        #expect(try workshop.reader().manifest?.isWhole == false)
        #expect(try workshop.reader().open(first.id)?.blobID() == first.id)
        #expect(try workshop.reader().open(second.id) == nil)
        #expect(try workshop.names() == ["batches", "blobs", "potluck-pack.json"])
        let next = try workshop.writer()
        #expect(try next.add(first.id, from: first.path) == .kept)
        #expect(try next.add(second.id, from: second.path) == .written)
    }

    /// Shows that photos that were whole and got no names are told, those alone, and are not in the pack: what fails the
    /// second rename, here a directory in its place, costs that photo and those behind it.
    @Test func unnamedPhotosAreTold() throws {
        let workshop = try Workshop()
        let blobs = try ["one", "three", "eleven"].map { try workshop.blob($0) }
        let writer = try workshop.writer()
        for (id, path) in blobs { #expect(try writer.add(id, from: path) == .written) }
        #expect(writer.unnamed.isEmpty)
        try FileManager.default.createDirectory(
            atPath: workshop.packed(blobs[1].id), withIntermediateDirectories: true)
        #expect(throws: PackError.self) { try writer.finish(isWhole: true) }
        #expect(writer.unnamed.map(\.blob) == blobs.dropFirst().map(\.id))
        #expect(writer.unnamed.map(\.byteCount) == [5, 6])
        let reader = try workshop.reader()
        #expect(try reader.open(blobs[0].id)?.blobID() == blobs[0].id)
        #expect(try reader.blobCount() == 1 && reader.manifest?.isWhole == false)
        #expect(try workshop.names() == ["batches", "blobs", "potluck-pack.json"])
    }

    /// Shows that a disk that takes no large files costs these alone, in words.
    @Test func largeFilesAreLeftOut() throws {
        let workshop = try Workshop()
        let (large, small) = (try workshop.blob(String(repeating: "film", count: 1000)), try workshop.blob("photo"))
        let writer = try workshop.writer(write: LimitedDisk(byteCount: 2000, failure: EFBIG).write)
        let outcome = try writer.add(large.id, from: large.path)
        #expect(outcome == .leftOut(reason: "the pack's disk takes no files above 4 GB; one with exFAT or NTFS does"))
        #expect(try workshop.reader().open(small.id) == nil)
        #expect(try workshop.names().allSatisfy { !$0.hasPrefix(".") })
    }

    /// Shows that what an interrupted packing left goes with the next one.
    @Test func leftoversGo() throws {
        let workshop = try Workshop()
        try workshop.writer().pack([batch(1)])
        try workshop.put([1, 2, 3], ".potluck-new-7")
        try workshop.writer().pack([batch(1)])
        #expect(try workshop.names() == ["batches", "blobs", "potluck-pack.json"])
    }

    /// Shows that a pack whose description is damaged can still be read, and is not written to.
    @Test func aDamagedDescriptionDoesNotLockAnybodyOut() throws {
        let workshop = try Workshop()
        try workshop.writer().pack([batch(1)])
        try workshop.put("{".utf8, "potluck-pack.json")
        let reader = try workshop.reader()
        #expect(reader.manifest == nil)
        #expect(try reader.batches(inFile: 1).pages.flatMap(\.batches) == [batch(1)])
        #expect(throws: PackError.self) { try workshop.writer() }
    }
}

extension PackWriter {
    /// Packs these batches, and ends.
    fileprivate func pack(_ batches: [SignedBatch]) throws {
        try add(batches)
        try endBatches()
        _ = try finish(isWhole: true)
    }
}

extension BadStickTests {
    /// Shows that a photo of a pack that nobody can look at is not taken for one that the pack lacks, and that a pack that
    /// cannot be looked at is not called one that is not there. A link that leads to itself stands for such a stick.
    @Test func whatCannotBeSeenIsNotAbsent() throws {
        let workshop = try Workshop()
        let writer = try workshop.writer()
        let (id, path) = try workshop.blob("a photo")
        #expect(try writer.add(id, from: path) == .written)
        _ = try writer.finish(isWhole: true)
        let reader = try workshop.reader()
        #expect(reader.contains(id))

        let directory = "\(workshop.stick)/\(PackLayout.directory(of: id))"
        try #require(rename(directory, "\(workshop.path)/away") == 0)
        #expect(!reader.contains(id))
        try #require(symlink(directory, directory) == 0)
        #expect(reader.contains(id))
        #expect(throws: PackError.self) { try reader.open(id) }

        let loop = "\(workshop.path)/loop"
        try #require(symlink(loop, loop) == 0)
        let error = #expect(throws: PackError.self) { try PackReader(directory: loop, tag: "aa") }
        #expect(error?.message.contains("There is no") == false)
    }
}
