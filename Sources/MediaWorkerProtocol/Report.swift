/// A worker's answer to one job. On the wire: the number of bytes that follow in 32 bits, then those.
///
/// Whoever reads it must take a worker for broken into: ``init(bytes:)`` returns `nil` for whatever is not within
/// ``WorkerLimits``, and what it returns is words, numbers and an encoded picture that nobody has looked into yet.
public struct Report: Hashable, Sendable {
    public struct Tag: Hashable, Sendable {
        /// ExifTool's name with its group, such as `EXIF:DateTimeOriginal`.
        public var name: String
        /// As ExifTool's option `-n` gives it, without control characters.
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A JPEG.
    public struct Picture: Hashable, Sendable {
        public var width: UInt32
        public var height: UInt32
        public var bytes: [UInt8]

        public init(width: UInt32, height: UInt32, bytes: [UInt8]) {
            self.width = width
            self.height = height
            self.bytes = bytes
        }
    }

    public var container = Container.unknown
    /// As displayed, in pixels; zero where it could not be read.
    public var width: UInt32 = 0
    public var height: UInt32 = 0
    public var tags: [Tag] = []
    /// Whether the file may say more than what ``tags`` holds.
    public var mayHoldMore = false
    public var picture: Picture?
    /// Why there is no picture, or a damaged one, in words that go on after "cannot be read: "; else empty.
    public var problem = ""

    public init() {}
}

extension Report {
    public var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.write(container.rawValue)
        writer.write(width)
        writer.write(height)
        writer.write(UInt8(mayHoldMore ? 1 : 0))
        writer.write(problem, byteCountMax: WorkerLimits.problemByteCountMax)
        let sent = tags.prefix(WorkerLimits.tagCountMax)
        writer.write(UInt16(sent.count))
        for tag in sent {
            writer.write(tag.name, byteCountMax: WorkerLimits.tagNameByteCountMax)
            writer.write(tag.value, byteCountMax: WorkerLimits.tagValueByteCountMax)
        }
        writer.write(picture?.width ?? 0)
        writer.write(picture?.height ?? 0)
        writer.write(picture?.bytes ?? [])
        return writer.bytes
    }

    public init?(bytes: [UInt8]) {
        guard bytes.count <= WorkerLimits.reportByteCountMax else { return nil }
        var reader = ByteReader(bytes)
        guard let container = reader.read(UInt8.self).flatMap(Container.init), let width = reader.read(UInt32.self),
            let height = reader.read(UInt32.self), let more = reader.read(UInt8.self), more <= 1,
            let problem = reader.readText(byteCountMax: WorkerLimits.problemByteCountMax),
            let tags = Self.readTags(&reader)
        else { return nil }
        guard let pictureWidth = reader.read(UInt32.self), let pictureHeight = reader.read(UInt32.self),
            let block = reader.readBlock(byteCountMax: WorkerLimits.pictureByteCountMax), reader.isAtEnd
        else { return nil }
        self.container = container
        self.width = width
        self.height = height
        self.mayHoldMore = more == 1
        self.problem = problem
        self.tags = tags
        picture = block.isEmpty ? nil : Picture(width: pictureWidth, height: pictureHeight, bytes: block)
    }

    private static func readTags(_ reader: inout ByteReader) -> [Tag]? {
        guard let count = reader.read(UInt16.self), count <= WorkerLimits.tagCountMax else { return nil }
        var tags: [Tag] = []
        for _ in 0..<count {
            guard let name = reader.readText(byteCountMax: WorkerLimits.tagNameByteCountMax),
                let value = reader.readText(byteCountMax: WorkerLimits.tagValueByteCountMax)
            else { return nil }
            tags.append(Tag(name: name, value: value))
        }
        return tags
    }
}
