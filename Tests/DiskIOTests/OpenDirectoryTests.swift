import DiskIO
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Directories that anybody may have prepared: what is opened, made, moved and removed below them.
@Suite(.timeLimit(.minutes(1))) struct OpenDirectoryTests {
    /// A directory with one below it, and a tree beside it that nobody may touch.
    private struct Place {
        let root: String
        let outside: OutsideTree
        var path: String { root + "/prepared" }

        init() throws {
            root = "/tmp/potluck-open-\(UInt64.random(in: 0...UInt64.max))"
            try FileManager.default.createDirectory(atPath: root + "/prepared", withIntermediateDirectories: true)
            outside = try OutsideTree(in: root)
        }

        func remove() {
            // A leftover in /tmp is no reason to fail.
            try? FileManager.default.removeItem(atPath: root)
        }

        func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
        }
    }

    private func with(_ body: (Place, OpenDirectory) throws -> Void) throws {
        let place = try Place()
        defer { place.remove() }
        try body(place, try OpenDirectory(path: place.path))
    }

    /// What an error says, or nothing.
    private func failure(_ body: () throws -> Void) -> FileError? {
        do {
            try body()
            return nil
        } catch {
            return error as? FileError
        }
    }

    /// Shows, for everything that can stand under a name, that it is neither read nor written, made, replaced nor removed
    /// as a file or a directory, that nobody waits for it, and that the error is a sentence about it.
    @Test(arguments: OddFile.allCases) func oddFilesAreLeftAlone(odd: OddFile) async throws {
        let place = try Place()
        defer { place.remove() }
        let before = try place.outside.state()
        guard try odd.place(at: place.path + "/odd", outside: place.outside) else { return }
        try place.write("mine", "mine")
        try await ending {
            let directory = try OpenDirectory(path: place.path)
            var attempts: [() throws -> Void] = [
                { _ = try directory.file("odd") }, { try directory.removeFile("odd") },
                { _ = try TemporaryFile(in: directory, name: "odd", mode: 0o600) },
                { _ = try TemporaryFile(adopting: "odd", in: directory, mode: 0o600) },
                { _ = try AppendedFile(in: directory, name: "odd", mode: 0o600) },
                { try directory.rename("mine", to: "odd", replacing: true) },
                { _ = try OpenFile(path: directory.path(of: "odd")) },
            ]
            // A large file is one, and may be removed as any.
            if odd == .hugeFile { attempts = [] }
            if odd != .directory {
                attempts += [
                    { _ = try directory.directory("odd") }, { try directory.makeDirectory("odd", mode: 0o700) },
                    { _ = try directory.file("odd/inside") }, { _ = try directory.look("odd/inside") },
                ]
            }
            for (number, attempt) in attempts.enumerated() {
                let error = self.failure(attempt)
                #expect(error != nil, "\(odd) \(number)")
                #expect(error?.isAbsent == false && error?.reason.contains(place.path) == true, "\(odd) \(number)")
            }
            #expect(throws: FileError.self) { try directory.rename("mine", to: "odd", replacing: false) }
        }
        #expect(odd.stands(at: place.path + "/odd"))
        #expect(try place.outside.state() == before)
    }

    /// Shows that no name leads out of a directory, whatever it is.
    @Test(
        arguments: [
            "", ".", "..", "/", "/etc/passwd", "../outside/key", "below/../../outside/key", "below//file", "below/",
            "a\0b", "below/\0", "./below", "~/\u{0301}..",
        ])
    func namesDoNotLeadOut(name: String) throws {
        try with { place, directory in
            try directory.makeDirectory("below", mode: 0o700)
            let before = try place.outside.state()
            #expect(throws: FileError.self) { try directory.makeDirectory(name, mode: 0o700) }
            #expect(throws: FileError.self) { try directory.rename("below", to: name, replacing: true) }
            for attempt in [{ try directory.removeFile(name) }, { _ = try directory.file(name) }] {
                // What is no name is an error; one that only leads nowhere may be absent.
                if name != "~/\u{0301}.." { #expect(failure(attempt) != nil) }
            }
            #expect(try place.outside.state() == before)
        }
    }

    /// Shows what is done with what is no trap: files are read, made, moved and removed, also below directories.
    @Test func plainFilesAreUsed() throws {
        try with { place, directory in
            try directory.makeDirectory("below", mode: 0o700)
            let file = try TemporaryFile(in: directory, name: "part", mode: 0o640)
            try file.append(Array("0123".utf8))
            try file.append(Array("4567".utf8))
            #expect(file.byteCount == 8)
            try file.synchronize()
            #expect(throws: FileError.self) { try TemporaryFile(in: directory, name: "part", mode: 0o600) }
            try file.rename(to: "below/whole", replacing: false)
            #expect(try directory.look("part") == nil)
            #expect(try directory.look("below/whole")?.byteCount == 8)
            #expect(try directory.file("below/whole")?.bytes(atMost: 8) == Array("01234567".utf8))
            let error = failure { _ = try directory.file("below/whole")?.bytes(atMost: 7) }
            #expect(error?.cause == .tooLarge)
            #expect(try directory.file("absent/absent") == nil)
            #expect(try directory.directory("absent") == nil)
            try directory.rename("below/whole", to: "here", replacing: false)
            #expect(try directory.names() == ["below", "here"])
            #expect(failure { _ = try directory.names(atMost: 1) }?.cause == .tooLarge)
            try directory.removeFile("here")
            try directory.removeFile("here")
            #expect(try directory.removeDirectory("below"))
            #expect(try directory.names() == [])
        }
    }

    /// Shows that a temporary file that nobody named goes, and that one that a crash left does not stop the next.
    @Test func temporaryFilesGo() throws {
        try with { place, directory in
            try place.write("left by a crash", "part")
            var file: TemporaryFile? = try TemporaryFile(in: directory, name: "part", mode: 0o600)
            #expect(try directory.look("part")?.byteCount == 0)
            try file?.append([1, 2, 3])
            #expect(try file?.reopened().bytes(atMost: 3) == [1, 2, 3])
            file = nil
            #expect(try directory.names() == [])
        }
    }

    /// Shows that lines are added behind what is there, and not to a file that is also known under another name.
    @Test func linesAreAdded() throws {
        try with { place, directory in
            let file = try AppendedFile(in: directory, name: "lines", mode: 0o600)
            try file.append(Array("a\n".utf8))
            try AppendedFile(in: directory, name: "lines", mode: 0o600).append(Array("b\n".utf8))
            #expect(try file.reopened().bytes(atMost: 10) == Array("a\nb\n".utf8))
            #expect(file.tryLock())
            #expect(try !AppendedFile(in: directory, name: "lines", mode: 0o600).tryLock())
            try #require(link(place.outside.key, place.path + "/second") == 0)
            let error = failure { _ = try AppendedFile(in: directory, name: "second", mode: 0o600) }
            #expect(error?.cause == .otherNames)
        }
    }

    /// Shows that a file that is cut, grows or is written while it is read is an error, and that no more is read than
    /// there was.
    @Test(arguments: ["cut", "grown", "written"]) func changedFilesAreNoticed(change: String) throws {
        try with { place, directory in
            try place.write(String(repeating: "x", count: 3 << 20), "file")
            let file = try #require(try directory.file("file"))
            var byteCount = 0
            let path = place.path + "/file"
            let error = failure {
                try file.forEachChunk { bytes, offset in
                    byteCount += bytes.count
                    guard offset == 0 else { return }
                    switch change {
                    case "cut": #expect(truncate(path, 1 << 20) == 0)
                    case "grown": #expect(truncate(path, 1 << 40) == 0)
                    default:
                        let times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
                        #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
                    }
                }
            }
            #expect(error?.cause == .changed)
            #expect(byteCount <= 3 << 20)
        }
    }

    /// Shows that a file that is large by its size alone is told from one that has its bytes.
    @Test func holesAreTold() throws {
        try with { place, directory in
            guard try OddFile.hugeFile.place(at: place.path + "/huge", outside: place.outside) else { return }
            #expect(failure { try directory.file("huge")?.refuseHoles() }?.cause == .hollow)
            // Its first bytes do not make it a film.
            let file = open(place.path + "/huge", O_WRONLY)
            try #require(pwrite(file, "film", 4, 0) == 4)
            close(file)
            #expect(failure { try directory.file("huge")?.refuseHoles() }?.cause == .hollow)
            try place.write("photo", "small")
            #expect(failure { try directory.file("small")?.refuseHoles() } == nil)
        }
    }

    /// Shows that the directories of a person's own may be links, as to another disk, and files still may not.
    @Test func ownDirectoriesMayBeLinks() throws {
        let place = try Place()
        defer { place.remove() }
        try #require(symlink(place.outside.path, place.path + "/disk") == 0)
        try #require(symlink(place.outside.key, place.path + "/key") == 0)
        let own = try OpenDirectory(path: place.path, of: .person)
        #expect(try own.file("disk/known.txt")?.bytes(atMost: 100) == Array(OutsideTree.knownText.utf8))
        #expect(throws: FileError.self) { try own.file("key") }
        #expect(throws: FileError.self) { try OpenDirectory(path: place.path).file("disk/known.txt") }
    }

    /// Shows that sizes that no number holds together have a sum, and a product.
    @Test func sumsHaveAnEnd() {
        #expect([UInt64.max, 1].clampedSum == .max)
        #expect([1 << 63, 1 << 63, 5 as UInt64].clampedSum == .max)
        #expect([1, 2, 3 as UInt64].clampedSum == 6)
        #expect(UInt64.max.clampedProduct(2) == .max)
        #expect((3 as UInt64).clampedProduct(2) == 6)
    }

    /// Shows that a directory of a person's which is a link that leads nowhere is not called absent: its disk is away.
    @Test func linksThatLeadNowhereAreNotAbsent() throws {
        try with { place, _ in
            #expect(symlink(place.root + "/unplugged", place.path + "/disk") == 0)
            let directory = try OpenDirectory(path: place.path, of: .person)
            let error = failure { _ = try directory.directory("disk") }
            #expect(error?.errno == ENODEV && error?.isAbsent == false)
            #expect(failure { _ = try directory.look("disk/photo") }?.errno == ENODEV)
            #expect(try directory.directory("nothing") == nil)
            try FileManager.default.createDirectory(
                atPath: place.root + "/unplugged", withIntermediateDirectories: false)
            #expect(try directory.directory("disk") != nil)
        }
    }
}
