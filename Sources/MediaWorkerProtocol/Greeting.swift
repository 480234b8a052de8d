/// A worker's first message: that it has closed itself in, and how well. On the wire in ``byteCount`` bytes.
public struct Greeting: Hashable, Sendable {
    public static let byteCount = 4
    /// Agent and worker are built together; a worker left over from another build greets with another number.
    public static let version: UInt16 = 1

    /// The version of Landlock's interface that closed the file system; 0: the kernel has none.
    public var landlock: UInt8
    /// Whether a seccomp filter stands.
    public var hasCallFilter: Bool

    public init(landlock: UInt8, hasCallFilter: Bool) {
        self.landlock = landlock
        self.hasCallFilter = hasCallFilter
    }

    public var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.write(Self.version)
        writer.write(landlock)
        writer.write(UInt8(hasCallFilter ? 1 : 0))
        return writer.bytes
    }

    public init?(bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard reader.read(UInt16.self) == Self.version, let landlock = reader.read(UInt8.self),
            let filter = reader.read(UInt8.self), filter <= 1, reader.isAtEnd
        else { return nil }
        self.init(landlock: landlock, hasCallFilter: filter == 1)
    }
}
