import DiskIO

/// An open blob whose file was found as the store knows it. The file stays readable after the blob has left the store.
public final class BlobReader: Sendable {
    public let byteCount: UInt64
    /// Open for reading until the last reference to the reader goes.
    public var descriptor: Int32 { file.number }
    let file: Descriptor

    init(file: Descriptor, byteCount: UInt64) {
        self.file = file
        self.byteCount = byteCount
    }

    /// Reads until `buffer` is full or the blob ends; returns how many bytes there were. Blocks; any thread may call.
    public func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(BlobError) -> Int {
        try BlobError.wrapping { try file.read(at: offset, into: buffer) }
    }
}
