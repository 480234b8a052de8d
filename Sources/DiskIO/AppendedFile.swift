import CFileOps
public import Glibc

/// A plain file to whose end bytes are added; made where it is missing. Every call blocks.
public final class AppendedFile {
    public let path: String
    private let descriptor: Int32
    private let directory: OpenDirectory
    private let name: String

    /// - Parameter name: one part, below `directory`.
    /// - Throws: where anything but a plain file stands there, or one that has other names as well.
    public init(in directory: OpenDirectory, name: String, mode: mode_t) throws(FileError) {
        self.directory = directory
        self.name = name
        path = directory.path(of: name)
        descriptor = try Self.open(name, in: directory, mode)
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw .last("look at", path) }
        let kind = FileKind(mode: info.st_mode)
        guard kind == .file else { throw FileError(.obstacle(kind, wanted: .file), "open", path) }
        guard info.st_nlink <= 1 else { throw FileError(.otherNames, "write", path) }
    }

    deinit {
        close(descriptor)
    }

    private static func open(_ name: String, in directory: OpenDirectory, _ mode: mode_t) throws(FileError) -> Int32 {
        // One that goes between the two is made the second time.
        for _ in 0..<2 {
            if let file = try directory.update(name) { return file }
            if let file = try directory.create(name, mode: mode) { return file }
        }
        throw FileError(errno: EEXIST, "make", directory.path(of: name))
    }

    /// Locks the file as long as it is open.
    ///
    /// - Returns: whether nobody else has the lock; true as well where files cannot be locked.
    public func tryLock() -> Bool { cfileops_try_lock(descriptor) != EWOULDBLOCK }

    /// Opens the file for reading what is in it now.
    public func reopened() throws(FileError) -> OpenFile {
        guard let file = try directory.file(name) else { throw FileError(errno: ENOENT, "open", path) }
        return file
    }

    public func append(_ bytes: [UInt8]) throws(FileError) {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw .last("look at", path) }
        // The closure's error is known, but `withUnsafeBytes` has no typed throws for it.
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(FileError) in
                try Descriptor.write(buffer, to: descriptor, path: path, at: UInt64(info.st_size))
            }
        }
        try result.get()
    }
}
