import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DiskIO

/// What calls on paths and on descriptors promise: what they do, and what their errors say. Faults at each call are
/// struck below, by the operation `files` of the crash tests.
@Suite(.timeLimit(.minutes(1))) struct DiskTests {
    private func with(_ body: (String) throws -> Void) throws {
        let path = "/tmp/potluck-disk-\(UInt64.random(in: 0...UInt64.max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        // A leftover in /tmp is no reason to fail.
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func write(_ text: String, to path: String) throws {
        try Descriptor(opening: path, .make(mode: 0o600)).write(Array(text.utf8), at: 0)
    }

    private func failure(_ body: () throws -> Void) -> FileError? {
        do {
            try body()
            return nil
        } catch {
            return error as? FileError
        }
    }

    // MARK: Looking

    /// Nothing of a name is told from nobody could look, by each call that looks.
    @Test func absentIsNotUnknown() throws {
        try with { path in
            #expect(symlink("loop", path + "/loop") == 0)
            try write("a", to: path + "/file")
            for absent in [path + "/none", path + "/file/below"] {
                #expect(try !Disk.exists(absent))
                #expect(try FileStat.find(path: absent) == nil)
                #expect(failure { _ = try FileStat(path: absent) }?.isAbsent == true)
                #expect(failure { _ = try Descriptor(opening: absent, .readOwn) }?.isAbsent == true)
            }
            for unknown in [path + "/loop", path + "/" + String(repeating: "x", count: 300)] {
                let attempts: [() throws -> Void] = [
                    { _ = try Disk.exists(unknown) }, { _ = try FileStat.find(path: unknown, followsLink: true) },
                    { _ = try Descriptor(opening: unknown, .readOwn) },
                    { _ = try Disk.names(in: unknown) },
                ]
                for attempt in attempts {
                    let error = failure(attempt)
                    #expect(error?.isAbsent == false && error?.path == unknown, "\(unknown)")
                }
            }
            #expect(try FileStat(path: path + "/loop").kind == .link)
            #expect(try Disk.exists(path + "/loop", followsLink: false))
        }
    }

    /// An error says what was tried, on which path and why not, in a sentence for people.
    @Test func errorsHaveTheirCause() throws {
        try with { path in
            try write("a", to: path + "/file")
            let error = failure { _ = try Descriptor(opening: path + "/file", .make(mode: 0o600)) }
            #expect(error == FileError(errno: EEXIST, "open", path + "/file"))
            #expect(error?.sentence == "Cannot open \(path)/file: \(FileError.text(EEXIST)).")
            #expect(failure { try Disk.remove(path) }?.call == "remove")
            #expect(failure { try Disk.makeDirectory(path + "/none/a", mode: 0o700) }?.errno == ENOENT)
            #expect(failure { try Disk.synchronizeDirectory(path + "/file") }?.errno == ENOTDIR)
            #expect(FileError(errno: ENOSPC, "write", path).isFull && FileError(errno: EDQUOT, "write", path).isFull)
            #expect(FileError(errno: EIO, "read", path).meansBadDisk)
            #expect(FileError(errno: EMFILE, "open", path).concernsEveryFile)
        }
    }

    /// Names that are no text are made, found, moved and removed by their bytes.
    @Test func namesNeedNotBeText() throws {
        try with { path in
            func name(_ bytes: [UInt8]) -> BytePath { BytePath(Array((path + "/").utf8) + bytes) }
            let (odd, other) = (name([0xFF, 0x20]), name([0xFE]))
            try Descriptor(opening: odd, .make(mode: 0o600)).write([1], at: 0)
            #expect(try FileStat(path: odd).byteCount == 1)
            try Disk.rename(odd, to: other)
            #expect(try FileStat.find(path: odd) == nil && FileStat(path: other).isRegularFile)
            #expect(try DirectoryListing(path: path).entries.map(\.name) == [[0xFE]])
            try Disk.remove(other)
            try Disk.remove(other)
            #expect(try Disk.names(in: path) == [])
        }
    }

    // MARK: Descriptors

    /// A descriptor reads what is there, writes where it is told to, and knows what it is of.
    @Test func descriptorsReadAndWrite() throws {
        try with { path in
            let file = try Descriptor(opening: path + "/a", .make(mode: 0o640))
            try file.write(Array("sea and sand".utf8), at: 0)
            try file.write(Array("S".utf8), at: 8)
            #expect(try file.bytes(at: 4, atMost: 100) == Array("and Sand".utf8))
            #expect(try file.bytes(at: 99, atMost: 5) == [])
            #expect(try Descriptor(opening: path + "/a", .readOwn).bytes(atMost: 3) == Array("sea".utf8))
            try file.truncate(to: 3)
            try file.setMode(0o444)
            try file.setModified(-1_500_000_000)
            let stat = try FileStat(descriptor: file.number)
            #expect(stat.byteCount == 3 && stat.mode & 0o777 == 0o444 && stat.modified == -1_500_000_000)
            #expect(stat == (try FileStat(path: path + "/a")))
            let copy = try Descriptor(opening: path + "/b", .updateOrMake(mode: 0o600))
            try copy.write(Array("longer than before".utf8), at: 0)
            try copy.replaceContents(with: file)
            #expect(try text(path + "/b") == "sea")
            #expect(failure { try Descriptor(opening: path + "/b", .readOwn).write([1], at: 0) }?.errno == EBADF)
        }
    }

    /// What people put somewhere is opened without waiting, and a link only where it may be followed.
    @Test func oddFilesAreOpenedWithoutWaiting() throws {
        try with { path in
            #expect(mkfifo(path + "/pipe", 0o600) == 0 && symlink("pipe", path + "/link") == 0)
            let pipe = try Descriptor(opening: path + "/pipe", .read(followsLink: false))
            #expect(try FileStat(descriptor: pipe.number).kind == .pipe)
            #expect(failure { _ = try Descriptor(opening: path + "/link", .read(followsLink: false)) }?.errno == ELOOP)
            #expect(throws: Never.self) { try Descriptor(opening: path + "/link", .read(followsLink: true)) }
        }
    }

    /// One descriptor at a time has the lock, which ends with it; a writer is seen as long as it has the file open.
    @Test func locksAndWritersAreTold() throws {
        try with { path in
            let first = try Descriptor(opening: path + "/lock", .updateOrMake(mode: 0o600))
            let second = try Descriptor(opening: path + "/lock", .update)
            #expect(try first.tryLock())
            #expect(try !second.tryLock())
            let reader = try Descriptor(opening: path + "/lock", .readOwn)
            #expect(Descriptor.writer(of: reader.number) != .none)
            // A process that another test starts meanwhile has all files open until it runs its own program.
            first.close()
            let isTaken = try LockWait.isTaken(within: 5000, { try second.tryLock() })
            #expect(isTaken)
            second.close()
            let deadline = ContinuousClock.now + .seconds(20)
            while Descriptor.writer(of: reader.number) == .open, ContinuousClock.now < deadline { sched_yield() }
            #expect(Descriptor.writer(of: reader.number) != .open)
        }
    }

    /// Files of `/proc` have no size, and are read to their end all the same.
    @Test func streamsAreReadToTheirEnd() throws {
        let mounts = try Disk.contents(ofStream: "/proc/self/mountinfo")
        #expect(mounts.last == UInt8(ascii: "\n") && mounts.split(separator: UInt8(ascii: "\n")).count > 1)
    }

    // MARK: Names

    private static let claims: [Disk.Claim] = [.look, .emptyFile]

    /// Nothing is ever replaced, also where the file system has no such rename: then the name is claimed in another way,
    /// and whatever fails leaves both files as they were.
    @Test(arguments: claims, [false, true]) func renamesReplaceNothing(claim: Disk.Claim, isOld: Bool) throws {
        try with { path in
            func move(_ name: String, to newName: String) throws {
                let (source, target) = (path + "/" + name, path + "/" + newName)
                if isOld {
                    try Disk.renameWithoutReplacing(source, to: target, claimingBy: claim) { _, _ in EINVAL }
                } else {
                    try Disk.renameWithoutReplacing(source, to: target, claimingBy: claim)
                }
            }
            try write("a", to: path + "/a")
            try write("b", to: path + "/b")
            #expect(failure { try move("a", to: "b") }?.errno == EEXIST)
            #expect(try text(path + "/a") == "a" && text(path + "/b") == "b")
            try move("a", to: "c")
            #expect(try text(path + "/c") == "a" && !Disk.exists(path + "/a"))
            // The claim goes with what it was for.
            #expect(failure { try move("none", to: "d") }?.isAbsent == true)
            #expect(try Set(Disk.names(in: path)) == ["b", "c"])
        }
    }

    /// Directories are made with those above them, and again without harm; what stands in their way stays.
    @Test func directoriesAreMade() throws {
        try with { path in
            for _ in 0..<2 { try Disk.makeDirectories(path + "/a/b/c", mode: 0o700) }
            #expect(try FileStat(path: path + "/a/b/c").isDirectory)
            #expect(try Disk.makeDurableDirectory(path + "/a/d", in: path + "/a", mode: 0o700))
            #expect(try !Disk.makeDurableDirectory(path + "/a/d", in: path + "/a", mode: 0o700))
            try write("mine", to: path + "/file")
            #expect(failure { try Disk.makeDirectories(path + "/file/below", mode: 0o700) }?.errno == ENOTDIR)
            #expect(try text(path + "/file") == "mine")
            // Its name cannot be made durable, so it does not stay.
            let error = failure { _ = try Disk.makeDurableDirectory(path + "/e", in: path + "/none", mode: 0o700) }
            #expect(error?.call == "open" && error?.isAbsent == true)
            #expect(try !Disk.exists(path + "/e"))
        }
    }

    // MARK: Whole files

    /// A file is replaced as a whole; where its bytes cannot be written, the old one stands, and nothing beside it.
    @Test func filesAreReplacedAsAWhole() throws {
        try with { path in
            let directory = try OpenDirectory(path: path)
            try directory.write(Array("old".utf8), as: "note", mode: 0o600)
            try directory.write(Array("new".utf8), as: "note", mode: 0o640)
            #expect(try text(path + "/note") == "new" && FileStat(path: path + "/note").mode & 0o777 == 0o640)
            do {
                let full: TemporaryFile.Write = { _, _, _ in
                    errno = ENOSPC
                    return -1
                }
                let file = try TemporaryFile(in: directory, name: "note.new", mode: 0o600, write: full)
                #expect(failure { try file.append(Array("newer".utf8)) }?.isFull == true)
            }
            #expect(try text(path + "/note") == "new")
            #expect(try Disk.names(in: path) == ["note"])
            #expect(mkdir(path + "/dir", 0o700) == 0)
            #expect(failure { try directory.write([1], as: "dir", mode: 0o600) }?.isObstacle == true)
            #expect(try Set(Disk.names(in: path)) == ["note", "dir"])
        }
    }

    /// Writes that the system cuts short or interrupts are gone on with.
    @Test func shortWritesAreGoneOnWith() throws {
        try with { path in
            let directory = try OpenDirectory(path: path)
            let calls = Calls()
            let file = try TemporaryFile(in: directory, name: "a.new", mode: 0o600) { descriptor, bytes, offset in
                if calls.next() % 2 == 1 {
                    errno = EINTR
                    return -1
                }
                return pwrite(descriptor, bytes.baseAddress, min(3, bytes.count), offset)
            }
            try file.append(Array("sea and sand".utf8))
            try file.replace("a")
            #expect(try text(path + "/a") == "sea and sand")
        }
    }

    private final class Calls: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }
}
