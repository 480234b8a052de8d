import FoundationEssentials

/// A JSON document on its way out, in pieces: an album of a million photos is never whole in memory.
public struct JSONDocument: Sequence, Sendable {
    private enum Content: Sendable {
        case whole([UInt8])
        case photos(PhotosReport, isBrief: Bool)
    }

    private let content: Content

    /// - Throws: `EncodingError`.
    public init(_ value: some Encodable) throws {
        content = .whole(Array(try ReportJSON.data(value)))
    }

    /// - Parameter isBrief: Whether what is unknown is left out instead of shown as `null`.
    public init(photos report: PhotosReport, isBrief: Bool = false) {
        content = .photos(report, isBrief: isBrief)
    }

    /// The length in bytes; `nil` where it is not known before everything is written.
    public var byteCount: Int? {
        switch content {
        case .whole(let bytes): bytes.count
        case .photos: nil
        }
    }

    public struct Iterator: IteratorProtocol {
        fileprivate var whole: [UInt8]?
        fileprivate var photos: PhotosText?

        /// Some 128 KiB; a document that was encoded at once comes as one piece.
        public mutating func next() -> [UInt8]? {
            if let whole {
                self.whole = nil
                return whole
            }
            return photos?.next()
        }
    }

    public func makeIterator() -> Iterator {
        switch content {
        case .whole(let bytes): Iterator(whole: bytes)
        case .photos(let report, let isBrief): Iterator(photos: PhotosText(report, isBrief: isBrief))
        }
    }

    /// All of it; for tests and short documents.
    public var bytes: [UInt8] { flatMap(\.self) }
}
