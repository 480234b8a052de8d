import CFileOps
public import Glibc

/// A file that grows over days, piece by piece, and that every restart goes on with. Every call blocks; calls may come
/// from several threads.
public final class StagedFile: Sendable {
    private let descriptor: Int32
    public let path: String

    /// Opens a plain file of one part's name for writing, and makes it where there is none.
    public init(in directory: OpenDirectory, name: String, mode: mode_t) throws(FileError) {
        path = directory.path(of: name)
        if let file = try directory.update(name) {
            descriptor = file
        } else if let file = try directory.create(name, mode: mode) {
            descriptor = file
        } else {
            throw FileError(errno: EEXIST, "make", path)
        }
    }

    deinit {
        close(descriptor)
    }

    /// All of it, or it throws; what was written until then stays.
    public func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileError) {
        try Descriptor.write(bytes, to: descriptor, path: path, at: offset)
        // Whether the kernel begins at once changes only how long the sync at the end takes.
        _ = cfileops_start_writeback(descriptor, Int64(offset), Int64(bytes.count))
    }

    /// Returns once what was written, and how much, survives a power cut.
    public func synchronize() throws(FileError) {
        guard fdatasync(descriptor) == 0 else { throw .last("write", path) }
    }
}
