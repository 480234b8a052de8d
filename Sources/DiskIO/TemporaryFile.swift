import CFileOps
public import Glibc

/// A file that is written under a temporary name. Unless it gets its own, it goes when this goes.
///
/// It is always a new file: one that a crash left under the temporary name is removed, anything else that stands there is
/// an error, and what a link leads to is never written to. Every call blocks.
public final class TemporaryFile {
    /// How bytes are written: pwrite(2). Tests hand in disks that are full.
    public typealias Write = @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ offset: off_t) -> Int

    public static let systemWrite: Write = { pwrite($0, $1.baseAddress, $1.count, $2) }

    private let directory: OpenDirectory
    private let name: String
    private let write: Write
    /// -1 once it is closed.
    private var descriptor: Int32
    private var isTemporary = true

    public var path: String { directory.path(of: name) }
    /// What ``append(_:)`` has written.
    public private(set) var byteCount: UInt64 = 0

    /// - Parameter name: one part, below `directory`.
    /// - Throws: EWOULDBLOCK where another process writes a file of this name.
    public init(
        in directory: OpenDirectory, name: String, mode: mode_t, write: @escaping Write = TemporaryFile.systemWrite
    ) throws(FileError) {
        self.directory = directory
        self.name = name
        self.write = write
        descriptor = try Self.make(directory, name, mode)
    }

    /// A file that another program has written under a temporary name of ours.
    ///
    /// - Throws: ENOENT where there is none.
    public init(adopting name: String, in directory: OpenDirectory, mode: mode_t) throws(FileError) {
        self.directory = directory
        self.name = name
        write = Self.systemWrite
        guard let file = try directory.update(name) else {
            throw FileError(errno: ENOENT, "open", directory.path(of: name))
        }
        descriptor = file
        // A stick's file system may know no modes.
        _ = fchmod(file, mode)
    }

    deinit {
        if descriptor >= 0 { Glibc.close(descriptor) }
        // What cannot be removed is found by whoever uses the directory next.
        if isTemporary { try? directory.removeFile(name) }
    }

    /// The new file, locked as long as it is open, so that no other process takes it for a crash's. Where files cannot be
    /// locked there is one writer, or there is bad luck.
    private static func make(_ directory: OpenDirectory, _ name: String, _ mode: mode_t) throws(FileError) -> Int32 {
        let busy = FileError(errno: EWOULDBLOCK, "write", directory.path(of: name))
        // Locked until the new one is there, which is what another process would meet first.
        var leftover: Int32 = -1
        defer { if leftover >= 0 { Glibc.close(leftover) } }
        for _ in 0..<2 {
            if let file = try directory.create(name, mode: mode) {
                if cfileops_try_lock(file) != EWOULDBLOCK { return file }
                Glibc.close(file)
                throw busy
            }
            guard leftover < 0, let file = try directory.update(name) else { continue }
            leftover = file
            guard cfileops_try_lock(file) != EWOULDBLOCK, directory.leads(name, to: file) else { throw busy }
            try directory.removeFile(name)
        }
        throw busy
    }

    // MARK: Writing

    public func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileError) {
        try Descriptor.write(bytes, to: descriptor, path: path, at: offset, by: write)
        // Whether the kernel begins at once changes only how long the sync at the end takes.
        _ = cfileops_start_writeback(descriptor, Int64(offset), Int64(bytes.count))
    }

    public func write(_ bytes: [UInt8], at offset: UInt64) throws(FileError) {
        // The closure's error is known, but `withUnsafeBytes` has no typed throws for it.
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(FileError) in try write(buffer, at: offset) }
        }
        try result.get()
    }

    /// Writes behind what was appended before.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        try write(bytes, at: byteCount)
        byteCount += UInt64(bytes.count)
    }

    public func append(_ bytes: [UInt8]) throws(FileError) {
        try write(bytes, at: byteCount)
        byteCount += UInt64(bytes.count)
    }

    /// Whether the file now shares all bytes with another one, which costs no space: reflinks of Btrfs and XFS.
    public func clone(_ source: OpenFile) -> Bool { Descriptor.clone(source.descriptor, into: descriptor) }

    public func truncate(to byteCount: UInt64) throws(FileError) {
        guard ftruncate(descriptor, off_t(byteCount)) == 0 else { throw .last("truncate", path) }
    }

    /// A file system that knows no modes is no reason to fail.
    public func setMode(_ mode: mode_t) { _ = fchmod(descriptor, mode) }

    /// A date that the file system cannot hold is no reason to fail.
    public func setModified(_ time: timespec) { FileTimes.setModified(descriptor, time) }

    // MARK: The end

    /// Waits until the bytes are on the disk.
    public func synchronize() throws(FileError) {
        guard fsync(descriptor) == 0 else { throw .last("write", path) }
    }

    /// Opens the file as it is now, to read back what was written.
    public func reopened() throws(FileError) -> OpenFile {
        guard let file = try directory.file(name) else { throw FileError(errno: ENOENT, "open", path) }
        return file
    }

    /// Says that all is written; some network disks only now say that they are full.
    public func close() throws(FileError) {
        guard descriptor >= 0 else { return }
        defer { descriptor = -1 }
        guard Glibc.close(descriptor) == 0 else { throw .last("write", path) }
    }

    /// Gives the file its name; see ``OpenDirectory/rename(_:to:in:replacing:)``.
    ///
    /// - Parameter other: the directory that `final` is below; that of the temporary name for `nil`.
    public func rename(to final: String, in other: OpenDirectory? = nil, replacing: Bool) throws(FileError) {
        try directory.rename(name, to: final, in: other, replacing: replacing)
        isTemporary = false
    }

    /// Makes the bytes durable, gives them a name of the same directory over a file that has it, and makes that durable:
    /// in this order, so that a power cut leaves the one file or the other, whole.
    ///
    /// - Parameter toleratesUnsupported: whether a file system that cannot sync directories is no error.
    public func replace(_ final: String, toleratesUnsupported: Bool = false) throws(FileError) {
        try synchronize()
        try rename(to: final, replacing: true)
        try directory.synchronize(toleratesUnsupported: toleratesUnsupported)
    }
}

/// Dates of open files.
enum FileTimes {
    /// The time of access stays.
    ///
    /// - Returns: whether the file system can hold the date.
    @discardableResult
    static func setModified(_ descriptor: Int32, _ time: timespec) -> Bool {
        // UTIME_OMIT of POSIX, a macro that Swift does not import.
        let times = [timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2), time]
        return futimens(descriptor, times) == 0
    }
}

extension OpenFile {
    /// Sets when its bytes were changed last. A date that the file system cannot hold is no reason to fail.
    public func setModified(_ time: timespec) { FileTimes.setModified(descriptor, time) }
}
