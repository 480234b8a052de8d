import DiskIO
import Glibc
import Testing

/// Listings of directories: whole, or an error. Under the address sanitizer they also show that no record is read beyond
/// its end.
@Suite(.timeLimit(.minutes(2))) struct DirectoryListingTests {
    /// Shows that each of 100,000 names of many lengths is listed once, so that records end at each place of the buffer.
    @Test func largeDirectoriesAreWhole() throws {
        let directory = try TemporaryDirectory()
        let tail = String(repeating: "x", count: 240)
        let names = (0..<100_000).map { "\($0)-\(tail.prefix($0 % 200))" }
        // Links are the cheapest files, since they have no bytes of their own.
        for name in names { try #require(symlink("nowhere", "\(directory.path)/\(name)") == 0) }
        let listing = try DirectoryListing(path: directory.path)
        #expect(listing.entries.count == names.count)
        #expect(Set(listing.entries.map(\.text)) == Set(names))
        #expect(listing.entries.allSatisfy { $0.kind == .link })
    }

    /// Shows that names keep all their bytes, of whatever length they are, and whether they are text or not.
    @Test func namesKeepTheirBytes() throws {
        let directory = try TemporaryDirectory()
        var names = (1...255).map { [UInt8](repeating: UInt8(ascii: "n"), count: $0) }
        names += (1...255).map { [UInt8](repeating: 0xFF, count: $0) }
        names += [Array("...".utf8), Array(".hidden".utf8), [0xC3], Array("Strand — Süd\n".utf8)]
        for name in names {
            let path = Array(directory.path.utf8) + [UInt8(ascii: "/")] + name + [0]
            let status = path.withUnsafeBytes { bytes in
                symlink("nowhere", bytes.assumingMemoryBound(to: CChar.self).baseAddress!)
            }
            try #require(status == 0)
        }
        #expect(Set(try DirectoryListing(path: directory.path).entries.map(\.name)) == Set(names))
    }

    /// Shows what each entry is said to be, and that links are told from what they lead to.
    @Test func kindsAreTold() throws {
        let directory = try TemporaryDirectory()
        try #require(mkdir(directory.path + "/directory", 0o700) == 0)
        try #require(symlink("directory", directory.path + "/link") == 0)
        try #require(mkfifo(directory.path + "/pipe", 0o600) == 0)
        let file = open(directory.path + "/file", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        close(file)
        let entries = try DirectoryListing(path: directory.path).entries
        let kinds = Dictionary(uniqueKeysWithValues: entries.map { ($0.text, $0.kind) })
        #expect(kinds == ["directory": .directory, "link": .link, "pipe": .other, "file": .file])
    }

    /// Shows that a link to a directory is followed only where that was asked for.
    @Test func linksAreFollowedOnRequest() throws {
        let directory = try TemporaryDirectory()
        try #require(mkdir(directory.path + "/real", 0o700) == 0)
        try #require(mkdir(directory.path + "/real/inside", 0o700) == 0)
        try #require(symlink("real", directory.path + "/link") == 0)
        let link = directory.path + "/link"
        #expect(try DirectoryListing(path: link, followsLink: true).entries.map(\.text) == ["inside"])
        let error = #expect(throws: DirectoryListingError.self) { try DirectoryListing(path: link) }
        #expect(error?.errno == ENOTDIR)
    }

    /// Shows that a descriptor can be listed again and again, stays open, and tells which directory it is.
    @Test func descriptorsAreListedFromTheStart() throws {
        let directory = try TemporaryDirectory()
        for name in ["a", "b", "c"] { try #require(mkdir("\(directory.path)/\(name)", 0o700) == 0) }
        let descriptor = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var info = stat()
        try #require(fstat(descriptor, &info) == 0)
        for _ in 0..<3 {
            let listing = try DirectoryListing(descriptor: descriptor)
            #expect(listing.entries.map(\.text).sorted() == ["a", "b", "c"])
            #expect(listing.inode == UInt64(info.st_ino) && listing.device == UInt64(info.st_dev))
        }
        #expect(fcntl(descriptor, F_GETFD) >= 0)
    }

    /// Shows which errors mean that there is no directory, and that no other one does.
    @Test func errorsAreToldApart() throws {
        let directory = try TemporaryDirectory()
        let file = directory.path + "/file"
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        try #require(symlink("loop", directory.path + "/loop") == 0)

        func error(_ body: () throws -> DirectoryListing) -> DirectoryListingError? {
            #expect(throws: DirectoryListingError.self) { _ = try body() }
        }
        let absent = error { try DirectoryListing(path: directory.path + "/absent") }
        #expect(absent?.errno == ENOENT && absent?.isAbsent == true)
        let noDirectory = error { try DirectoryListing(path: file) }
        #expect(noDirectory?.errno == ENOTDIR && noDirectory?.isAbsent == true)
        let ofFile = error { try DirectoryListing(descriptor: descriptor) }
        #expect(ofFile?.errno == ENOTDIR && ofFile?.message.contains(file) == true)
        let closed = error { try DirectoryListing(descriptor: -1) }
        #expect(closed?.errno == EBADF && closed?.isAbsent == false)
        let loop = error { try DirectoryListing(path: directory.path + "/loop/inside") }
        #expect(loop?.errno == ELOOP && loop?.isAbsent == false)
    }

    /// Shows that a directory that was removed under a listing is absent, and has no empty listing: the C library takes it
    /// for the end.
    @Test func removedDirectoriesAreNotEmpty() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/gone"
        try #require(mkdir(path, 0o700) == 0)
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        try #require(rmdir(path) == 0)
        let error = #expect(throws: DirectoryListingError.self) { try DirectoryListing(descriptor: descriptor) }
        #expect(error?.isAbsent == true)
    }

    /// Shows the three answers to whether something is there.
    @Test func presenceHasThreeAnswers() throws {
        let directory = try TemporaryDirectory()
        try #require(symlink("nowhere", directory.path + "/dangling") == 0)
        try #require(symlink("loop", directory.path + "/loop") == 0)
        #expect(PathPresence(of: directory.path) == .present)
        #expect(PathPresence(of: directory.path + "/absent") == .absent)
        #expect(PathPresence(of: directory.path + "/dangling") == .present)
        #expect(PathPresence(of: directory.path + "/dangling", followsLink: true) == .absent)
        #expect(PathPresence(of: directory.path + "/loop/inside") == .unknown(errno: ELOOP))
    }
}

/// A directory that goes with its last reference, in memory where there is such a disk.
private final class TemporaryDirectory {
    let path: String

    init() throws {
        let base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(base)/potluck-diskio-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        // A leftover is no reason to fail.
        if let list = try? DirectoryListing(path: path) {
            for entry in list.entries { Self.remove(Array(path.utf8) + [UInt8(ascii: "/")] + entry.name) }
        }
        rmdir(path)
    }

    /// One level of directories below is all that the tests make.
    private static func remove(_ path: [UInt8]) {
        (path + [0]).withUnsafeBytes { bytes in
            let path = bytes.assumingMemoryBound(to: CChar.self).baseAddress!
            if unlink(path) == 0 || rmdir(path) == 0 { return }
        }
        rmdir(String(decoding: path, as: UTF8.self) + "/inside")
        rmdir(String(decoding: path, as: UTF8.self))
    }
}
