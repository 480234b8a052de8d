public import AlbumModel
import DiskIO

/// What is made of an original for a browser.
public enum RenditionKind: String, Hashable, Sendable, CaseIterable {
    /// A JPEG that fits 2048 × 2048 pixels.
    case preview
    /// A film as all browsers play it, as an MP4.
    case video
    /// The same file without what it says of the place where it was taken.
    case placeless

    /// `nil` where it is the original's.
    public var mediaType: String? {
        switch self {
        case .preview: "image/jpeg"
        case .video: "video/mp4"
        case .placeless: nil
        }
    }

    /// Grows when the same original is made into something better: those of before are then made anew.
    var version: Int {
        switch self {
        case .preview: 1
        case .video: 1
        case .placeless: 1
        }
    }
}

/// An open rendition: it can be read to its end also after it has been evicted.
public struct RenditionFile: Sendable {
    /// To read by pread(2), or by sendfile(2) with an offset; open as long as this value or a copy of it lives.
    public var descriptor: Int32 { file.descriptor }
    public var byteCount: UInt64 { file.byteCount }
    /// Of the bytes, in hexadecimal: good for an ETag.
    public let sha256: String
    /// `nil` where it is the original's.
    public let mediaType: String?

    private let file: OpenFile

    init(_ file: OpenFile, sha256: String, mediaType: String?) {
        (self.file, self.sha256, self.mediaType) = (file, sha256, mediaType)
    }
}

/// How a rendition stands.
public enum RenditionState: Sendable {
    case ready(RenditionFile)
    /// It waits its turn or is being made. `progress` goes from 0 to 1; `nil` where nobody knows how far it is.
    case making(progress: Double?)
    /// A sentence for people. It is tried again by whoever asks after some minutes.
    case failed(reason: String)
    /// Too many others wait: to be asked for again in a moment.
    case busy
}

/// That a making has ended.
public struct RenditionChange: Hashable, Sendable {
    public var kind: RenditionKind
    public var blob: BlobID
    /// Else it failed.
    public var isReady: Bool

    public init(kind: RenditionKind, blob: BlobID, isReady: Bool) {
        (self.kind, self.blob, self.isReady) = (kind, blob, isReady)
    }
}

/// What bounds a ``PictureStore``.
///
/// A preview has 300 to 900 KB: a GiB holds those of some 2,000 photos. Beside what is kept there is at most one file of
/// each kind in the making: 8 MiB of ``RenditionKind/preview``, ``MediaReaderLimits/playableByteCountMax`` of
/// ``RenditionKind/video``, ``placelessByteCountMax`` and little more of ``RenditionKind/placeless``.
public struct RenditionLimits: Sendable {
    /// Of originals of which copies without their places are made: half of what is kept by default.
    public static let placelessByteCountMax: UInt64 = 512 << 20

    /// Of all that is kept. What was used longest ago makes way.
    public var byteCountMax: UInt64 = 1 << 30
    /// That wait, of each kind; more are ``RenditionState/busy``.
    public var previewWaitingCountMax = 64
    public var videoWaitingCountMax = 16
    public var placelessWaitingCountMax = 64
    /// How long it is remembered that an original gives no rendition.
    public var failureMemory: Duration = .seconds(600)
    /// The same where it is the machine's fault, or the moment's.
    public var hitchMemory: Duration = .seconds(30)
    /// Failures remembered; the oldest make way.
    public var failureCountMax = 1024
    /// Changes that nobody has taken yet; the oldest are dropped.
    public var changeCountMax = 256
    /// Files that are kept: pictures of a few pixels are no reason for directories of millions.
    public var fileCountMax = 1 << 13

    public init() {}

    func waitingCountMax(_ kind: RenditionKind) -> Int {
        switch kind {
        case .preview: previewWaitingCountMax
        case .video: videoWaitingCountMax
        case .placeless: placelessWaitingCountMax
        }
    }
}
