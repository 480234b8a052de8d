/// What the agent asks of a worker. It travels in ``byteCount`` bytes, with the file's descriptor.
public struct Job: Hashable, Sendable {
    public enum Kind: UInt8, Sendable {
        /// What is it, what does it say of itself, and a picture of it, all as far as the worker can by itself.
        case look = 1
        /// A picture only.
        case picture = 2
    }

    public static let byteCount = 4

    public var kind: Kind
    /// The square, in pixels, that the picture is to fit: 1 to ``WorkerLimits/sideMax``.
    public var side: UInt16
    /// EXIF's 1 to 8: how the picture is to be turned if it does not say so itself; 0 for a picture that is upright.
    public var orientation: UInt8

    public init(kind: Kind, side: UInt16, orientation: UInt8 = 0) {
        self.kind = kind
        self.side = side
        self.orientation = orientation
    }

    public var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.write(kind.rawValue)
        writer.write(orientation)
        writer.write(side)
        return writer.bytes
    }

    public init?(bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let kind = reader.read(UInt8.self).flatMap(Kind.init), let orientation = reader.read(UInt8.self),
            let side = reader.read(UInt16.self), reader.isAtEnd
        else { return nil }
        guard orientation <= 8, side >= 1, side <= WorkerLimits.sideMax else { return nil }
        self.init(kind: kind, side: side, orientation: orientation)
    }
}
